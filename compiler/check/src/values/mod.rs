//! The values of expressions outside kernels.

mod claim;
mod display;
mod function;
mod generics;
mod kind;
mod scope;

use std::sync::Arc;

use smol_str::SmolStr;

use dims::{Fact, Sym};
use maps::IndexMap;
use maps::shapes::Shape;
use maps::threads::{ThreadSet, Tiling, Unit};
use proofs::Verdict;

pub use claim::Claim;
pub use function::FunctionValue;
pub use generics::{GenericValue, Generics};
pub use kind::Kind;
pub(crate) use scope::{Definition, Scope};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer or a dimension expression.
    Int(Sym),
    /// An integer above 2⁶³ − 1, which only `u64` holds: an argument of a kernel, but not an operand of arithmetic on
    /// sizes.
    Unsigned(u64),
    /// A float.
    Float(f64),
    /// A Boolean without evidence.
    Bool(bool),
    /// A string.
    Text(SmolStr),
    /// A shape.
    Shape(Shape),
    /// `(a, b)`
    Tuple(Vec<Value>),
    /// `[a, b]` that is not a shape.
    List(Vec<Value>),
    /// `lo..hi`
    Range(Sym, Sym),
    /// `_`: no thread, or a masked element.
    Nothing,
    /// An index map.
    Map(Arc<IndexMap>),
    /// A unit of threads.
    Unit(Arc<Unit>),
    /// A tiling: which threads execute which iteration.
    Tiling(Arc<Tiling>),
    /// A set of threads.
    Threads(Arc<ThreadSet>),
    /// A function.
    Function(Arc<FunctionValue>),
    /// A Boolean with evidence, or an undecided one.
    Truth(Arc<Truth>),
}

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the value is the negation of the claim (`!m.injective`).
    pub negated: bool,
    /// The claim.
    pub claim: Claim,
    /// The comparisons, if the claim is that for each size one of them holds.
    pub comparisons: Option<Vec<Fact>>,
}

impl Truth {
    /// A claim that is no comparison.
    pub fn new(verdict: Verdict, claim: Claim) -> Self {
        Self { verdict, negated: false, claim, comparisons: None }
    }

    /// The value as a plain Boolean, if it is the same for every size, so that conditions can use it. A claim that
    /// fails for some sizes may hold for others.
    pub fn for_every_size(&self) -> Option<bool> {
        match &self.verdict {
            Verdict::Refuted { counterexample, .. } if !counterexample.sizes.is_empty() => None,
            _ => self.decided(),
        }
    }

    /// The value as a plain Boolean, if it is decided whether the claim holds for every size.
    pub fn decided(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Proven { .. } => Some(!self.negated),
            Verdict::Refuted { .. } => Some(self.negated),
            Verdict::Open { .. } => None,
        }
    }
}

impl Value {
    /// A constant integer.
    pub fn int(value: i64) -> Self {
        Self::Int(Sym::constant(value))
    }

    /// The number of elements, with those of elements that have some themselves.
    pub(crate) fn parts(&self) -> usize {
        match self {
            Self::Shape(shape) => shape.dims.len(),
            Self::Tuple(values) | Self::List(values) => values.iter().map(|value| value.parts().max(1)).sum(),
            _ => 1,
        }
    }

    /// A number without symbols, as a float.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            Self::Int(value) => value.as_constant().map(|value| value as f64),
            Self::Unsigned(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The name of its type in JSON.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Int(_) | Self::Unsigned(_) => "int",
            Self::Float(_) => "float",
            Self::Bool(_) => "bool",
            Self::Text(_) => "string",
            Self::Shape(_) => "shape",
            Self::Tuple(_) | Self::Range(..) => "tuple",
            Self::List(_) => "list",
            Self::Nothing => "none",
            Self::Map(_) => "map",
            Self::Unit(_) => "unit",
            Self::Tiling(_) => "tiling",
            Self::Threads(_) => "threads",
            Self::Function(_) => "function",
            Self::Truth(_) => "verdict",
        }
    }
}
