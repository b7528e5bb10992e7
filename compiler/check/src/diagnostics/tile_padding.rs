//! What a masked load gives beyond the edge.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::spelling;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `tile-padding`.
pub static PAGE: Page = Page {
    code: "tile-padding",
    severity: Severity::Error,
    title: "a padding that there is not for this type",
    explanation: "`load_masked(i, pad: nan)` says what the elements beyond the edge of the tensor are: `zero`, which is the default,
`negative_zero`, `positive_inf`, `negative_inf` or `nan`. Only floats have the last four,
and `e4m3` has no infinities.",
    wrong: "kernel copy(x: i32[6], y: mut i32[6]) {
    view px = partition(x, [4]);
    view py = partition(y, [4]);
    for i in grid(px.index_space) { py.store_masked(px.load_masked(i, pad: nan), i); }
}
",
    right: "kernel copy(x: i32[6], y: mut i32[6]) {
    view px = partition(x, [4]);
    view py = partition(y, [4]);
    for i in grid(px.index_space) { py.store_masked(px.load_masked(i), i); }
}
",
};

/// A padding that there is not.
pub(crate) enum Padded<'p> {
    /// None of the words.
    Unknown { words: &'p [&'p str], word: &'p str },
    /// A padding of floats for another type.
    NoFloat { word: &'p str, element: ElementType },
    /// An infinity for floats without infinities.
    NoInfinity { word: &'p str, element: ElementType },
}

/// The padding at `span` does not exist.
pub(crate) fn tile_padding(span: Span, why: &Padded<'_>) -> Diagnostic {
    match why {
        Padded::Unknown { words: known, word } => {
            let found = if word.is_empty() { String::new() } else { format!(", found `{word}`") };
            let diagnostic = PAGE.at(span, format!("a padding is {}{found}", words::alternatives(known)));
            match of_elsewhere(word) {
                Some(meant) => diagnostic.fix(format!("write `{meant}`"), span, meant),
                None => words::suggest(diagnostic, span, spelling::nearest(word, known.iter().copied())),
            }
        }
        Padded::NoFloat { word, element } => PAGE
            .at(span, format!("`{word}` is a padding of floats, but the elements are `{element}`"))
            .help("leave it out: then elements beyond the edge are 0"),
        Padded::NoInfinity { word, element } => PAGE
            .at(span, format!("`{word}` is an infinity, but `{element}` holds {}", element.range_text()))
            .help("leave it out, or write `nan`, `zero` or `negative_zero`"),
    }
}

/// The padding that is written otherwise in other languages.
fn of_elsewhere(text: &str) -> Option<&'static str> {
    let text = text.to_ascii_lowercase().replace(' ', "");
    Some(match text.as_str() {
        "inf" | "infinity" | "+inf" | "pos_inf" => "positive_inf",
        "-inf" | "-infinity" | "neg_inf" => "negative_inf",
        "0" | "0.0" | "zeros" => "zero",
        "-0.0" => "negative_zero",
        "nan" => "nan",
        _ => return None,
    })
}
