//! Evaluates prepared expressions, some elements at a time.

use crate::execute::Control;
use crate::tensors::element::with_element;
use crate::tensors::{Element, Scalar, Tensor, Wide};
use maps::row_major::digits;

use super::error::ExpectError;
use super::node::{Node, Operation};
use super::number::{self, Column, Kind, Number};
use super::reduce;

/// How many elements are evaluated at a time: few enough for their temporaries to stay in a core's cache.
pub const PIECE: usize = 1024;

/// A set of elements of an expression, by row-major number.
#[derive(Clone, Copy)]
pub enum Elements<'a> {
    /// `count` of them from `first` on.
    Run { first: usize, count: usize },
    /// These.
    List(&'a [usize]),
}

impl<'a> Elements<'a> {
    /// How many there are.
    pub fn len(self) -> usize {
        match self {
            Elements::Run { count, .. } => count,
            Elements::List(list) => list.len(),
        }
    }

    /// Their numbers.
    pub fn iter(self) -> impl Iterator<Item = usize> + use<'a> {
        let (run, list): (_, &[usize]) = match self {
            Elements::Run { first, count } => (first..first + count, &[]),
            Elements::List(list) => (0..0, list),
        };
        run.chain(list.iter().copied())
    }
}

/// The value of a scalar expression.
pub fn scalar(node: &Node<'_>, control: &Control<'_>) -> Result<Number, ExpectError> {
    if let Operation::Reduce { reduction, operand, axis: None } = &node.operation {
        return reduce::all(*reduction, operand, control);
    }
    let column = column(node, Elements::Run { first: 0, count: 1 }, control)?;
    column.get(0).ok_or_else(|| ExpectError::Malformed("a scalar without a value".to_owned()))
}

/// Some elements of an expression.
pub fn column(node: &Node<'_>, elements: Elements<'_>, control: &Control<'_>) -> Result<Column, ExpectError> {
    let of = |operand: &Node<'_>| column(operand, elements, control);
    match &node.operation {
        Operation::Constant(value) => Ok(Column::repeat(*value, elements.len())),
        Operation::List(values) => Ok(Column::of_numbers(node.kind, elements.iter().filter_map(|at| values.get(at)))),
        Operation::Computed(values) => Ok(values.at(elements.iter())),
        Operation::Tensor(tensor) => Ok(read(tensor, node.kind, elements)),
        Operation::Unary(operator, operand) => number::unary(*operator, of(operand)?),
        Operation::Binary(operator, left, right) => number::binary(*operator, of(left)?, of(right)?),
        Operation::Math(function, arguments) => {
            number::math(*function, arguments.iter().map(of).collect::<Result<_, _>>()?)
        }
        Operation::Select(condition, first, second) => Ok(number::select(of(condition)?, of(first)?, of(second)?)),
        Operation::Cast(element, operand) => Ok(number::cast(*element, of(operand)?)),
        Operation::Reshape(operand) => column(operand, elements, control),
        Operation::View { operand, start, strides } => {
            let list = view(&node.shape, *start, strides, elements);
            column(operand, Elements::List(&list), control)
        }
        Operation::Reduce { reduction, operand, axis } => {
            let all = match axis {
                None => Column::repeat(reduce::all(*reduction, operand, control)?, 1),
                Some(axis) => reduce::whole(*reduction, operand, *axis, &node.shape, control)?,
            };
            Ok(all.at(elements.iter()))
        }
    }
}

/// The numbers of a view's elements in its operand.
fn view(shape: &[usize], start: i64, strides: &[i64], elements: Elements<'_>) -> Vec<usize> {
    let mut list = Vec::with_capacity(elements.len());
    for number in elements.iter() {
        // The view was checked to be inside its operand.
        let places = digits(number, shape.iter().rev().copied()).zip(strides.iter().rev());
        let place = places.fold(start, |place, (digit, stride)| place + digit as i64 * stride);
        list.push(place as usize);
    }
    list
}

/// Elements of a tensor.
fn read(tensor: &Tensor, kind: Kind, elements: Elements<'_>) -> Column {
    if let Elements::Run { first, count } = elements
        && tensor.is_row_major()
        && let Some(column) = read_run(tensor, kind, first, count)
    {
        return column;
    }
    let value = |number: usize| {
        let offset = if tensor.is_row_major() { number } else { tensor.offsets(number, 1).next().unwrap_or(0) };
        tensor.get_at(offset).map_or(Wide::Integer(0), Scalar::widen)
    };
    Column::from_numbers(kind, elements.iter().map(value))
}

/// Contiguous elements of a row-major tensor.
fn read_run(tensor: &Tensor, kind: Kind, first: usize, count: usize) -> Option<Column> {
    with_element!(tensor.element(), T => {
        let values = tensor.as_slice::<T>().ok()?.get(first..first + count)?;
        Some(Column::from_numbers(kind, values.iter().map(|value| value.widen())))
    })
}
