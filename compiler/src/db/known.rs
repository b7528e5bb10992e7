//! What is known of the items of a file already, kept until an edit can reach it.
//!
//! Salsa finds out what an edit changes by looking at everything that was computed; where thousands of items never
//! changed, even a look takes long. Who can notice an edit is easy to say, though: an item reads another only by its
//! name. So an edit says which items can notice it, and only those ask salsa again.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::{CompilerDatabase, Db, Item, SourceFile, Workspace};
use crate::diagnostics::Diagnostic;
use crate::names::{Interface, used_path};
use crate::syntax::items::word_hash;

/// Counts what changes for all items at once: files that come and go, what they use, settings.
pub(super) type Generation = u64;

/// The diagnostics of an item, computed.
pub(crate) type Compute = fn(&dyn Db, Item) -> Vec<Diagnostic>;

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
pub(crate) type Reported = FxHashMap<Item, Arc<[Diagnostic]>>;

impl Known {
    /// What was never looked at.
    pub(super) fn nothing() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Kept { nothing: true, ..Kept::default() })))
    }

    fn with<T>(&self, access: impl FnOnce(&mut Kept) -> T) -> T {
        access(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    /// The items of a file to be computed.
    fn missing(&self, generation: Generation, items: &[Item]) -> Vec<Item> {
        match self.nothing || self.generation != generation {
            true => items.to_vec(),
            false => self.unknown.iter().copied().collect(),
        }
    }

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
pub(crate) fn reported(db: &dyn Db, file: SourceFile, compute: Compute) -> Reported {
    let generation = Workspace::get(db).generation(db);
    let items = file.items(db);
    let missing = file.known(db).with(|kept| kept.missing(generation, items));
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

/// What an edit of one file changed.
#[derive(Debug, Default)]
pub(super) struct Edit {
    items: Vec<Item>,
    /// Names whose declarations changed, came, went, or stand in another order, by their hashes.
    names: FxHashSet<u32>,
    /// Whether names came or went: whoever was told of a name nearby may be told of another now.
    scope: bool,
    /// Whether other files are used now.
    uses: bool,
}

impl Edit {
    /// Notes that an item changed from one interface to another.
    pub(super) fn item(&mut self, item: Item, before: &Interface, after: &Interface) {
        self.items.push(item);
        self.names.extend(hashes(before).chain(hashes(after)));
        self.scope |= before != after;
        self.uses |= before.uses != after.uses;
    }

    /// Notes that other items stand in a part of the file, or the same in another order.
    pub(super) fn order(&mut self, db: &CompilerDatabase, before: &[Item], after: &[Item]) {
        let front = before.iter().zip(after).take_while(|(before, after)| before == after).count();
        let (before, after) = (&before[front..], &after[front..]);
        let ends = before.iter().rev().zip(after.iter().rev());
        let back = ends.take_while(|(before, after)| before == after).count();
        let moved = before[..before.len() - back].iter().chain(&after[..after.len() - back]);
        self.names.extend(moved.flat_map(|item| hashes(item.interface(db))));
        self.scope = true;
    }

    /// Forgets what is kept of all items that can notice the edit.
    pub(super) fn forget(self, db: &mut CompilerDatabase, file: SourceFile) {
        if self.uses {
            file.known(db).with(|kept| kept.uses = None);
            forget_all(db);
            return;
        }
        forget(db, file, self.items);
        if self.scope {
            for reader in readers(db, file) {
                reader.known(db).with(|kept| kept.unknown.extend(kept.reported.keys()));
            }
        }
        forget_readers(db, file, self.names);
    }
}

fn hashes(interface: &Interface) -> impl Iterator<Item = u32> {
    interface.names.iter().map(|name| word_hash(name))
}

/// Forgets what is kept of some items of a file; those that left it are in no report any more.
fn forget(db: &CompilerDatabase, file: SourceFile, items: impl IntoIterator<Item = Item>) {
    file.known(db).with(|kept| kept.unknown.extend(items));
}

/// Forgets everything that is kept of any item.
pub(super) fn forget_all(db: &mut CompilerDatabase) {
    use salsa::Setter;
    let workspace = Workspace::get(db);
    let next = workspace.generation(db) + 1;
    workspace.set_generation(db).to(next);
}

/// Forgets what is kept of the items that say one of the names of `file`, of the items that say their names, and so on.
fn forget_readers(db: &CompilerDatabase, file: SourceFile, names: FxHashSet<u32>) {
    let mut followed: FxHashMap<SourceFile, FxHashSet<u32>> = FxHashMap::default();
    let mut waiting = vec![(file, names)];
    while let Some((file, names)) = waiting.pop() {
        let before = followed.entry(file).or_default();
        let new: FxHashSet<u32> = names.into_iter().filter(|name| before.insert(*name)).collect();
        if new.is_empty() {
            continue;
        }
        for reader in readers(db, file) {
            let items = reader.items(db);
            let noticing: Vec<Item> = reader.layout(db).saying_any(&new).map(|position| items[position]).collect();
            let next = noticing.iter().flat_map(|item| hashes(item.interface(db))).collect();
            forget(db, reader, noticing);
            waiting.push((reader, next));
        }
    }
}

/// The files whose items see the names of `file`: itself, and the files that use it. No scope is asked: there may be
/// thousands that nobody has looked at.
fn readers(db: &CompilerDatabase, file: SourceFile) -> Vec<SourceFile> {
    let path = file.path(db);
    let uses_it = |reader: &SourceFile| {
        *reader != file && uses(db, *reader).iter().any(|used| used_path(reader.path(db), used) == path)
    };
    let others = Workspace::get(db).files(db).values().copied().filter(uses_it);
    std::iter::once(file).chain(others).collect()
}

/// What a file uses, as written.
fn uses(db: &CompilerDatabase, file: SourceFile) -> Arc<[SmolStr]> {
    let find = || file.items(db).iter().filter_map(|item| item.interface(db).uses.clone()).collect();
    file.known(db).with(|kept| kept.uses.get_or_insert_with(find).clone())
}

#[cfg(test)]
mod tests;
