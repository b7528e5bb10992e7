//! The dimension numbers in a group: those of the map before it that no entry has used yet.

use super::context::{Context, open_brackets};
use super::expressions::is_group;
use super::insertion::Insertion;
use super::list::CompletionKind::Constant;
use super::list::{List, Rank};
use crate::receiver::pipeline_before;
use check::values::Value;
use syntax::items::ItemTokens;
use syntax::token::TokenKind;

/// Where a number of a dimension is expected: at the start of an entry, or among several in parentheses.
enum Place {
    Entry,
    Tuple,
}

/// Adds the unused dimensions; returns whether the place expects one.
pub(super) fn dimensions(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) -> bool {
    let Some((group, place)) = place(tokens, context.end) else { return false };
    let before = group.checked_sub(1).zip(context.item);
    let map = match before.and_then(|(pipe, item)| pipeline_before(context.db, item, pipe)) {
        Some(Value::Map(map)) => map,
        _ => return true,
    };
    let taken = taken(tokens, group);
    for (dimension, axis) in map.upper.iter().enumerate().filter(|(dimension, _)| !taken.contains(dimension)) {
        let number = dimension.to_string();
        let insert = match place {
            Place::Entry => Insertion::from(&*number).text(": ").stop("_"),
            Place::Tuple => Insertion::from(&*number),
        };
        let added = list.add(Rank::Name, Constant, &number, insert);
        added.detail = format!("a dimension of {}", maps::extents(std::iter::once(axis.extent.as_ref())));
    }
    true
}

/// The group around a place where a dimension is expected.
fn place(tokens: &ItemTokens, end: usize) -> Option<(usize, Place)> {
    let open = open_brackets(tokens, end);
    let starts = |at: usize| {
        let last = at.checked_sub(1).and_then(|last| tokens.kind(last));
        matches!(last, Some(TokenKind::OpenBrace | TokenKind::OpenParen | TokenKind::Comma))
    };
    match open.as_slice() {
        [.., group] if is_group(tokens, *group) && starts(end) => Some((*group, Place::Entry)),
        [.., group, tuple] if is_group(tokens, *group) && starts(*tuple) && starts(end) => Some((*group, Place::Tuple)),
        _ => None,
    }
}

/// The dimensions that entries of the group name, before the place and behind it.
fn taken(tokens: &ItemTokens, group: usize) -> Vec<usize> {
    let mut taken = Vec::new();
    let mut depth = 0_usize;
    let mut in_entry = true;
    for at in group + 1..tokens.len() {
        match tokens.kind(at) {
            Some(kind) if kind.is_opening() => depth += 1,
            Some(kind) if kind.is_closing() => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => break,
            },
            // The transform after the colon has numbers of its own.
            Some(TokenKind::Colon) if depth == 0 => in_entry = false,
            Some(TokenKind::Comma) if depth == 0 => in_entry = true,
            Some(TokenKind::Integer) if in_entry => taken.extend(tokens.text(at).parse::<usize>().ok()),
            _ => {}
        }
    }
    taken
}
