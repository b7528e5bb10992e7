//! A tensor expression with its sizes filled in, ready to be asked for elements.
//!
//! Reductions are computed once, when the plan is made; everything else is computed when an element is asked for.

use shapewright_compiler::dims::Sym;
use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::run::{TensorExpr, TensorExprKind};
use shapewright_compiler::kernels::typed::{BinaryOp, MathFunction, ParamId, UnaryOp};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;

use super::number::Number;
use super::{Tensors, operations, parallel};
use crate::worker::failure::Failure;

/// An expression that can be asked for elements.
pub(super) struct Plan<'a> {
    kind: Kind<'a>,
    /// Its dimensions; empty for a scalar, which spreads over any shape.
    pub(super) shape: Vec<usize>,
}

enum Kind<'a> {
    Constant(Number),
    Tensor(&'a Tensor),
    Computed(Vec<Number>),
    Unary(UnaryOp, Box<Plan<'a>>),
    Binary(BinaryOp, Box<Plan<'a>>, Box<Plan<'a>>),
    Math(MathFunction, Vec<Plan<'a>>),
    Select(Box<Plan<'a>>, Box<Plan<'a>>, Box<Plan<'a>>),
    Cast(ElementType, Box<Plan<'a>>),
    Permute(Box<Plan<'a>>, Vec<usize>),
    Reshape(Box<Plan<'a>>),
    Reverse(Box<Plan<'a>>, usize),
    Slice(Box<Plan<'a>>, usize),
    Index(Box<Plan<'a>>, usize),
}

/// How a reduction puts two elements together.
#[derive(Clone, Copy)]
enum Reduction {
    Sum,
    Maximum,
    Minimum,
}

impl<'a> Plan<'a> {
    /// Fills in the sizes and computes the reductions.
    pub(super) fn new(expr: &TensorExpr, tensors: &Tensors<'a>) -> Result<Self, Failure> {
        let shape = expr.shape.iter().map(|dim| size(dim, tensors)).collect::<Result<Vec<_>, _>>()?;
        let operand = |operand: &TensorExpr| Plan::new(operand, tensors).map(Box::new);
        let kind = match &expr.kind {
            TensorExprKind::Constant(constant) => Kind::Constant(Number::of_constant(*constant)),
            TensorExprKind::Size(value) => Kind::Constant(Number::Int(i128::from(integer(value, tensors)?))),
            TensorExprKind::Final(param) => after(*param, tensors)?,
            TensorExprKind::Initial(param) => before(*param, tensors)?,
            TensorExprKind::Unary(operator, inner) => Kind::Unary(*operator, operand(inner)?),
            TensorExprKind::Binary(operator, left, right) => Kind::Binary(*operator, operand(left)?, operand(right)?),
            TensorExprKind::Math(function, inner) => {
                Kind::Math(*function, inner.iter().map(|inner| Plan::new(inner, tensors)).collect::<Result<_, _>>()?)
            }
            TensorExprKind::Select(condition, then, otherwise) => {
                Kind::Select(operand(condition)?, operand(then)?, operand(otherwise)?)
            }
            TensorExprKind::Cast(element, inner) => Kind::Cast(*element, operand(inner)?),
            TensorExprKind::Permute(inner, order) => Kind::Permute(operand(inner)?, order.clone()),
            TensorExprKind::Reshape(inner) => Kind::Reshape(operand(inner)?),
            TensorExprKind::Reverse(inner, axis) => Kind::Reverse(operand(inner)?, *axis),
            TensorExprKind::Slice(inner, start, _) => Kind::Slice(operand(inner)?, size(start, tensors)?),
            TensorExprKind::Index(inner, index) => Kind::Index(operand(inner)?, size(index, tensors)?),
            TensorExprKind::Sum(inner, axis) => reduce(&*operand(inner)?, *axis, Reduction::Sum, &shape),
            TensorExprKind::Maximum(inner, axis) => reduce(&*operand(inner)?, *axis, Reduction::Maximum, &shape),
            TensorExprKind::Minimum(inner, axis) => reduce(&*operand(inner)?, *axis, Reduction::Minimum, &shape),
        };
        Ok(Self { kind, shape })
    }

    /// The element at an index of the plan's own shape; a scalar has one element at every index.
    pub(super) fn at(&self, index: &[usize]) -> Number {
        let index = if self.shape.is_empty() { &[] } else { index };
        match &self.kind {
            Kind::Constant(value) => *value,
            Kind::Tensor(tensor) => {
                let offset = index.iter().zip(tensor.strides()).map(|(index, stride)| index * *stride as usize).sum();
                tensor.get_at(offset).map_or(Number::Float(f64::NAN), Number::of_scalar)
            }
            Kind::Computed(values) => {
                values.get(linear(index, &self.shape)).copied().unwrap_or(Number::Float(f64::NAN))
            }
            Kind::Unary(operator, operand) => operations::unary(*operator, operand.at(index)),
            Kind::Binary(operator, left, right) => operations::binary(*operator, left.at(index), right.at(index)),
            Kind::Math(function, operands) => {
                let values: Vec<Number> = operands.iter().map(|operand| operand.at(index)).collect();
                operations::math(*function, &values)
            }
            Kind::Select(condition, then, otherwise) => {
                if condition.at(index).is_true() {
                    then.at(index)
                } else {
                    otherwise.at(index)
                }
            }
            Kind::Cast(element, operand) => operations::cast(*element, operand.at(index)),
            Kind::Permute(operand, order) => {
                let mut inner = vec![0; operand.shape.len()];
                for (position, axis) in order.iter().enumerate() {
                    if let (Some(inner), Some(index)) = (inner.get_mut(*axis), index.get(position)) {
                        *inner = *index;
                    }
                }
                operand.at(&inner)
            }
            Kind::Reshape(operand) => operand.at(&unravel(linear(index, &self.shape), &operand.shape)),
            Kind::Reverse(operand, axis) => {
                let mut inner = index.to_vec();
                if let (Some(inner), Some(extent)) = (inner.get_mut(*axis), self.shape.get(*axis)) {
                    *inner = extent - 1 - *inner;
                }
                operand.at(&inner)
            }
            Kind::Slice(operand, start) => {
                let mut inner = index.to_vec();
                if let Some(first) = inner.first_mut() {
                    *first += start;
                }
                operand.at(&inner)
            }
            Kind::Index(operand, first) => {
                let inner: Vec<usize> = std::iter::once(*first).chain(index.iter().copied()).collect();
                operand.at(&inner)
            }
        }
    }
}

fn after<'a>(param: ParamId, tensors: &Tensors<'a>) -> Result<Kind<'a>, Failure> {
    match tensors.after.get(param.0 as usize) {
        Some(Argument::Tensor(tensor)) => Ok(Kind::Tensor(tensor)),
        Some(Argument::Scalar(scalar)) => Ok(Kind::Constant(Number::of_scalar(*scalar))),
        None => Err(Failure::file("the expectation asks for a parameter that the kernel does not have")),
    }
}

fn before<'a>(param: ParamId, tensors: &Tensors<'a>) -> Result<Kind<'a>, Failure> {
    match tensors.before.get(param.0 as usize) {
        Some(Some(tensor)) => Ok(Kind::Tensor(tensor)),
        _ => after(param, tensors),
    }
}

fn integer(value: &Sym, tensors: &Tensors<'_>) -> Result<i64, Failure> {
    value
        .evaluate(&|symbol| tensors.sizes.get(symbol).copied())
        .map_err(|error| Failure::file(format!("a size in the expectation has no value: {error}")))
}

fn size(value: &Sym, tensors: &Tensors<'_>) -> Result<usize, Failure> {
    let value = integer(value, tensors)?;
    usize::try_from(value).map_err(|_| Failure::file(format!("a size in the expectation is {value}")))
}

fn reduce<'a>(operand: &Plan<'_>, axis: Option<usize>, reduction: Reduction, shape: &[usize]) -> Kind<'a> {
    let count: usize = shape.iter().product();
    let pieces = parallel::pieces(count, |piece| {
        let one = |position: usize| {
            let index = unravel(position, shape);
            let elements: &mut dyn Iterator<Item = Number> = match axis {
                Some(axis) => &mut (0..operand.shape.get(axis).copied().unwrap_or(0)).map(move |inner| {
                    let mut whole = index.clone();
                    whole.insert(axis.min(whole.len()), inner);
                    operand.at(&whole)
                }),
                None => {
                    let all: usize = operand.shape.iter().product();
                    &mut (0..all).map(|position| operand.at(&unravel(position, &operand.shape)))
                }
            };
            combine(elements, reduction)
        };
        piece.map(one).collect::<Vec<Number>>()
    });
    Kind::Computed(pieces.concat())
}

fn combine(elements: &mut dyn Iterator<Item = Number>, reduction: Reduction) -> Number {
    let first = match (elements.next(), reduction) {
        (Some(first), _) => first,
        (None, Reduction::Sum) => Number::Int(0),
        (None, Reduction::Maximum) => Number::Float(f64::NEG_INFINITY),
        (None, Reduction::Minimum) => Number::Float(f64::INFINITY),
    };
    elements.fold(first, |left, right| match reduction {
        Reduction::Sum => operations::binary(BinaryOp::Add, left, right),
        Reduction::Maximum => operations::math(MathFunction::Max, &[left, right]),
        Reduction::Minimum => operations::math(MathFunction::Min, &[left, right]),
    })
}

/// The position of an index in row-major order.
fn linear(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |position, (index, extent)| position * extent + index)
}

/// The index at a position in row-major order.
pub(super) fn unravel(mut position: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (index, extent) in index.iter_mut().zip(shape).rev() {
        let extent = (*extent).max(1);
        *index = position % extent;
        position /= extent;
    }
    index
}
