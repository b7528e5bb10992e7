//! Arguments that are given by name: `pad: negative_inf`, `keep: true`.

use super::context::{Context, open_brackets};
use super::insertion::Insertion;
use super::list::CompletionKind::{Parameter, Value};
use super::list::{List, Rank};
use crate::called::called_with;
use check::kernels::OVER;
use kernel::functions::{self, Given};
use syntax::items::ItemTokens;
use syntax::token::TokenKind;

/// The longest order of which all others are listed.
const LONGEST_ORDER: usize = 3;

/// The words that a parameter takes, behind its name and a colon. Whether nothing else is expected there.
pub(super) fn value(context: &Context<'_>, list: &mut List) -> bool {
    let Some(tokens) = context.tokens() else { return false };
    let Some(bracket) = open_brackets(tokens, context.end).pop() else { return false };
    let Some(name) = named_before(tokens, context.end) else { return false };
    let Some(entry) = called_with(context.db, context.file, tokens, bracket) else { return false };
    let name = tokens.text(name);
    if entry.word == "partition" && name == "order" {
        orders(list, tokens, bracket, context.end);
        return true;
    }
    let Some(parameter) = by_name(entry.parameters()).find(|parameter| parameter.name == name) else { return false };
    for choice in parameter.choices {
        list.add(Rank::Expected, Value, choice.word, choice.word).detail = choice.about.to_owned();
    }
    // Threads may also be those of a loop, whose iterator is one of the names in scope.
    !parameter.choices.is_empty() && name != OVER
}

/// The parameters of the call around a cursor that are given by name and are not given yet.
pub(super) fn names(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let Some(bracket) = open_brackets(tokens, context.end).pop() else { return };
    let Some(entry) = called_with(context.db, context.file, tokens, bracket) else { return };
    let needs_others =
        entry.parameters().iter().any(|parameter| parameter.given != Given::ByName && !parameter.is_optional);
    if needs_others && tokens.kind(context.end - 1) != Some(TokenKind::Comma) {
        return;
    }
    let close = (bracket + 1..tokens.len()).find(|at| tokens.kind(*at).is_none_or(|kind| kind == TokenKind::Semicolon));
    let given = |name: &str| {
        let mut words = bracket..close.unwrap_or(context.end).max(context.end);
        words.any(|at| tokens.text(at) == name && tokens.kind(at + 1) == Some(TokenKind::Colon))
    };
    for parameter in by_name(entry.parameters()).filter(|parameter| !given(parameter.name)) {
        let insert = Insertion::from(parameter.name).text(": ").stop("");
        list.add(Rank::Expected, Parameter, parameter.name, insert).detail = parameter.about.to_owned();
    }
}

fn by_name(parameters: &'static [functions::Parameter]) -> impl Iterator<Item = &'static functions::Parameter> {
    parameters.iter().filter(|parameter| parameter.given == Given::ByName)
}

/// The name before the colon that ends the tokens, where an argument begins with it.
fn named_before(tokens: &ItemTokens, end: usize) -> Option<usize> {
    let (colon, name, before) = (end.checked_sub(1)?, end.checked_sub(2)?, end.checked_sub(3)?);
    let begins = matches!(tokens.kind(before), Some(TokenKind::OpenParen | TokenKind::Comma));
    (begins && tokens.kind(colon) == Some(TokenKind::Colon)).then_some(name)
}

/// The orders of the dimensions of a partition, whose number is that of the extents that are written before.
fn orders(list: &mut List, tokens: &ItemTokens, bracket: usize, end: usize) {
    let extents = (bracket + 1..end).find(|at| tokens.kind(*at) == Some(TokenKind::OpenBracket));
    let mut rank = 1;
    let mut depth = 0_usize;
    for at in extents.unwrap_or(end)..end {
        match tokens.kind(at) {
            Some(kind) if kind.is_opening() => depth += 1,
            Some(kind) if kind.is_closing() && depth == 1 => break,
            Some(kind) if kind.is_closing() => depth = depth.saturating_sub(1),
            Some(TokenKind::Comma) if depth == 1 => rank += 1,
            _ => {}
        }
    }
    for order in orders_of(rank) {
        let numbers: Vec<String> = order.iter().map(ToString::to_string).collect();
        let label = format!("({})", numbers.join(", "));
        let detail = if rank == 2 { "the transpose" } else { "the dimensions in this order" };
        list.add(Rank::Expected, Value, &label, &*label).detail = detail.to_owned();
    }
}

/// All orders of a few dimensions but that in which they are anyway.
fn orders_of(rank: usize) -> Vec<Vec<usize>> {
    if rank > LONGEST_ORDER {
        return vec![(0..rank).rev().collect()];
    }
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..rank {
        let longer = |order: &Vec<usize>| {
            let next = (0..rank).filter(|dimension| !order.contains(dimension));
            next.map(|dimension| [order.as_slice(), &[dimension]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders.retain(|order| !order.iter().copied().eq(0..rank));
    orders
}
