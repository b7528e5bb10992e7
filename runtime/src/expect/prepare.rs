//! Prepares expressions over tensors for evaluation: substitutes sizes, checks shapes, computes scalars.

mod views;

use std::collections::BTreeMap;

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::run::{TensorExpr, TensorExprKind};
use kernel::typed::{BinaryOp, Constant, Kernel, MathFunction, ParamId, UnaryOp};

use super::error::ExpectError;
use super::node::{Node, Operation, Reduction};
use super::number::{Kind, Number, kind_of_binary, kind_of_math};
use super::values::{Values, is_written};
use crate::execute::{Argument, Control};
use crate::tensors::{Scalar, Wide};

/// The kind and the operation of a node.
type Prepared<'a> = Result<(Kind, Operation<'a>), ExpectError>;

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
        self.kernel.params.get(id).map(|param| param.element)
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
        // A scalar, and an element of a reduction, may be needed for many elements of a large tensor, so they are computed now.
        Ok(match node.operation {
            Operation::Constant(_) => node,
            _ if node.shape.is_empty() => {
                let value = super::evaluate::scalar(&node, self.control)?;
                Node { operation: Operation::Constant(value), ..node }
            }
            Operation::Reduce { reduction, ref operand, axis: Some(axis) } => {
                let values = super::reduce::whole(reduction, operand, axis, &node.shape, self.control)?;
                Node { operation: Operation::Computed(values), ..node }
            }
            _ => node,
        })
    }

    fn boxed(&self, expr: &TensorExpr) -> Result<Box<Node<'a>>, ExpectError> {
        self.node(expr).map(Box::new)
    }

    fn unfolded(&self, expr: &TensorExpr, shape: Vec<usize>) -> Result<Node<'a>, ExpectError> {
        let (kind, operation) = match &expr.kind {
            TensorExprKind::Constant(constant) => constant_operation(*constant),
            TensorExprKind::List(elements) => self.list(elements, &shape)?,
            TensorExprKind::Size(size) => constant_operation(Constant::Int(self.size(size)?)),
            TensorExprKind::Final(id) => self.leaf(*id, self.values.finals.get(id.0 as usize), &shape)?,
            TensorExprKind::Initial(id) => self.initial(*id, &shape)?,
            TensorExprKind::File(path) => self.file(path, &shape)?,
            TensorExprKind::Unary(operator, operand) => self.unary(*operator, operand, &shape)?,
            TensorExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, &shape)?,
            TensorExprKind::Math(function, arguments) => self.math(*function, arguments, &shape)?,
            TensorExprKind::Select(condition, first, second) => self.select([condition, first, second], &shape)?,
            TensorExprKind::Cast(element, operand) => {
                let operand = self.boxed(operand)?;
                check_elementwise(&[&operand], &shape)?;
                (Kind::of_element(*element), Operation::Cast(*element, operand))
            }
            TensorExprKind::Reshape(operand) => self.reshape(operand, &shape)?,
            TensorExprKind::Extend(operand) => self.extend(operand, &shape)?,
            TensorExprKind::Product(left, right) => {
                let factors = [self.node(left)?, self.node(right)?];
                let kind = factors[0].kind.numeric(factors[1].kind);
                (kind, Operation::Computed(super::product::product(&factors, kind, self.control)?))
            }
            TensorExprKind::Permute(operand, order) => self.permute(operand, order)?,
            TensorExprKind::Reverse(operand, axis) => self.reverse(operand, *axis)?,
            TensorExprKind::Slice(operand, start, end) => self.slice(operand, start, end)?,
            TensorExprKind::Index(operand, index) => self.index(operand, index)?,
            TensorExprKind::Sum(operand, axis) => self.reduce(Reduction::Sum, operand, *axis)?,
            TensorExprKind::Maximum(operand, axis) => self.reduce(Reduction::Maximum, operand, *axis)?,
            TensorExprKind::Minimum(operand, axis) => self.reduce(Reduction::Minimum, operand, *axis)?,
        };
        let node = Node { kind, shape, operation };
        views::check_view(&node)?;
        Ok(node)
    }

    fn initial(&self, id: ParamId, shape: &[usize]) -> Prepared<'a> {
        let value = match self.values.initials.get(&id) {
            Some(initial) => Some(initial),
            None if is_written(self.kernel, id) => return Err(ExpectError::NoInitial(self.name(id))),
            None => self.values.finals.get(id.0 as usize),
        };
        self.leaf(id, value, shape)
    }

    fn file(&self, path: &str, shape: &[usize]) -> Prepared<'a> {
        let tensor = self.values.files.get(path);
        let tensor = tensor.ok_or_else(|| malformed(format!("the file {path} was not read")))?;
        let found: Vec<usize> = tensor.shape().iter().map(|&dimension| dimension as usize).collect();
        if found != shape {
            let file = path.to_owned();
            return Err(ExpectError::File { file, found: format!("{found:?}"), expected: format!("{shape:?}") });
        }
        Ok((Kind::of_element(tensor.element()), Operation::Tensor(tensor)))
    }

    fn unary(&self, operator: UnaryOp, operand: &TensorExpr, shape: &[usize]) -> Prepared<'a> {
        let operand = self.boxed(operand)?;
        check_elementwise(&[&operand], shape)?;
        let kind = match operator {
            UnaryOp::Not => Kind::Bool,
            UnaryOp::Negate => operand.kind.numeric(Kind::Integer),
        };
        Ok((kind, Operation::Unary(operator, operand)))
    }

    fn binary(&self, operator: BinaryOp, left: &TensorExpr, right: &TensorExpr, shape: &[usize]) -> Prepared<'a> {
        let (left, right) = (self.boxed(left)?, self.boxed(right)?);
        check_elementwise(&[&left, &right], shape)?;
        Ok((kind_of_binary(operator, left.kind, right.kind), Operation::Binary(operator, left, right)))
    }

    fn math(&self, function: MathFunction, arguments: &[TensorExpr], shape: &[usize]) -> Prepared<'a> {
        let arguments = arguments.iter().map(|argument| self.node(argument)).collect::<Result<Vec<_>, _>>()?;
        check_elementwise(&arguments.iter().collect::<Vec<_>>(), shape)?;
        let kinds: Vec<Kind> = arguments.iter().map(|argument| argument.kind).collect();
        Ok((kind_of_math(function, &kinds), Operation::Math(function, arguments)))
    }

    fn select(&self, [condition, first, second]: [&TensorExpr; 3], shape: &[usize]) -> Prepared<'a> {
        let (condition, first, second) = (self.boxed(condition)?, self.boxed(first)?, self.boxed(second)?);
        check_elementwise(&[&condition, &first, &second], shape)?;
        let both_bool = first.kind == Kind::Bool && second.kind == Kind::Bool;
        let kind = if both_bool { Kind::Bool } else { first.kind.numeric(second.kind) };
        Ok((kind, Operation::Select(condition, first, second)))
    }

    fn list(&self, elements: &[TensorExpr], shape: &[usize]) -> Prepared<'a> {
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

    fn reduce(&self, reduction: Reduction, operand: &TensorExpr, axis: Option<usize>) -> Prepared<'a> {
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

    fn leaf(&self, id: ParamId, value: Option<&'a Argument>, shape: &[usize]) -> Prepared<'a> {
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
        self.kernel.params.get(id).map_or_else(|| format!("parameter {}", id.0), |p| p.name.to_string())
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

fn dimension(node: &Node<'_>, axis: usize) -> Result<usize, ExpectError> {
    node.shape.get(axis).copied().ok_or_else(|| malformed(format!("dimension {axis} of the shape {:?}", node.shape)))
}

/// Checks that operands have the shape of an elementwise operation, or are scalars.
fn check_elementwise(operands: &[&Node<'_>], shape: &[usize]) -> Result<(), ExpectError> {
    if operands.iter().all(|operand| operand.shape.is_empty() || operand.shape == shape) {
        return Ok(());
    }
    let shapes: Vec<String> = operands.iter().map(|operand| format!("{:?}", operand.shape)).collect();
    Err(ExpectError::Shapes(shapes.join(" and ")))
}

fn constant_operation<'a>(constant: Constant) -> (Kind, Operation<'a>) {
    let value = match constant {
        Constant::Bool(value) => Number::Bool(value),
        Constant::Int(value) => Number::Integer(i128::from(value)),
        Constant::Unsigned(value) => Number::Integer(i128::from(value)),
        Constant::Float(value) => Number::Float(value),
    };
    (kind_of(value), Operation::Constant(value))
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
