//! Thread collectives need a block of known size.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `open-block`.
pub static PAGE: Page = Page {
    code: "open-block",
    severity: Severity::Error,
    title: "thread collectives need a block of known size",
    explanation: "A loop over thread collectives gives iterations to threads while the kernel is checked, and the barriers of shared arrays
are placed then too. So the number of threads of a block must be a number or a `const`, not a symbolic dimension that is
known only at launch.",
    wrong: "dim B;

kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(B) {
    for t in threads(64, cuda_thread) { y[t] = x[t]; }
}
",
    right: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) { y[t] = x[t]; }
}
",
};

/// A loop over thread collectives, or the `shared` array of that name, needs a block of known size; it has `threads`.
pub(crate) fn open_block(span: Span, shared: Option<&str>, threads: &Sym) -> Diagnostic {
    let what = match shared {
        Some(array) => format!("the shared array `{array}`"),
        None => "a loop over thread collectives".to_owned(),
    };
    PAGE.at(span, format!("{what} needs to know how many threads a block has, but there are `{threads}`"))
        .label("needs a known block")
        .help(
            "give the launch a number of threads that is known when the kernel is checked: `block(256)`, a `const`, or a generic \
             parameter of the kernel, `kernel k[B = 256](…) block(B)`, of which a run chooses the value",
        )
}
