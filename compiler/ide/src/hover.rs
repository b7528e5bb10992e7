//! Hovers.

mod arguments;
mod tiles;

use std::ops::Range;

use super::completion::behind_generics;
use super::cursor::{Cursor, cursor, occurrence_at};
use super::describe;
use super::document::{Document, inline};
use super::documentation::{self, Entry, Subject};
use super::expressions::{around, holds};
use super::names::Target;
use super::nodes::Node;
use super::places::bytes;
use super::receiver::watched_before;
use super::value_at::{value_at, value_of_span};
use crate::database::CompilerDatabase;
use crate::database::known::is_checked;
use check::db::{Db, Item, SourceFile};
use check::kernels::{self, CollectiveLoop};
use check::values::Value;
use check::watched::Watched;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{ExprKind, ItemKind, SuffixKind};

/// A hover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it is about.
    pub range: Range<u32>,
    /// What is known.
    pub shown: Document,
}

/// The hover of the name, the word or the expression at a byte.
///
/// It does not wait for the check of a kernel: its barriers and verdicts are shown only if it has been checked
/// already.
pub fn hover(db: &CompilerDatabase, file: SourceFile, offset: u32) -> Option<Hover> {
    let at = cursor(db, file, offset)?;
    let token = Span::new(at.token as u32, at.token as u32 + 1);
    let (span, shown) = name(db, file, offset, token)
        .or_else(|| word(db, at).map(|shown| (token, shown)))
        .or_else(|| expression(db, at))?;
    Some(Hover { range: bytes(db, file, at.position, span), shown })
}

/// A declared name.
fn name(db: &CompilerDatabase, file: SourceFile, offset: u32, token: Span) -> Option<(Span, Document)> {
    let (at, occurrence) = occurrence_at(db, file, offset)?;
    let described = |item: Item, name: Option<&str>| describe::item(db, item, name, is_checked(db, item));
    let shown = match &occurrence.target {
        Target::Local(item, declaration) => {
            let given = (*item != at.item).then(|| given_by_run(db, at)).flatten();
            let mut shown = describe::local(db, *item, *declaration)?;
            if let Some(given) = given {
                shown.put_below_title(Document::summary(format!("{} in this run", inline(given))));
            }
            shown
        }
        Target::Declared(item, name) => {
            // The kernel's name in a run shows the run.
            let run = match at.item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
                Some(ItemKind::Run(run)) if run.kernel.span == occurrence.span => described(at.item, None),
                _ => Document::default(),
            };
            let item = described(*item, Some(name));
            if run.is_empty() { item } else { Document::joined([item, Document::rule(), run]) }
        }
    };
    Some((token, shown))
}

/// The value that a run gives to the generic parameter at a cursor.
fn given_by_run(db: &dyn Db, at: Cursor) -> Option<String> {
    let tree = at.item.tree(db);
    let ItemKind::Run(run) = &tree.item.as_ref()?.kind else { return None };
    let given = run.generics.iter().find(|given| given.name.as_ref().is_some_and(|name| holds(name.span, at.token)))?;
    Some(describe::source(db, at.item, given.value.span))
}

/// A word of the language, and the value of the expression that it is part of.
fn word(db: &dyn Db, at: Cursor) -> Option<Document> {
    let tokens = at.item.tokens(db);
    let kind = tokens.kind(at.token)?;
    if !kind.is_word() && !matches!(kind, TokenKind::Underscore | TokenKind::Question) {
        return None;
    }
    if let Some(entry) = layout_entry(db, at).or_else(|| arguments::argument(db, at)) {
        return Some(entry);
    }
    let value = || {
        let known = member_value(db, at).or_else(|| value_at(db, at.item, at.token))?;
        Some(describe::value(&known.value, &known.facts))
    };
    match entry_of(db, at, tokens.text(at.token)) {
        Some(entry) => {
            if let Some(tile) = tiles::here(db, at) {
                let mut shown = entry.document();
                shown.put_below_title(tile);
                return Some(shown);
            }
            let here = match collective_at(db, at) {
                Some(found) => Some(describe::collective(found)),
                None if shows_value(entry) => value(),
                None => item_value(db, at),
            };
            let here = here.map(|value| Document::joined([Document::rule(), "Here:".into(), value]));
            Some(Document::joined([entry.document(), here.unwrap_or_default()]))
        }
        None => None,
    }
}

/// The value of a member call in a longer chain: the map for `m.permute` in `m.permute(1, 0).upper_shape`.
fn member_value(db: &dyn Db, at: Cursor) -> Option<Watched> {
    let tree = at.item.tree(db);
    let path = Node::Item(tree.item.as_ref()?).path_to(at.token);
    let expr = path.iter().rev().find_map(|node| if let Node::Expr(expr) = node { Some(*expr) } else { None })?;
    let ExprKind::Postfix { suffixes, .. } = &expr.kind else { return None };
    let own = suffixes.iter().position(|suffix| holds(suffix.span, at.token))?;
    let SuffixKind::Member(_) = &suffixes[own].kind else { return None };
    let called = suffixes.get(own + 1).filter(|next| matches!(next.kind, SuffixKind::Call(_)));
    let end = called.unwrap_or(&suffixes[own]).span.end;
    if end == expr.span.end { None } else { watched_before(db, at.item, end as usize) }
}

/// The collective of a cursor on `threads`, or on the `with` before it.
fn collective_at(db: &dyn Db, at: Cursor) -> Option<&CollectiveLoop> {
    at.item.declared_kernel(db)?;
    let tokens = at.item.tokens(db);
    let start = match tokens.kind(at.token)? {
        TokenKind::With => at.token + 1,
        _ => at.token,
    };
    kernels::typed_kernel(db, at.item).record.collectives.iter().find(|found| found.span.start as usize == start)
}

/// Whether the word begins an expression whose value should be shown.
fn shows_value(entry: &Entry) -> bool {
    use Subject::*;
    matches!(
        entry.subject,
        Function | KernelFunction | MapMember | ShapeMember | UnitMember | TilingMember | Expression
    )
}

/// The value of an item without a name, at the first word of an `assert` or a `show`.
fn item_value(db: &dyn Db, at: Cursor) -> Option<Document> {
    match &at.item.tree(db).item.as_ref()?.kind {
        ItemKind::Assert { value } | ItemKind::Show { value } if at.token == 0 => {
            let known = value_of_span(db, at.item, value.span)?;
            Some(describe::value(&known.value, &known.facts))
        }
        _ => None,
    }
}

/// `i0` or `t1` in a layout, with its piece of the map.
fn layout_entry(db: &dyn Db, at: Cursor) -> Option<Document> {
    let tree = at.item.tree(db);
    let path = around(tree.item.as_ref()?, at.token);
    let map = path.iter().rev().find(|expr| matches!(expr.kind, ExprKind::ReshapeMap(_)))?;
    let ExprKind::ReshapeMap(parts) = &map.kind else { return None };
    if !parts.layout.as_ref().is_some_and(|layout| holds(layout.span, at.token)) {
        return None;
    }
    let word = at.item.tokens(db).text(at.token);
    let letter = word.get(..1)?;
    let entry = documentation::find(letter, &[Subject::MapPart])?;
    let known = value_of_span(db, at.item, map.span);
    let piece = known.and_then(|known| {
        let Value::Map(map) = &known.value else { return None };
        let described = maps::describe(map, &known.facts).ok()?;
        let piece = described.pieces.into_iter().flatten().find(|piece| piece.name == word)?;
        Some(format!("Here: {}", describe::extent(&piece)))
    });
    Some(Document::joined([Document::source(word), piece.unwrap_or_default().into(), entry.body()]))
}

/// The documentation entry of a word at its place.
fn entry_of(db: &dyn Db, at: Cursor, word: &str) -> Option<&'static Entry> {
    use Subject::*;
    let tokens = at.item.tokens(db);
    let before = at.token.checked_sub(1).and_then(|before| tokens.kind(before));
    let after = tokens.kind(at.token + 1);
    let tree = at.item.tree(db);
    let kind = tree.item.as_ref().map(|parsed| &parsed.kind);
    if before == Some(TokenKind::Dot) {
        let members: &[Subject] = match kind {
            Some(ItemKind::Run(_)) => &[TensorMember, MapMember, ShapeMember],
            Some(ItemKind::Kernel(_)) => &[TileMember, PartitionMember, MapMember, ShapeMember],
            _ => &[MapMember, ShapeMember, TilingMember, UnitMember],
        };
        return documentation::find(word, members_of(db, at).unwrap_or(members));
    }
    if before == Some(TokenKind::Per) {
        return documentation::find(word, &[Unit]);
    }
    if after == Some(TokenKind::Colon) && !matches!(kind, Some(ItemKind::Kernel(_) | ItemKind::Shape { .. })) {
        return documentation::find(word, &[MapPart]);
    }
    if at.token == 0 {
        return documentation::find(word, &[Item, Expression, Function]);
    }
    let types_only = match kind {
        Some(ItemKind::Kernel(_)) => at.token < behind_generics(tokens) || after == Some(TokenKind::OpenBracket),
        Some(ItemKind::Run(_)) => at.token < behind_generics(tokens),
        _ => false,
    };
    if types_only && let Some(entry) = documentation::find(word, &[Type]) {
        return Some(entry);
    }
    let typed = matches!(before, Some(TokenKind::Colon | TokenKind::Mut)) && after != Some(TokenKind::OpenParen);
    let subjects: &[Subject] = match kind {
        Some(ItemKind::Kernel(_)) if typed => &[Type, Clause],
        Some(ItemKind::Kernel(kernel)) if at.token < kernel.body.span.start as usize => &[Clause, Function, Expression],
        Some(ItemKind::Kernel(_)) => &[
            Statement,
            ViewClause,
            KernelFunction,
            TileFunction,
            Function,
            ThreadUnit,
            Expression,
            MapPart,
            Clause,
            Unit,
        ],
        Some(ItemKind::Run(_)) => &[Clause, Initial, ExpectFunction, KernelFunction, Function, Expression],
        Some(ItemKind::Dim { .. }) => &[Clause, Function, Expression],
        _ => &[Function, ThreadUnit, Expression, MapPart, Unit, Clause, Statement, ViewClause, Type],
    };
    documentation::find(word, subjects)
}

/// The members of the value before the dot.
fn members_of(db: &dyn Db, at: Cursor) -> Option<&'static [Subject]> {
    let before = at.token.checked_sub(2)?;
    let receiver = super::receiver::value_before(db, at.item, before + 1)?;
    match receiver {
        Value::Map(_) => Some(&[Subject::MapMember]),
        Value::Shape(_) => Some(&[Subject::ShapeMember]),
        Value::Unit(_) => Some(&[Subject::UnitMember]),
        Value::Tiling(_) => Some(&[Subject::TilingMember]),
        _ => None,
    }
}

/// An expression that has a value.
fn expression(db: &dyn Db, at: Cursor) -> Option<(Span, Document)> {
    let known = value_at(db, at.item, at.token)?;
    let text = describe::source(db, at.item, known.span);
    Some((known.span, Document::joined([Document::source(text), describe::value(&known.value, &known.facts)])))
}

#[cfg(test)]
mod tests;
