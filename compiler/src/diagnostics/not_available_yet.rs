//! A part of the language that is not implemented yet.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `not-available-yet`.
pub static PAGE: Page = Page {
    code: "not-available-yet",
    severity: Severity::Warning,
    title: "a part of the language that this version does not check or run yet",
    explanation: "This is a part of the language, and the file is not wrong; but this version of the compiler does not check or run it yet.
Nothing is claimed about it: no fact, no verdict, no picture.

Everything else in the file is checked as usual. Shapes, index maps and kernels are checked today; thread
collectives and tiles are not.",
    wrong: "unit pair = (blockDim; 2);
",
    right: "map pairs = reshape_map([2] | [64] => layout: [i0, t0]);
",
};

/// `what` is a noun phrase, with its own back quotes.
pub(crate) fn not_available_yet(span: Span, what: &str) -> Diagnostic {
    PAGE.at(span, format!("{what} is part of the language, but this version does not check or run it yet"))
        .label("not checked")
}
