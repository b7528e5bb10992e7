//! A value of one kind where another is needed.

use std::fmt;

use super::diagnostic::{Diagnostic, Fix, Page, Place, Severity};
use super::words;
use crate::values::{Kind, Value};
use smol_str::SmolStr;
use syntax::foreign::LOCAL_ARRAYS;
use syntax::span::Span;

/// The documentation of `wrong-type`.
pub static PAGE: Page = Page {
    code: "wrong-type",
    severity: Severity::Error,
    title: "a value of another kind is needed",
    explanation: "The expression has a value, but not of the kind that is needed here: a shape needs dimensions, a `map` an index map, an
`assert` a truth value. The message shows both.",
    wrong: "map m = 12;
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
",
};

/// The kind of value that an expression outside kernels needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Integer,
    Number,
    Truth,
    NumberOrTruth,
    Size,
    Sizes,
    Shape,
    Dimension,
    DimensionNumber,
    Coordinate,
    Constant,
    Map,
    Unit,
    Tiling,
    IndexOrRange,
    Tolerance,
    TensorOrNumber,
}

impl fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Truth => "a truth value",
            Self::NumberOrTruth => "a number or a truth value",
            Self::Size => "a size",
            Self::Sizes => "a size or several",
            Self::Shape => "a shape",
            Self::Dimension => "a dimension",
            Self::DimensionNumber => "the number of a dimension",
            Self::Coordinate => "a coordinate",
            Self::Constant => "a constant",
            Self::Map => "an index map",
            Self::Unit => "a unit of threads, such as `cuda_warp`",
            Self::Tiling => "a tiling, such as `block(128)`",
            Self::IndexOrRange => "an index or a range",
            Self::Tolerance => "a tolerance of at least 0",
            Self::TensorOrNumber => "a tensor or a number",
        })
    }
}

/// Another kind of value than `found` is needed.
pub(crate) fn wrong_type(span: Span, wanted: Wanted, found: &Value) -> Diagnostic {
    let kind = found.kind();
    let what = match kind {
        // The texts of these kinds include the value.
        Kind::Nothing | Kind::Unsigned => kind.to_string(),
        _ => format!("{kind}, `{}`", words::short(found)),
    };
    PAGE.at(span, format!("expected {wanted}, found {what}")).label(format!("this is {kind}"))
}

/// A map with square brackets instead of parentheses, at `brackets`.
pub(crate) fn map_in_brackets(brackets: Span) -> Diagnostic {
    let place = |start: u32| Place { item: None, span: Span::new(start, start + 1) };
    let mut diagnostic = PAGE
        .at(brackets, "a map is asked with round brackets: square ones make a shape of a shape")
        .label("round brackets are needed");
    let edits = vec![(place(brackets.start), "(".into()), (place(brackets.end.saturating_sub(1)), ")".into())];
    diagnostic.fixes.push(Fix { title: "ask with round brackets".to_owned(), edits });
    diagnostic
}

/// A variable of a kernel that is declared with a list.
pub(crate) fn local_array(span: Span) -> Diagnostic {
    PAGE.at(span, "an array of a thread is declared with its type").label("this is a list").help(LOCAL_ARRAYS)
}

/// A statement that only computes a value.
pub(crate) fn unused_value(span: Span) -> Diagnostic {
    PAGE.at(span, "nothing uses this value")
        .label("has no effect")
        .help("store it, `y[i] = …;`, or give it a name, `let v = …;`")
}

/// A statement that compares with `==`, whose operator is at `operator`.
pub(crate) fn unused_comparison(span: Span, operator: Span) -> Diagnostic {
    PAGE.at(span, "this compares two values, and nothing uses the answer")
        .label("a `bool` that is not used")
        .help("a value is assigned by `=`")
        .fix_at("assign it", vec![(operator, SmolStr::new_static("="))])
}
