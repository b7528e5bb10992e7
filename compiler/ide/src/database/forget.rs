//! Invalidates the cached results of the items that an edit can affect.

use std::sync::Arc;

use check::db::{Interface, Item, SourceFile, Workspace};
use check::names::path_named;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::items::word_hash;
use syntax::layout::FileLayout;

use super::CompilerDatabase;

/// The changes of one edit of one file.
#[derive(Debug, Default)]
pub(super) struct Edit {
    items: Vec<Item>,
    /// Items removed from the file.
    gone: Vec<Item>,
    /// The hashes of names whose declarations changed, were added or removed, or were reordered.
    names: FxHashSet<u32>,
    /// Whether names were added or removed: diagnostics that suggest similar names may change.
    scope: bool,
    /// Whether the `use` items changed.
    uses: bool,
}

impl Edit {
    /// Records that an item changed from one interface to another.
    pub(super) fn item(&mut self, item: Item, before: &Interface, after: &Interface) {
        self.items.push(item);
        self.names.extend(hashes(before).chain(hashes(after)));
        self.scope |= before != after;
        self.uses |= before.uses != after.uses;
    }

    /// Records that items were removed. Their names are recorded by [`Edit::order`].
    pub(super) fn gone(&mut self, db: &CompilerDatabase, items: &[Item]) {
        self.uses |= items.iter().any(|item| item.interface(db).uses.is_some());
        self.gone.extend(items);
    }

    /// Records that a part of the file has other items, or the same in another order.
    pub(super) fn order(&mut self, db: &CompilerDatabase, before: &[Item], after: &[Item]) {
        let front = before.iter().zip(after).take_while(|(before, after)| before == after).count();
        let (before, after) = (&before[front..], &after[front..]);
        let ends = before.iter().rev().zip(after.iter().rev());
        let back = ends.take_while(|(before, after)| before == after).count();
        let moved = before[..before.len() - back].iter().chain(&after[..after.len() - back]);
        self.names.extend(moved.flat_map(|item| hashes(item.interface(db))));
        self.scope = true;
    }

    /// Discards the cached results of all items that the edit can affect.
    pub(super) fn forget(self, db: &mut CompilerDatabase, file: SourceFile) {
        if self.uses {
            db.known.forget_uses(file);
            db.forget_known();
            return;
        }
        db.known.forget(file, self.items);
        db.known.leave(file, &self.gone);
        if self.scope {
            for reader in readers(db, file) {
                db.known.forget_reported(reader);
            }
        }
        forget_readers(db, file, self.names);
    }
}

fn hashes(interface: &Interface) -> impl Iterator<Item = u32> {
    interface.names.iter().map(|name| word_hash(name))
}

/// Discards the cached results of the items that mention one of the names of `file`, of those that mention their
/// names, and so on.
fn forget_readers(db: &CompilerDatabase, file: SourceFile, names: FxHashSet<u32>) {
    let mut followed: FxHashMap<SourceFile, FxHashSet<u32>> = FxHashMap::default();
    let mut searched: FxHashMap<SourceFile, Searched> = FxHashMap::default();
    let mut waiting = vec![(file, names)];
    while let Some((file, names)) = waiting.pop() {
        let before = followed.entry(file).or_default();
        let new: FxHashSet<u32> = names.into_iter().filter(|name| before.insert(*name)).collect();
        if new.is_empty() {
            continue;
        }
        for reader in readers(db, file) {
            let items = reader.items(db);
            let positions = searched.entry(reader).or_default().saying_any(reader.layout(db), &new);
            let noticing: Vec<Item> = positions.into_iter().map(|position| items[position]).collect();
            let next = noticing.iter().flat_map(|item| hashes(item.interface(db))).collect();
            db.known.forget(reader, noticing);
            waiting.push((reader, next));
        }
    }
}

/// The most searches of one file for names before an index of its words is made. Most edits need two or three; a chain
/// of declarations needs one for each of its links.
const MOST_SEARCHES: usize = 8;

/// How the items of a file are found that mention names.
#[derive(Default)]
struct Searched {
    searches: usize,
    /// For the hash of each word, the items that say it.
    index: Option<FxHashMap<u32, Vec<usize>>>,
}

impl Searched {
    /// The positions of the items that say one of the words with these hashes.
    fn saying_any(&mut self, layout: &FileLayout, hashes: &FxHashSet<u32>) -> Vec<usize> {
        if self.searches < MOST_SEARCHES {
            self.searches += 1;
            return layout.saying_any(hashes).collect();
        }
        let index = self.index.get_or_insert_with(|| layout.sayings());
        hashes.iter().filter_map(|hash| index.get(hash)).flatten().copied().collect()
    }
}

/// The files whose items see the names of `file`: itself, and the files that use it. No scope is queried, as
/// thousands may not have been read yet.
fn readers(db: &CompilerDatabase, file: SourceFile) -> Vec<SourceFile> {
    let path = file.path(db);
    let uses_it = |reader: &SourceFile| {
        *reader != file && uses(db, *reader).iter().any(|used| path_named(reader.path(db), used) == path)
    };
    let others = Workspace::get(db).files(db).values().copied().filter(uses_it);
    std::iter::once(file).chain(others).collect()
}

/// What a file uses, as written.
fn uses(db: &CompilerDatabase, file: SourceFile) -> Arc<[SmolStr]> {
    let find = || file.items(db).iter().filter_map(|item| item.interface(db).uses.clone()).collect();
    db.known.uses(file, find)
}
