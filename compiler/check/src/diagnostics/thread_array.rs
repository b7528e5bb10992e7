//! An array of each thread that cannot be one.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `thread-array`.
pub static PAGE: Page = Page {
    code: "thread-array",
    severity: Severity::Error,
    title: "an array of each thread cannot be declared so",
    explanation: "`let mut acc : f32[4, 4] = 0.0;` declares an array of which every thread has its own, in its registers. Its extents are
known when the kernel is checked. Its value is one number, with which every element begins, or a list with as many parts as
each extent says: `let taps : f32[3] = [1.0, 2.0, 1.0];`.

A thread has at most 255 registers of 4 bytes, so an array has at most 1020 bytes. What is larger belongs into a `shared` array,
of which each thread has a row, or into a tile, which the threads of a block hold together.",
    wrong: "kernel smooth(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) {
        let taps : f32[3] = [1.0, 2.0];
        let mut sum = 0.0;
        for k in 0..3 { if t + k >= 1 && t + k < 65 { sum += taps[k] * x[t + k - 1]; } }
        y[t] = sum;
    }
}
",
    right: "kernel smooth(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) {
        let taps : f32[3] = [1.0, 2.0, 1.0];
        let mut sum = 0.0;
        for k in 0..3 { if t + k >= 1 && t + k < 65 { sum += taps[k] * x[t + k - 1]; } }
        y[t] = sum;
    }
}
",
};

/// What is wrong with an array of each thread.
pub(crate) enum WrongArray<'a> {
    /// It has more bytes than a thread holds.
    TooLarge { name: &'a str, element: ElementType, shape: &'a [i64], most: i64 },
    /// A list has another number of parts than the extent of its dimension.
    Parts { name: &'a str, shape: &'a [i64], dimension: usize, found: usize },
    /// A number stands where a list is needed, for a dimension that has several elements.
    Flat { name: &'a str, shape: &'a [i64], dimension: usize },
    /// A list stands where a number is needed.
    Nested { name: &'a str, shape: &'a [i64] },
}

/// The array that is declared, or its value, at `span` is wrong.
pub(crate) fn thread_array(span: Span, why: &WrongArray<'_>) -> Diagnostic {
    match *why {
        WrongArray::TooLarge { name, element, shape, most } => {
            let size = i64::try_from(element.size_bytes()).ok();
            let bytes = shape.iter().try_fold(size.unwrap_or(1), |bytes, extent| bytes.checked_mul(*extent));
            let bytes =
                bytes.map_or_else(|| "more bytes than 64 bits can count".to_owned(), |bytes| format!("{bytes} bytes"));
            let extents = words::numbers(shape);
            PAGE.at(span, format!("`{name}` has {bytes} in each thread, whose registers hold at most {most}"))
                .label(format!("at most {most} bytes in each thread"))
                .help(format!(
                    "declare it as `shared {name} : {element}[…, {extents}];` with a row for each thread, before the loop over \
                     threads, or work on tiles, `let mut {name} = zeros({element}[{extents}]);`, which a block holds together"
                ))
        }
        WrongArray::Parts { name, shape, dimension, found } => {
            let extent = shape.get(dimension).copied().unwrap_or(1);
            PAGE.at(span, format!("dimension {dimension} of `{name}` has {extent} elements, and this list {found}"))
                .label(format!("expected {extent} elements"))
                .help(format!(
                    "the list of `{name}` has the extents [{}]; one number stands for all elements",
                    words::numbers(shape)
                ))
        }
        WrongArray::Flat { name, shape, dimension } => {
            let extent = shape.get(dimension).copied().unwrap_or(1);
            PAGE.at(span, format!("`{name}` has {} dimensions, so a list of {extent} is needed here", shape.len()))
                .label("a number in the place of a list")
                .help(format!(
                    "the list of `{name}` has the extents [{}], a list in a list for each dimension",
                    words::numbers(shape)
                ))
        }
        WrongArray::Nested { name, shape } => PAGE
            .at(span, format!("`{name}` has {}, so a number is needed here", dimensions(shape.len())))
            .label("a list in the place of a number")
            .help(format!("the list of `{name}` has the extents [{}]", words::numbers(shape))),
    }
}

fn dimensions(count: usize) -> String {
    if count == 1 { "1 dimension".to_owned() } else { format!("{count} dimensions") }
}
