//! An expression in a kernel with another type than its place needs.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `type-mismatch`.
pub static PAGE: Page = Page {
    code: "type-mismatch",
    severity: Severity::Error,
    title: "an expression in a kernel has another element type",
    explanation: "Element types do not change by themselves: an `i32` is not quietly made an `f32`, nor an `f64` an `f32`. CUDA converts
without a word, and a forgotten `f` after a constant makes a whole loop run in double precision.

Numbers without a type take the type of what stands beside them, so `2.0 * x` is fine for every float type. Everything
else is converted by naming the type: `f32(n)`.",
    wrong: "kernel scale(n: i32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
    for i in 0..3 { ys[i] = n * xs[i]; }
}
",
    right: "kernel scale(n: i32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
    for i in 0..3 { ys[i] = f32(n) * xs[i]; }
}
",
};

/// Both are element types (`f32`) or noun phrases (`a tensor`).
pub(crate) fn type_mismatch(span: Span, expected: &str, found: &str) -> Diagnostic {
    let (expected_type, found_type) = (expected.trim_matches('`'), found.trim_matches('`'));
    let (to, from) = (ElementType::from_name(expected_type), ElementType::from_name(found_type));
    let word = |what: &str, element: Option<ElementType>| match element {
        Some(element) => format!("`{element}`"),
        None => what.to_owned(),
    };
    let (expected, found) = (word(expected, to), word(found, from));
    let diagnostic = PAGE.at(span, format!("expected {expected}, found {found}")).label(if found == "this" {
        "of another type".to_owned()
    } else {
        format!("this is {found}")
    });
    match (to, from) {
        (Some(to), Some(from)) if to != ElementType::Bool => {
            let diagnostic = diagnostic.help(format!("types are converted only where it is written: `{to}(…)`"));
            // To cut a fraction off is rarely what was meant: more often the other operand is to be converted.
            if from.is_float() && !to.is_float() {
                return diagnostic;
            }
            words::surround(diagnostic, format!("convert it to `{to}`"), span, &format!("{to}("), ")")
        }
        _ => diagnostic,
    }
}
