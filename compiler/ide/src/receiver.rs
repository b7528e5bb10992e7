//! The value before a dot or a `|>`. It is read from the tokens, as a tree cannot represent `a.` without a member.

use check::db::{Db, Item};
use check::values::Value;
use check::watched::{Watched, watched_in_expression};
use syntax::grammar::parse_item;
use syntax::items::ItemTokens;
use syntax::token::TokenKind;
use syntax::tree::ItemKind;

/// The value of the operand that ends before a token, in the scope of the item's file.
pub(super) fn value_before(db: &dyn Db, item: Item, end: usize) -> Option<Value> {
    watched_before(db, item, end).map(|known| known.value)
}

/// The same, with the facts about its symbols.
pub(super) fn watched_before(db: &dyn Db, item: Item, end: usize) -> Option<Watched> {
    value_of(db, item, operand_start(item.tokens(db), end)?, end)
}

/// The value of the pipeline that ends before a token.
pub(super) fn pipeline_before(db: &dyn Db, item: Item, end: usize) -> Option<Value> {
    let tokens = item.tokens(db);
    let mut start = operand_start(tokens, end)?;
    while let Some(pipe) = start.checked_sub(1).filter(|before| tokens.kind(*before) == Some(TokenKind::Pipe)) {
        start = operand_start(tokens, pipe)?;
    }
    value_of(db, item, start, end).map(|known| known.value)
}

/// The value of the tokens from `start` to before `end`.
fn value_of(db: &dyn Db, item: Item, start: usize, end: usize) -> Option<Watched> {
    let tokens = item.tokens(db);
    let operand = ItemTokens::new((start..end).filter_map(|at| Some((tokens.kind(at)?, tokens.text(at)))));
    let parsed = parse_item(&operand).item?;
    // In `assert (a).b` the word before the bracket is included.
    let (ItemKind::Expr(expr) | ItemKind::Show { value: expr } | ItemKind::Assert { value: expr }) = &parsed.kind
    else {
        return None;
    };
    watched_in_expression(db, item, expr, expr.span)
}

/// The start of the operand that ends before a token: a word or a bracket with all its suffixes.
pub(super) fn operand_start(tokens: &ItemTokens, end: usize) -> Option<usize> {
    let mut start = end.checked_sub(1)?;
    loop {
        let kind = tokens.kind(start)?;
        if kind.is_closing() {
            start = opening_of(tokens, start)?;
        } else if !kind.is_word() {
            return None;
        }
        let before = start.checked_sub(1).and_then(|before| Some((before, tokens.kind(before)?)));
        match before {
            Some((dot, TokenKind::Dot)) => start = dot.checked_sub(1)?,
            // `f(…)`, `s[…]`, `s(…)(…)`: the bracket belongs to what stands before it.
            Some((before, attached)) if kind.is_closing() && (attached.is_word() || attached.is_closing()) => {
                start = before;
            }
            _ => return Some(start),
        }
    }
}

/// The bracket that a closing one closes.
fn opening_of(tokens: &ItemTokens, closing: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=closing).rev() {
        match tokens.kind(at)? {
            kind if kind.is_closing() => depth += 1,
            kind if kind.is_opening() => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
