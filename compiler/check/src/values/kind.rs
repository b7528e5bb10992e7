//! Kinds of values, for messages.

use std::fmt;

use super::Value;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer, or a size.
    Int,
    /// An integer above 2⁶³ − 1.
    Unsigned,
    /// A float.
    Float,
    /// A Boolean.
    Truth,
    /// A string.
    Text,
    /// A shape.
    Shape,
    /// A tuple.
    Tuple,
    /// A list.
    List,
    /// A range.
    Range,
    /// `_`
    Nothing,
    /// An index map.
    Map,
    /// A unit of threads.
    Unit,
    /// A tiling.
    Tiling,
    /// A set of threads.
    Threads,
    /// A function.
    Function,
}

impl fmt::Display for Kind {
    /// Writes the kind with its article.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Int => "an integer",
            Self::Unsigned => "an integer above 2^63 - 1, which only `u64` holds",
            Self::Float => "a float",
            Self::Truth => "a truth value",
            Self::Text => "a string",
            Self::Shape => "a shape",
            Self::Tuple => "a tuple",
            Self::List => "a list",
            Self::Range => "a range",
            Self::Nothing => "`_`",
            Self::Map => "an index map",
            Self::Unit => "a unit",
            Self::Tiling => "a tiling",
            Self::Threads => "a set of threads",
            Self::Function => "a function",
        })
    }
}

impl Value {
    /// The kind of the value.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Int(_) => Kind::Int,
            Self::Unsigned(_) => Kind::Unsigned,
            Self::Float(_) => Kind::Float,
            Self::Bool(_) | Self::Truth(_) => Kind::Truth,
            Self::Text(_) => Kind::Text,
            Self::Shape(_) => Kind::Shape,
            Self::Tuple(_) => Kind::Tuple,
            Self::List(_) => Kind::List,
            Self::Range(..) => Kind::Range,
            Self::Nothing => Kind::Nothing,
            Self::Map(_) => Kind::Map,
            Self::Unit(_) => Kind::Unit,
            Self::Tiling(_) => Kind::Tiling,
            Self::Threads(_) => Kind::Threads,
            Self::Function(_) => Kind::Function,
        }
    }
}
