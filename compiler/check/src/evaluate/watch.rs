//! The value of the expression at one token: what an editor asks for under its cursor.

use crate::db::{Db, Item};
use crate::values::Value;
use dims::Facts;
use syntax::span::Span;
use syntax::tree::{Expr, ItemKind};

use super::Evaluator;

/// An expression with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The tokens of the expression.
    pub span: Span,
    /// Its value.
    pub value: Value,
    /// What is known of the symbols in it.
    pub facts: Facts,
}

/// The expression that is waited for.
pub(super) struct Watch {
    span: Span,
    found: Option<Value>,
}

/// The value that the expression at exactly these tokens has where it stands in its item; `None` where it is not
/// evaluated or has none.
pub fn watched_in_item(db: &dyn Db, item: Item, span: Span) -> Option<Watched> {
    let tree = item.tree(db);
    let parsed = tree.item.as_ref()?;
    let mut evaluator = watching(db, item, span);
    match &parsed.kind {
        ItemKind::Dim { names, facts } => {
            evaluator.own_symbols = names.iter().map(|name| name.text.clone()).collect();
            facts.iter().for_each(|fact| evaluator.fact(fact));
        }
        kind => _ = evaluator.item_value(kind),
    }
    evaluator.watched()
}

/// The value that the expression at exactly these tokens has within another one, which is evaluated in the scope of the
/// item's file.
pub fn watched_in_expression(db: &dyn Db, item: Item, whole: &Expr, span: Span) -> Option<Watched> {
    let mut evaluator = watching(db, item, span);
    evaluator.expr(whole);
    evaluator.watched()
}

fn watching(db: &dyn Db, item: Item, span: Span) -> Evaluator<'_> {
    let mut evaluator = Evaluator::new(db, item);
    evaluator.watch = Some(Watch { span, found: None });
    evaluator
}

impl Evaluator<'_> {
    pub(super) fn note_watched(&mut self, expr: &Expr, value: Option<&Value>) {
        if let (Some(watch), Some(value)) = (&mut self.watch, value)
            && watch.span == expr.span
        {
            watch.found = Some(value.clone());
        }
    }

    fn watched(self) -> Option<Watched> {
        let watch = self.watch?;
        Some(Watched { span: watch.span, value: watch.found?, facts: self.facts })
    }
}
