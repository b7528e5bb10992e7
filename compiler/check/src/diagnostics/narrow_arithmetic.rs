//! Arithmetic wraps in a narrow type before its result is widened, divided or shifted right.

use super::diagnostic::{Diagnostic, Page, Severity};
use elements::ElementType;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `narrow-arithmetic`.
pub static PAGE: Page = Page {
    code: "narrow-arithmetic",
    severity: Severity::Warning,
    title: "arithmetic wraps in a narrow type before its result is widened or divided",
    explanation: "Arithmetic of integers wraps in the type of its operands, of small ones too: the sum of two `u8` is a `u8`. C computes it
in `int` without a word, so the mean of two pixels, `(a + b) / 2`, is right there, and here it is that of a sum that has lost its highest
bit. The same holds for a product of two `i8` that is added to an `i32`, for `f32(a * b)`, and for a product of two `i32` that becomes an
`i64`.

Convert an operand before: in `i32(a) + b` the sum is an `i32`. What is stored in a `u8` is converted back, `u8((i32(a) + b) / 2)`.

No warning is given where the numbers are known to fit, `(x & 15) + (y & 15)`, and none of hashes and random numbers, which mean to wrap:
where `^` takes part, or a 32-bit number is multiplied by a constant of more than 16 bits.",
    wrong: "dim H, W;
kernel halve(x: u8[H, 2 * W], y: mut u8[H, W]) {
    for (i, j) in grid(H, W) { y[i, j] = (x[i, 2 * j] + x[i, 2 * j + 1] + 1) / 2; }
}
",
    right: "dim H, W;
kernel halve(x: u8[H, 2 * W], y: mut u8[H, W]) {
    for (i, j) in grid(H, W) { y[i, j] = u8((i32(x[i, 2 * j]) + x[i, 2 * j + 1] + 1) / 2); }
}
",
};

/// An operator whose result may wrap.
#[derive(Clone, Copy)]
pub(crate) enum Wrapping {
    Sum,
    Difference,
    Product,
    Shift,
}

impl Wrapping {
    fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Difference => "difference",
            Self::Product => "product",
            Self::Shift => "shift",
        }
    }

    fn converted_first(self, to: ElementType) -> String {
        match self {
            Self::Sum => format!("{to}(a) + b"),
            Self::Difference => format!("{to}(a) - b"),
            Self::Product => format!("{to}(a) * b"),
            Self::Shift => format!("{to}(a) << b"),
        }
    }
}

/// What is done with a result that may have wrapped.
#[derive(Clone, Copy)]
pub(crate) enum Then {
    /// It is converted to this type, as the text says.
    Converted(ElementType),
    /// It is computed with in this type, to which it is converted on its own.
    Widened(ElementType),
    Divided,
    ShiftedRight,
}

/// An operation at `span` is computed in a type, and wraps before something is done with its result. It could be computed in the type
/// `to`, by these `edits`.
pub(crate) fn narrow_arithmetic(
    span: Span,
    (wrapping, element): (Wrapping, ElementType),
    then: Then,
    to: ElementType,
    edits: Option<Vec<(Span, SmolStr)>>,
) -> Diagnostic {
    let before = match then {
        Then::Converted(to) => format!("is converted to `{to}`"),
        Then::Widened(to) => format!("is computed with in `{to}`"),
        Then::Divided => "is divided".to_owned(),
        Then::ShiftedRight => "is shifted right".to_owned(),
    };
    let name = wrapping.name();
    let range = element.range_text();
    let found = PAGE
        .at(span, format!("the {name} is computed in `{element}`, which holds {range}, and wraps before it {before}"))
        .label(format!("wraps in `{element}`"))
        .help(format!("convert an operand first: `{}` is computed in `{to}`", wrapping.converted_first(to)));
    match edits {
        Some(edits) => found.fix_at(format!("compute it in `{to}`"), edits),
        None => found,
    }
}
