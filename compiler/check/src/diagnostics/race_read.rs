//! A read of an element that another thread of the same launch writes.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::race::Elsewhere;
use syntax::span::Span;

/// The documentation of `race-read`.
pub static PAGE: Page = Page {
    code: "race-read",
    severity: Severity::Error,
    title: "a thread reads what another thread of the launch writes",
    explanation: "One thread writes an element that another one reads, and nothing says which happens first: the read may see the old value
or the new one. Within a block the compiler places a barrier between a statement that reads and a later one that writes, if it is
proven that no two blocks reach one element. Blocks of a launch cannot wait for each other, and within one statement there is no
place for a barrier.

Where threads of one block meet, read into a `let` and store in a statement behind it; with a loop over threads around both, end
it between them and begin it anew. Otherwise read from one tensor and write to another, or do it in two launches: everything that the first one wrote is seen by the second.",
    wrong: "kernel turn(y: mut f32[4]) grid(1) block(4) {
    view forward = y via reshape_map([1] | [4] => layout: [i0, t0]);
    view backward = y via reshape_map([1] | [4] => layout: [i0, -t0]);
    forward[0] = backward[0];
}
",
    right: "kernel turn(y: mut f32[4]) grid(1) block(4) {
    view forward = y via reshape_map([1] | [4] => layout: [i0, t0]);
    view backward = y via reshape_map([1] | [4] => layout: [i0, -t0]);
    let other = backward[0];
    forward[0] = other;
}
",
};

/// The store at `span` writes elements of `tensor` that another thread may read elsewhere; it may be atomic.
pub(crate) fn race_read(span: Span, tensor: &str, read: &Elsewhere, is_atomic: bool) -> Diagnostic {
    let message =
        format!("this writes an element of `{tensor}` that another thread of the launch may read: it is read {read}");
    let diagnostic =
        PAGE.at(span, message).label("old value or new?").related(read.span, format!("`{tensor}` is read here"));
    let diagnostic = match is_atomic {
        true => diagnostic.help(format!(
            "only atomic accesses are ordered with each other: the value so far is `atomic_load({tensor}[…])`, and what all threads have \
             done is read by a second kernel"
        )),
        false => diagnostic,
    };
    diagnostic.help("read from one tensor and write to another, or use two launches")
}
