//! A list, tuple or shape that becomes too large.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `too-many-elements`.
pub static PAGE: Page = Page {
    code: "too-many-elements",
    severity: Severity::Error,
    title: "a list, tuple or shape has too many elements",
    explanation: "A shape, list or tuple that is made of others has the elements of all of them. Thirty lines that each double the one before
would have a billion, so there is a limit to what names may add to those elements that are written.",
    wrong: "const ten = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
const hundred = (ten, ten, ten, ten, ten, ten, ten, ten, ten, ten);
const eleven_hundred = (hundred, hundred, hundred, hundred, hundred, hundred, hundred, hundred, hundred, hundred, hundred);
",
    right: "const ten = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
const hundred = (ten, ten, ten, ten, ten, ten, ten, ten, ten, ten);
",
};

/// The list, tuple or shape at `span` has more than `limit` elements that come from names.
pub(crate) fn too_many_elements(span: Span, limit: usize) -> Diagnostic {
    PAGE.at(span, format!("this has more than {limit} elements that come from names"))
        .label("too many")
        .help("a shape has rarely more than eight dimensions; write what is needed of the parts")
}
