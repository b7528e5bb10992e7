//! Asynchronous copies that cannot be.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `wrong-async`.
pub static PAGE: Page = Page {
    code: "wrong-async",
    severity: Severity::Error,
    title: "an asynchronous copy that cannot be",
    explanation: "`async s[i] = x[j];` begins to copy an element of a tensor to a shared array, `cp.async` in CUDA: the thread goes on, and the
element is there once it is used. So its value is an element of a tensor that the kernel does not write, of the type of the array, or zero where
a condition does not hold: `async s[t] = if i < N { x[i] } else { 0.0 };`. What is computed is stored without `async`. In a kernel of tiles there
is none: how tiles come to shared memory, the compiler decides.",
    wrong: "kernel double(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[64];
    for t in threads(64, cuda_thread) { async s[t] = 2.0 * x[t]; }
    for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }
}
",
    right: "kernel double(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[64];
    for t in threads(64, cuda_thread) { async s[t] = x[t]; }
    for t in threads(64, cuda_thread) { y[t] = 2.0 * s[63 - t]; }
}
",
};

/// What is wrong with an asynchronous copy.
pub(crate) enum WrongAsync<'w> {
    /// It does not go to a shared array.
    Target,
    /// Its value is no element of a tensor.
    Value,
    /// The kernel may write the tensor meanwhile.
    Written { name: &'w str },
    /// It stands in a kernel of tiles. What it goes to may be a name that is not declared yet.
    Tiles { is_new: bool },
}

/// A copy that cannot be.
pub(crate) fn wrong_async(span: Span, why: &WrongAsync<'_>) -> Diagnostic {
    let (message, label, help) = match why {
        WrongAsync::Target => (
            "a copy with `async` goes to an element of a shared array".to_owned(),
            "no shared array",
            "leave `async` out, or copy to a `shared` array",
        ),
        WrongAsync::Value => (
            "what is copied with `async` is an element of a tensor, or zero where a condition does not hold".to_owned(),
            "computed, not copied",
            "leave `async` out, or compute with the element where it is used",
        ),
        WrongAsync::Written { name } => (
            format!(
                "what is copied with `async` is an element of a tensor that the kernel does not write, and `{name}` may change meanwhile"
            ),
            "may be written",
            "leave `async` out",
        ),
        WrongAsync::Tiles { is_new: true } => (
            "a kernel of tiles has no copies with `async`".to_owned(),
            "in a kernel of tiles",
            "a tile is loaded by `let t = p.load(i, k);`: how it comes to shared memory, and when, the compiler decides",
        ),
        WrongAsync::Tiles { is_new: false } => (
            "a kernel of tiles has no copies with `async`".to_owned(),
            "in a kernel of tiles",
            "leave `async` out: how tiles come to shared memory, and when, the compiler decides",
        ),
    };
    let found = PAGE.at(span, message).label(label).help(help);
    match why {
        WrongAsync::Tiles { is_new: true } => found.fix("write `let`", span, "let"),
        WrongAsync::Tiles { is_new: false } => found.fix("leave out `async`", span, ""),
        _ => found,
    }
}
