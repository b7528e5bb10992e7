//! What differs between the languages that index arithmetic is written in.

use super::writer::fits_int;
use crate::names::Names;
use crate::range::Range;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// C99 and what descends from it: `int` and `long long`, division towards zero.
    C,
    /// Python with numpy: integers of 64 bits, division that rounds down.
    Python,
}

/// What Python and the text around an expression use.
const PYTHON_RESERVED: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "np",
    "min",
    "max",
    "IndexError",
];

impl Dialect {
    /// No names yet, beside those that the language reserves.
    pub(super) fn names(self) -> Names {
        match self {
            Dialect::C => Names::default(),
            Dialect::Python => Names::avoiding(&[PYTHON_RESERVED]),
        }
    }

    /// The statement that gives a name to a value, without its indentation.
    pub(super) fn definition(self, name: &str, code: &str, range: &Range) -> String {
        match self {
            Dialect::C => format!("const {} {name} = {code};", integer_type(!fits_int(range))),
            Dialect::Python => format!("{name} = {code}"),
        }
    }
}

/// An integer type of C.
pub(super) fn integer_type(wide: bool) -> &'static str {
    if wide { "long long" } else { "int" }
}
