//! Units and tilings: steps, units and questions to a tiling.

use super::context::{Context, open_brackets};
use super::insertion::Insertion;
use super::list::CompletionKind::{Function, Parameter, Snippet, Value as ValueKind};
use super::list::{List, Rank};
use crate::describe;
use crate::documentation::{Subject, find, of_subject};
use crate::receiver::value_before;
use check::evaluate;
use check::names;
use check::values::Value;
use maps::threads::{Parameter as LaunchParameter, Tiling};
use syntax::items::ItemTokens;
use syntax::token::TokenKind;
use syntax::tree::ItemKind;

/// Completions for thread collectives; `false` if the place expects something else.
pub(super) fn collectives(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) -> bool {
    let last = context.end.checked_sub(1).and_then(|last| tokens.kind(last));
    let Some(bracket) = open_brackets(tokens, context.end).pop() else {
        match tokens.kind(0) {
            Some(TokenKind::Unit) => {
                let literal =
                    list.add(Rank::Expected, Snippet, "(domain; box)", Insertion::template("(«blockDim»; «32»)"));
                literal.detail = "a unit of its own".to_owned();
                units(context, list);
            }
            Some(TokenKind::Tiling) if last == Some(TokenKind::Equal) => launches(context, list),
            _ => return false,
        }
        return true;
    };
    let called = bracket.checked_sub(1).filter(|called| tokens.kind(*called).is_some_and(TokenKind::is_word));
    let Some(called) = called else {
        let in_unit = tokens.kind(0) == Some(TokenKind::Unit);
        if in_unit {
            parameters(list);
        }
        return in_unit;
    };
    let is_member = called.checked_sub(1).and_then(|dot| tokens.kind(dot)) == Some(TokenKind::Dot);
    let tiling = |end: usize| match context.item.and_then(|item| value_before(context.db, item, end)) {
        Some(Value::Tiling(tiling)) => Some(tiling),
        _ => None,
    };
    match (tokens.text(called), is_member) {
        ("tile" | "specialize", false) => {
            if last == Some(TokenKind::Comma) {
                units(context, list);
            }
            last == Some(TokenKind::Comma)
        }
        ("matches", true) if tiling(called - 1).is_some() => {
            units(context, list);
            true
        }
        ("pitch" | "count" | "digit", true) => match tiling(called - 1) {
            Some(tiling) => {
                for iterator in tiling.iterators() {
                    list.add(Rank::Expected, Parameter, &iterator.name, &*iterator.name).detail = about(iterator.count);
                }
                true
            }
            None => false,
        },
        (_, false) if matches!(last, Some(TokenKind::OpenParen | TokenKind::Comma)) => {
            if let Some(tiling) = tiling(bracket) {
                iterators(list, tokens, (bracket, context.end), &tiling);
            }
            false
        }
        _ => false,
    }
}

/// The steps that may follow a tiling.
pub(super) fn steps(list: &mut List) {
    let inserts = [("tile", "tile(«i»: «8», «cuda_warp»)"), ("specialize", "specialize(«0»..«1», «cuda_warp»)")];
    for (word, insert) in inserts {
        if let Some(entry) = find(word, &[Subject::Function]) {
            list.entry(Rank::Expected, Function, entry, Insertion::template(insert));
        }
    }
}

/// The declared and the predefined units.
pub(super) fn units(context: &Context<'_>, list: &mut List) {
    declared(context, list, |kind| matches!(kind, ItemKind::Unit { .. }));
    for entry in of_subject(Subject::ThreadUnit).filter(|entry| LaunchParameter::from_name(entry.word).is_none()) {
        list.entry(Rank::Expected, ValueKind, entry, entry.word);
    }
    for word in evaluate::unit_functions() {
        if let Some(entry) = find(word, &[Subject::Function]) {
            let stops = entry.parameters().iter().map(|parameter| parameter.name);
            list.entry(Rank::Expected, Function, entry, Insertion::call(word, stops));
        }
    }
}

/// The start of a tiling.
fn launches(context: &Context<'_>, list: &mut List) {
    declared(context, list, |kind| matches!(kind, ItemKind::Tiling { .. }));
    let inserts = [("block", "block(«128»)"), ("cluster", "cluster(«2») block(«128»)")];
    for (word, insert) in inserts {
        if let Some(entry) = find(word, &[Subject::Function]) {
            list.entry(Rank::Expected, Function, entry, Insertion::template(insert));
        }
    }
}

/// The launch parameters that sizes of a unit may use.
fn parameters(list: &mut List) {
    for parameter in LaunchParameter::ALL {
        if let Some(entry) = find(parameter.name(), &[Subject::ThreadUnit]) {
            list.entry(Rank::Expected, ValueKind, entry, entry.word);
        }
    }
}

/// The iterators that have no value yet.
fn iterators(list: &mut List, tokens: &ItemTokens, (bracket, end): (usize, usize), tiling: &Tiling) {
    for iterator in tiling.iterators() {
        if !(bracket..end).any(|at| tokens.text(at) == iterator.name) {
            let insert = Insertion::from(&*iterator.name).text(": ").stop("0");
            list.add(Rank::Expected, Parameter, &iterator.name, insert).detail = about(iterator.count);
        }
    }
}

fn about(count: i64) -> String {
    format!("an iterator with {count} iterations")
}

/// The declared names of a kind of items.
fn declared(context: &Context<'_>, list: &mut List, is_meant: fn(&ItemKind) -> bool) {
    for (name, item) in names::visible(context.db, context.file) {
        let is_itself = context.item == Some(item);
        if !is_itself && item.tree(context.db).item.as_ref().is_some_and(|parsed| is_meant(&parsed.kind)) {
            let added = list.add(Rank::Expected, ValueKind, &name, &*name);
            added.detail = describe::detail(context.db, item, &name);
            added.documentation = item.documentation(context.db).as_deref().unwrap_or_default().into();
        }
    }
}
