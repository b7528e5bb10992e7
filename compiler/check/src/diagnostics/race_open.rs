//! A store that is free of races for some sizes only.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use proofs::Reason;
use syntax::span::Span;

/// The documentation of `race-open`.
pub static PAGE: Page = Page {
    code: "race-open",
    severity: Severity::Warning,
    title: "whether two threads write one element depends on the sizes",
    explanation: "Whether two threads write one element depends on sizes that are known at launch. The proof is tried again then, with the
actual sizes, and the launch is refused where it fails.

Stating the fact that is missing after `where` makes the kernel proven for every size that it accepts.",
    wrong: "dim N;
kernel fill(y: mut f32[1]) grid(1) block(max(N * N % 3, 1)) {
    y[0] = 1.0;
}
",
    right: "kernel fill(y: mut f32[1]) grid(1) block(1) {
    y[0] = 1.0;
}
",
};

/// A store to `tensor` is not known to be free of races; `deeper` says whether further search may prove it.
pub(crate) fn race_open(span: Span, tensor: &str, reason: &Reason, remedy: Option<Remedy>, deeper: bool) -> Diagnostic {
    let why = match reason {
        Reason::CoordinatesNotDetermined(_) => {
            "neither two such threads nor a reason why there are none was found".to_owned()
        }
        reason => reason.to_string(),
    };
    let message = format!("whether two threads write one element of `{tensor}` is decided at launch: {why}");
    let diagnostic = PAGE.at(span, message).label("depends on the sizes");
    let diagnostic = match remedy {
        None if !deeper => diagnostic.help("state more about the sizes after `where`"),
        remedy => diagnostic.remedied("no two do", remedy),
    };
    diagnostic.deeper(deeper)
}
