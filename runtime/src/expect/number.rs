//! Numbers of an expectation, one at a time and in columns, and the operators on them.

use std::fmt;

use elements::ElementType;
use kernel::typed::{BinaryOp, MathFunction, UnaryOp};

use super::error::ExpectError;
use crate::interpreter::operation;
use crate::tensors::element::with_element;
use crate::tensors::{Element, Wide};

/// One value in an expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A `bool`.
    Bool(bool),
    /// An exact integer.
    Integer(i128),
    /// A float.
    Float(f64),
}

impl Number {
    /// The value as a float.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Bool(value) => f64::from(u8::from(value)),
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Bool(value) => write!(formatter, "{value}"),
            Number::Integer(value) => write!(formatter, "{value}"),
            Number::Float(value) => write!(formatter, "{value:?}"),
        }
    }
}

/// The kind of all elements of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Number::Bool`]
    Bool,
    /// [`Number::Integer`]
    Integer,
    /// [`Number::Float`]
    Float,
}

impl Kind {
    /// The kind in which elements of a type are computed.
    pub fn of_element(element: ElementType) -> Kind {
        if element.is_float() {
            Kind::Float
        } else if element == ElementType::Bool {
            Kind::Bool
        } else {
            Kind::Integer
        }
    }

    /// The kind in which an operator computes: floats if an operand is one, otherwise integers.
    pub fn numeric(self, other: Kind) -> Kind {
        if self == Kind::Float || other == Kind::Float { Kind::Float } else { Kind::Integer }
    }
}

/// Some consecutive values of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Of kind [`Kind::Bool`].
    Bool(Vec<bool>),
    /// Of kind [`Kind::Integer`].
    Integer(Vec<i128>),
    /// Of kind [`Kind::Float`].
    Float(Vec<f64>),
}

impl Column {
    /// The same value a number of times.
    pub fn repeat(value: Number, count: usize) -> Column {
        match value {
            Number::Bool(value) => Column::Bool(vec![value; count]),
            Number::Integer(value) => Column::Integer(vec![value; count]),
            Number::Float(value) => Column::Float(vec![value; count]),
        }
    }

    /// Numbers as a column of a kind.
    pub fn from_numbers(kind: Kind, values: impl Iterator<Item = Wide>) -> Column {
        match kind {
            Kind::Bool => Column::Bool(values.map(|value| value.to_f64() != 0.0).collect()),
            Kind::Integer => Column::Integer(values.map(Wide::to_i128).collect()),
            Kind::Float => Column::Float(values.map(Wide::to_f64).collect()),
        }
    }

    /// Numbers of several kinds as a column of a kind that can represent them all.
    pub fn of_numbers<'n>(kind: Kind, values: impl Iterator<Item = &'n Number>) -> Column {
        Column::from_numbers(
            kind,
            values.map(|value| match *value {
                Number::Bool(value) => Wide::Integer(i128::from(value)),
                Number::Integer(value) => Wide::Integer(value),
                Number::Float(value) => Wide::Float(value),
            }),
        )
    }

    /// The value at a place of the column.
    pub fn get(&self, place: usize) -> Option<Number> {
        match self {
            Column::Bool(values) => values.get(place).copied().map(Number::Bool),
            Column::Integer(values) => values.get(place).copied().map(Number::Integer),
            Column::Float(values) => values.get(place).copied().map(Number::Float),
        }
    }

    /// A column without values.
    pub fn empty(kind: Kind) -> Column {
        match kind {
            Kind::Bool => Column::Bool(Vec::new()),
            Kind::Integer => Column::Integer(Vec::new()),
            Kind::Float => Column::Float(Vec::new()),
        }
    }

    /// Adds the values of another column.
    pub fn extend(&mut self, other: Column) {
        match self {
            Column::Bool(values) => values.extend(other.into_bools()),
            Column::Integer(values) => values.extend(other.into_integers()),
            Column::Float(values) => values.extend(other.into_floats()),
        }
    }

    /// The values at places of the column.
    pub fn at(&self, places: impl Iterator<Item = usize>) -> Column {
        fn chosen<T: Copy>(values: &[T], places: impl Iterator<Item = usize>) -> Vec<T> {
            places.filter_map(|place| values.get(place).copied()).collect()
        }
        match self {
            Column::Bool(values) => Column::Bool(chosen(values, places)),
            Column::Integer(values) => Column::Integer(chosen(values, places)),
            Column::Float(values) => Column::Float(chosen(values, places)),
        }
    }

    /// As floats.
    pub fn into_floats(self) -> Vec<f64> {
        match self {
            Column::Bool(values) => values.into_iter().map(|value| f64::from(u8::from(value))).collect(),
            Column::Integer(values) => values.into_iter().map(|value| value as f64).collect(),
            Column::Float(values) => values,
        }
    }

    /// As integers; a float is truncated, which does not occur.
    pub fn into_integers(self) -> Vec<i128> {
        match self {
            Column::Bool(values) => values.into_iter().map(i128::from).collect(),
            Column::Integer(values) => values,
            Column::Float(values) => values.into_iter().map(|value| value as i128).collect(),
        }
    }

    /// As `bool`: whether a number is not 0.
    pub fn into_bools(self) -> Vec<bool> {
        match self {
            Column::Bool(values) => values,
            Column::Integer(values) => values.into_iter().map(|value| value != 0).collect(),
            Column::Float(values) => values.into_iter().map(|value| value != 0.0).collect(),
        }
    }

    fn into_kind(self, kind: Kind) -> Column {
        match kind {
            Kind::Bool => Column::Bool(self.into_bools()),
            Kind::Integer => Column::Integer(self.into_integers()),
            Kind::Float => Column::Float(self.into_floats()),
        }
    }
}

/// An operator of one operand.
pub fn unary(operator: UnaryOp, operand: Column) -> Result<Column, ExpectError> {
    Ok(match (operator, operand) {
        (UnaryOp::Not, operand) => Column::Bool(operand.into_bools().into_iter().map(|value| !value).collect()),
        (UnaryOp::Negate, Column::Float(values)) => Column::Float(values.into_iter().map(|value| -value).collect()),
        (UnaryOp::Negate, operand) => {
            let negated = operand.into_integers().into_iter().map(i128::checked_neg).collect::<Option<_>>();
            Column::Integer(negated.ok_or(ExpectError::Overflow("a negation"))?)
        }
    })
}

/// The kind of the result of an operator.
pub fn kind_of_binary(operator: BinaryOp, left: Kind, right: Kind) -> Kind {
    let on_bits = matches!(operator, BinaryOp::BitXor | BinaryOp::BitAnd | BinaryOp::BitOr);
    if operator.gives_bool() || (on_bits && left == Kind::Bool && right == Kind::Bool) {
        Kind::Bool
    } else {
        left.numeric(right)
    }
}

/// An operator of two operands.
pub fn binary(operator: BinaryOp, left: Column, right: Column) -> Result<Column, ExpectError> {
    let both_bool = matches!((&left, &right), (Column::Bool(_), Column::Bool(_)));
    if (both_bool || matches!(operator, BinaryOp::And | BinaryOp::Or))
        && let Some(operation) = bool_operation(operator)
    {
        return Ok(Column::Bool(zip(left.into_bools(), right.into_bools(), operation)));
    }
    if matches!(left, Column::Float(_)) || matches!(right, Column::Float(_)) {
        let (left, right) = (left.into_floats(), right.into_floats());
        return match comparison(operator) {
            Some(comparison) => Ok(Column::Bool(zip(left, right, comparison))),
            None => float_operation(operator, left, right).map(Column::Float),
        };
    }
    let (left, right) = (left.into_integers(), right.into_integers());
    if let Some(comparison) = comparison(operator) {
        return Ok(Column::Bool(zip(left, right, comparison)));
    }
    let operation = integer_operation(operator);
    let values = left.into_iter().zip(right).map(|(left, right)| operation(left, right)).collect::<Option<_>>();
    values.map(Column::Integer).ok_or(ExpectError::Overflow("an operator's result"))
}

fn zip<A, B, C>(left: Vec<A>, right: Vec<B>, operation: impl Fn(A, B) -> C) -> Vec<C> {
    left.into_iter().zip(right).map(|(left, right)| operation(left, right)).collect()
}

fn comparison<T: PartialOrd>(operator: BinaryOp) -> Option<fn(T, T) -> bool> {
    Some(match operator {
        BinaryOp::Equal => |left, right| left == right,
        BinaryOp::NotEqual => |left, right| left != right,
        BinaryOp::Less => |left, right| left < right,
        BinaryOp::LessEqual => |left, right| left <= right,
        BinaryOp::Greater => |left, right| left > right,
        BinaryOp::GreaterEqual => |left, right| left >= right,
        _ => return None,
    })
}

fn bool_operation(operator: BinaryOp) -> Option<fn(bool, bool) -> bool> {
    Some(match operator {
        BinaryOp::And | BinaryOp::BitAnd => |left, right| left & right,
        BinaryOp::Or | BinaryOp::BitOr => |left, right| left | right,
        BinaryOp::BitXor => |left, right| left ^ right,
        _ => return comparison(operator),
    })
}

/// An operator of floats, as kernels compute it on `f64`; those of indices round down here too.
fn float_operation(operator: BinaryOp, left: Vec<f64>, right: Vec<f64>) -> Result<Vec<f64>, ExpectError> {
    match operator {
        BinaryOp::FloorDivide => Ok(zip(left, right, |left, right| (left / right).floor())),
        BinaryOp::FloorRemainder => Ok(zip(left, right, |left, right| left - right * (left / right).floor())),
        _ => match operation::binary(operator, ElementType::F64) {
            Some(function) => {
                Ok(zip(left, right, |left, right| f64::from_bits(function(left.to_bits(), right.to_bits()))))
            }
            None => Err(ExpectError::Malformed(format!("{operator:?} is applied to floats"))),
        },
    }
}

/// Exact arithmetic: `None` if the result overflows 128 bits. A zero divisor gives 0, as in kernels.
fn integer_operation(operator: BinaryOp) -> fn(i128, i128) -> Option<i128> {
    match operator {
        BinaryOp::Add => i128::checked_add,
        BinaryOp::Subtract => i128::checked_sub,
        BinaryOp::Multiply => i128::checked_mul,
        BinaryOp::Divide => |left, right| if right == 0 { Some(0) } else { left.checked_div(right) },
        BinaryOp::Remainder => |left, right| if right == 0 { Some(0) } else { left.checked_rem(right) },
        BinaryOp::FloorDivide => |left, right| left.checked_div_euclid(right.max(1)),
        BinaryOp::FloorRemainder => |left, right| left.checked_rem_euclid(right.max(1)),
        BinaryOp::BitXor => |left, right| Some(left ^ right),
        BinaryOp::BitAnd => |left, right| Some(left & right),
        BinaryOp::BitOr => |left, right| Some(left | right),
        BinaryOp::ShiftLeft => |left, right| {
            let factor = u32::try_from(right).ok().and_then(|amount| 1i128.checked_shl(amount))?;
            if factor > 0 { left.checked_mul(factor) } else { None }
        },
        BinaryOp::ShiftRight => |left, right| Some(left >> u32::try_from(right).ok()?.min(127)),
        // Comparisons and lazy operators were handled before.
        _ => |left, _| Some(left),
    }
}

/// A choice between two columns, element by element.
pub fn select(condition: Column, first: Column, second: Column) -> Column {
    let kind = match (&first, &second) {
        (Column::Bool(_), Column::Bool(_)) => Kind::Bool,
        (Column::Float(_), _) | (_, Column::Float(_)) => Kind::Float,
        _ => Kind::Integer,
    };
    let chosen = condition.into_bools();
    fn pick<T>(chosen: Vec<bool>, first: Vec<T>, second: Vec<T>) -> Vec<T> {
        let pairs = first.into_iter().zip(second);
        chosen.into_iter().zip(pairs).map(|(chosen, (first, second))| if chosen { first } else { second }).collect()
    }
    match (first.into_kind(kind), second.into_kind(kind)) {
        (Column::Bool(first), Column::Bool(second)) => Column::Bool(pick(chosen, first, second)),
        (Column::Integer(first), Column::Integer(second)) => Column::Integer(pick(chosen, first, second)),
        (first, second) => Column::Float(pick(chosen, first.into_floats(), second.into_floats())),
    }
}

/// Each value rounded to an element type and back.
pub fn cast(element: ElementType, operand: Column) -> Column {
    fn through<T: Element>(values: impl Iterator<Item = Wide>) -> Column {
        Column::from_numbers(Kind::of_element(T::TYPE), values.map(|value| T::narrow(value).widen()))
    }
    with_element!(element, T => match operand {
        Column::Bool(values) => through::<T>(values.into_iter().map(|value| Wide::Integer(i128::from(value)))),
        Column::Integer(values) => through::<T>(values.into_iter().map(Wide::Integer)),
        Column::Float(values) => through::<T>(values.into_iter().map(Wide::Float)),
    })
}

/// The kind of the result of a math function.
pub fn kind_of_math(function: MathFunction, arguments: &[Kind]) -> Kind {
    let kind = arguments.iter().fold(Kind::Integer, |kind, &argument| kind.numeric(argument));
    match function {
        MathFunction::Abs | MathFunction::Min | MathFunction::Max => kind,
        _ => Kind::Float,
    }
}

/// A math function: as kernels compute it on `f64`; `abs`, `min` and `max` of integers exactly.
pub fn math(function: MathFunction, arguments: Vec<Column>) -> Result<Column, ExpectError> {
    let has_float = arguments.iter().any(|argument| matches!(argument, Column::Float(_)));
    if !has_float && matches!(function, MathFunction::Abs | MathFunction::Min | MathFunction::Max) {
        return integer_math(function, arguments.into_iter().map(Column::into_integers).collect());
    }
    let computed = operation::math(function, ElementType::F64).ok_or_else(|| wrong_count(function))?;
    let columns: Vec<Vec<f64>> = arguments.into_iter().map(Column::into_floats).collect();
    let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
    let value = |row: usize| {
        let mut operands = [0; 3];
        operands.iter_mut().zip(&columns).for_each(|(operand, column)| *operand = column[row].to_bits());
        computed.apply(operands.get(..columns.len())?).map(f64::from_bits)
    };
    let values = (0..rows).map(value).collect::<Option<Vec<f64>>>().ok_or_else(|| wrong_count(function))?;
    Ok(Column::Float(values))
}

fn integer_math(function: MathFunction, mut arguments: Vec<Vec<i128>>) -> Result<Column, ExpectError> {
    match (function, arguments.as_mut_slice()) {
        (MathFunction::Abs, [values]) => {
            let values = values.iter().map(|value| value.checked_abs()).collect::<Option<_>>();
            values.map(Column::Integer).ok_or(ExpectError::Overflow("an absolute value"))
        }
        (MathFunction::Min | MathFunction::Max, [first, second]) => {
            let choose = if function == MathFunction::Min { i128::min } else { i128::max };
            Ok(Column::Integer(zip(std::mem::take(first), std::mem::take(second), choose)))
        }
        _ => Err(wrong_count(function)),
    }
}

fn wrong_count(function: MathFunction) -> ExpectError {
    ExpectError::Malformed(format!("{function:?} has the wrong number of arguments"))
}
