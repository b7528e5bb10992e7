//! What other languages write, and what is written here instead.

use smol_str::SmolStr;

use super::span::Span;

/// Something of another language, and how to write it here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// What it is.
    pub construct: Construct,
    /// The edits that write it as this language does; none where they are not evident.
    pub edits: Vec<(Span, SmolStr)>,
}

/// Something of another language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Construct {
    /// `a and b`
    And,
    /// `a or b`
    Or,
    /// `not a`
    Not,
    /// `a ** b`
    Power,
    /// `a << b`
    ShiftLeft,
    /// `a >> b`
    ShiftRight,
    /// `a | b`
    BitOr,
    /// `c ? a : b`
    Choice,
    /// `(float)x`
    Cast {
        /// The function that converts to the type.
        function: SmolStr,
    },
    /// `1.0f`
    Suffix {
        /// The number without it.
        number: SmolStr,
    },
    /// `while c { … }`
    While,
    /// `if c y[i] = 1.0;`
    BodyWithoutBraces,
}

impl Foreign {
    /// What is wrong; `found` is the text, in back quotes.
    pub(super) fn message(&self, found: &str) -> String {
        match &self.construct {
            Construct::And
            | Construct::Or
            | Construct::Not
            | Construct::Power
            | Construct::ShiftLeft
            | Construct::ShiftRight => format!("{found} is no operator of the language"),
            Construct::BitOr => "`|` is no operator of numbers or truth values".to_owned(),
            Construct::Choice => "a choice is not written with `?` and `:`".to_owned(),
            Construct::Cast { .. } => "a conversion is a call, not a type in parentheses".to_owned(),
            Construct::Suffix { .. } => format!("numbers have no suffix, found {found}"),
            Construct::While => "there is no `while`: a loop runs over a range, so that every kernel ends".to_owned(),
            Construct::BodyWithoutBraces => "the body of an `if` or a loop stands in braces".to_owned(),
        }
    }

    /// What to write instead.
    pub(super) fn help(&self) -> String {
        match &self.construct {
            Construct::And => "write `&&`".to_owned(),
            Construct::Or => "write `||`".to_owned(),
            Construct::Not => "write `!a`, or `!(a == b)` for a comparison".to_owned(),
            Construct::Power => "write `x * x`, or in a kernel `pow(x, y)` for floats".to_owned(),
            Construct::ShiftLeft => "write `shift_left(a, b)` in a kernel, elsewhere `a * 2` and the like".to_owned(),
            Construct::ShiftRight => "write `shift_right(a, b)` in a kernel, elsewhere `a / 2` and the like".to_owned(),
            Construct::BitOr => "write `||` for truth values, and `bit_or(a, b)` for the bits of integers".to_owned(),
            Construct::Choice => "write `if c { a } else { b }`".to_owned(),
            Construct::Cast { function } => format!("write `{function}(…)` around what is converted"),
            Construct::Suffix { number } => {
                format!("write `{number}`: a number takes the type of what it is used with")
            }
            Construct::While => {
                "write `for i in 0..n { if c { … } }`, with the most steps that it may take as `n`".to_owned()
            }
            Construct::BodyWithoutBraces => "write `{ … }` around it".to_owned(),
        }
    }

    /// What the edits do, as the label of a button.
    pub(super) fn title(&self) -> String {
        match &self.construct {
            Construct::And => "write `&&`".to_owned(),
            Construct::Or => "write `||`".to_owned(),
            Construct::Not => "write `!`".to_owned(),
            Construct::Choice => "write it with `if` and `else`".to_owned(),
            Construct::Cast { function } => format!("write `{function}(…)`"),
            Construct::Suffix { number } => format!("write `{number}`"),
            _ => "write `{ … }` around it".to_owned(),
        }
    }
}
