//! Two threads access an element of a shared array at the same time.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `shared-race`.
pub static PAGE: Page = Page {
    code: "shared-race",
    severity: Severity::Error,
    title: "two threads access an element of a shared array at the same time",
    explanation: "Threads of a block read and write a shared array together, and the compiler places barriers where one must wait for
another. Two accesses of one element, one of them a write, can only be kept apart by a barrier where both threads run a
list of statements together, and where the first access is in an earlier statement than the second. Within one statement,
and between the iterations of one loop over thread collectives, there is no such place: these happen at the same time.

The message names two threads and the element. Give each thread an element of its own, or end the loop over collectives
between the two accesses and begin it anew: a variable that is declared before both keeps what each thread has read.",
    wrong: "kernel shift(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[65];
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { s[t] = s[t + 1]; }
    for t in threads(64, cuda_thread) { y[t] = s[t]; }
}
",
    right: "kernel shift(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[65];
    let mut next = 0.0;
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { next = s[t + 1]; }
    for t in threads(64, cuda_thread) { s[t] = next; }
    for t in threads(64, cuda_thread) { y[t] = s[t]; }
}
",
};

/// `accesses` are what two threads do (`thread 0 writes`) to an array and its element.
pub(crate) fn shared_race(
    span: Span,
    [first, second]: &[String; 2],
    (array, element): (&str, &str),
    in_one_access: bool,
) -> Diagnostic {
    PAGE.at(span, format!("{first} and {second} element {element} of `{array}` at the same time"))
        .label("a race")
        .help(advice(in_one_access))
}

/// The same where nothing shows that threads reach different elements; `stores` says which of the accesses are writes.
pub(crate) fn shared_race_unproven(span: Span, stores: [bool; 2], array: &str, in_one_access: bool) -> Diagnostic {
    let both = match stores {
        [true, true] => "two threads write",
        _ => "a thread reads and another one writes",
    };
    let message = format!("nothing shows that {both} different elements of `{array}` here, at the same time");
    PAGE.at(span, message).label("possibly a race").help(advice(in_one_access))
}

fn advice(in_one_access: bool) -> &'static str {
    match in_one_access {
        true => "give each thread an element of its own",
        false => {
            "a barrier can only stand between two statements that both threads run together: end the loop over \
             collectives between the two accesses, and begin it anew; a `let mut` before it keeps what a thread has read"
        }
    }
}
