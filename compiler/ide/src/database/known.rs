//! A cache of the diagnostics of each item, kept until an edit can affect it.
//!
//! Salsa validates everything that was computed, which takes long for thousands of unchanged items. But an item reads
//! another only by its name, so an edit tells which items it can affect, and only those query salsa again. This cache
//! is not an input: no query may read it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use check::db::{Db, Item, SourceFile};
use check::diagnostics::Diagnostic;
use check::names;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::CompilerDatabase;

/// The diagnostics of an item, computed.
pub(crate) type Compute = fn(&dyn Db, Item) -> Vec<Diagnostic>;

/// Items with their diagnostics, where there are any.
pub(crate) type Reported = FxHashMap<Item, Arc<[Diagnostic]>>;

/// The cache of all files. Copies of a database share it.
#[derive(Clone, Default)]
pub(super) struct Known(Arc<Files>);

#[derive(Default)]
struct Files {
    /// Counts changes that affect all items: added and removed files, what they use, settings.
    generation: AtomicU64,
    files: Mutex<FxHashMap<SourceFile, Arc<Mutex<KnownFile>>>>,
}

/// The cache of one file.
struct KnownFile {
    generation: u64,
    /// Whether nothing of this generation is cached yet.
    nothing: bool,
    /// The items without a cached result.
    unknown: FxHashSet<Item>,
    /// The items with diagnostics; the others have none.
    reported: Reported,
    /// The paths of the file's `use` items; computed when needed, as it would take long for thousands of files at
    /// each edit.
    uses: Option<Arc<[SmolStr]>>,
}

impl Known {
    /// The items of a file without a cached result; `None` if none has one.
    pub(super) fn unknown(&self, file: SourceFile) -> Option<Vec<Item>> {
        let generation = self.generation();
        self.with(file, |kept| kept.is_of(generation).then(|| kept.unknown.iter().copied().collect()))
    }

    /// Whether the diagnostics of an item are cached.
    fn has(&self, file: SourceFile, item: Item) -> bool {
        let generation = self.generation();
        self.with(file, |kept| kept.is_of(generation) && !kept.unknown.contains(&item))
    }

    /// Discards the results of some items of a file.
    pub(super) fn forget(&self, file: SourceFile, items: impl IntoIterator<Item = Item>) {
        self.with(file, |kept| kept.unknown.extend(items));
    }

    /// Discards the cache of a file.
    pub(super) fn forget_file(&self, file: SourceFile) {
        locked(&self.0.files).remove(&file);
    }

    /// Removes items that left their file from its reports.
    pub(super) fn leave(&self, file: SourceFile, items: &[Item]) {
        self.with(file, |kept| {
            for item in items {
                kept.unknown.remove(item);
                kept.reported.remove(item);
            }
        });
    }

    /// Discards the results of the items of a file that have diagnostics.
    pub(super) fn forget_reported(&self, file: SourceFile) {
        self.with(file, |kept| kept.unknown.extend(kept.reported.keys()));
    }

    /// Discards all results.
    pub(super) fn forget_all(&self) {
        self.0.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Discards the cached uses of a file.
    pub(super) fn forget_uses(&self, file: SourceFile) {
        self.with(file, |kept| kept.uses = None);
    }

    /// The paths that a file uses, computed if they are not cached.
    pub(super) fn uses(&self, file: SourceFile, find: impl FnOnce() -> Arc<[SmolStr]>) -> Arc<[SmolStr]> {
        self.with(file, |kept| kept.uses.get_or_insert_with(find).clone())
    }

    /// Caches new results, and returns all diagnostics of a file.
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

/// Whether the results of checking an item are up to date, so that they can be shown without waiting. Not to be
/// called in a query.
pub(crate) fn is_checked(db: &CompilerDatabase, item: Item) -> bool {
    db.known.has(item.file(db), item)
}

/// Reads the names of a file before its items are checked.
///
/// A handle of the database keeps the table of what a query has read, and clears all of it for every later query. The
/// table for the names is as large as the file, so they are read by a handle of their own.
pub(crate) fn read_names(db: &CompilerDatabase, file: SourceFile) {
    names::used_files(&db.clone(), file);
}

/// The items of a file that have diagnostics, cached or else computed by `compute` and then cached. Not to be called
/// in a query.
pub(crate) fn reported(db: &CompilerDatabase, file: SourceFile, compute: Compute) -> Reported {
    let items = file.items(db);
    let missing = db.known.unknown(file).unwrap_or_else(|| {
        read_names(db, file);
        items.to_vec()
    });
    let computed = missing.into_iter().map(|item| (item, compute(db, item))).collect();
    let reported = db.known.keep(file, computed);
    // In debug builds every test checks that edits invalidate what they affect.
    if cfg!(debug_assertions) {
        for item in items {
            let kept = reported.get(item).map_or(&[][..], |diagnostics| &**diagnostics);
            assert_eq!(kept, compute(db, *item), "this item was not expected to notice an edit");
        }
    }
    reported
}
