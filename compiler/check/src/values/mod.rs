//! Values: what an expression outside a kernel can be.

mod claim;
mod display;
mod kind;

use std::sync::Arc;

use smol_str::SmolStr;

use dims::{Fact, Sym};
use maps::IndexMap;
use maps::shapes::Shape;
use maps::threads::{ThreadSet, Tiling, Unit};
use proofs::Verdict;

pub use claim::Claim;
pub use kind::Kind;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer or a dimension expression.
    Int(Sym),
    /// An integer above 2⁶³ − 1, which only `u64` holds: a number to give to a kernel, and nothing to compute sizes with.
    Unsigned(u64),
    /// A float.
    Float(f64),
    /// A truth that was simply computed.
    Bool(bool),
    /// A string.
    Text(SmolStr),
    /// A shape.
    Shape(Shape),
    /// `(a, b)`
    Tuple(Vec<Value>),
    /// `[a, b]` that is no shape.
    List(Vec<Value>),
    /// `lo..hi`
    Range(Sym, Sym),
    /// `_`: no thread, or masked.
    Nothing,
    /// An index map.
    Map(Arc<IndexMap>),
    /// A unit of threads.
    Unit(Arc<Unit>),
    /// A tiling: which threads execute which iteration.
    Tiling(Arc<Tiling>),
    /// A set of threads.
    Threads(Arc<ThreadSet>),
    /// A truth with evidence, or one that could not be decided.
    Truth(Arc<Truth>),
}

/// A claim with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// What is known of the claim.
    pub verdict: Verdict,
    /// Whether the value is the claim's opposite (`!m.injective`).
    pub negated: bool,
    /// The claim.
    pub claim: Claim,
    /// Where the claim is that one of several comparisons holds, size by size: these.
    pub comparisons: Option<Vec<Fact>>,
}

impl Truth {
    /// A claim that is no comparison.
    pub fn new(verdict: Verdict, claim: Claim) -> Self {
        Self { verdict, negated: false, claim, comparisons: None }
    }

    /// The value as a plain truth, where it is the same for every size: what a condition may go by. A claim that fails
    /// for some sizes may hold for others.
    pub fn for_every_size(&self) -> Option<bool> {
        match &self.verdict {
            Verdict::Refuted { counterexample, .. } if !counterexample.sizes.is_empty() => None,
            _ => self.decided(),
        }
    }

    /// The value as a plain truth, where it is decided: whether the claim, which speaks of every size, is true.
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

    /// A number that does not depend on symbols, as a float.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            Self::Int(value) => value.as_constant().map(|value| value as f64),
            Self::Unsigned(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The word for it in JSON.
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
            Self::Truth(_) => "verdict",
        }
    }
}
