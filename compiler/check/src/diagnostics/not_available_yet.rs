//! A part of the language that is not implemented yet.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `not-available-yet`.
pub static PAGE: Page = Page {
    code: "not-available-yet",
    severity: Severity::Warning,
    title: "a part of the language that this version does not check or run yet",
    explanation: "This is a part of the language, and the file is not wrong; but this version of the compiler does not check or run it yet.
Nothing is claimed about it: no fact, no verdict, no picture.

Everything else in the file is checked as usual. Shapes, index maps, units, tilings and kernels are checked today; not
yet views whose elements a unit or a tiling of your own shares out.",
    wrong: "unit pair = (blockDim; 2);
kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    view xs = x via reshape_map([1] | [64] => layout: [i0, t0]) per pair;
    view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
    right: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    view xs = x via reshape_map([1] | [64] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
    ys[0] = xs[0];
}
",
};

/// A part of the language that is not implemented yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planned {
    ViewPerCollective,
    CollectiveLoop,
}

impl fmt::Display for Planned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ViewPerCollective => "a view per thread collective",
            Self::CollectiveLoop => "a loop over thread collectives",
        })
    }
}

/// Such a part is at `span`.
pub(crate) fn not_available_yet(span: Span, what: Planned) -> Diagnostic {
    PAGE.at(span, format!("{what} is part of the language, but this version does not check or run it yet"))
        .label("not checked")
}
