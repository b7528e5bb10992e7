//! Extracts a part of an expression into a named item.

use std::ops::Range;

use smol_str::SmolStr;

use super::super::enclosing::{Place, Subject, each_in};
use super::super::findings::Edit;
use super::super::names::mentions_locals;
use super::assist::{Assist, AssistKind};
use super::context::Context;
use super::select::{is_simple, selects};
use super::splice::{apart, on_one_line};
use check::db::Workspace;
use check::evaluate::{self, Evaluator};
use check::names;
use check::values::Value;
use syntax::lexer::lex;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Expr, ExprKind, ItemKind};

/// The kind of the new item.
struct Sort {
    what: &'static str,
    /// The name, with a number appended if it is taken.
    name: &'static str,
    /// The text before and after the name in the new item.
    declare: (&'static str, &'static str),
}

const SHAPE: Sort = Sort { what: "shape", name: "new_shape", declare: ("", " : ") };
const CONSTANT: Sort = Sort { what: "constant", name: "new_const", declare: ("const ", " = ") };
const MAP: Sort = Sort { what: "map", name: "new_map", declare: ("map ", " = ") };

/// Offers to extract the selected expression, or the shape literal or `reshape_map` around the cursor, into an item
/// before this one.
pub(super) fn extract(context: &Context) -> Option<Assist> {
    let place = wanted(context).filter(|_| context.is_right())?;
    let sort = sort(context, &place)?;
    let text = on_one_line(&standing_alone(context, &place)?)?;
    let name = fresh_name(context, sort.name);
    let (before, after) = sort.declare;
    let mut edits = vec![new_item(context, &format!("{before}{name}{after}{text};"))];
    edits.push(context.replace(place.expr.span, &name));
    Some(Assist {
        id: "extract",
        title: format!("Extract into a {}", sort.what),
        kind: AssistKind::Extract,
        edits,
        is_preferred: false,
        mends: None,
    })
}

/// The expression to extract.
fn wanted<'db>(context: &Context<'db>) -> Option<Place<'db>> {
    let is_meant = |place: &&Place| match context.selected {
        true => place.expr.span == context.tokens,
        false => matches!(place.expr.kind, ExprKind::List(_) | ExprKind::ReshapeMap(_)),
    };
    let places = context.places();
    let place = places.iter().rev().find(is_meant).copied()?;
    let whole = match context.kind {
        ItemKind::Use { .. } | ItemKind::Dim { .. } | ItemKind::Run(_) => return None,
        ItemKind::Shape { value, .. } | ItemKind::Const { value, .. } | ItemKind::Map { value, .. } => Some(value.span),
        _ => None,
    };
    let grouped = place.parent.is_some_and(|parent| matches!(parent.kind, ExprKind::Paren(_)));
    // A name in the place of a grouped expression would select: `s [(N + 1)]` is not `s [(name)]`.
    (whole != Some(place.expr.span) && (!grouped || is_simple(place.expr))).then_some(place)
}

/// The kind of item that the expression becomes; `None` if it cannot be one.
fn sort(context: &Context, place: &Place) -> Option<Sort> {
    // Fresh dimensions are named after their item, and names inside a kernel have no meaning outside.
    if !can_move(place.expr) || mentions_locals(context.db, context.item, place.expr.span) {
        return None;
    }
    let value = value(context, place)?;
    match value {
        Value::Map(_) => Some(MAP),
        // Kernels have different arithmetic.
        _ if matches!(context.kind, ItemKind::Kernel(_)) => None,
        Value::Shape(_) => Some(SHAPE),
        Value::Int(_) => Some(CONSTANT),
        _ => None,
    }
}

/// Whether no part of an expression changes its meaning in another item.
pub(super) fn can_move(expr: &Expr) -> bool {
    let mut movable = true;
    each_in(expr, &mut |place| movable &= !matches!(place.expr.kind, ExprKind::Question | ExprKind::Error));
    movable
}

/// The value of the expression where it stands.
fn value(context: &Context, place: &Place) -> Option<Value> {
    let mut evaluator = Evaluator::new(context.db, context.item);
    if selections(place.expr).is_empty() {
        return evaluator.expr(place.expr);
    }
    let Subject::Named(name) = place.subject else { return None };
    let declared = names::lookup(context.db, context.file, name.clone())?;
    let Some(Value::Shape(base)) = evaluate::value(context.db, declared).value.clone() else { return None };
    let value = evaluator.derivation(base, std::slice::from_ref(place.expr))?;
    let Value::Shape(mut shape) = value else { return None };
    let spliced = matches!(&place.expr.kind, ExprKind::Paren(inner) if matches!(inner.kind, ExprKind::Range(..)));
    match (spliced, shape.dims.len()) {
        (true, _) => Some(Value::Shape(shape)),
        // A dimension, or a shape of one dimension: without a range in it, it is a dimension.
        (false, 1) if !has_range(place.expr) => shape.dims.pop().map(Value::Int),
        _ => None,
    }
}

fn has_range(expr: &Expr) -> bool {
    let mut found = false;
    each_in(expr, &mut |place| found |= matches!(place.expr.kind, ExprKind::Range(..)));
    found
}

/// The `(k)` that select from the shape around the expression.
pub(super) fn selections(expr: &Expr) -> Vec<Span> {
    let mut found = Vec::new();
    each_in(expr, &mut |place| {
        if place.subject == Subject::Nothing && selects(place.expr) {
            found.push(place.expr.span);
        }
    });
    found
}

/// The expression's text, with the shape's name added where `(k)` selects from it.
fn standing_alone(context: &Context, place: &Place) -> Option<String> {
    let mut text = context.text(place.expr.span).to_owned();
    let Subject::Named(name) = place.subject else { return Some(text) };
    let start = context.bytes(place.expr.span).start;
    for selection in selections(place.expr).into_iter().rev() {
        let at = context.bytes(selection).start - start;
        let written = apart(&text, &(at..at), name);
        text.insert_str(at as usize, &written);
    }
    Some(text)
}

/// A name that nothing in the workspace declares and the item does not use.
fn fresh_name(context: &Context, wanted: &str) -> SmolStr {
    let files = Workspace::get(context.db).files(context.db);
    let items = files.values().flat_map(|file| file.items(context.db));
    let mut taken: Vec<&str> = Vec::new();
    for item in items {
        taken.extend(
            item.interface(context.db).names.iter().filter(|name| name.starts_with(wanted)).map(SmolStr::as_str),
        );
    }
    let tokens = context.item.tokens(context.db);
    taken.extend((0..tokens.len()).map(|token| tokens.text(token)).filter(|text| text.starts_with(wanted)));
    let numbered = (2_u32..).map(|number| SmolStr::from(format!("{wanted}{number}")));
    let mut names = std::iter::once(SmolStr::from(wanted)).chain(numbered);
    names.find(|name| !taken.contains(&name.as_str())).unwrap_or_else(|| wanted.into())
}

/// An item on a line of its own before this one and its documentation; on the same line if another item precedes this
/// one there.
fn new_item(context: &Context, item: &str) -> Edit {
    let text = context.file.text(context.db);
    let gap = gap_before(context);
    let mut at = gap.end;
    let mut starts_line = gap.start == 0;
    let mut first_on_line = None;
    for token in lex(text.get(gap.start as usize..gap.end as usize).unwrap_or_default()) {
        let start = gap.start + token.start;
        match token.kind {
            TokenKind::Newline => starts_line = true,
            TokenKind::Whitespace | TokenKind::ByteOrderMark => {}
            TokenKind::DocComment if starts_line => {
                first_on_line = first_on_line.or(Some(start));
                starts_line = false;
            }
            _ => (first_on_line, starts_line) = (None, false),
        }
    }
    if let Some(documentation) = first_on_line {
        at = documentation;
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let separator = if starts_line || first_on_line.is_some() { line_end } else { " " };
    context.edit(at..at, format!("{item}{separator}"))
}

/// From the last token of the previous item to the first of this one.
fn gap_before(context: &Context) -> Range<u32> {
    let layout = context.file.layout(context.db);
    let start = context.position.checked_sub(1).map_or(0, |before| {
        let tokens = layout.pieces().get(before).map_or(0, |piece| piece.tokens.len() as u32);
        layout.start(before) + layout.ranges(before).map_or(0, |ranges| ranges.byte_range(Span::new(0, tokens)).end)
    });
    start..layout.start(context.position)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{offered, offered_for, rewritten, rewritten_for};

    #[test]
    fn a_shape_literal_gets_a_name() {
        let text = "// before\n\n/// Documented.\nassert size([4,$0 8]) == 32;\n";
        assert_eq!(
            rewritten(text, "extract"),
            "// before\n\nnew_shape : [4, 8];\n/// Documented.\nassert size(new_shape) == 32;\n"
        );
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let text = "new_shape : [1]; new_shape2 : [2]; assert [4,$0 8]-[1, 1] == [3, 7];";
        assert!(rewritten(text, "extract").contains("; new_shape3 : [4, 8]; assert new_shape3-[1, 1] =="));
    }

    #[test]
    fn a_dimension_of_a_derivation_keeps_its_shape() {
        let text = "shape : [4, 8];\r\nnew : shape [1 + (0) * 2\r\n - 1, (1)];\r\n";
        let expected =
            "shape : [4, 8];\r\nconst new_const = 1 + shape(0) * 2 - 1;\r\nnew : shape [new_const, (1)];\r\n";
        assert_eq!(rewritten_for(text, "1 + (0) * 2\r\n - 1", "extract"), expected);
        let text = "shape : [4, 8];\nnew : shape [(0..2), 3];\n";
        assert!(rewritten_for(text, "(0..2)", "extract").starts_with("shape : [4, 8];\nnew_shape : shape(0..2);\n"));
    }

    #[test]
    fn a_map_in_a_kernel_becomes_an_item() {
        let text = "dim N;\nkernel k(y: mut f32[N]) { view ys = y via reshape_map($0[1] | [N]); ys[0] = 1.0; }\n";
        let map = "map new_map = reshape_map([1] | [N]);\nkernel k(y: mut f32[N]) { view ys = y via new_map; ";
        assert!(rewritten(text, "extract").contains(map));
    }

    #[test]
    fn what_means_something_else_elsewhere_stays() {
        assert!(offered("a : $0[?, 3];").is_empty());
        assert!(offered("a : $0[3];").is_empty());
        assert!(offered_for("dim N;\ns : [4];\na : s [(N + 1)];", "N + 1").iter().all(|id| *id != "extract"));
        let kernel = "kernel k(y: mut f32[4]) grid(1) block(4) { for i in 0..1 { y[i + 3] = 1.0; } }";
        assert!(offered_for(kernel, "i + 3").iter().all(|id| *id != "extract"));
        assert!(offered_for("a : size([1 /* one */, 2]) + [1];", "[1 /* one */, 2]").is_empty());
    }
}
