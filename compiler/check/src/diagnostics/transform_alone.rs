//! A transform without dimensions below it that needs them.

use super::diagnostic::{Diagnostic, Page, Severity};
use kernel::functions::{Parameter, Signature};
use syntax::span::Span;

/// The documentation of `transform-alone`.
pub static PAGE: Page = Page {
    code: "transform-alone",
    severity: Severity::Error,
    title: "a transform lacks the length that it is applied to",
    explanation: "In a pipeline a transform takes the lengths of its dimensions from what stands before it: `row_major([8, 64]) |> xor`.
Where it stands alone, nothing gives them, so they are written: `xor(8, 64)`.",
    wrong: "map m = pad(1, 1);
",
    right: "map m = pad(30, 1, 1);
",
};

/// The transform `word` is used as a map, and its arguments for `parameters` give no length.
pub(crate) fn transform_alone(span: Span, word: &str, parameters: &[Parameter]) -> Diagnostic {
    let signature = Signature::new(word, parameters).text;
    PAGE.at(span, format!("`{word}` does not know the length of its dimension here"))
        .label("a length is missing")
        .help(format!("write the length, as in `{signature}`, or put a map before it: `row_major([8]) |> {word}`"))
}
