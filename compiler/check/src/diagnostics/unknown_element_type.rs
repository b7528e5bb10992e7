//! A word that is not an element type.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `unknown-element-type`.
pub static PAGE: Page = Page {
    code: "unknown-element-type",
    severity: Severity::Error,
    title: "a word is not an element type",
    explanation: "The element types are `bool`, `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, `u32`, `u64`, `f16`, `bf16`, `f32` and `f64`.

They are CUDA's types under names that say their width: `float` is `f32`, `double` is `f64`, `__half` is `f16`, `int` is
`i32` and `unsigned char` is `u8`.",
    wrong: "kernel read(x: float[4]) grid(1) block(4) { }
",
    right: "kernel read(x: f32[4]) grid(1) block(4) { }
",
};

/// `nearest` is the element type that was probably meant.
pub(crate) fn unknown_element_type(span: Span, word: &str, nearest: Option<&str>) -> Diagnostic {
    let translated = ElementType::from_elsewhere(word).map(ElementType::name).or(nearest);
    let all: Vec<&str> = ElementType::ALL.iter().map(|element| element.name()).collect();
    let diagnostic = PAGE
        .at(span, format!("`{word}` is not an element type"))
        .label("not a type")
        .help(format!("the element types are {}", words::list(&all)));
    words::suggest(diagnostic, span, translated)
}
