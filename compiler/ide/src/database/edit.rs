//! From a changed text to changed items.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::{Durability, Setter};

use super::CompilerDatabase;
use super::forget::Edit;
use crate::stages;
use check::db::{Interface, Item, SourceFile};
use check::discard::Large;
use syntax::grammar::KeptTree;
use syntax::items::ItemTokens;
use syntax::layout::{FileLayout, Piece, Replaced};
use syntax::token::TokenKind;
use syntax::wanted::Wanted;

/// A text split into items, some of them already parsed.
pub(super) struct Cut {
    pub(super) layout: FileLayout,
    /// The changed part.
    pub(super) replaced: Replaced,
    /// The new items that are parsed already.
    pub(super) parsed: Vec<Option<Parsed>>,
}

/// A parsed item.
pub(super) struct Parsed {
    tree: KeptTree,
    interface: Interface,
}

impl Parsed {
    fn new(tree: KeptTree) -> Self {
        let interface = Interface::from_parse(&tree.get());
        Self { tree, interface }
    }

    fn from_piece(piece: &Piece) -> Self {
        Self::new(KeptTree::new(piece.tokens.clone()))
    }

    /// Parses an item; `None` if it is no longer wanted.
    pub(super) fn read(piece: &Piece, wanted: &Wanted) -> Option<Self> {
        KeptTree::read(piece.tokens.clone(), wanted).map(Self::new)
    }
}

impl Cut {
    /// The layout of a changed text.
    pub(super) fn between(layout: &FileLayout, old: &str, new: &str) -> Self {
        let (layout, replaced) = layout.edited(old, new);
        Self { layout, replaced, parsed: Vec::new() }
    }

    /// The new items.
    pub(super) fn pieces(&self) -> &[Arc<Piece>] {
        &self.layout.pieces()[self.replaced.new.clone()]
    }
}

/// Adds a file, with durability that assumes rare changes of its text and rarer ones of its declarations.
pub(super) fn open(db: &mut CompilerDatabase, path: &str, cut: Cut, text: String) -> SourceFile {
    let Cut { layout, mut parsed, .. } = cut;
    let layout = Arc::new(layout);
    let file = SourceFile::builder(path.to_owned(), text, layout.clone(), Vec::new(), Vec::new())
        .durability(Durability::MEDIUM)
        .path_durability(Durability::HIGH)
        .items_durability(Durability::HIGH)
        .new(db);
    parsed.resize_with(layout.pieces().len(), || None);
    let pieces = layout.pieces().iter().zip(parsed);
    let items = pieces.map(|(piece, parsed)| create(db, file, piece, parsed, Durability::MEDIUM)).collect();
    file.set_items(db).with_durability(Durability::HIGH).to(items);
    file
}

/// Changes the text of a file.
pub(super) fn change(db: &mut CompilerDatabase, file: SourceFile, cut: Cut, text: String) {
    let Cut { layout, replaced, mut parsed } = cut;
    let items = file.items(db);
    let (front, back) = (items[..replaced.old.start].to_vec(), items[replaced.old.end..].to_vec());
    let pieces = &layout.pieces()[replaced.new.clone()];
    let before = items[replaced.old].to_vec();
    let Assigned { kept, gone } = assign(db, &before, pieces);
    let mut spare = Spare::new(db, file, gone);

    let mut edit = Edit::default();
    let mut after = Vec::with_capacity(pieces.len());
    parsed.resize_with(pieces.len(), || None);
    for ((kept, piece), parsed) in kept.into_iter().zip(pieces).zip(parsed) {
        let item = match kept.or_else(|| spare.take()) {
            Some(item) => {
                update(db, item, piece, parsed, &mut edit);
                item
            }
            None => create(db, file, piece, parsed, Durability::LOW),
        };
        if kept.is_none() {
            edit.item(item, &Interface::default(), item.interface(db));
        }
        after.push(item);
    }
    edit.gone(db, &spare.gone);
    if before != after {
        edit.order(db, &before, &after);
        let next = [front, after, back].concat();
        file.set_items(db).with_durability(Durability::HIGH).to(next);
    }
    spare.put_back(db, file);
    discard(file.set_layout(db).with_durability(Durability::LOW).to(Arc::new(layout)));
    file.set_text(db).with_durability(Durability::LOW).to(text);
    edit.forget(db, file);
}

/// Empties a file. All its cached results are discarded, so the removed items need not be tracked.
pub(super) fn empty(db: &mut CompilerDatabase, file: SourceFile) {
    Spare::new(db, file, file.items(db).to_vec()).put_back(db, file);
    file.set_items(db).with_durability(Durability::HIGH).to(Vec::new());
    let layout = file.set_layout(db).with_durability(Durability::LOW).to(Arc::default());
    discard(layout);
    file.set_text(db).with_durability(Durability::LOW).to(String::new());
}

/// Drops a layout on another thread.
fn discard(layout: Arc<FileLayout>) {
    drop(Large::new(layout));
}

/// The removed items of a file, for reuse: those just removed, and those removed earlier.
struct Spare {
    gone: Vec<Item>,
    /// How many of those removed earlier are left.
    before: usize,
    /// Those removed earlier.
    waiting: Vec<Item>,
}

impl Spare {
    fn new(db: &CompilerDatabase, file: SourceFile, gone: Vec<Item>) -> Self {
        let waiting = file.spare(db).clone();
        Self { gone, before: waiting.len(), waiting }
    }

    /// Takes one for reuse.
    fn take(&mut self) -> Option<Item> {
        self.gone.pop().or_else(|| self.waiting.pop())
    }

    /// Keeps the rest. The newly removed ones are cleared later, when idle: there may be many.
    fn put_back(self, db: &mut CompilerDatabase, file: SourceFile) {
        let Self { gone, before, mut waiting } = self;
        if gone.is_empty() && waiting.len() == before {
            return;
        }
        let empty = waiting.len();
        if !gone.is_empty() {
            let known = db.stale.entry(file).or_insert(empty);
            *known = empty.min(*known);
        }
        waiting.extend(gone);
        file.set_spare(db).with_durability(Durability::LOW).to(waiting);
    }
}

/// Clears some of the removed items; returns whether there may be more.
pub(super) fn clear_stale(db: &mut CompilerDatabase) -> bool {
    /// Takes about a millisecond.
    const AT_A_TIME: usize = 256;
    let Some((file, empty)) = db.stale.iter().next().map(|(file, empty)| (*file, *empty)) else { return false };
    let spare = file.spare(db);
    let next: Vec<Item> = spare.iter().skip(empty).take(AT_A_TIME).copied().collect();
    match empty + next.len() < spare.len() {
        true => db.stale.insert(file, empty + next.len()),
        false => db.stale.remove(&file),
    };
    for item in &next {
        update(db, *item, &Piece::default(), None, &mut Edit::default());
    }
    // Salsa drops an item's memos when it is queried again.
    for item in next {
        stages::check_item(db, item);
    }
    !db.stale.is_empty()
}

fn create(
    db: &CompilerDatabase,
    file: SourceFile,
    piece: &Piece,
    parsed: Option<Parsed>,
    durability: Durability,
) -> Item {
    let Parsed { tree, interface } = parsed.unwrap_or_else(|| Parsed::from_piece(piece));
    Item::builder(file, piece.tokens.clone(), piece.documentation.clone(), Arc::new(tree), interface)
        .durability(durability)
        // Names rarely change.
        .interface_durability(Durability::HIGH)
        .file_durability(Durability::HIGH)
        .new(db)
}

/// Sets the inputs that differ.
fn update(db: &mut CompilerDatabase, item: Item, piece: &Piece, parsed: Option<Parsed>, edit: &mut Edit) {
    if *item.documentation(db) != piece.documentation {
        item.set_documentation(db).with_durability(Durability::LOW).to(piece.documentation.clone());
    }
    if *item.tokens(db) == piece.tokens {
        return;
    }
    let Parsed { tree, interface } = parsed.unwrap_or_else(|| Parsed::from_piece(piece));
    edit.item(item, item.interface(db), &interface);
    item.set_tokens(db).with_durability(Durability::LOW).to(piece.tokens.clone());
    item.set_kept_tree(db).with_durability(Durability::LOW).to(Arc::new(tree));
    if *item.interface(db) != interface {
        item.set_interface(db).with_durability(Durability::HIGH).to(interface);
    }
}

/// The correspondence of new pieces to old items.
struct Assigned {
    /// For each piece its old item, if it has one.
    kept: Vec<Option<Item>>,
    /// Removed items.
    gone: Vec<Item>,
}

/// Matches the new pieces with the old items: first the unchanged ones at both ends, then those with the same head,
/// then the rest in order, since an item whose name is being typed is still the same item.
fn assign(db: &CompilerDatabase, old: &[Item], pieces: &[Arc<Piece>]) -> Assigned {
    let same = |(item, piece): &(&Item, &Arc<Piece>)| *item.tokens(db) == piece.tokens;
    let front = old.iter().zip(pieces).take_while(same).count();
    let back = old[front..].iter().rev().zip(pieces[front..].iter().rev()).take_while(same).count();
    let changed = front..pieces.len() - back;

    let mut kept: Vec<Option<Item>> = vec![None; pieces.len()];
    let mut waiting: Vec<Option<Item>> = old[front..old.len() - back].iter().copied().map(Some).collect();
    let wanted: FxHashSet<Head<'_>> = changed.clone().map(|position| head(&pieces[position].tokens)).collect();
    let mut by_head: FxHashMap<Head<'_>, VecDeque<usize>> = FxHashMap::default();
    for (number, item) in old[front..old.len() - back].iter().enumerate() {
        let head = head(item.tokens(db));
        if wanted.contains(&head) {
            by_head.entry(head).or_default().push_back(number);
        }
    }
    for position in changed.clone() {
        let found = by_head.get_mut(&head(&pieces[position].tokens)).and_then(VecDeque::pop_front);
        kept[position] = found.and_then(|number| waiting[number].take());
    }
    let mut gone: VecDeque<Item> = waiting.into_iter().flatten().collect();
    for position in changed {
        kept[position] = kept[position].or_else(|| gone.pop_front());
    }
    for (position, item) in old[..front].iter().enumerate() {
        kept[position] = Some(*item);
    }
    for (position, item) in old[old.len() - back..].iter().enumerate() {
        kept[pieces.len() - back + position] = Some(*item);
    }
    Assigned { kept, gone: gone.into() }
}

/// The head of an item: its first word, and its second if both are words.
type Head<'tokens> = (&'tokens str, Option<&'tokens str>);

fn head(tokens: &ItemTokens) -> Head<'_> {
    if tokens.is_empty() {
        return ("", None);
    }
    let is_word = |index| tokens.kind(index).is_some_and(TokenKind::is_word);
    (tokens.text(0), (is_word(0) && is_word(1)).then(|| tokens.text(1)))
}
