//! The values of expressions at given tokens, for editors.

use rustc_hash::FxHashMap;

use crate::db::{Db, Item};
use crate::generics::generic_parameters;
use crate::values::Value;
use dims::Facts;
use syntax::span::Span;
use syntax::tree::{Expr, ItemKind};

use super::Evaluator;

/// An expression with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The span of the expression.
    pub span: Span,
    /// Its value.
    pub value: Value,
    /// The facts about symbols in it.
    pub facts: Facts,
}

/// The watched expressions, each with its latest value.
pub(super) struct Watch(FxHashMap<Span, Option<Value>>);

/// The value of the expression at exactly these tokens of its item; `None` if it is not evaluated or has no value.
pub fn watched_in_item(db: &dyn Db, item: Item, span: Span) -> Option<Watched> {
    all_watched_in_item(db, item, &[span]).pop()?
}

/// The values of several expressions, found in one evaluation of the item.
pub fn all_watched_in_item(db: &dyn Db, item: Item, spans: &[Span]) -> Vec<Option<Watched>> {
    let tree = item.tree(db);
    let Some(parsed) = tree.item.as_ref().filter(|_| !spans.is_empty()) else { return vec![None; spans.len()] };
    let mut evaluator = watching(db, item, spans);
    match &parsed.kind {
        ItemKind::Dim { names, facts } => {
            evaluator.own_symbols = names.iter().map(|name| name.text.clone()).collect();
            facts.iter().for_each(|fact| evaluator.fact(fact));
        }
        kind => _ = evaluator.item_value(kind),
    }
    evaluator.watched(spans)
}

/// The value of the expression at exactly these tokens of another one, which is evaluated in the scope of the item's
/// file.
pub fn watched_in_expression(db: &dyn Db, item: Item, whole: &Expr, span: Span) -> Option<Watched> {
    let mut evaluator = watching(db, item, &[span]);
    evaluator.expr(whole);
    evaluator.watched(&[span]).pop()?
}

fn watching<'db>(db: &'db dyn Db, item: Item, spans: &[Span]) -> Evaluator<'db> {
    let mut evaluator = Evaluator::new(db, item);
    evaluator.generics = generic_parameters(db, item).default.clone();
    evaluator.watch = Some(Watch(spans.iter().map(|span| (*span, None)).collect()));
    evaluator
}

impl Evaluator<'_> {
    pub(super) fn note_watched(&mut self, expr: &Expr, value: Option<&Value>) {
        if let (Some(Watch(watched)), Some(value)) = (&mut self.watch, value)
            && let Some(found) = watched.get_mut(&expr.span)
        {
            *found = Some(value.clone());
        }
    }

    fn watched(mut self, spans: &[Span]) -> Vec<Option<Watched>> {
        let Watch(mut found) = self.watch.take().unwrap_or(Watch(FxHashMap::default()));
        let watched = |span: &Span| {
            let value = found.get_mut(span)?.take()?;
            Some(Watched { span: *span, value, facts: self.facts.clone() })
        };
        spans.iter().map(watched).collect()
    }
}
