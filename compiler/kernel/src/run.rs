//! A `run` item after its names are resolved: which kernel, on what, and what must come out.

use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::SmolStr;

use super::typed::{BinaryOp, Constant, Kernel, MathFunction, ParamId, UnaryOp};
use dims::{Sym, Symbol};
use syntax::span::Span;

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What runs.
    pub kernel: Arc<Kernel>,
    /// The values that `with` gives to symbols. The command line may give the others.
    pub bindings: BTreeMap<Symbol, i64>,
    /// One per parameter, in order; `None` where the source gave none (the command line may).
    pub arguments: Vec<Option<Init>>,
    /// What must hold afterwards.
    pub expect: Option<Expectation>,
    /// Which parameters are written to which file afterwards.
    pub save: Vec<(ParamId, SmolStr)>,
}

/// How a parameter gets its first value.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Every element 0.
    Zeros,
    /// Every element 1.
    Ones,
    /// Element k in row-major order is k.
    Arange,
    /// Pseudo-random elements that depend on nothing but the seed and the element's position.
    Random(u64),
    /// One number: a scalar's value, or every element of a tensor.
    Constant(Constant),
    /// A literal: the elements in row-major order.
    Literal(Vec<Constant>),
    /// A file, relative to the source file's folder.
    Npy(SmolStr),
}

/// A condition over whole tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The condition: element type `bool` everywhere it is evaluated. `==` between two numeric tensors is what
    /// `tolerance` applies to.
    pub condition: TensorExpr,
    /// `within TOL`; where left out, the default of the element type.
    pub tolerance: Option<f64>,
    /// Where the condition stands in the run's item.
    pub span: Span,
}

/// An expression over whole tensors, shapes known: evaluated lazily, element by element. Numbers are computed
/// in `f64` if any operand is a float, else in exact integers.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorExpr {
    /// What it is.
    pub kind: TensorExprKind,
    /// Its dimensions; empty for a scalar, which spreads over any shape.
    pub shape: Vec<Sym>,
}

/// The kinds of tensor expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorExprKind {
    /// A constant.
    Constant(Constant),
    /// A dimension expression.
    Size(Sym),
    /// A parameter after the run.
    Final(ParamId),
    /// A parameter before the run: `initial(y)`.
    Initial(ParamId),
    /// One operand.
    Unary(UnaryOp, Box<TensorExpr>),
    /// Numbers of an expression, in row-major order under the result's shape; each is a scalar expression.
    List(Vec<TensorExpr>),
    /// Elementwise over equal shapes, or a scalar with any shape. The sides of an `&&` that is no part of anything else
    /// are conditions of their own, of any shapes.
    Binary(BinaryOp, Box<TensorExpr>, Box<TensorExpr>),
    /// Elementwise.
    Math(MathFunction, Vec<TensorExpr>),
    /// Elementwise choice.
    Select(Box<TensorExpr>, Box<TensorExpr>, Box<TensorExpr>),
    /// Rounded to this element type and back, as a kernel's cast would.
    Cast(elements::ElementType, Box<TensorExpr>),
    /// Dimension k of the result is dimension `order[k]` of the operand.
    Permute(Box<TensorExpr>, Vec<usize>),
    /// The same elements in row-major order under the result's shape.
    Reshape(Box<TensorExpr>),
    /// The order of the elements along the dimension turned round.
    Reverse(Box<TensorExpr>, usize),
    /// `operand[start..end]` along the leading dimension.
    Slice(Box<TensorExpr>, Sym, Sym),
    /// `operand[index]`: the leading dimension taken away.
    Index(Box<TensorExpr>, Sym),
    /// The sum along a dimension, which disappears; `None`: over all elements.
    Sum(Box<TensorExpr>, Option<usize>),
    /// The largest along a dimension, which disappears; `None`: over all elements.
    Maximum(Box<TensorExpr>, Option<usize>),
    /// The smallest along a dimension, which disappears; `None`: over all elements.
    Minimum(Box<TensorExpr>, Option<usize>),
}
