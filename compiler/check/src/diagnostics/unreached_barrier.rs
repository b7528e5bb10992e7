//! A barrier would not be reached by all of its threads.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use kernel::effects::{Accessed, Evidence};
use syntax::span::Span;

/// The documentation of `unreached-barrier`.
pub static PAGE: Page = Page {
    code: "unreached-barrier",
    severity: Severity::Error,
    title: "a barrier would not be reached by all of its threads",
    explanation: "Between a write of a shared array, or of a tensor through which a block passes elements, and a read by another thread the
compiler places a barrier, at which all threads that run the statements wait for each other. Inside of an `if` or a loop that only some of these threads enter, the others would
never come, and those that wait would wait for ever.

Let the `if` guard the single accesses and not what lies between them, or make its condition uniform, the same for all
threads: sizes, scalar parameters, iterators of loops that all run, the number of the block or of the collective, what is read
from memory at a uniform place. To let only some threads go on, use `with threads(lo..hi, unit)`: then only these wait for
each other.",
    wrong: "kernel swap(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[64];
    for t in threads(64, cuda_thread) {
        s[t] = x[t];
    }
    view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
    view own = s via reshape_map([1] | [64] => layout: [i0, t0]);
    view other = s via reshape_map([1] | [64] => layout: [i0, -t0]);
    if own[0] > 0.0 {
        own[0] = 2.0 * own[0];
        ys[0] = other[0];
    } else {
        ys[0] = 0.0;
    }
}
",
    right: "kernel swap(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[64];
    for t in threads(64, cuda_thread) {
        s[t] = if x[t] > 0.0 { 2.0 * x[t] } else { x[t] };
    }
    view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
    view other = s via reshape_map([1] | [64] => layout: [i0, -t0]);
    ys[0] = other[0];
}
",
};

/// The second of two accesses has to wait for the first, but the condition there is not uniform, so not all threads
/// reach it. `threads` are an example, if it is known: the thread of the first access, then the thread that waits for
/// it.
pub(crate) fn unreached_barrier(
    array: &str,
    [first, second]: [&Accessed; 2],
    threads: Evidence<[i64; 2]>,
    condition: Span,
) -> Diagnostic {
    let who = match threads {
        Evidence::Witness([first, second]) => {
            format!("thread {second} must wait here for thread {first}, which accesses `{array}` too")
        }
        Evidence::OutOfSteps => {
            let message = format!(
                "the checks of this kernel ended before it was known whether a thread must wait here for another one, which \
                 accesses `{array}` too, or whether all threads come here"
            );
            return words::out_of_steps(PAGE.at(second.span, message))
                .related(first.span, words::accessed(array, first))
                .related(condition, "threads may see different values of this");
        }
        Evidence::Open => format!("a thread must wait here for another one, which accesses `{array}` too"),
    };
    PAGE.at(second.span, format!("{who}, but not all threads come here"))
        .label("needs a barrier")
        .related(first.span, words::accessed(array, first))
        .related(condition, "this is not uniform: threads may see different values")
        .help("end the `if` or the loop before this access, or make its condition the same for all threads that run it")
}
