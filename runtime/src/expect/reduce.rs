//! Sums, maxima and minima, in an order that does not depend on the number of cores.

use rayon::prelude::*;

use super::error::ExpectError;
use super::evaluate::{Elements, PIECE, column};
use super::node::{Node, Reduction, row_major};
use super::number::{Column, Kind, Number};
use crate::execute::Control;
use crate::interpreter::arithmetic::Arithmetic;
use maps::row_major::digits;

/// The number of elements that one worker reduces at a time.
const PART: usize = 1 << 18;

/// The intermediate result of a reduction.
#[derive(Clone, Copy, Debug)]
enum Progress {
    /// Nothing yet.
    Nothing,
    /// An exact sum.
    IntegerSum(i128),
    /// A sum and its accumulated rounding error (Neumaier's summation).
    FloatSum { sum: f64, lost: f64 },
    /// The maximum or minimum so far.
    Extreme(Number),
}

impl Progress {
    fn start(reduction: Reduction, kind: Kind) -> Progress {
        match (reduction, kind) {
            (Reduction::Sum, Kind::Float) => Progress::FloatSum { sum: 0.0, lost: 0.0 },
            (Reduction::Sum, _) => Progress::IntegerSum(0),
            _ => Progress::Nothing,
        }
    }

    fn take(&mut self, reduction: Reduction, column: Column) -> Result<(), ExpectError> {
        match self {
            Progress::IntegerSum(sum) => {
                for value in column.into_integers() {
                    *sum = sum.checked_add(value).ok_or(ExpectError::Overflow("a sum"))?;
                }
            }
            Progress::FloatSum { sum, lost } => {
                column.into_floats().into_iter().for_each(|value| add_compensated(sum, lost, value));
            }
            Progress::Nothing | Progress::Extreme(_) => {
                let value = match column {
                    Column::Float(values) => {
                        let choose = |left, right| extreme(reduction, left, right);
                        values.into_iter().reduce(choose).map(Number::Float)
                    }
                    other => {
                        let values = other.into_integers().into_iter();
                        let found = if reduction == Reduction::Maximum { values.max() } else { values.min() };
                        found.map(Number::Integer)
                    }
                };
                if let Some(value) = value {
                    self.meet(reduction, value);
                }
            }
        }
        Ok(())
    }

    fn meet(&mut self, reduction: Reduction, value: Number) {
        let largest = reduction == Reduction::Maximum;
        *self = Progress::Extreme(match (*self, value) {
            (Progress::Extreme(Number::Integer(known)), Number::Integer(value)) => {
                Number::Integer(if largest { known.max(value) } else { known.min(value) })
            }
            (Progress::Extreme(known), value) => Number::Float(extreme(reduction, known.to_f64(), value.to_f64())),
            _ => value,
        });
    }

    /// Combines the intermediate results of two adjacent parts.
    fn then(mut self, reduction: Reduction, next: Progress) -> Result<Progress, ExpectError> {
        match (&mut self, next) {
            (_, Progress::Nothing) => {}
            (Progress::IntegerSum(sum), Progress::IntegerSum(more)) => {
                *sum = sum.checked_add(more).ok_or(ExpectError::Overflow("a sum"))?;
            }
            (Progress::FloatSum { sum, lost }, Progress::FloatSum { sum: more, lost: also_lost }) => {
                add_compensated(sum, lost, more);
                *lost += also_lost;
            }
            (_, Progress::Extreme(value)) => self.meet(reduction, value),
            (_, next) => self = next,
        }
        Ok(self)
    }

    fn result(self) -> Result<Number, ExpectError> {
        Ok(match self {
            Progress::Nothing => return Err(ExpectError::Empty("extreme")),
            Progress::IntegerSum(sum) => Number::Integer(sum),
            // If the sum overflows, the compensation is NaN.
            Progress::FloatSum { sum, lost } => Number::Float(if lost.is_finite() { sum + lost } else { sum }),
            Progress::Extreme(value) => value,
        })
    }
}

/// Adds a value to a sum and accumulates its rounding error.
fn add_compensated(sum: &mut f64, lost: &mut f64, value: f64) {
    let total = *sum + value;
    *lost += if sum.abs() >= value.abs() { (*sum - total) + value } else { (value - total) + *sum };
    *sum = total;
}

/// The reduction of all elements of an expression.
pub fn all(reduction: Reduction, operand: &Node<'_>, control: &Control<'_>) -> Result<Number, ExpectError> {
    let len = operand.len();
    let part = |number: usize| {
        let mut progress = Progress::start(reduction, operand.kind);
        let (mut first, end) = (number * PART, len.min((number + 1) * PART));
        while first < end {
            let count = PIECE.min(end - first);
            progress.take(reduction, column(operand, Elements::Run { first, count }, control)?)?;
            first += count;
        }
        if control.is_cancelled() { Err(ExpectError::Cancelled) } else { Ok(progress) }
    };
    let parts = (0..len.div_ceil(PART)).into_par_iter().map(part).collect::<Result<Vec<_>, _>>()?;
    let mut total = Progress::start(reduction, operand.kind);
    for part in parts {
        total = total.then(reduction, part)?;
    }
    total.result()
}

/// All elements of a reduction along a dimension, on all cores.
pub fn whole(
    reduction: Reduction,
    operand: &Node<'_>,
    axis: usize,
    shape: &[usize],
    control: &Control<'_>,
) -> Result<Column, ExpectError> {
    let count: usize = shape.iter().product();
    let part = |number: usize| {
        let first = number * PIECE;
        let elements = Elements::Run { first, count: PIECE.min(count - first) };
        along(reduction, operand, axis, shape, elements, control)
    };
    let parts = (0..count.div_ceil(PIECE)).into_par_iter().map(part).collect::<Result<Vec<_>, _>>()?;
    let mut all = Column::empty(operand.kind.numeric(Kind::Integer));
    parts.into_iter().for_each(|part| all.extend(part));
    Ok(all)
}

/// A range of elements of a reduction along a dimension.
fn along(
    reduction: Reduction,
    operand: &Node<'_>,
    axis: usize,
    shape: &[usize],
    elements: Elements<'_>,
    control: &Control<'_>,
) -> Result<Column, ExpectError> {
    let strides = row_major(&operand.shape);
    let (count, stride) = (operand.shape[axis], strides[axis] as usize);
    let mut floats = Vec::new();
    let mut integers = Vec::new();
    let mut list = Vec::with_capacity(PIECE.min(count));
    for number in elements.iter() {
        // The element whose reduced index is 0.
        let kept = strides[axis + 1..].iter().rev().chain(strides[..axis].iter().rev());
        let places = digits(number, shape.iter().rev().copied()).zip(kept);
        let base = places.map(|(digit, stride)| digit * *stride as usize).sum::<usize>();
        let mut progress = Progress::start(reduction, operand.kind);
        let mut first = 0;
        while first < count {
            let end = count.min(first + PIECE);
            let column = if stride == 1 {
                column(operand, Elements::Run { first: base + first, count: end - first }, control)?
            } else {
                list.clear();
                list.extend((first..end).map(|place| base + place * stride));
                column(operand, Elements::List(&list), control)?
            };
            progress.take(reduction, column)?;
            first = end;
        }
        if control.is_cancelled() {
            return Err(ExpectError::Cancelled);
        }
        match progress.result()? {
            Number::Float(value) => floats.push(value),
            Number::Integer(value) => integers.push(value),
            Number::Bool(value) => integers.push(i128::from(value)),
        }
    }
    Ok(if operand.kind == Kind::Float { Column::Float(floats) } else { Column::Integer(integers) })
}

/// The larger or the smaller of two floats; the other one if one is NaN, as in `max` and `min`.
fn extreme(reduction: Reduction, left: f64, right: f64) -> f64 {
    if reduction == Reduction::Maximum { Arithmetic::maximum(left, right) } else { Arithmetic::minimum(left, right) }
}
