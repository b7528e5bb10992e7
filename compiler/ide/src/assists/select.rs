//! Converts between `(k)` in a derivation's bracket and `s(k)` of the shape before it.

use super::super::enclosing::{Place, Subject};
use super::assist::Assist;
use super::context::Context;
use super::splice::apart;
use check::evaluate;
use check::names;
use check::values::Value;
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind, ItemKind, SuffixKind};

/// Offers `s(k)` for `(k)`.
pub(super) fn qualify(context: &Context) -> Option<Assist> {
    let (place, name) = innermost(context, |place| selects(place.expr))?;
    let range = context.bytes(place.expr.span);
    let written = apart(context.file.text(context.db), &(range.start..range.start), name);
    let edit = context.edit(range.start..range.start, written);
    let title = format!("Write `{name}{}`", context.text(place.expr.span));
    Some(Assist::rewrite("qualify-dimension", title, vec![edit]))
}

/// Offers `(k)` for `s(k)`.
pub(super) fn shorten(context: &Context) -> Option<Assist> {
    let (place, _) = innermost(context, |place| call_of(place).is_some())?;
    let call = call_of(&place)?;
    let range = context.bytes(place.expr.span).start..context.bytes(call).start;
    let title = format!("Write `{}`", context.text(call));
    Some(Assist::rewrite("shorten-dimension", title, vec![context.edit(range, "")]))
}

/// The innermost such place in the bracket of a named shape. Brackets in kernels and runs are accesses.
fn innermost<'db>(context: &Context<'db>, wanted: impl Fn(&Place<'db>) -> bool) -> Option<(Place<'db>, &'db str)> {
    if matches!(context.kind, ItemKind::Kernel(_) | ItemKind::Run(_)) || !context.is_right() {
        return None;
    }
    let place = context.places().into_iter().rev().find(wanted)?;
    let Subject::Named(name) = place.subject else { return None };
    let declared = names::lookup(context.db, context.file, name.clone())?;
    let value = &evaluate::value(context.db, declared).value;
    matches!(value, Some(Value::Shape(_))).then_some((place, name.as_str()))
}

/// Whether parentheses in a derivation select instead of grouping.
pub(super) fn selects(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Paren(inner) if is_simple(inner))
}

/// Whether parentheses around an expression select in a derivation.
pub(super) fn is_simple(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Range(..))
}

/// The `(k)` of `s(k)` in the bracket of `s`.
fn call_of(place: &Place) -> Option<Span> {
    let ExprKind::Postfix { base, suffixes } = &place.expr.kind else { return None };
    let (ExprKind::Name(name), [suffix], Subject::Named(subject)) = (&base.kind, suffixes.as_slice(), place.subject)
    else {
        return None;
    };
    let SuffixKind::Call(arguments) = &suffix.kind else { return None };
    let [Argument { name: None, value }] = arguments.as_slice() else { return None };
    (name == subject && is_simple(value)).then_some(suffix.span)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{offered, rewritten};

    #[test]
    fn a_dimension_gets_the_name_of_its_shape_and_loses_it() {
        let short = "shape : [4, 8];\nnew : shape [2*($01), (0)];";
        let long = "shape : [4, 8];\nnew : shape [2*shape(1), (0)];";
        assert_eq!(rewritten(short, "qualify-dimension"), long);
        assert_eq!(rewritten(&long.replace("shape(1)", "shape($01)"), "shorten-dimension"), short.replace("$0", ""));
    }

    #[test]
    fn a_hyphen_before_it_stays_a_minus() {
        let text = "shape : [4, 8];\nconst two = 9;\nnew : shape [two-($00), (0..1)];";
        assert!(rewritten(text, "qualify-dimension").contains("[two- shape(0), (0..1)]"));
    }

    #[test]
    fn parentheses_that_group_and_shapes_without_a_name_are_left() {
        assert!(offered("s : [4];\nnew : s [($02 + 1)];").iter().all(|id| *id != "qualify-dimension"));
        assert!(offered("s : [4];\nnew : (s + s) [($00)];").iter().all(|id| *id != "qualify-dimension"));
        assert!(offered("m : [$04];").is_empty());
    }
}
