//! A statement that needs other threads than those that execute it.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use dims::Sym;
use maps::threads::Tiling;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `wrong-collective`.
pub static PAGE: Page = Page {
    code: "wrong-collective",
    severity: Severity::Error,
    title: "a statement needs other threads than those that run it",
    explanation: "Every statement of a kernel is run by a thread collective: the whole launch, a cluster, a block, or the threads that a loop
`for w in threads(n, unit)` or a `with threads(lo..hi, unit)` lets in. Some statements need a certain one: a shared array
belongs to all threads of a block, and a view that deals to 64 threads needs 64.

The message says how many threads there are, which loop narrowed them, and how many are needed. Move the statement out of
the loop, or choose the unit that it needs.",
    wrong: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for w in threads(2, cuda_warp) {
        view xs = x via reshape_map([1] | [64] => layout: [i0, t0]);
        view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
        ys[0] = xs[0];
    }
}
",
    right: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    with threads(0..2, cuda_warp) {
        view xs = x via reshape_map([1] | [64] => layout: [i0, t0]);
        view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
        ys[0] = xs[0];
    }
}
",
};

/// A statement that needs other threads.
pub(crate) enum NeedsThreads {
    /// A view with a map that distributes over this number of threads.
    Map(i64),
    /// The shared array of this name, which needs all `threads` threads of the block.
    SharedArray { name: SmolStr, threads: Sym },
}

/// The statement at `span` is executed by the threads of `here`, which are narrowed at `narrowed`.
pub(crate) fn wrong_collective(span: Span, what: &NeedsThreads, here: &Tiling, narrowed: Span) -> Diagnostic {
    let (subject, needed) = match what {
        NeedsThreads::Map(threads) => ("this map".to_owned(), format!("{threads} threads")),
        NeedsThreads::SharedArray { name, threads } => {
            (format!("the shared array `{name}`"), format!("all {threads} threads of a block"))
        }
    };
    PAGE.at(span, format!("{subject} needs {needed}, but is run by {}", threads_of(here)))
        .label(format!("needs {needed}"))
        .related(narrowed, "here the threads are narrowed")
        .help("move it out of the loop that narrows the threads, or narrow them to the unit that it needs")
}

/// `the 32 threads of one iteration of `w` (`cuda_warp`)`
fn threads_of(tiling: &Tiling) -> String {
    let threads = words::count(usize::try_from(tiling.leaf_threads()).unwrap_or(usize::MAX), "thread");
    match (tiling.iterators().last(), tiling.steps().last()) {
        (Some(iterator), Some(_)) if iterator.depth + 1 == tiling.steps().len() => {
            format!("the {threads} of one iteration of `{}` (`{}`)", iterator.name, iterator.unit)
        }
        (_, Some(step)) => format!("the {threads} of `{step}`"),
        _ => threads,
    }
}
