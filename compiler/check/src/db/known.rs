//! What is known of the items of a file already, kept until an edit can reach it.
//!
//! Salsa finds out what an edit changes by looking at everything that was computed; where thousands of items never
//! changed, even a look takes long. Who can notice an edit is easy to say, though: an item reads another only by its
//! name. So an edit says which items can notice it, and only those ask salsa again.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::{Db, Item, SourceFile, Workspace};
use crate::diagnostics::Diagnostic;

/// Counts what changes for all items at once: files that come and go, what they use, settings.
pub type Generation = u64;

/// The diagnostics of an item, computed.
pub type Compute = fn(&dyn Db, Item) -> Vec<Diagnostic>;

/// Where the diagnostics of a file's items are kept. It is no input: nothing that salsa computes may read it.
#[derive(Debug, Default)]
pub struct Known(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    generation: Generation,
    /// Whether nothing of this generation is known yet.
    nothing: bool,
    /// The items of which nothing is known.
    unknown: FxHashSet<Item>,
    /// The items with diagnostics; the others have none.
    reported: Reported,
    /// What the file uses, as written; `None` until somebody wants to know. Of thousands of files nobody wants to look for
    /// it at each edit.
    uses: Option<Arc<[SmolStr]>>,
}

/// Items with their diagnostics, where there are any.
pub type Reported = FxHashMap<Item, Arc<[Diagnostic]>>;

impl Known {
    /// What was never looked at.
    pub fn nothing() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Kept { nothing: true, ..Kept::default() })))
    }

    /// The items of which nothing is known; `None` where nothing of this generation is known of any.
    pub fn unknown(&self, generation: Generation) -> Option<Vec<Item>> {
        self.with(|kept| {
            let known = !kept.nothing && kept.generation == generation;
            known.then(|| kept.unknown.iter().copied().collect())
        })
    }

    /// Forgets what is known of some items of the file; those that left it are in no report any more.
    pub fn forget(&self, items: impl IntoIterator<Item = Item>) {
        self.with(|kept| kept.unknown.extend(items));
    }

    /// Forgets what is known of the items about which something is reported.
    pub fn forget_reported(&self) {
        self.with(|kept| kept.unknown.extend(kept.reported.keys()));
    }

    /// Forgets what the file uses.
    pub fn forget_uses(&self) {
        self.with(|kept| kept.uses = None);
    }

    /// What the file uses, as written, found out where nobody wanted to know it before.
    pub fn uses(&self, find: impl FnOnce() -> Arc<[SmolStr]>) -> Arc<[SmolStr]> {
        self.with(|kept| kept.uses.get_or_insert_with(find).clone())
    }

    fn with<T>(&self, access: impl FnOnce(&mut Kept) -> T) -> T {
        access(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    fn keep(&mut self, generation: Generation, computed: Vec<(Item, Vec<Diagnostic>)>) {
        if self.nothing || self.generation != generation {
            *self = Self { generation, uses: self.uses.take(), ..Self::default() };
        }
        for (item, diagnostics) in computed {
            self.unknown.remove(&item);
            if diagnostics.is_empty() {
                self.reported.remove(&item);
            } else {
                self.reported.insert(item, diagnostics.into());
            }
        }
    }
}

/// The items of a file that have diagnostics: as far as they are kept, or else as `compute` gives them, which is kept
/// from then on. Not to be called in a query.
pub fn reported(db: &dyn Db, file: SourceFile, compute: Compute) -> Reported {
    let generation = Workspace::get(db).generation(db);
    let items = file.items(db);
    let missing = file.known(db).unknown(generation).unwrap_or_else(|| items.to_vec());
    let computed = missing.into_iter().map(|item| (item, compute(db, item))).collect();
    let reported = file.known(db).with(|kept| {
        kept.keep(generation, computed);
        kept.reported.clone()
    });
    // Every test of a debug build is one of what an edit says can notice it.
    if cfg!(debug_assertions) {
        for item in items {
            let kept = reported.get(item).map_or(&[][..], |diagnostics| &**diagnostics);
            assert_eq!(kept, compute(db, *item), "this item was not expected to notice an edit");
        }
    }
    reported
}
