//! A prepared expression: what it computes, with all sizes known.

use elements::ElementType;
use kernel::typed::{BinaryOp, MathFunction, UnaryOp};
use maps::row_major::strides_of;

use super::number::{Column, Kind, Number};
use crate::tensors::Tensor;

/// A prepared expression.
pub struct Node<'a> {
    pub kind: Kind,
    /// Its dimensions; empty for a scalar.
    pub shape: Vec<usize>,
    pub operation: Operation<'a>,
}

impl Node<'_> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The operation of a node.
pub enum Operation<'a> {
    /// The same value for all elements.
    Constant(Number),
    /// These values, in row-major order.
    List(Vec<Number>),
    /// These values, in row-major order, which were computed before.
    Computed(Column),
    /// A tensor's elements.
    Tensor(&'a Tensor),
    Unary(UnaryOp, Box<Node<'a>>),
    Binary(BinaryOp, Box<Node<'a>>, Box<Node<'a>>),
    Math(MathFunction, Vec<Node<'a>>),
    Select(Box<Node<'a>>, Box<Node<'a>>, Box<Node<'a>>),
    Cast(ElementType, Box<Node<'a>>),
    /// The elements at `start + Σ index · stride` in the operand's row-major order; strides may be negative or 0. `Permute`,
    /// `Reverse`, `Extend`, `Slice` and `Index` are views.
    View {
        operand: Box<Node<'a>>,
        start: i64,
        strides: Vec<i64>,
    },
    /// The elements of the operand in row-major order.
    Reshape(Box<Node<'a>>),
    /// A reduction along a dimension, or over all elements.
    Reduce {
        reduction: Reduction,
        operand: Box<Node<'a>>,
        axis: Option<usize>,
    },
}

/// The reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Sum,
    Maximum,
    Minimum,
}

/// The row-major strides of a shape.
pub fn row_major(shape: &[usize]) -> Vec<i64> {
    strides_of(&shape.iter().map(|dimension| *dimension as i64).collect::<Vec<i64>>())
}
