//! The functions that can be called outside kernels.

use super::extremes::Extreme;
use super::tilings::TilingFunction;
use super::units::unit_functions;
use crate::transforms::{self, Definition};
use kernel::functions::{Function, MathFunction, Meaning};
use maps::threads::{self, StandardUnit};

/// A function of sizes, shapes and maps that is in no table of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    /// The quotient of two sizes, rounded up.
    CeilingDivide,
    /// The least or the greatest of some sizes.
    Extreme(Extreme),
    /// The number of dimensions of a shape.
    Rank,
    /// The number of elements of a shape.
    Size,
    /// The maps that deal elements to threads.
    Linear,
    ContinuousLinear,
    Map2d,
    /// Such maps for scopes within each other.
    Chain,
}

/// Each of them with its word.
const BUILTINS: [(&str, Builtin); 9] = [
    ("cdiv", Builtin::CeilingDivide),
    ("min", Builtin::Extreme(Extreme::Least)),
    ("max", Builtin::Extreme(Extreme::Greatest)),
    ("rank", Builtin::Rank),
    ("size", Builtin::Size),
    ("linear", Builtin::Linear),
    ("continuous_linear", Builtin::ContinuousLinear),
    ("map2d", Builtin::Map2d),
    ("chain", Builtin::Chain),
];

/// The word of the grammar that makes a map as the functions do.
const RESHAPE_MAP: &str = "reshape_map";

/// What a word means that is called.
#[derive(Clone, Copy)]
pub(super) enum Callee {
    Builtin(Builtin),
    Tiling(TilingFunction),
    /// A standard unit that takes sizes.
    Unit(&'static StandardUnit),
    /// A base layout or a transform.
    Transform(&'static Definition),
    /// A function of floats that constants may call.
    OfFloats(MathFunction),
}

impl Callee {
    /// The function with this word.
    pub(super) fn from_word(word: &str) -> Option<Callee> {
        let builtin = BUILTINS.iter().find(|(known, _)| *known == word).map(|(_, builtin)| Callee::Builtin(*builtin));
        builtin
            .or_else(|| TilingFunction::from_word(word).map(Callee::Tiling))
            .or_else(|| threads::standard_unit(word).map(Callee::Unit))
            .or_else(|| transforms::definition(word).map(Callee::Transform))
            .or_else(|| operation_on_floats(word).map(Callee::OfFloats))
    }
}

/// Whether a word is a function outside kernels, or a transform.
pub fn is_function(name: &str) -> bool {
    functions().any(|function| function == name)
}

/// Whether a word is a function of units and tilings.
pub fn is_of_collectives(name: &str) -> bool {
    TilingFunction::from_word(name).is_some() || unit_functions().any(|unit| unit == name)
}

/// The functions that are available everywhere.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let of_maps = BUILTINS.iter().map(|(word, _)| *word).chain([RESHAPE_MAP]);
    let of_tilings = TilingFunction::ALL.into_iter().map(TilingFunction::word);
    let layouts_and_transforms = transforms::definitions().map(|definition| definition.documentation.word);
    of_maps.chain(of_tilings).chain(layouts_and_transforms).chain(unit_functions())
}

/// The function of floats that constants may call.
fn operation_on_floats(name: &str) -> Option<MathFunction> {
    let Meaning::Operation(operation) = Function::from_name(name)?.meaning else { return None };
    let one = [1.0; 2];
    let is_computed =
        operation != MathFunction::Abs && operation.of_floats(&one[..operation.operation().operands.min(2)]).is_some();
    is_computed.then_some(operation)
}
