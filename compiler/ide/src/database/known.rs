//! What is known of the items of each file already, kept until an edit can reach it.
//!
//! Salsa finds out what an edit changes by looking at everything that was computed; where thousands of items never
//! changed, even a look takes long. Who can notice an edit is easy to say, though: an item reads another only by its
//! name. So an edit says which items can notice it, and only those ask salsa again. All of this stands beside the
//! inputs: no query may read it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use check::db::{Db, Item, SourceFile};
use check::diagnostics::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::CompilerDatabase;

/// The diagnostics of an item, computed.
pub(crate) type Compute = fn(&dyn Db, Item) -> Vec<Diagnostic>;

/// Items with their diagnostics, where there are any.
pub(crate) type Reported = FxHashMap<Item, Arc<[Diagnostic]>>;

/// What is known of the items of all files. Copies of a database share it.
#[derive(Clone, Default)]
pub(super) struct Known(Arc<Files>);

#[derive(Default)]
struct Files {
    /// Counts what changes for all items at once: files that come and go, what they use, settings.
    generation: AtomicU64,
    files: Mutex<FxHashMap<SourceFile, Arc<Mutex<KnownFile>>>>,
}

/// What is known of the items of one file.
struct KnownFile {
    generation: u64,
    /// Whether nothing of this generation is known yet.
    nothing: bool,
    /// The items of which nothing is known.
    unknown: FxHashSet<Item>,
    /// The items with diagnostics; the others have none.
    reported: Reported,
    /// What the file uses, as written; `None` until it is needed: looking for it in thousands of files at each edit would
    /// take long.
    uses: Option<Arc<[SmolStr]>>,
}

impl Known {
    /// The items of a file of which nothing is known; `None` where nothing is known of any.
    pub(super) fn unknown(&self, file: SourceFile) -> Option<Vec<Item>> {
        let generation = self.generation();
        self.with(file, |kept| kept.is_of(generation).then(|| kept.unknown.iter().copied().collect()))
    }

    /// Whether the diagnostics of an item are known.
    fn has(&self, file: SourceFile, item: Item) -> bool {
        let generation = self.generation();
        self.with(file, |kept| kept.is_of(generation) && !kept.unknown.contains(&item))
    }

    /// Forgets what is known of some items of a file.
    pub(super) fn forget(&self, file: SourceFile, items: impl IntoIterator<Item = Item>) {
        self.with(file, |kept| kept.unknown.extend(items));
    }

    /// Forgets a file.
    pub(super) fn forget_file(&self, file: SourceFile) {
        locked(&self.0.files).remove(&file);
    }

    /// Items left their file, and are in no report any more.
    pub(super) fn leave(&self, file: SourceFile, items: &[Item]) {
        self.with(file, |kept| {
            for item in items {
                kept.unknown.remove(item);
                kept.reported.remove(item);
            }
        });
    }

    /// Forgets what is known of the items of a file about which something is reported.
    pub(super) fn forget_reported(&self, file: SourceFile) {
        self.with(file, |kept| kept.unknown.extend(kept.reported.keys()));
    }

    /// Forgets what is known of all items of all files.
    pub(super) fn forget_all(&self) {
        self.0.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets what a file uses.
    pub(super) fn forget_uses(&self, file: SourceFile) {
        self.with(file, |kept| kept.uses = None);
    }

    /// What a file uses, as written, found where it was not needed before.
    pub(super) fn uses(&self, file: SourceFile, find: impl FnOnce() -> Arc<[SmolStr]>) -> Arc<[SmolStr]> {
        self.with(file, |kept| kept.uses.get_or_insert_with(find).clone())
    }

    /// Keeps what was computed, and gives everything that is reported of a file.
    fn keep(&self, file: SourceFile, computed: Vec<(Item, Vec<Diagnostic>)>) -> Reported {
        let generation = self.generation();
        self.with(file, |kept| {
            kept.keep(generation, computed);
            kept.reported.clone()
        })
    }

    fn generation(&self) -> u64 {
        self.0.generation.load(Ordering::Relaxed)
    }

    fn with<T>(&self, file: SourceFile, access: impl FnOnce(&mut KnownFile) -> T) -> T {
        let known = locked(&self.0.files).entry(file).or_default().clone();
        access(&mut locked(&known))
    }
}

impl Default for KnownFile {
    fn default() -> Self {
        let (unknown, reported) = (FxHashSet::default(), Reported::default());
        Self { generation: 0, nothing: true, unknown, reported, uses: None }
    }
}

impl KnownFile {
    fn is_of(&self, generation: u64) -> bool {
        !self.nothing && self.generation == generation
    }

    fn keep(&mut self, generation: u64, computed: Vec<(Item, Vec<Diagnostic>)>) {
        if !self.is_of(generation) {
            *self = Self { generation, nothing: false, uses: self.uses.take(), ..Self::default() };
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

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an item has been checked since anything changed that it can notice. Whoever shows what checking it found can
/// do so then without waiting. Not to be called in a query.
pub(crate) fn is_checked(db: &CompilerDatabase, item: Item) -> bool {
    db.known.has(item.file(db), item)
}

/// The items of a file that have diagnostics: as far as they are kept, or else as `compute` gives them, which is kept
/// from then on. Not to be called in a query.
pub(crate) fn reported(db: &CompilerDatabase, file: SourceFile, compute: Compute) -> Reported {
    let items = file.items(db);
    let missing = db.known.unknown(file).unwrap_or_else(|| items.to_vec());
    let computed = missing.into_iter().map(|item| (item, compute(db, item))).collect();
    let reported = db.known.keep(file, computed);
    // Every test of a debug build is one of what an edit says can notice it.
    if cfg!(debug_assertions) {
        for item in items {
            let kept = reported.get(item).map_or(&[][..], |diagnostics| &**diagnostics);
            assert_eq!(kept, compute(db, *item), "this item was not expected to notice an edit");
        }
    }
    reported
}
