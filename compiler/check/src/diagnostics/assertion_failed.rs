//! An assertion that does not hold: the two sides of a comparison, or the counterexample to a claim.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use super::words;
use crate::values::{Claim, Truth, Value};
use proofs::Verdict;
use syntax::span::Span;

/// The documentation of `assertion-failed`.
pub static PAGE: Page = Page {
    code: "assertion-failed",
    severity: Severity::Error,
    title: "an assertion does not hold",
    explanation:
        "The expression after `assert` was computed and is false, or the claim in it was refuted by a counterexample.

For two lists or shapes the message names the first element in which they differ. For a claim such as `m.injective` it
names what a person can check by hand: the two coordinates that collide, or the coordinate that leaves the bounds. A
layout mistake of this kind would show up in a CUDA kernel as wrong numbers in some of the elements, some of the time.

Correct the map or the shape, or correct what you expected of it.",
    wrong: "map strided = reshape_map([3] | [2] => layout: [t0, i0]);
assert strided.owners == [0, 0, 0, 1, 1, 1];
",
    right: "map strided = reshape_map([3] | [2] => layout: [t0, i0]);
assert strided.owners == [0, 1, 0, 1, 0, 1];
",
};

/// The sides of a comparison that fails.
pub(crate) struct Sides {
    /// The operator between them.
    pub(crate) op: &'static str,
    /// The left side.
    pub(crate) left: Value,
    /// The right side.
    pub(crate) right: Value,
}

/// A computed assertion is false; `sides` are those of its comparison, if it is one.
pub(crate) fn assertion_failed(span: Span, sides: &Option<Sides>, remedy: Option<Remedy>) -> Diagnostic {
    false_sides(span, sides).remedied("it holds", remedy)
}

fn false_sides(span: Span, sides: &Option<Sides>) -> Diagnostic {
    let Some(Sides { op, left, right }) = sides else {
        return PAGE.at(span, "the assertion does not hold: its value is `false`").label("this is false");
    };
    let differs = match (elements(left), elements(right)) {
        (Some(left), Some(right)) if *op == "==" => difference(&left, &right),
        _ => None,
    };
    let (left, right) = (words::short(left), words::short(right));
    match differs {
        Some(difference) => PAGE
            .at(span, format!("the assertion does not hold: {difference}"))
            .help(format!("the left side is `{left}`"))
            .help(format!("the right side is `{right}`")),
        None if *op == "==" => PAGE
            .at(span, format!("the assertion does not hold: the left side is `{left}`, the right side is `{right}`")),
        None => PAGE.at(span, format!("the assertion does not hold: `{left} {op} {right}` is false")),
    }
    .label("this is false")
}

/// The claim of an assertion was refuted, or its negation was proven.
pub(crate) fn assertion_refuted(span: Span, truth: &Truth, remedy: Option<Remedy>) -> Diagnostic {
    let claim = &truth.claim;
    let message = match &truth.verdict {
        Verdict::Refuted { counterexample, .. } => format!("the claim that {claim} is refuted: {counterexample}"),
        Verdict::Proven { rule } => {
            format!("the claim that {claim} is proven, so its opposite is not true: {}", rule)
        }
        Verdict::Open { reason, .. } => format!("it is open whether {claim}: {}", reason),
    };
    let diagnostic = PAGE.at(span, message).label("this is false");
    match claim {
        Claim::Comparison(fact) => diagnostic.remedied_claim(fact, "it holds", remedy),
        _ => diagnostic.remedied("it holds", remedy),
    }
}

/// The elements of a shape, tuple or list.
fn elements(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Shape(shape) => Some(shape.dims.iter().cloned().map(Value::Int).collect()),
        Value::Tuple(values) | Value::List(values) => Some(values.clone()),
        _ => None,
    }
}

/// The first difference between two lists.
fn difference(left: &[Value], right: &[Value]) -> Option<String> {
    if let Some(position) = left.iter().zip(right).position(|(left, right)| left != right) {
        let (left, right) = (words::short(&left[position]), words::short(&right[position]));
        return Some(format!("element {position} is `{left}` on the left and `{right}` on the right"));
    }
    (left.len() != right.len()).then(|| {
        let left = words::count(left.len(), "element");
        format!("the left side has {left}, the right side has {}", right.len())
    })
}
