//! A loop whose range has no number in it.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `empty-range`.
pub static PAGE: Page = Page {
    code: "empty-range",
    severity: Severity::Warning,
    title: "a loop runs over a range without numbers",
    explanation: "A range counts up from its first end to before its last one, so `9..0` has no number in it, and what stands in the loop is
never executed. A loop that goes down counts up all the same, and computes its number in the body.",
    wrong: "kernel backwards(x: f32[10], y: mut f32[1]) grid(1) block(1) {
    y[0] = 0.0;
    for i in 9..0 { y[0] = y[0] * 2.0 + x[i]; }
}
",
    right: "kernel backwards(x: f32[10], y: mut f32[1]) grid(1) block(1) {
    y[0] = 0.0;
    for k in 0..10 {
        let i = 9 - k;
        y[0] = y[0] * 2.0 + x[i];
    }
}
",
};

/// The range at `span`, whose ends are numbers of the text, ends before it begins.
pub(crate) fn empty_range(span: Span, low: i64, high: i64) -> Diagnostic {
    let count = low.saturating_sub(high);
    PAGE.at(span, format!("a range counts up, so `{low}..{high}` has no number in it"))
        .label("is empty")
        .help(format!("to count down, count in the body: `for k in 0..{count} {{ let i = {low} - k; … }}`"))
}
