//! Inside the brackets of a `reshape_map`: its parts, and the dimensions of its layout.

use super::context::{Context, open_brackets};
use super::insertion::Insertion;
use super::list::CompletionKind::{Snippet, Value as ValueKind};
use super::list::{List, Rank};
use crate::documentation::Subject;
use check::evaluate;
use syntax::items::ItemTokens;
use syntax::token::TokenKind;

/// Adds the dimensions that a layout lacks; returns whether the cursor is in a layout.
pub(super) fn layout_entries(context: &Context<'_>, list: &mut List) -> bool {
    let Some(tokens) = context.tokens() else { return false };
    let open = open_brackets(tokens, context.end);
    let [.., map, bracket] = open.as_slice() else { return false };
    let kind = |back: usize| bracket.checked_sub(back).and_then(|at| tokens.kind(at));
    if (kind(1), kind(2)) != (Some(TokenKind::Colon), Some(TokenKind::Layout)) {
        return false;
    }
    let Some(counts) = dimension_counts(tokens, *map) else { return true };
    let last = tokens.kind(context.end - 1);
    if !matches!(last, Some(TokenKind::OpenBracket | TokenKind::Comma | TokenKind::Minus)) {
        return true;
    }
    let end = (*bracket..tokens.len()).find(|at| tokens.kind(*at) == Some(TokenKind::CloseBracket));
    // The word being typed does not count as an entry.
    let typed = if context.word.is_empty() { usize::MAX } else { context.end };
    let written = (*bracket..end.unwrap_or(tokens.len())).filter(|at| *at != typed);
    let given: Vec<usize> = written.filter_map(|at| entry_number(tokens, at, counts)).collect();
    for dimension in (0..counts.0 + counts.1).filter(|dimension| !given.contains(dimension)) {
        let name = evaluate::dimension_name(dimension, counts);
        let added = list.add(Rank::Expected, ValueKind, &name, &*name);
        added.detail = if dimension < counts.0 { "a local dimension" } else { "a thread dimension" }.to_owned();
        if last != Some(TokenKind::Minus) {
            let reversed = format!("-{name}");
            list.add(Rank::Name, ValueKind, &reversed, &*reversed).detail = "counted from its far end".to_owned();
        }
    }
    true
}

/// The dimension that a token of a layout names.
fn entry_number(tokens: &ItemTokens, at: usize, counts: (usize, usize)) -> Option<usize> {
    match tokens.kind(at)? {
        TokenKind::Integer => tokens.text(at).parse().ok(),
        kind if kind.is_word() => evaluate::named_entry(tokens.text(at), counts),
        _ => None,
    }
}

/// The numbers of local and thread dimensions in the brackets of a `reshape_map`.
fn dimension_counts(tokens: &ItemTokens, open: usize) -> Option<(usize, usize)> {
    let mut counts = Vec::new();
    let mut at = open + 1;
    while counts.len() < 2 {
        match tokens.kind(at)? {
            TokenKind::OpenBracket => {
                let (entries, end) = entries(tokens, at)?;
                counts.push(entries);
                at = end + 1;
            }
            TokenKind::Bar => at += 1,
            _ => return None,
        }
    }
    Some((counts[0], counts[1]))
}

/// How many entries a bracket has, and where it closes.
fn entries(tokens: &ItemTokens, open: usize) -> Option<(usize, usize)> {
    let (mut depth, mut entries, mut empty) = (0_usize, 0, true);
    for at in open..tokens.len() {
        match tokens.kind(at)? {
            kind if kind.is_opening() => {
                empty &= depth == 0;
                depth += 1;
            }
            kind if kind.is_closing() => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((entries + usize::from(!empty), at));
                }
            }
            TokenKind::Comma if depth == 1 => {
                entries += usize::from(!empty);
                empty = true;
            }
            _ => empty = false,
        }
    }
    None
}

/// Adds `layout:` and `offset:` of a `reshape_map`; returns whether the cursor is in its place.
pub(super) fn map_parts(context: &Context<'_>, list: &mut List) -> bool {
    let Some(tokens) = context.tokens() else { return false };
    let Some(open) = open_brackets(tokens, context.end).pop() else { return false };
    if !is_reshape_map(tokens, open) {
        return false;
    }
    let written = |kind| (open..context.end).any(|at| tokens.kind(at) == Some(kind));
    let layout = "layout: [«i0, t0»]";
    match tokens.kind(context.end - 1) {
        Some(TokenKind::OpenParen) => {
            let sides = list.add(Rank::Expected, Snippet, "[…] | […]", Insertion::template("[«4»] | [«32»]"));
            sides.detail = "the dimensions".to_owned();
        }
        Some(TokenKind::Bar) => {
            list.add(Rank::Expected, Snippet, "[…]", Insertion::template("[«32»]")).detail =
                "the thread dimensions".to_owned()
        }
        Some(TokenKind::FatArrow | TokenKind::Comma) => {
            if !written(TokenKind::Layout) {
                list.words(Rank::Expected, Subject::MapPart, &[("layout", layout)]);
            }
            if !written(TokenKind::Offset) {
                list.words(Rank::Expected, Subject::MapPart, &[("offset", "offset: «»")]);
            }
        }
        Some(TokenKind::CloseBracket) if !written(TokenKind::FatArrow) && !written(TokenKind::Bar) => {
            list.add(Rank::Expected, Snippet, "| […]", Insertion::template("| [«32»]")).detail =
                "the thread dimensions".to_owned();
        }
        Some(TokenKind::CloseBracket) if !written(TokenKind::FatArrow) => {
            list.add(
                Rank::Expected,
                Snippet,
                "=> layout: […]",
                Insertion::from("=> ").followed_by(Insertion::template(layout)),
            )
            .detail = "the order".to_owned();
        }
        Some(TokenKind::CloseBracket) if !written(TokenKind::Offset) => {
            list.add(Rank::Expected, Snippet, ", offset: …", Insertion::template(", offset: «»")).detail =
                "added to every result".to_owned();
        }
        _ => return false,
    }
    true
}

/// Whether a bracket is that of a `reshape_map`, also as the macro is written.
fn is_reshape_map(tokens: &ItemTokens, open: usize) -> bool {
    let kind = |back: usize| open.checked_sub(back).and_then(|at| tokens.kind(at));
    kind(1) == Some(TokenKind::ReshapeMap) || kind(1) == Some(TokenKind::Bang) && kind(2) == Some(TokenKind::ReshapeMap)
}
