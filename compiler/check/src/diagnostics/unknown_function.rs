//! A function that does not exist in kernels.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::{foreign_functions, words};
use crate::library;
use kernel::typed::AtomicOperation;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `unknown-function`.
pub static PAGE: Page = Page {
    code: "unknown-function",
    severity: Severity::Error,
    title: "a kernel calls a function that does not exist",
    explanation: "In a kernel there are math functions such as `sqrt`, `exp`, `max` and `fma`, which [the
reference](../language.md#expressions-and-types) lists, and a function for each element type that converts to it, `f32(n)`.

They are the same functions for every float type: CUDA's `expf`, `exp` and `hexp` are all `exp`.",
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = sqrtf(2.0);
}
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = sqrt(2.0);
}
",
};

/// A function of CUDA that changes an element atomically; `pointer` is the `&` before the element.
pub(crate) fn atomic_elsewhere(
    span: Span,
    name: &str,
    operation: AtomicOperation,
    pointer: Option<Span>,
) -> Diagnostic {
    let ours = operation.name();
    let mut edits = vec![(span, SmolStr::new_static(ours))];
    edits.extend(pointer.map(|pointer| (pointer, SmolStr::default())));
    PAGE.at(span, format!("there is no function `{name}` in kernels"))
        .label("not a function")
        .help(format!("write `{ours}`, whose first argument is an element, `h[i]`"))
        .fix_at(format!("change it to `{ours}`"), edits)
}

/// A function of CUDA by which lanes exchange values, and ours; `mask` is its mask up to the word behind it, which stays.
pub(crate) fn lanes_elsewhere(span: Span, name: &str, ours: &'static str, mask: Span, behind: &str) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("there is no function `{name}` in kernels")).label("not a function");
    diagnostic
        .help(foreign_functions::advice(name).unwrap_or_default())
        .fix_at(format!("change it to `{ours}`"), vec![(span, SmolStr::new_static(ours)), (mask, SmolStr::new(behind))])
}

/// A number that is made of a text, `float("inf")`; it is called `ours`, and `whole` is the call.
pub(crate) fn number_of_text(span: Span, name: &str, whole: Span, ours: &'static str) -> Diagnostic {
    PAGE.at(span, format!("there is no function `{name}` in kernels, and no number is made of a text"))
        .label("not a function")
        .help(format!("it is called `{ours}` here"))
        .fix(format!("write `{ours}`"), whole, ours)
}

/// `nearest` is the function that was probably meant.
pub(crate) fn unknown_function(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("there is no function `{name}` in kernels")).label("not a function");
    let file = library::file_with(name);
    let diagnostic = match &file {
        Some(file) => diagnostic.help(format!("the library has it: `use \"{file}\";`")),
        None => diagnostic,
    };
    match foreign_functions::advice(name) {
        Some(advice) => diagnostic.help(advice),
        None if file.is_some() => diagnostic,
        None => words::suggest(diagnostic, span, foreign_functions::meant(name).or(nearest)),
    }
}
