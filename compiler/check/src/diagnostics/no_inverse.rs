//! A map without an inverse.

use super::diagnostic::{Diagnostic, Page, Severity};
use proofs::Verdict;
use syntax::span::Span;

/// The documentation of `no-inverse`.
pub static PAGE: Page = Page {
    code: "no-inverse",
    severity: Severity::Error,
    title: "a map has no inverse",
    explanation: "The inverse of a map takes a lower coordinate back to the upper one. It exists where no two upper coordinates reach one
lower coordinate, and here it must have a formula of its own: digits, strides and xor that can be undone one after the
other.

Where a single coordinate is asked for, `m.upper(slot)` finds it without a formula.",
    wrong: "map windows = embed((3, 4), (1, 1));
map back = windows.inverse;
",
    right: "map tile = row_major([3, 4]);
map back = tile.inverse;
",
};

/// A map without an inverse; `injective` is the verdict on whether it is injective.
pub(crate) fn no_inverse(span: Span, injective: &Verdict) -> Diagnostic {
    let why = match injective {
        Verdict::Refuted { counterexample, .. } => counterexample.to_string(),
        Verdict::Proven { .. } => "no formula was found that takes its strides and digits apart".to_owned(),
        Verdict::Open { reason, .. } => reason.to_string(),
    };
    let diagnostic = PAGE.at(span, format!("this map has no inverse: {why}"));
    match injective {
        Verdict::Proven { .. } => diagnostic.help("`upper` finds single coordinates without a formula"),
        _ => diagnostic,
    }
}
