//! A `run` item after name resolution: its kernel, arguments and expectations.

use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::SmolStr;

use super::typed::{BinaryOp, Constant, Kernel, MathFunction, ParamId, UnaryOp};
use dims::{Sym, Symbol};
use syntax::span::Span;

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The kernel.
    pub kernel: Arc<Kernel>,
    /// The values that `with` gives to symbols. The command line may give others.
    pub bindings: BTreeMap<Symbol, i64>,
    /// The argument of each parameter, in order; `None` if the source gives none (the command line may).
    pub arguments: Vec<Option<Init>>,
    /// The conditions that have to hold afterwards, if there are any.
    pub expect: Option<Expectation>,
    /// The parameters that are saved afterwards, each with its file.
    pub save: Vec<(ParamId, SmolStr)>,
}

/// The initial value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// All elements are 0.
    Zeros,
    /// All elements are 1.
    Ones,
    /// Element k in row-major order is k.
    Arange,
    /// Pseudo-random elements that depend only on the seed and the element's position.
    Random(u64),
    /// A number: the value of a scalar, or of every element of a tensor.
    Constant(Constant),
    /// The elements in row-major order.
    Literal(Vec<Constant>),
    /// The path of a file, relative to the source file's folder.
    Npy(SmolStr),
}

/// What has to hold after a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The conditions, all of which hold.
    pub conditions: Vec<Condition>,
    /// The span of the conditions in the run's item.
    pub span: Span,
}

/// A condition over whole tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// A tensor of `bool`. The tolerance applies to `==` between numeric tensors.
    pub holds: TensorExpr,
    /// The tolerance of `within`; by default that of the element type.
    pub tolerance: Option<f64>,
}

/// An expression over whole tensors of known shapes, evaluated lazily for each element. Numbers are computed in `f64`
/// if any operand is a float, otherwise as exact integers.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorExpr {
    /// Its kind.
    pub kind: TensorExprKind,
    /// Its dimensions; empty for a scalar, which broadcasts to any shape.
    pub shape: Vec<Sym>,
}

/// The kinds of tensor expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorExprKind {
    /// A constant.
    Constant(Constant),
    /// A dimension expression.
    Size(Sym),
    /// The value of a parameter after the run.
    Final(ParamId),
    /// The value of a parameter before the run: `initial(y)`.
    Initial(ParamId),
    /// The elements of a file, which has the shape that the expression says.
    File(SmolStr),
    /// One operand.
    Unary(UnaryOp, Box<TensorExpr>),
    /// Scalar expressions as elements, in row-major order under the result's shape.
    List(Vec<TensorExpr>),
    /// An elementwise operation on equal shapes, or on a scalar and any shape. Both sides of a top-level `&&` are
    /// separate conditions of any shapes.
    Binary(BinaryOp, Box<TensorExpr>, Box<TensorExpr>),
    /// Elementwise.
    Math(MathFunction, Vec<TensorExpr>),
    /// Elementwise choice.
    Select(Box<TensorExpr>, Box<TensorExpr>, Box<TensorExpr>),
    /// Rounds to this element type and back, like a kernel's cast.
    Cast(elements::ElementType, Box<TensorExpr>),
    /// Dimension k of the result is dimension `order[k]` of the operand.
    Permute(Box<TensorExpr>, Vec<usize>),
    /// The same elements in row-major order under the result's shape.
    Reshape(Box<TensorExpr>),
    /// The elements along dimensions of extent 1 repeated to the result's shape, of the same rank.
    Extend(Box<TensorExpr>),
    /// The product of two matrices, or of as many of them as the leading dimension says.
    Product(Box<TensorExpr>, Box<TensorExpr>),
    /// Reverses the elements along the dimension.
    Reverse(Box<TensorExpr>, usize),
    /// `operand[start..end]` along the leading dimension.
    Slice(Box<TensorExpr>, Sym, Sym),
    /// `operand[index]`, without the leading dimension.
    Index(Box<TensorExpr>, Sym),
    /// The sum along a dimension, which disappears; `None` sums all elements.
    Sum(Box<TensorExpr>, Option<usize>),
    /// The maximum along a dimension, which disappears; `None` takes all elements.
    Maximum(Box<TensorExpr>, Option<usize>),
    /// The minimum along a dimension, which disappears; `None` takes all elements.
    Minimum(Box<TensorExpr>, Option<usize>),
}
