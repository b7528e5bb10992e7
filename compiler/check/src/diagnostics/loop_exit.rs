//! A `break` or a `continue` that leaves no loop.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;
use syntax::tree::LeaveWord;

/// The documentation of `loop-exit`.
pub static PAGE: Page = Page {
    code: "loop-exit",
    severity: Severity::Error,
    title: "`break` or `continue` without a loop that it could leave",
    explanation: "`break;` ends the innermost loop that goes one step at a time, `for i in lo..hi` or `while c max n`, and `continue;` the
current iteration of the innermost loop. Each thread leaves its own loop.

The iterations of `for t in threads(…)` and of `for i in grid(…)` are executed at the same time, so none of them can keep the
others from being executed: it leaves out the rest of its own body by `continue;`. The threads that a `with` lets in do not decide for the
others.",
    wrong: "kernel first(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) {
        if x[t] < 0.0 { break; }
        y[t] = x[t];
    }
}
",
    right: "kernel first(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) {
        if x[t] < 0.0 { continue; }
        y[t] = x[t];
    }
}
",
};

/// Why a loop cannot be left.
pub(crate) enum WrongLeave {
    /// There is no loop around the word.
    NoLoop(LeaveWord),
    /// What is around it is executed at the same time: `threads`, `grid`, `with`.
    AtOnce(LeaveWord, &'static str),
    /// It follows so many others, within each other, that may have left their loops.
    TooMany(usize),
}

/// The statement at `span` leaves no loop.
pub(crate) fn wrong_leave(span: Span, why: &WrongLeave) -> Diagnostic {
    match why {
        WrongLeave::NoLoop(word) => PAGE
            .at(span, format!("there is no loop around this `{}`", word.text()))
            .label("leaves no loop")
            .help("a thread does nothing more in a kernel where the rest stands under an `if`"),
        WrongLeave::AtOnce(word, "with") => PAGE
            .at(
                span,
                format!(
                    "this `{}` would leave a loop from within a `with`, which only some of its threads execute",
                    word.text()
                ),
            )
            .label("cannot decide for the other threads")
            .help("put the loop into the `with`"),
        WrongLeave::AtOnce(word, around) => PAGE
            .at(
                span,
                format!(
                    "the iterations of a loop over `{around}` are executed at the same time, so none is left by `{}`",
                    word.text()
                ),
            )
            .label("leaves no loop one step at a time")
            .help("`continue;` leaves out the rest of this iteration; the others are executed in any case"),
        WrongLeave::TooMany(most) => PAGE
            .at(span, format!("more than {most} statements before this one may leave its loop and those around it"))
            .label("one too many")
            .help("join their conditions with `||`"),
    }
}
