//! C++ expressions with their ranges.

use super::range::Range;
use super::text::{Level, Text};
use super::types;
use elements::ElementType;

/// An expression of some element type.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// The expression. A narrow integer may have the type `int` in C++, with a value that fits the narrow type.
    pub text: Text,
    /// The range of an integer.
    pub range: Range,
    /// Whether an `i64` has the C++ type `long long`, rather than an `int` that holds all its values.
    pub wide: bool,
}

impl Value {
    /// A value that is not an integer.
    pub fn opaque(text: Text) -> Value {
        Value { text, range: Range::default(), wide: false }
    }

    /// An `i64` as `long long`.
    pub fn widened(&self) -> Text {
        if self.wide {
            return self.text.clone();
        }
        match self.text.level {
            // An `i64` that fits an `int` has no suffix.
            Level::Literal => Text::literal(format!("{}ll", self.text.code)),
            _ => Text::cast("long long", &self.text),
        }
    }

    /// An integer constant of an element type.
    pub fn integer(element: ElementType, value: impl Into<i128>) -> Value {
        let exact = value.into();
        let wide = element == ElementType::I64 && i32::try_from(exact).is_err();
        let text = match element {
            ElementType::I64 if !wide => literal(ElementType::I32, exact),
            _ => literal(element, exact),
        };
        let range = i64::try_from(exact).map_or_else(|_| Range::between(exact, exact), Range::constant);
        Value { text, range, wide }
    }
}

/// An integer constant. C++ has no negative literals, so the least integer is written as a difference.
pub(super) fn literal(element: ElementType, value: i128) -> Text {
    let suffix = match element {
        ElementType::I64 => "ll",
        ElementType::U32 => "u",
        ElementType::U64 => "ull",
        _ => "",
    };
    let (least, _) = types::limits(element);
    if value == least && matches!(element, ElementType::I32 | ElementType::I64) {
        Text { code: format!("(-{}{suffix} - 1)", -(value + 1)), level: Level::Enclosed }
    } else {
        Text::number(value < 0, format!("{}{suffix}", value.unsigned_abs()))
    }
}
