//! The differences between the languages of index arithmetic.

use super::width::fits_int;
use crate::names::Names;
use crate::range::Range;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// C99 and its descendants: `int` and `long long`, division rounded towards zero.
    C,
    /// Python with numpy: 64-bit integers, division rounded down.
    Python,
}

/// Names that Python and the surrounding text use.
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
    /// An empty scope, without the reserved words of the language.
    pub(super) fn names(self) -> Names {
        match self {
            Dialect::C => Names::default(),
            Dialect::Python => Names::avoiding(&[PYTHON_RESERVED]),
        }
    }

    /// The statement that defines a name, without indentation.
    pub(super) fn definition(self, name: &str, code: &str, range: &Range) -> String {
        match self {
            Dialect::C => format!("const {} {name} = {code};", integer_type(!fits_int(range))),
            Dialect::Python => format!("{name} = {code}"),
        }
    }
}

/// The C type of an integer.
pub(super) fn integer_type(wide: bool) -> &'static str {
    if wide { "long long" } else { "int" }
}
