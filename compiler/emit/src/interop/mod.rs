//! Index maps in the words of other tools: CUDA C++, C, numpy and CuTe.
//!
//! Each target has a file. CUDA C++, C and the index arrays of numpy are written by one writer, which knows the
//! range of every value; numpy's views and CuTe's layouts are both made from the map's strided form.

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

/// What a map can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Device functions of CUDA C++.
    Cuda,
    /// Inline functions of C99.
    C,
    /// A Python function that gives the elements of an array in the order of the map.
    Numpy,
    /// A CuTe layout, or a swizzle of one.
    Cute,
}

/// A map as the text of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The whole text, with comments.
    pub source: String,
    /// The functions that the text defines; empty for a layout.
    pub functions: Vec<Function>,
    /// The layout alone, where that is what the text is.
    pub layout: Option<String>,
    /// What is to be added to what the layout gives; empty where that is nothing.
    pub offset: String,
}

/// A function of an emitted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it gives.
    pub gives: Gives,
    /// What it takes, in order.
    pub parameters: Vec<Parameter>,
    /// Whether what it gives is an integer of 64 bits; else it is an `int`, a truth value or an array.
    pub wide: bool,
}

impl Function {
    /// Whether it takes or gives an integer of 64 bits.
    fn has_wide(&self) -> bool {
        let takes_wide = |parameter: &Parameter| {
            matches!(parameter, Parameter::Coordinate { wide: true, .. } | Parameter::Size { wide: true, .. })
        };
        self.wide || self.parameters.iter().any(takes_wide)
    }
}

/// What an emitted function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A lower coordinate, by its number. It means something where the coordinate is valid.
    Lower(usize),
    /// Whether a coordinate is valid.
    Validity,
    /// An array with the elements of another one.
    Elements,
}

/// What an emitted function takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The array whose elements are asked for.
    Array,
    /// An upper coordinate, by its number.
    Coordinate {
        /// Its number.
        axis: usize,
        /// Whether it is a `long long`; else it is an `int`.
        wide: bool,
    },
    /// How many values an upper coordinate without an end takes, by its number.
    Extent(usize),
    /// The value of a symbol.
    Size {
        /// The symbol.
        symbol: Symbol,
        /// Whether it is a `long long`; else it is an `int`.
        wide: bool,
    },
}

/// Why a map cannot be written for a target, as a clause.
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

/// Whether a mask says already that a lower coordinate stays inside its extent.
fn is_masked(map: &IndexMap, axis: &LowerAxis) -> bool {
    let zero = Sym::zero();
    map.masks
        .iter()
        .any(|mask| mask.value == axis.value && mask.low.as_ref() == Some(&zero) && mask.high == axis.extent)
}

/// The map as text for a target. `name` is what the source calls it, `facts` are what is known of its symbols, and the
/// budget limits the proof that a swizzle is the map.
///
/// # Errors
/// A value that leaves 64 bits, a divisor that is not known to be positive; for CuTe, a map that is no layout.
pub fn emit(name: &str, map: &IndexMap, facts: &Facts, target: Target, budget: &Budget<'_>) -> Result<Emitted, NoForm> {
    match target {
        Target::Cuda => cuda::emit(name, map, facts),
        Target::C => c::emit(name, map, facts),
        Target::Numpy => numpy::emit(name, map, facts),
        Target::Cute => cute::emit(name, map, facts, budget),
    }
}
