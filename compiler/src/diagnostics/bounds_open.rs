//! An access that stays inside its tensor for some sizes only.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `bounds-open`.
pub static PAGE: Page = Page {
    code: "bounds-open",
    severity: Severity::Warning,
    title: "whether an access stays in its tensor depends on the sizes",
    explanation: "Whether this access stays inside its tensor depends on sizes that are known at launch. It is checked once then, on the
actual sizes, before any thread runs; where they do not fit, the launch is refused with this message.

Stating the fact that is missing, `where N >= 12`, makes the kernel proven, and whoever calls it with other sizes learns
of it earlier. In CUDA the check would be an `if (i < n)` in every thread, or forgotten.",
    wrong: "dim N;
kernel read(x: f32[1]) grid(1) block(1) {
    let element = x[N * (N + 1) % 2];
}
",
    right: "kernel read(x: f32[1]) grid(1) block(1) {
    let element = x[0];
}
",
};

/// An access to `tensor` of this `shape` is not shown to stay inside: `what`, a noun phrase, may leave it. The
/// `obligation` is the fact that would show it.
pub(crate) fn out_of_bounds_open(
    span: Span,
    tensor: &str,
    shape: &str,
    what: &str,
    obligation: Option<&str>,
) -> Diagnostic {
    let message =
        format!("{what} may lie outside of `{tensor}`, which has shape `{shape}`: this is checked once at launch");
    let diagnostic = PAGE.at(span, message).label("depends on the sizes");
    match obligation {
        Some(fact) => diagnostic.help(format!("it stays inside if `{fact}`; add `where {fact}` to the `dim` item")),
        None => diagnostic.help("state more about the sizes after `where`, or mark the view as `masked`"),
    }
}
