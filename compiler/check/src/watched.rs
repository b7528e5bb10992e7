//! The values of expressions at given tokens, for editors.

use crate::db::{Db, Item};
use crate::effort;
use crate::evaluate::{Evaluator, Watch};
use crate::generics::generic_parameters;
use crate::values::Value;
use dims::Facts;
use syntax::span::Span;
use syntax::tree::{Expr, ItemKind};

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

/// The value of the expression at exactly these tokens of its item; `None` if it is not evaluated or has no value.
pub fn watched_in_item(db: &dyn Db, item: Item, span: Span) -> Option<Watched> {
    all_watched_in_item(db, item, &[span]).pop()?
}

/// The values of several expressions, found in one evaluation of the item.
pub fn all_watched_in_item(db: &dyn Db, item: Item, spans: &[Span]) -> Vec<Option<Watched>> {
    let tree = item.tree(db);
    let Some(parsed) = tree.item.as_ref().filter(|_| !spans.is_empty()) else { return vec![None; spans.len()] };
    let mut evaluator = watching(db, item, spans);
    effort::of_item(db, item, || match &parsed.kind {
        ItemKind::Dim { names, facts } => {
            evaluator.own_symbols = names.iter().map(|name| name.text.clone()).collect();
            facts.iter().for_each(|fact| evaluator.fact(fact));
        }
        kind => _ = evaluator.item_value(kind),
    });
    watched(evaluator, spans)
}

/// The value of the expression at exactly these tokens of another one, which is evaluated in the scope of the item's
/// file.
pub fn watched_in_expression(db: &dyn Db, item: Item, whole: &Expr, span: Span) -> Option<Watched> {
    let mut evaluator = watching(db, item, &[span]);
    effort::of_item(db, item, || evaluator.expr(whole));
    watched(evaluator, &[span]).pop()?
}

fn watching<'db>(db: &'db dyn Db, item: Item, spans: &[Span]) -> Evaluator<'db> {
    let mut evaluator = Evaluator::new(db, item);
    evaluator.generics = generic_parameters(db, item).default.clone();
    evaluator.watch = Some(Watch::new(spans));
    evaluator
}

/// What the evaluator found at these tokens.
fn watched(mut evaluator: Evaluator<'_>, spans: &[Span]) -> Vec<Option<Watched>> {
    let Some(mut watch) = evaluator.watch.take() else { return vec![None; spans.len()] };
    let found = |span: &Span| {
        let value = watch.take(*span)?;
        Some(Watched { span: *span, value, facts: evaluator.facts.clone() })
    };
    spans.iter().map(found).collect()
}
