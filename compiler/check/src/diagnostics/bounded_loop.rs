//! A loop that does not run over a range.

use smol_str::SmolStr;

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;
use syntax::tree::{Argument, ExprKind, Suffix, SuffixKind};

/// The documentation of `bounded-loop`.
pub static PAGE: Page = Page {
    code: "bounded-loop",
    severity: Severity::Error,
    title: "a loop does not run over a range",
    explanation: "A `for` runs over `lo..hi`, where `hi` itself is not reached. Both ends are integers, and are evaluated once, before the
loop starts, as is the distance between two iterations, `0..n step 2`. A `while c max n` runs as long as `c` holds, at most `n`
times. So every kernel ends: a loop that spins forever, and hangs the GPU with it, cannot be written.

Any integer will do for an end, also one that was read from a tensor; each thread then runs as many steps as its own data
say. An index that such a loop makes needs an `if` around its access, because nothing is known of how far it goes.
`for i in 4` is written `for i in 0..4`.",
    wrong: "kernel sum(x: f32[4]) grid(1) block(1) {
    let mut total = 0.0;
    for i in 4 { total += x[i]; }
}
",
    right: "kernel sum(x: f32[4]) grid(1) block(1) {
    let mut total = 0.0;
    for i in 0..4 { total += x[i]; }
}
",
};

/// A range with a member of other languages: `(0..n).step_by(2)`, `(0..n).rev()`.
pub(crate) fn changed_range(span: Span, word: &str) -> Diagnostic {
    let diagnostic =
        PAGE.at(span, format!("a loop runs over a range `lo..hi`, which has no `{word}`")).label("not a range");
    match word {
        "rev" => diagnostic.help("count down in the body: `for k in 0..n { let i = n - 1 - k; … }`"),
        _ => {
            diagnostic.help("the distance from one iteration to the next stands behind `step`: `for i in 0..n step 2`")
        }
    }
}

/// The expression after `in` is no range.
pub(crate) fn bounded_loop(span: Span) -> Diagnostic {
    PAGE.at(span, "a loop runs over a range `lo..hi`").label("not a range").help("write for example `0..4`")
}

/// A `while` without a bound, whose condition is at `span` and compares something with the size or number `bound`.
pub(crate) fn unbounded_while(span: Span, bound: Option<&str>) -> Diagnostic {
    let diagnostic = PAGE
        .at(span, "a `while` says how many iterations it may take at most, so that every kernel ends")
        .label("no bound")
        .help("write `max n` behind the condition: after `n` iterations the loop stops, whatever the condition says");
    match bound {
        Some(bound) => {
            diagnostic.fix(format!("write `max {bound}`"), Span::new(span.end, span.end), format!(" max {bound}"))
        }
        None => diagnostic,
    }
}

/// The expression after `in` is `range(…)`, with the name at `word`.
pub(crate) fn called_range(span: Span, word: Span, suffixes: &[Suffix]) -> Diagnostic {
    let message = "a loop runs over a range `lo..hi`, which is not written as a call of `range`";
    let diagnostic = PAGE.at(span, message).label("not a range");
    let args: &[Argument] = match suffixes {
        [Suffix { kind: SuffixKind::Call(args), .. }] => args,
        _ => &[],
    };
    let closing = (Span::new(span.end.saturating_sub(1), span.end), SmolStr::default());
    let opening = |text: &'static str| (Span::new(word.start, word.end + 1), SmolStr::new_static(text));
    match args {
        [_] => {
            diagnostic.help("write `0..n` for `range(n)`").fix_at("write it as a range", vec![opening("0.."), closing])
        }
        [low, high] => {
            let diagnostic = diagnostic.help("write `lo..hi` for `range(lo, hi)`");
            // The space after the comma has to be removed, too.
            let high_text = match &high.value.kind {
                ExprKind::Int(Some(high)) => SmolStr::from(format!("..{high}")),
                ExprKind::Name(high) => SmolStr::from(format!("..{high}")),
                _ => return diagnostic,
            };
            let upper = Span::new(low.value.span.end, high.value.span.end);
            diagnostic.fix_at("write it as a range", vec![opening(""), (upper, high_text), closing])
        }
        _ => diagnostic.help("write `lo..hi step s` for `range(lo, hi, s)`"),
    }
}
