//! Threads that exchange values would not all come.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use kernel::effects::Reason;
use syntax::span::Span;

/// The documentation of `threads-apart`.
pub static PAGE: Page = Page {
    code: "threads-apart",
    severity: Severity::Error,
    title: "not all threads would come that exchange values",
    explanation: "`shuffle`, `ballot`, and `sum(v, over: w)` with its like are done by all threads of a warp, a block or a collective
together: each gives a value, and each gets what they make of all of them. Inside of an `if` or a loop that only some of these
threads enter, the others would never come, and those that wait would wait for ever.

Take the value before, where all threads come, and let those that have none give one that changes nothing: 0 to a sum,
`-inf` to a `max`. Or make the condition the same for all of them: sizes, scalar parameters, iterators of loops that all run, the
number of the block or of the collective, a result of another `sum` over the same threads.",
    wrong: "kernel total(x: f32[32], y: mut f32[1]) grid(1) block(32) {
    for t in threads(32, cuda_thread) {
        if x[t] > 0.0 {
            let s = sum(x[t], over: warp);
            if t == 0 { y[0] = s; }
        }
    }
}
",
    right: "kernel total(x: f32[32], y: mut f32[1]) grid(1) block(32) {
    for t in threads(32, cuda_thread) {
        let s = sum(max(x[t], 0.0), over: warp);
        if t == 0 { y[0] = s; }
    }
}
",
};

/// The exchange at `span` needs all of the threads that are called `threads`.
pub(crate) fn threads_apart(span: Span, threads: &str, reason: Reason) -> Diagnostic {
    let diagnostic = PAGE
        .at(span, format!("all threads of {threads} exchange values here, but only some of them may come"))
        .label("needs all of these threads");
    match reason {
        Reason::Condition(condition) => diagnostic
            .related(condition, "this is not uniform: threads may see different values")
            .help(
                "take the value in a `let` before, where all of them come, and let those that have none give one that changes \
                 nothing, as 0 does to a sum",
            ),
        Reason::Threads(narrowed) => diagnostic
            .related(narrowed, "here the threads are narrowed")
            .help("do it outside, or give all of these threads an iteration"),
        Reason::OutOfSteps(condition) => {
            words::out_of_steps(diagnostic).related(condition, "threads may see different values of this")
        }
        Reason::TooManyKinds => diagnostic
            .help("the kernel has more kinds of collectives than are told apart: divide it into several kernels"),
    }
}
