//! From a changed text to changed items.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};
use smol_str::SmolStr;

use super::CompilerDatabase;
use super::forget::Edit;
use check::db::{Interface, Item, SourceFile};
use syntax::grammar::KeptTree;
use syntax::items::ItemTokens;
use syntax::layout::{FileLayout, Piece};
use syntax::token::TokenKind;

/// Adds a file. What it says is not expected to change, what it declares even less.
pub(super) fn open(db: &mut CompilerDatabase, path: &str, text: &str) -> SourceFile {
    let layout = Arc::new(FileLayout::new(text));
    let file = SourceFile::builder(path.to_owned(), text.to_owned(), layout.clone(), Vec::new(), Vec::new())
        .durability(Durability::MEDIUM)
        .path_durability(Durability::HIGH)
        .items_durability(Durability::HIGH)
        .new(db);
    let items = layout.pieces().iter().map(|piece| create(db, file, piece, Durability::MEDIUM)).collect();
    file.set_items(db).with_durability(Durability::HIGH).to(items);
    file
}

/// Gives a file another text.
pub(super) fn change(db: &mut CompilerDatabase, file: SourceFile, text: &str) {
    let (layout, replaced) = file.layout(db).edited(file.text(db), text);
    let items = file.items(db);
    let (front, back) = (items[..replaced.old.start].to_vec(), items[replaced.old.end..].to_vec());
    let pieces = &layout.pieces()[replaced.new.clone()];
    let before = items[replaced.old].to_vec();
    let Assigned { kept, mut spare } = assign(db, &before, pieces);
    spare.extend(file.spare(db));

    let mut edit = Edit::default();
    let mut after = Vec::with_capacity(pieces.len());
    for (kept, piece) in kept.into_iter().zip(pieces) {
        after.push(match kept.or_else(|| spare.pop()) {
            Some(item) => {
                update(db, item, piece, &mut edit);
                item
            }
            None => {
                let item = create(db, file, piece, Durability::LOW);
                edit.item(item, &Interface::default(), item.interface(db));
                item
            }
        });
    }
    for item in &spare {
        update(db, *item, &Piece::default(), &mut edit);
    }
    if before != after {
        edit.order(db, &before, &after);
        let next = [front, after, back].concat();
        file.set_items(db).with_durability(Durability::HIGH).to(next);
    }
    if *file.spare(db) != spare {
        file.set_spare(db).with_durability(Durability::LOW).to(spare);
    }
    file.set_layout(db).with_durability(Durability::LOW).to(Arc::new(layout));
    file.set_text(db).with_durability(Durability::LOW).to(text.to_owned());
    edit.forget(db, file);
}

fn create(db: &CompilerDatabase, file: SourceFile, piece: &Piece, durability: Durability) -> Item {
    let tree = KeptTree::new(piece.tokens.clone());
    let interface = Interface::of(&tree.get());
    Item::builder(file, piece.tokens.clone(), piece.documentation.clone(), Arc::new(tree), interface)
        .durability(durability)
        // Names are typed once and then stay.
        .interface_durability(Durability::HIGH)
        .file_durability(Durability::HIGH)
        .new(db)
}

/// Sets what is not the same already.
fn update(db: &mut CompilerDatabase, item: Item, piece: &Piece, edit: &mut Edit) {
    if *item.documentation(db) != piece.documentation {
        item.set_documentation(db).with_durability(Durability::LOW).to(piece.documentation.clone());
    }
    if *item.tokens(db) == piece.tokens {
        return;
    }
    let tree = KeptTree::new(piece.tokens.clone());
    let interface = Interface::of(&tree.get());
    edit.item(item, item.interface(db), &interface);
    item.set_tokens(db).with_durability(Durability::LOW).to(piece.tokens.clone());
    item.set_kept_tree(db).with_durability(Durability::LOW).to(Arc::new(tree));
    if *item.interface(db) != interface {
        item.set_interface(db).with_durability(Durability::HIGH).to(interface);
    }
}

/// Which pieces are items that were there before.
struct Assigned {
    /// For each piece its item, where it has one.
    kept: Vec<Option<Item>>,
    /// Items that are no piece any more.
    spare: Vec<Item>,
}

/// Finds the items of the new pieces among the old items: first those that did not change at either end, then those
/// with the same head, then one after the other, since an item whose name is being typed is still the same item.
fn assign(db: &CompilerDatabase, old: &[Item], pieces: &[Arc<Piece>]) -> Assigned {
    let same = |(item, piece): &(&Item, &Arc<Piece>)| *item.tokens(db) == piece.tokens;
    let front = old.iter().zip(pieces).take_while(same).count();
    let back = old[front..].iter().rev().zip(pieces[front..].iter().rev()).take_while(same).count();
    let changed = front..pieces.len() - back;

    let mut kept: Vec<Option<Item>> = vec![None; pieces.len()];
    let mut waiting: Vec<Option<Item>> = old[front..old.len() - back].iter().copied().map(Some).collect();
    let mut by_head: FxHashMap<SmolStr, VecDeque<usize>> = FxHashMap::default();
    for (number, item) in waiting.iter().enumerate() {
        by_head.entry(item.map(|item| head(item.tokens(db))).unwrap_or_default()).or_default().push_back(number);
    }
    for position in changed.clone() {
        let found = by_head.get_mut(&head(&pieces[position].tokens)).and_then(VecDeque::pop_front);
        kept[position] = found.and_then(|number| waiting[number].take());
    }
    let mut spare: VecDeque<Item> = waiting.into_iter().flatten().collect();
    for position in changed {
        kept[position] = kept[position].or_else(|| spare.pop_front());
    }
    for (position, item) in old[..front].iter().enumerate() {
        kept[position] = Some(*item);
    }
    for (position, item) in old[old.len() - back..].iter().enumerate() {
        kept[pieces.len() - back + position] = Some(*item);
    }
    Assigned { kept, spare: spare.into() }
}

/// What an item is called among others: its first two words where both are words, else its first.
fn head(tokens: &ItemTokens) -> SmolStr {
    let is_word = |index| tokens.kind(index).is_some_and(TokenKind::is_word);
    if tokens.is_empty() {
        SmolStr::default()
    } else if is_word(0) && is_word(1) {
        format!("{} {}", tokens.text(0), tokens.text(1)).into()
    } else {
        tokens.text(0).into()
    }
}
