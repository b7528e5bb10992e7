//! A dimension below 1.

use std::collections::BTreeMap;

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use dims::{Sym, Symbol};
use syntax::span::Span;

/// The documentation of `non-positive-dimension`.
pub static PAGE: Page = Page {
    code: "non-positive-dimension",
    severity: Severity::Error,
    title: "a dimension is less than 1",
    explanation: "Every dimension of a shape is at least 1, for every size that the facts allow.

A dimension of zero usually comes from a division that rounds down (`3 / 4`) or from a subtraction. A tensor without
elements has no last index and a grid of zero blocks is an error at launch, so it is refused where it is written. Round up
with `cdiv`, or state a fact such as `where M > 64`.",
    wrong: "s : [64, 0];
",
    right: "s : [64, 1];
",
};

/// Dimension `position` is `dim`, which is below 1 for the sizes of `assignment`.
pub(crate) fn non_positive_dimension(
    span: Span,
    position: usize,
    dim: &Sym,
    assignment: &BTreeMap<Symbol, i64>,
) -> Diagnostic {
    if let Some(value) = dim.as_constant() {
        return PAGE
            .at(span, format!("dimension {position} is {value}, but a dimension is at least 1"))
            .label("less than 1");
    }
    let value = match dim.evaluate(&|symbol| assignment.get(symbol).copied()) {
        Ok(value) => format!("{value}"),
        Err(_) => "less than 1".to_owned(),
    };
    PAGE.at(span, format!("dimension {position}, `{dim}`, is {value}{}", words::sizes(assignment)))
        .label("may be less than 1")
        .help(format!("a dimension is at least 1; add the fact `where {dim} >= 1` to the `dim` item"))
}
