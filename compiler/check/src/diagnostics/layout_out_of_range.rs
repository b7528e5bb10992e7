//! A number in a layout beyond the dimensions of the map.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `layout-out-of-range`.
pub static PAGE: Page = Page {
    code: "layout-out-of-range",
    severity: Severity::Error,
    title: "a number in a layout is not that of a dimension",
    explanation: "Dimensions are numbered through from 0: first the local ones, then those of the threads. `[3] | [2, 2]` has three, and
their numbers are 0, 1 and 2.

Counting from 1 is the usual slip. The names avoid it: `i0` is the first local dimension, `t0` the first thread dimension.",
    wrong: "map m = reshape_map([3] | [2, 2] => layout: [1, 2, 3]);
",
    right: "map m = reshape_map([3] | [2, 2] => layout: [0, 1, 2]);
",
};

/// `number` is not below the number of dimensions; `counts` are those of local and thread dimensions.
pub(crate) fn layout_out_of_range(span: Span, number: i64, counts: (usize, usize)) -> Diagnostic {
    let total = counts.0 + counts.1;
    let diagnostic = PAGE
        .at(
            span,
            format!(
                "entry `{number}` is out of range: the map has {}, numbered {}",
                words::count(total, "dimension"),
                words::positions(total)
            ),
        )
        .label("no dimension has this number")
        .help(format!("the dimensions are: {}", words::layout_dimensions(counts)));
    if usize::try_from(number) == Ok(total) { diagnostic.help("the numbers start at 0, not at 1") } else { diagnostic }
}
