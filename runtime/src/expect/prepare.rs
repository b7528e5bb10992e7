//! Prepares expressions over tensors for evaluation: substitutes sizes, checks shapes, computes scalars.

use std::collections::BTreeMap;

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::run::{TensorExpr, TensorExprKind};
use kernel::typed::{BinaryOp, Constant, Kernel, MathFunction, ParamId, UnaryOp};

use super::error::ExpectError;
use super::number::{Kind, Number, kind_of_binary, kind_of_math};
use super::{Values, is_written};
use crate::execute::{Argument, Control};
use crate::tensors::{Scalar, Tensor, Wide};

/// A prepared expression.
pub struct Node<'a> {
    pub kind: Kind,
    /// Its dimensions; empty for a scalar.
    pub shape: Vec<usize>,
    pub operation: Operation<'a>,
}

/// The operation of a node.
pub enum Operation<'a> {
    /// The same value for all elements.
    Constant(Number),
    /// These values, in row-major order.
    List(Vec<Number>),
    /// A tensor's elements.
    Tensor(&'a Tensor),
    Unary(UnaryOp, Box<Node<'a>>),
    Binary(BinaryOp, Box<Node<'a>>, Box<Node<'a>>),
    Math(MathFunction, Vec<Node<'a>>),
    Select(Box<Node<'a>>, Box<Node<'a>>, Box<Node<'a>>),
    Cast(ElementType, Box<Node<'a>>),
    /// The elements at `start + Σ index · stride` in the operand's row-major order; strides may be negative. `Permute`,
    /// `Reverse`, `Slice` and `Index` are views.
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

impl Node<'_> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Prepares expressions of one run.
pub struct Preparer<'a> {
    kernel: &'a Kernel,
    sizes: &'a BTreeMap<Symbol, i64>,
    values: Values<'a>,
    control: &'a Control<'a>,
}

impl<'a> Preparer<'a> {
    pub fn new(
        kernel: &'a Kernel,
        sizes: &'a BTreeMap<Symbol, i64>,
        values: Values<'a>,
        control: &'a Control<'a>,
    ) -> Preparer<'a> {
        Preparer { kernel, sizes, values, control }
    }

    /// The element type of a parameter.
    pub fn element(&self, id: ParamId) -> Option<ElementType> {
        self.kernel.params.get(id.0 as usize).map(|param| param.element)
    }

    fn size(&self, size: &Sym) -> Result<i64, ExpectError> {
        size.evaluate(&|symbol| self.sizes.get(symbol).copied()).map_err(ExpectError::Size)
    }

    fn shape(&self, expr: &TensorExpr) -> Result<Vec<usize>, ExpectError> {
        let mut shape = Vec::with_capacity(expr.shape.len());
        for size in &expr.shape {
            let value = self.size(size)?;
            shape.push(usize::try_from(value).map_err(|_| malformed(format!("a dimension of {value}")))?);
        }
        let mut total = 1usize;
        for &dimension in &shape {
            total = total.checked_mul(dimension).ok_or_else(|| malformed("a shape beyond 64 bits".to_owned()))?;
        }
        Ok(shape)
    }

    /// Prepares an expression.
    pub fn node(&self, expr: &TensorExpr) -> Result<Node<'a>, ExpectError> {
        let shape = self.shape(expr)?;
        let node = self.unfolded(expr, shape)?;
        // A scalar may be needed for each element of a large tensor, so it is computed now.
        let is_constant = matches!(node.operation, Operation::Constant(_));
        if node.shape.is_empty() && !is_constant {
            let value = super::evaluate::scalar(&node, self.control)?;
            return Ok(Node { operation: Operation::Constant(value), ..node });
        }
        Ok(node)
    }

    fn boxed(&self, expr: &TensorExpr) -> Result<Box<Node<'a>>, ExpectError> {
        self.node(expr).map(Box::new)
    }

    fn unfolded(&self, expr: &TensorExpr, shape: Vec<usize>) -> Result<Node<'a>, ExpectError> {
        let fits = |operand: &Node<'_>| operand.shape.is_empty() || operand.shape == shape;
        let elementwise = |operands: &[&Node<'_>]| {
            if operands.iter().all(|operand| fits(operand)) {
                return Ok(());
            }
            let shapes: Vec<String> = operands.iter().map(|operand| format!("{:?}", operand.shape)).collect();
            Err(ExpectError::Shapes(shapes.join(" and ")))
        };
        let (kind, operation) = match &expr.kind {
            TensorExprKind::Constant(constant) => {
                let value = match constant {
                    Constant::Bool(value) => Number::Bool(*value),
                    Constant::Int(value) => Number::Integer(i128::from(*value)),
                    Constant::Unsigned(value) => Number::Integer(i128::from(*value)),
                    Constant::Float(value) => Number::Float(*value),
                };
                (kind_of(value), Operation::Constant(value))
            }
            TensorExprKind::List(elements) => self.list(elements, &shape)?,
            TensorExprKind::Size(size) => {
                (Kind::Integer, Operation::Constant(Number::Integer(i128::from(self.size(size)?))))
            }
            TensorExprKind::Final(id) => self.leaf(*id, self.values.finals.get(id.0 as usize), &shape)?,
            TensorExprKind::Initial(id) => {
                let value = match self.values.initials.get(id) {
                    Some(initial) => Some(initial),
                    None if is_written(self.kernel, *id) => return Err(ExpectError::NoInitial(self.name(*id))),
                    None => self.values.finals.get(id.0 as usize),
                };
                self.leaf(*id, value, &shape)?
            }
            TensorExprKind::Unary(operator, operand) => {
                let operand = self.boxed(operand)?;
                elementwise(&[&operand])?;
                let kind = match operator {
                    UnaryOp::Not => Kind::Bool,
                    UnaryOp::Negate => operand.kind.numeric(Kind::Integer),
                };
                (kind, Operation::Unary(*operator, operand))
            }
            TensorExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.boxed(left)?, self.boxed(right)?);
                elementwise(&[&left, &right])?;
                (kind_of_binary(*operator, left.kind, right.kind), Operation::Binary(*operator, left, right))
            }
            TensorExprKind::Math(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.node(argument)).collect::<Result<Vec<_>, _>>()?;
                elementwise(&arguments.iter().collect::<Vec<_>>())?;
                let kinds: Vec<Kind> = arguments.iter().map(|argument| argument.kind).collect();
                (kind_of_math(*function, &kinds), Operation::Math(*function, arguments))
            }
            TensorExprKind::Select(condition, first, second) => {
                let (condition, first, second) = (self.boxed(condition)?, self.boxed(first)?, self.boxed(second)?);
                elementwise(&[&condition, &first, &second])?;
                let both_bool = first.kind == Kind::Bool && second.kind == Kind::Bool;
                let kind = if both_bool { Kind::Bool } else { first.kind.numeric(second.kind) };
                (kind, Operation::Select(condition, first, second))
            }
            TensorExprKind::Cast(element, operand) => {
                let operand = self.boxed(operand)?;
                elementwise(&[&operand])?;
                (Kind::of_element(*element), Operation::Cast(*element, operand))
            }
            TensorExprKind::Reshape(operand) => {
                let operand = self.boxed(operand)?;
                if operand.len() != shape.iter().product::<usize>() {
                    return Err(malformed(format!("a reshape of {:?} to {shape:?}", operand.shape)));
                }
                (operand.kind, Operation::Reshape(operand))
            }
            TensorExprKind::Permute(operand, order) => {
                let operand = self.boxed(operand)?;
                let strides = row_major(&operand.shape);
                let mut seen = vec![false; operand.shape.len()];
                let axes: Option<Vec<usize>> = order
                    .iter()
                    .map(|&axis| {
                        let slot = seen.get_mut(axis).filter(|slot| !**slot)?;
                        *slot = true;
                        Some(axis)
                    })
                    .collect();
                let axes = axes.filter(|axes| axes.len() == operand.shape.len());
                let axes = axes.ok_or_else(|| malformed(format!("a permutation {order:?} of {:?}", operand.shape)))?;
                let strides = axes.into_iter().map(|axis| strides[axis]).collect();
                (operand.kind, Operation::View { operand, start: 0, strides })
            }
            TensorExprKind::Reverse(operand, axis) => {
                let operand = self.boxed(operand)?;
                let mut strides = row_major(&operand.shape);
                let length = dimension(&operand, *axis)?;
                let start = strides[*axis] * (length as i64 - 1).max(0);
                strides[*axis] = -strides[*axis];
                (operand.kind, Operation::View { operand, start, strides })
            }
            TensorExprKind::Slice(operand, start, end) => {
                let operand = self.boxed(operand)?;
                let length = dimension(&operand, 0)?;
                let (start, end) = (self.size(start)?, self.size(end)?);
                if start < 0 || start > end || end as u64 > length as u64 {
                    let what = format!("the slice {start}..{end}");
                    return Err(ExpectError::OutOfRange { what, length: length as u64 });
                }
                let strides = row_major(&operand.shape);
                let start = start * strides[0];
                (operand.kind, Operation::View { operand, start, strides })
            }
            TensorExprKind::Index(operand, index) => {
                let operand = self.boxed(operand)?;
                let length = dimension(&operand, 0)?;
                let index = self.size(index)?;
                if index < 0 || index as u64 >= length as u64 {
                    let what = format!("the index {index}");
                    return Err(ExpectError::OutOfRange { what, length: length as u64 });
                }
                let strides = row_major(&operand.shape);
                let start = index * strides[0];
                (operand.kind, Operation::View { operand, start, strides: strides[1..].to_vec() })
            }
            TensorExprKind::Sum(operand, axis) => self.reduce(Reduction::Sum, operand, *axis)?,
            TensorExprKind::Maximum(operand, axis) => self.reduce(Reduction::Maximum, operand, *axis)?,
            TensorExprKind::Minimum(operand, axis) => self.reduce(Reduction::Minimum, operand, *axis)?,
        };
        let node = Node { kind, shape, operation };
        check_view(&node)?;
        Ok(node)
    }

    fn list(&self, elements: &[TensorExpr], shape: &[usize]) -> Result<(Kind, Operation<'a>), ExpectError> {
        let nodes = elements.iter().map(|element| self.node(element)).collect::<Result<Vec<_>, _>>()?;
        let values: Option<Vec<Number>> = nodes
            .iter()
            .map(|node| match node.operation {
                Operation::Constant(value) => Some(value),
                _ => None,
            })
            .collect();
        let values = values.filter(|values| values.len() == shape.iter().product::<usize>());
        let values = values.ok_or_else(|| malformed(format!("a list for the shape {shape:?}")))?;
        let kinds = nodes.iter().map(|node| node.kind);
        // Elements of one kind keep it, even Booleans.
        let kind = kinds.reduce(|one, other| if one == other { one } else { one.numeric(other) });
        Ok((kind.unwrap_or(Kind::Integer), Operation::List(values)))
    }

    fn reduce(
        &self,
        reduction: Reduction,
        operand: &TensorExpr,
        axis: Option<usize>,
    ) -> Result<(Kind, Operation<'a>), ExpectError> {
        let operand = self.boxed(operand)?;
        let count = match axis {
            Some(axis) => dimension(&operand, axis)?,
            None => operand.len(),
        };
        if count == 0 && reduction != Reduction::Sum {
            return Err(ExpectError::Empty(if reduction == Reduction::Maximum { "maximum" } else { "minimum" }));
        }
        Ok((operand.kind.numeric(Kind::Integer), Operation::Reduce { reduction, operand, axis }))
    }

    fn leaf(
        &self,
        id: ParamId,
        value: Option<&'a Argument>,
        shape: &[usize],
    ) -> Result<(Kind, Operation<'a>), ExpectError> {
        match value {
            Some(Argument::Tensor(tensor)) => {
                let found: Vec<usize> = tensor.shape().iter().map(|&dimension| dimension as usize).collect();
                if found != shape {
                    return Err(malformed(format!("{} has the shape {found:?}, not {shape:?}", self.name(id))));
                }
                let element = self.element(id).ok_or_else(|| malformed("no such parameter".to_owned()))?;
                Ok((Kind::of_element(element), Operation::Tensor(tensor)))
            }
            Some(Argument::Scalar(scalar)) if shape.is_empty() => {
                let value = number_of(*scalar);
                Ok((kind_of(value), Operation::Constant(value)))
            }
            _ => Err(malformed(format!("{} has no value", self.name(id)))),
        }
    }

    fn name(&self, id: ParamId) -> String {
        self.kernel.params.get(id.0 as usize).map_or_else(|| format!("parameter {}", id.0), |p| p.name.to_string())
    }
}

/// The value of a scalar or of a tensor's element.
pub fn number_of(scalar: Scalar) -> Number {
    match scalar {
        Scalar::Bool(value) => Number::Bool(value),
        _ => match scalar.widen() {
            Wide::Integer(value) => Number::Integer(value),
            Wide::Float(value) => Number::Float(value),
        },
    }
}

/// The row-major strides of a shape.
pub fn row_major(shape: &[usize]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1].saturating_mul(shape[axis + 1] as i64);
    }
    strides
}

fn dimension(node: &Node<'_>, axis: usize) -> Result<usize, ExpectError> {
    node.shape.get(axis).copied().ok_or_else(|| malformed(format!("dimension {axis} of the shape {:?}", node.shape)))
}

/// Checks that a view stays inside its operand, and that a reduction has the expected shape.
fn check_view(node: &Node<'_>) -> Result<(), ExpectError> {
    match &node.operation {
        Operation::View { operand, start, strides } if node.len() > 0 => {
            if strides.len() != node.shape.len() {
                return Err(malformed(format!("a view of the shape {:?}", node.shape)));
            }
            let (mut low, mut high) = (*start, *start);
            for (&dimension, &stride) in node.shape.iter().zip(strides) {
                let reach = stride.saturating_mul(dimension as i64 - 1);
                low = low.saturating_add(reach.min(0));
                high = high.saturating_add(reach.max(0));
            }
            if low < 0 || high >= operand.len() as i64 {
                return Err(malformed(format!("a view of the shape {:?} beyond its tensor", node.shape)));
            }
            Ok(())
        }
        Operation::Reduce { operand, axis, .. } => {
            let mut expected = operand.shape.clone();
            match axis {
                Some(axis) => drop(expected.remove(*axis)),
                None => expected.clear(),
            }
            if node.shape == expected {
                return Ok(());
            }
            Err(malformed(format!("a reduction of {:?} to {:?}", operand.shape, node.shape)))
        }
        _ => Ok(()),
    }
}

fn kind_of(value: Number) -> Kind {
    match value {
        Number::Bool(_) => Kind::Bool,
        Number::Integer(_) => Kind::Integer,
        Number::Float(_) => Kind::Float,
    }
}

fn malformed(problem: String) -> ExpectError {
    ExpectError::Malformed(problem)
}
