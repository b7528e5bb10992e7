//! A map in the text of another tool.

use std::fmt;

use dims::Symbol;
use maps::MapError;

/// The language or notation of an emitted map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Device functions of CUDA C++.
    Cuda,
    /// Inline functions of C99.
    C,
    /// A Python function that returns the elements of an array in the order of the map.
    Numpy,
    /// A CuTe layout, or a swizzle of one.
    Cute,
}

/// A map in the text of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The whole text, with comments.
    pub source: String,
    /// The functions that the text defines; empty for a layout.
    pub functions: Vec<Function>,
    /// The layout alone, if the text is one.
    pub layout: Option<String>,
    /// The offset to add to the layout's result; empty if there is none.
    pub offset: String,
}

/// A function of an emitted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The result.
    pub gives: Gives,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Whether the result is a 64-bit integer, rather than an `int`, a Boolean or an array.
    pub wide: bool,
}

impl Function {
    /// Whether a parameter or the result is a 64-bit integer.
    pub(super) fn has_wide(&self) -> bool {
        let takes_wide = |parameter: &Parameter| {
            matches!(parameter, Parameter::Coordinate { wide: true, .. } | Parameter::Size { wide: true, .. })
        };
        self.wide || self.parameters.iter().any(takes_wide)
    }
}

/// The result of an emitted function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The lower coordinate with this number, meaningful only if the coordinate is valid.
    Lower(usize),
    /// Whether a coordinate is valid.
    Validity,
    /// An array of elements of another one.
    Elements,
}

/// A parameter of an emitted function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The array from which elements are taken.
    Array,
    /// An upper coordinate.
    Coordinate {
        /// Its number.
        axis: usize,
        /// Whether it is a `long long` rather than an `int`.
        wide: bool,
    },
    /// The number of values of the unbounded upper coordinate with this number.
    Extent(usize),
    /// The value of a symbol.
    Size {
        /// The symbol.
        symbol: Symbol,
        /// Whether it is a `long long` rather than an `int`.
        wide: bool,
    },
}

/// The reason why a map cannot be written for a target, as a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoForm(pub String);

impl fmt::Display for NoForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for NoForm {}

impl From<MapError> for NoForm {
    fn from(error: MapError) -> NoForm {
        NoForm(error.to_string())
    }
}
