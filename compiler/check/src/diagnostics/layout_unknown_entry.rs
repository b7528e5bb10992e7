//! A name such as `i1` in a layout of a map that has no such dimension.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words::{self, Side};
use syntax::span::Span;

/// The documentation of `layout-unknown-entry`.
pub static PAGE: Page = Page {
    code: "layout-unknown-entry",
    severity: Severity::Error,
    title: "a name in a layout is not that of a dimension",
    explanation: "`i0`, `i1`, … are the local dimensions and `t0`, `t1`, … the thread dimensions, each side counted from 0 on its own. With
one local dimension there is `i0` and no `i1`.

Numbers, in contrast, run through both sides: in `[3] | [4]` the number 1 is `t0`. Mixing the two up gives names like
`i1` here or `t1` for the only thread dimension.",
    wrong: "map m = reshape_map([3] | [4] => layout: [i0, i1]);
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
",
};

/// `name` is beyond the `count` dimensions of its `side`; `counts` are those of both sides, and `missing` the dimensions that
/// the layout does not name.
pub(crate) fn layout_unknown_entry(
    span: Span,
    name: &str,
    side: Side,
    count: usize,
    counts: (usize, usize),
    missing: &[String],
) -> Diagnostic {
    let letter = side.letter();
    let valid: Vec<String> = (0..count).map(|dimension| format!("{letter}{dimension}")).collect();
    let dimensions = words::count(count, &format!("{side} dimension"));
    let diagnostic = PAGE
        .at(span, format!("`{name}` names no dimension: the map has {dimensions}, {}", words::list(&valid)))
        .label("no such dimension")
        .help(format!("the dimensions are: {}", words::layout_dimensions(counts)));
    // Users who number all dimensions consecutively write `i1` or `t1` for the thread dimension after one local
    // dimension.
    let number = name.get(1..).and_then(|number| number.parse::<usize>().ok());
    let meant = number.filter(|number| (counts.0..counts.0 + counts.1).contains(number));
    let meant = meant.map(|number| words::layout_dimension(number, counts.0)).filter(|meant| missing.contains(meant));
    // If a single dimension has no entry, it was meant.
    let only = missing.first().filter(|_| missing.len() == 1);
    words::suggest(diagnostic, span, meant.as_ref().or(only).map(String::as_str))
}
