//! What may stand at a cursor.
//!
//! The context is read from the tokens before the cursor ([`context`]), so incomplete text is no obstacle. Every list
//! has everything that fits the place, whatever part of a word was typed: the editor filters. Only very long lists of
//! names are cut.

mod arguments;
mod clauses;
mod collectives;
mod context;
mod expressions;
mod functions;
mod groups;
mod insertion;
mod items;
mod kernels;
mod list;
mod paths;
mod reshape_map;
mod runs;
mod scope;
#[cfg(test)]
mod tests;

use check::db::{Db, SourceFile};
use syntax::token::TokenKind;

pub(crate) use context::{Context, context, open_brackets};
pub use insertion::{Insertion, Piece};
pub use list::{Completion, CompletionKind, Completions};
pub(crate) use scope::behind_generics;

use list::List;

/// The completions at a byte.
pub fn completions(db: &dyn Db, file: SourceFile, offset: u32) -> Completions {
    if let Some(list) = paths::used(db, file, offset) {
        return Completions { items: list.found, complete: list.complete };
    }
    let Some(context) = context(db, file, offset) else { return Completions { items: Vec::new(), complete: true } };
    let mut list = List { replace: context.word.clone(), found: Vec::new(), complete: true };
    if context.starts_item {
        items::item_start(&context, &mut list);
    }
    if !context.starts_item {
        within_item(&context, &mut list);
    } else if context.continues_item {
        clauses::continuing(&context, &mut list);
    }
    let mut seen = std::collections::HashSet::new();
    // A declaration without a name yet declares an empty one.
    list.found.retain(|item| !item.label.is_empty() && seen.insert((item.label.clone(), item.insert.clone())));
    Completions { items: list.found, complete: list.complete }
}

fn within_item(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let (kind, end) = (|at| tokens.kind(at), context.end);
    if end.checked_sub(1).and_then(kind) == Some(TokenKind::Dot) {
        return expressions::members(context, list);
    }
    if reshape_map::layout_entries(context, list) || reshape_map::map_parts(context, list) {
        return;
    }
    let named = kind(1).is_some_and(TokenKind::is_word) || end == 1;
    match kind(0) {
        Some(TokenKind::Kernel) if named => kernels::kernel(context, list),
        Some(TokenKind::Fn) if named => functions::function(context, list),
        Some(TokenKind::Run) if named => runs::run(context, list),
        Some(TokenKind::Dim) if named => clauses::dim(context, list),
        Some(TokenKind::Use) if end == 1 => {}
        Some(TokenKind::Map | TokenKind::Const | TokenKind::Mdspan | TokenKind::Unit | TokenKind::Tiling)
            if end == 1 => {}
        _ => expressions::expression(context, list, expressions::Scope::File),
    }
}
