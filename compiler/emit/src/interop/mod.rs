//! Index maps for other tools: CUDA C++, C, numpy and CuTe.
//!
//! Each target has a file. CUDA C++, C and the index arrays of numpy share a writer, which knows the range of every
//! value; numpy's views and CuTe's layouts are both made from the map's strided form.

mod c;
mod cuda;
mod cute;
mod dialect;
mod functions;
mod header;
mod numpy;
mod numpy_views;
mod operators;
mod strided;
mod swizzle;
mod writer;

use std::fmt;

use dims::{Facts, Sym, Symbol};
use maps::{IndexMap, LowerAxis, MapError};
use proofs::Budget;

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
    fn has_wide(&self) -> bool {
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

/// Whether a mask already states that a lower coordinate is inside its extent.
fn is_masked(map: &IndexMap, axis: &LowerAxis) -> bool {
    let zero = Sym::zero();
    map.masks
        .iter()
        .any(|mask| mask.value == axis.value && mask.low.as_ref() == Some(&zero) && mask.high == axis.extent)
}

/// Emits a map for a target. `name` is its name in the source, `facts` are the facts about its symbols, and the budget
/// limits the proof that a swizzle equals the map.
///
/// # Errors
/// If a value overflows 64 bits, if a divisor is not known to be positive, or, for CuTe, if the map is no layout.
pub fn emit(name: &str, map: &IndexMap, facts: &Facts, target: Target, budget: &Budget<'_>) -> Result<Emitted, NoForm> {
    match target {
        Target::Cuda => cuda::emit(name, map, facts),
        Target::C => c::emit(name, map, facts),
        Target::Numpy => numpy::emit(name, map, facts),
        Target::Cute => cute::emit(name, map, facts, budget),
    }
}
