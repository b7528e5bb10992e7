//! Something in a pipeline that is neither a map nor a transform.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::values::Value;
use syntax::span::Span;

/// The documentation of `pipe-operand`.
pub static PAGE: Page = Page {
    code: "pipe-operand",
    severity: Severity::Error,
    title: "a pipeline has something that is no map and no transform",
    explanation: "A pipeline begins with a map, such as a layout, and goes upwards: each stage is a transform, a group of transforms or
another map. A shape is no map yet: `row_major(shape)` makes it one.",
    wrong: "tile : [8, 64];
map m = tile |> xor;
",
    right: "tile : [8, 64];
map m = row_major(tile) |> xor;
",
};

/// The first operand of a pipeline is not a map.
pub(crate) fn pipe_start(span: Span, found: &Value) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("a pipeline begins with a map, found {}", found.kind())).label("not a map");
    match found {
        Value::Shape(_) => diagnostic.help("`row_major(shape)` makes a layout of a shape").wrap(
            "make it a layout with `row_major`",
            span,
            "row_major(",
            ")",
        ),
        _ => diagnostic.help("begin with a layout, such as `row_major([8, 64])`"),
    }
}

/// A stage of a pipeline is neither a transform nor a map.
pub(crate) fn pipe_stage(span: Span, found: &Value) -> Diagnostic {
    PAGE.at(span, format!("a stage of a pipeline is a transform or a map, found {}", found.kind()))
        .label("neither a transform nor a map")
}

/// A group without a map before it.
pub(crate) fn group_alone(span: Span) -> Diagnostic {
    PAGE.at(span, "a group of transforms stands behind `|>`, above a map").label("there is no map below it")
}
