//! Files that exist but cannot be read. The program that loads files records them, since the compiler itself reads
//! none.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use std::collections::BTreeMap;

use salsa::Durability;

use crate::db::Db;

/// The reasons why files cannot be read.
#[salsa::input(singleton, debug)]
pub struct Unreadable {
    /// A sentence for each file, by path.
    #[returns(ref)]
    pub reasons: BTreeMap<String, String>,
}

/// Creates the empty record of a new database.
pub fn create(db: &dyn Db) {
    let _ = Unreadable::builder(BTreeMap::new()).durability(Durability::HIGH).new(db);
}

/// The reason why a file cannot be read, if it is known.
pub fn reason<'db>(db: &'db dyn Db, path: &str) -> Option<&'db str> {
    Unreadable::get(db).reasons(db).get(path).map(String::as_str)
}
