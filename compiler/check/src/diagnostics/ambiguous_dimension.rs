//! A step that could be about several dimensions.

use super::diagnostic::{Diagnostic, Page, Severity};
use maps::threads::ThreadsError;
use syntax::span::Span;

/// The documentation of `ambiguous-dimension`.
pub static PAGE: Page = Page {
    code: "ambiguous-dimension",
    severity: Severity::Error,
    title: "a step of a tiling could be about several dimensions",
    explanation: "A step narrows one dimension: the one of which its unit takes a part, and less than the tiling has there. A unit that takes a
part of several dimensions, two groups of 16 and 4 threads of each, does not say in which direction the next iteration lies.

Narrow one dimension first, so that the unit takes a part of one only.",
    wrong: "tiling work = block(256) |> tile(q: 8, cuda_quadpair);
",
    right: "tiling work = block(256) |> tile(w: 8, cuda_warp) |> tile(q: 4, cuda_quadpair);
",
};

/// A step that could be about several dimensions, which the error names.
pub(crate) fn ambiguous_dimension(span: Span, error: &ThreadsError) -> Diagnostic {
    PAGE.at(span, error.to_string())
        .label("which dimension?")
        .help("narrow all of them but one first, with larger units")
}
