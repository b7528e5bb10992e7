//! Files that are there and cannot be read, which whoever loads files has found out: the compiler reads none.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use std::collections::BTreeMap;

use salsa::{Durability, Setter};

use crate::db::{CompilerDatabase, Db};

/// What keeps files from being read.
#[salsa::input(singleton, debug)]
pub struct Unreadable {
    /// A sentence for each, by path.
    #[returns(ref)]
    reasons: BTreeMap<String, String>,
}

/// What is known of a new database's files.
pub(crate) fn create(db: &CompilerDatabase) {
    let _ = Unreadable::builder(BTreeMap::new()).durability(Durability::HIGH).new(db);
}

impl CompilerDatabase {
    /// Says why a file cannot be read, in one sentence that names it; `None` where nothing is known against it.
    pub fn set_unreadable(&mut self, path: &str, reason: Option<String>) {
        let unreadable = Unreadable::get(self);
        if unreadable.reasons(self).get(path) == reason.as_ref() {
            return;
        }
        let mut reasons = unreadable.reasons(self).clone();
        match reason {
            Some(reason) => reasons.insert(path.to_owned(), reason),
            None => reasons.remove(path),
        };
        unreadable.set_reasons(self).with_durability(Durability::HIGH).to(reasons);
        self.forget_known();
    }
}

/// Why a file cannot be read, where that is known.
pub(super) fn reason<'db>(db: &'db dyn Db, path: &str) -> Option<&'db str> {
    Unreadable::get(db).reasons(db).get(path).map(String::as_str)
}
