//! The value of the expression that a token belongs to.

use super::expressions::around;
use super::names::mentions_locals;
use check::db::{Db, Item};
use check::watched::{Watched, watched_in_expression, watched_in_item};
use syntax::span::Span;
use syntax::tree::{Expr, ExprKind, ItemKind};

/// The smallest non-literal expression around a token, with its value. Expressions that depend on the thread have
/// none.
pub(super) fn value_at(db: &dyn Db, item: Item, token: usize) -> Option<Watched> {
    let tree = item.tree(db);
    let parsed = tree.item.as_ref()?;
    let path = around(parsed, token);
    let smallest = path.iter().rposition(|expr| !is_literal(expr))?;
    let wanted = path[smallest];
    if smallest + 1 < path.len() && !matches!(wanted.kind, ExprKind::Paren(_) | ExprKind::Prefix { .. }) {
        // The cursor is on a literal inside a larger expression.
        return None;
    }
    // The name of a function has no value of its own, its call has.
    let call = smallest.checked_sub(1).map(|parent| path[parent]).filter(|parent| match &parent.kind {
        ExprKind::Postfix { base, .. } => base.span == wanted.span && matches!(wanted.kind, ExprKind::Name(_)),
        _ => false,
    });
    let own = value_of(db, item, &parsed.kind, &path, wanted.span);
    own.or_else(|| value_of(db, item, &parsed.kind, &path, call?.span))
}

/// The value of the expression at exactly these tokens.
pub(super) fn value_of_span(db: &dyn Db, item: Item, span: Span) -> Option<Watched> {
    let tree = item.tree(db);
    let parsed = tree.item.as_ref()?;
    let path = around(parsed, span.start as usize);
    value_of(db, item, &parsed.kind, &path, span)
}

fn value_of(db: &dyn Db, item: Item, kind: &ItemKind, path: &[&Expr], span: Span) -> Option<Watched> {
    if !matches!(kind, ItemKind::Kernel(_) | ItemKind::Run(_)) {
        return watched_in_item(db, item, span);
    }
    // The facts of an outer expression hold for the inner one, so the outermost without local names is evaluated.
    let whole = path.iter().find(|expr| !mentions_locals(db, item, expr.span) && expr.span.holds(span))?;
    watched_in_expression(db, item, whole, span)
}

fn is_literal(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Int(_)
            | ExprKind::Unsigned(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::Error
    )
}
