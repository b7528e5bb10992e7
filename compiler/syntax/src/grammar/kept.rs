//! Syntax trees that can be dropped and rebuilt.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Parse, parse_item, parse_while};
use crate::items::ItemTokens;
use crate::tree::{Function, Item, ItemKind, Kernel};
use crate::wanted::Wanted;

/// Trees of items with more tokens are not copied.
const MOST_COPIED: usize = 1 << 14;

/// The tree of an item. It depends only on the tokens, so it can be dropped and rebuilt at any time, to save memory: a
/// tree takes twenty times the memory of its text.
#[derive(Debug)]
pub struct KeptTree {
    tokens: ItemTokens,
    kept: Mutex<Option<Arc<Parse>>>,
}

impl KeptTree {
    /// The tree of an item with these tokens.
    pub fn new(tokens: ItemTokens) -> Self {
        Self { tokens, kept: Mutex::default() }
    }

    /// The tree of an item, parsed at once; `None` if it is no longer wanted.
    pub fn read(tokens: ItemTokens, wanted: &Wanted) -> Option<Self> {
        let parse = parse_while(&tokens, wanted.clone());
        if !wanted.is_wanted() {
            return None;
        }
        let parse = without_room(&tokens, parse);
        Some(Self { tokens, kept: Mutex::new(Some(Arc::new(parse))) })
    }

    /// The tree, parsed if necessary.
    pub fn get(&self) -> Arc<Parse> {
        self.with(|kept| {
            kept.get_or_insert_with(|| Arc::new(without_room(&self.tokens, parse_item(&self.tokens)))).clone()
        })
    }

    /// Drops the tree until it is needed again.
    pub fn let_go(&self) {
        self.with(|kept| *kept = None);
    }

    fn with<T>(&self, access: impl FnOnce(&mut Option<Arc<Parse>>) -> T) -> T {
        access(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Copies a tree to release the spare capacity of its lists, which halves its memory. For a large tree, the copy would
/// temporarily take more memory than it saves.
fn without_room(tokens: &ItemTokens, parse: Parse) -> Parse {
    if tokens.len() > MOST_COPIED {
        return parse;
    }
    let mut copy = parse.clone();
    // The copy of an item would share its kernel.
    if let Some(Item { kind: ItemKind::Kernel(kernel), .. }) = &mut copy.item {
        *kernel = Arc::new(Kernel::clone(kernel));
    }
    if let Some(Item { kind: ItemKind::Function(function), .. }) = &mut copy.item {
        *function = Arc::new(Function::clone(function));
    }
    copy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::FileLayout;

    #[test]
    fn a_tree_that_nobody_wants_is_not_read_to_its_end() {
        let text = format!("const a = 1{};", "+1".repeat(10_000));
        let tokens = FileLayout::new(&text).pieces()[0].tokens.clone();
        let wanted = Wanted::default();
        let tree = KeptTree::read(tokens.clone(), &wanted).expect("somebody wants it");
        assert_eq!(*tree.get(), parse_item(&tokens));
        wanted.end();
        assert!(KeptTree::read(tokens.clone(), &wanted).is_none());
        let parse = parse_while(&tokens, wanted);
        assert!(parse.item.is_none(), "tokens were read after the end");
    }

    #[test]
    fn a_tree_is_the_same_after_it_was_let_go() {
        let tokens = FileLayout::new("map m = reshape_map([4] | [2] => layout: [t0, i0]);").pieces()[0].tokens.clone();
        let tree = KeptTree::new(tokens.clone());
        let first = tree.get();
        assert!(Arc::ptr_eq(&first, &tree.get()));
        assert_eq!(*first, parse_item(&tokens));
        tree.let_go();
        assert!(!Arc::ptr_eq(&first, &tree.get()));
        assert_eq!(first, tree.get());
    }
}
