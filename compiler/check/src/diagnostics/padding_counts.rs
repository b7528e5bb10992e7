//! What a masked load gives beyond the edge takes part in a reduction.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `padding-counts`.
pub static PAGE: Page = Page {
    code: "padding-counts",
    severity: Severity::Warning,
    title: "the padding of a tile takes part in a reduction",
    explanation: "A masked load of a tile that reaches over the edge of a tensor pads it, with zero if nothing else is said. A sum does not
change by zeros, but the greatest of a row and its zeros is not that of the row, a mean divides by the width of the tile, and `exp` makes
ones of the zeros. Pad with the number that changes nothing, `pad: negative_inf` before `max`, or choose what counts:
`select(px.mask(i, 0), v, 0.0)`. A comparison with the place of an element, `select(column < N, v, 0.0)`, does the same. No warning is
given where the facts say that tiles have no edge, `N % 64 == 0`.",
    wrong: "dim M, N where N <= 64;
kernel greatest(x: f32[M, N], y: mut f32[M]) {
    view px = partition(x, [1, 64]);
    for i in grid(M) { y[i] = px.load_masked(i, 0).max(); }
}
",
    right: "dim M, N where N <= 64;
kernel greatest(x: f32[M, N], y: mut f32[M]) {
    view px = partition(x, [1, 64]);
    for i in grid(M) { y[i] = px.load_masked(i, 0, pad: negative_inf).max(); }
}
",
};

/// Elements beyond the edge of `tensor` count in the reduction `name`: `value`, if it is known, where `neutral` would not.
pub(crate) fn padding_counts(
    span: Span,
    name: &str,
    tensor: &str,
    value: Option<f64>,
    neutral: Option<f64>,
) -> Diagnostic {
    let what = value.map_or(String::new(), |value| format!(", which are {value} here,"));
    let help = match neutral {
        None => "divide the sum by the number of elements inside: `t.sum(1) / f32(N)`".to_owned(),
        Some(f64::NEG_INFINITY) => {
            "pad with what is never the greatest: `load_masked(…, pad: negative_inf)`".to_owned()
        }
        Some(f64::INFINITY) => "pad with what is never the least: `load_masked(…, pad: positive_inf)`".to_owned(),
        Some(neutral) => format!("choose {neutral} for them: `select(p.mask(…), t, {neutral:.1})`"),
    };
    PAGE.at(span, format!("the elements of the tile beyond the edge of `{tensor}`{what} take part in `{name}`"))
        .label("counts the padding")
        .help(help)
}
