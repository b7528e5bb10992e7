//! Files that are there and cannot be read, which whoever loads files has found out: the compiler reads none.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use std::collections::BTreeMap;

use salsa::Durability;

use crate::db::Db;

/// What keeps files from being read.
#[salsa::input(singleton, debug)]
pub struct Unreadable {
    /// A sentence for each, by path.
    #[returns(ref)]
    pub reasons: BTreeMap<String, String>,
}

/// What is known of a new database's files.
pub fn create(db: &dyn Db) {
    let _ = Unreadable::builder(BTreeMap::new()).durability(Durability::HIGH).new(db);
}

/// Why a file cannot be read, where that is known.
pub fn reason<'db>(db: &'db dyn Db, path: &str) -> Option<&'db str> {
    Unreadable::get(db).reasons(db).get(path).map(String::as_str)
}
