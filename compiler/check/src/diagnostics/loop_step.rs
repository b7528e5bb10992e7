//! The step of a loop that does not count up, or of a loop that has none.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `loop-step`.
pub static PAGE: Page = Page {
    code: "loop-step",
    severity: Severity::Error,
    title: "the step of a loop is not known to be positive",
    explanation: "`for i in lo..hi step s` goes through `lo`, `lo + s`, `lo + 2 * s`, and so on below `hi`. The step is an integer of at least
1, and that has to be known when the kernel is checked: a step of 0 would never end. Of a size, a fact says so,
`dim S where S >= 1`; of a number that is read, or a parameter, a condition around the loop, or `max(s, 1)`.

A loop that counts down counts up, and computes its index in the body: `for k in 0..n { let i = n - 1 - k; … }`. Loops over
`grid` and `threads` have no step: their iterations are executed by different blocks or threads.",
    wrong: "kernel halves(x: f32[8], y: mut f32[8]) grid(1) block(1) {
    for i in 0..8 step -2 { y[i] = x[i]; }
}
",
    right: "kernel halves(x: f32[8], y: mut f32[4]) grid(1) block(1) {
    for i in 0..8 step 2 { y[i / 2] = x[i]; }
}
",
};

/// What is wrong with a step.
pub(crate) enum WrongStep {
    /// It is this number, which is not positive.
    Number(i64),
    /// It is this size, of which the facts do not say that it is positive.
    Size(Sym),
    /// Nothing says that the number is positive.
    Unknown,
    /// The loop runs over no range.
    NoRange,
}

/// `span` is the step.
pub(crate) fn loop_step(span: Span, what: &WrongStep) -> Diagnostic {
    match what {
        WrongStep::Number(number) => {
            let diagnostic =
                PAGE.at(span, format!("a loop counts up, by 1 or more, and not by {number}")).label("not positive");
            match number {
                0 => diagnostic.help("a step of 0 would never end"),
                _ => diagnostic.help("count down in the body: `for k in 0..n { let i = n - 1 - k; … }`"),
            }
        }
        WrongStep::Size(size) => PAGE
            .at(span, format!("a loop counts up, by 1 or more, and nothing says that `{size}` is positive"))
            .label("may be 0")
            .help(format!("state the fact `{size} >= 1`, behind `where` of the kernel or of the `dim`")),
        WrongStep::Unknown => PAGE
            .at(span, "a loop counts up, by 1 or more, and nothing says that this number is positive")
            .label("may be 0 or less")
            .help("write `max(…, 1)`, or put the loop under an `if` that excludes other numbers"),
        WrongStep::NoRange => PAGE
            .at(span, "only a loop over a range `lo..hi` has a step")
            .label("of no range")
            .help("multiply in the body: `let k = i * 2;`"),
    }
}
