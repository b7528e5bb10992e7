//! Threads that cannot exchange values as it is written.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use kernel::typed::Lane;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `wrong-exchange`.
pub static PAGE: Page = Page {
    code: "wrong-exchange",
    severity: Severity::Error,
    title: "threads cannot exchange values so",
    explanation: "`sum(v, over: w)` adds the values of all threads of one iteration of `for w in threads(…)`, and each of them gets the sum;
`prod`, `min`, `max`, `any` and `all` likewise, and with `cumsum` and `cumprod` each thread gets its own value with those of the threads
before it. `over: warp` and `over: block` name the threads of a warp and of the block. `shuffle(v, lane)`, `shuffle_up`,
`shuffle_down`, `shuffle_xor` and `ballot(c)` are of a warp.

The threads are 2, 4, 8 or 16 lanes of a warp, whose numbers differ in some bits, or whole warps, in a block of whole warps. All of them
evaluate the expression, so it stands neither behind `&&` or `||` nor in an arm of an `if` expression: name its value by a `let` before.",
    wrong: "kernel total(x: f32[64], y: mut f32[1]) grid(1) block(48) {
    for t in threads(48, cuda_thread) {
        let s = sum(x[t], over: block);
        if t == 0 { y[0] = s; }
    }
}
",
    right: "kernel total(x: f32[64], y: mut f32[1]) grid(1) block(64) {
    for t in threads(64, cuda_thread) {
        let s = sum(x[t], over: block);
        if t == 0 { y[0] = s; }
    }
}
",
};

/// What is wrong with an exchange.
pub(crate) enum WrongExchange<'w> {
    /// It stands where only some threads would evaluate it.
    Conditional { function: &'w str },
    /// A whole block works on tiles there.
    OfTiles { function: &'w str },
    /// It does not say whose values; these iterators could be named.
    NoThreads { function: &'w str, iterators: &'w [SmolStr] },
    /// What it names are no threads; these iterators could be named.
    NoCollective { iterators: &'w [SmolStr] },
    /// The block has threads that are not in whole warps.
    Block { function: &'w str, threads: &'w Sym },
    /// The collective is neither whole warps nor a part of one that is a power of two; or several warps in a kernel with clusters.
    Members { word: &'w str, threads: i64, clusters: bool },
    /// A number of lanes that a warp does not have.
    Number { lane: Lane, found: i64 },
}

/// The exchange at `span` cannot be.
pub(crate) fn wrong_exchange(span: Span, why: &WrongExchange<'_>) -> Diagnostic {
    match why {
        WrongExchange::Conditional { function } => PAGE
            .at(span, format!("only some threads may evaluate this, but all of them do `{function}` together"))
            .help("name its value before: write `let v = …;` in a statement of its own, and use `v` here"),
        WrongExchange::OfTiles { function } => {
            let diagnostic = PAGE.at(span, format!("`{function}` joins the values of threads, and here a block works on tiles"));
            match *function {
                "sum" | "prod" | "min" | "max" | "any" | "all" | "cumsum" | "cumprod" => {
                    diagnostic.help(format!("a tile has it along its dimensions: `t.{function}(0)`"))
                }
                _ => diagnostic.help("use it inside a loop over `threads`"),
            }
        }
        WrongExchange::NoThreads { function, iterators } => PAGE
            .at(span, format!("`{function}` does not say over which threads"))
            .help(format!("write `{function}(v, over: {})`: {}", example(iterators), choices(iterators))),
        WrongExchange::NoCollective { iterators } => {
            PAGE.at(span, "these are no threads".to_owned()).help(format!("threads are {}", choices(iterators)))
        }
        WrongExchange::Block { function, threads } => PAGE
            .at(span, format!("`{function}` needs whole warps of 32 threads, but the block has {threads}"))
            .help(match threads.as_constant() {
                Some(threads) => format!("launch whole warps: `block({})`", (threads.max(1) + 31) / 32 * 32),
                None => "give the launch a number of threads: `block(256)`".to_owned(),
            }),
        WrongExchange::Members { word, clusters: true, .. } => {
            PAGE.at(span, format!("in a kernel with clusters, the warps of one iteration of `{word}` exchange nothing"))
                .help("exchange values in a warp or a part of one, or `over: block`")
        }
        WrongExchange::Members { word, threads, .. } => PAGE
            .at(span, format!("the {threads} threads of one iteration of `{word}` cannot exchange values"))
            .help("they have to be whole warps, or 2, 4, 8 or 16 lanes of one warp whose numbers differ in some bits, in every way"),
        WrongExchange::Number { lane, found } => {
            let diagnostic = PAGE.at(span, format!("a warp has 32 lanes, so the number of `{}` is 0 to 31", lane.name()));
            diagnostic.label(format!("this is {found}"))
        }
    }
}

/// The threads at `threads` follow the value without a name.
pub(crate) fn threads_without_name(threads: Span) -> Diagnostic {
    PAGE.at(threads, "the threads are an argument with a name, so that a reader sees that they are no value").fix(
        "name them",
        Span::new(threads.start, threads.start),
        "over: ",
    )
}

/// A collective that could be named.
fn example(iterators: &[SmolStr]) -> &str {
    // The innermost one is most often a single thread.
    iterators.get(1).map_or("warp", SmolStr::as_str)
}

fn choices(iterators: &[SmolStr]) -> String {
    let own: Vec<String> = iterators.iter().map(|name| format!("`{name}`")).collect();
    match own.as_slice() {
        [] => "`warp` or `block`".to_owned(),
        own => {
            format!("`warp`, `block`, or those of one iteration of a loop over threads around, {}", own.join(" or "))
        }
    }
}
