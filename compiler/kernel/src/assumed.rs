//! Which arithmetic is taken not to wrap.
//!
//! Sizes have no fixed limit. So what is computed from ids, iterators, sizes and constants is taken for an integer without end: by
//! the checks (`raise`), by the loops (`loops/ranges.rs`) and by the text of a kernel (`emit`). A launch whose sizes would show the
//! difference is refused (`at_launch/widths.rs`). What is computed from data of 64 bits wraps, as executors compute it; so does
//! what leaves 64 bits even where all sizes are small, since its constants ask for that.
//!
//! [`Assumed`] alone says which is which: what a number is made of, and how large it is where all sizes are small. Whoever has more
//! to know of a value, as the conditions around it, keeps that beside it, and may assume less than it says; nobody may assume more, since
//! the launch tests no more.

use crate::intervals::{Arithmetic, below, of_small_size, of_type};
use crate::typed::{BinaryOp, MathFunction};
use dims::{Facts, Interval, Sym};
use elements::ElementType;

/// What a number is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MadeOf {
    /// Ids, iterators between such numbers, sizes and constants alone, and what conditions choose of them.
    Sizes,
    /// Data as well, but of fewer than 64 bits, or no more than is left of it by a division.
    SmallData,
    /// Data of 64 bits, and whatever may wrap.
    #[default]
    Data,
}

/// What decides whether arithmetic on a number is taken not to wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Assumed {
    /// What it is made of.
    pub made_of: MadeOf,
    /// The interval if all sizes are small.
    pub small: Interval,
}

impl Default for Assumed {
    /// Of a number of which nothing is known.
    fn default() -> Self {
        Self { made_of: MadeOf::Data, small: Interval::EVERYTHING }
    }
}

impl Assumed {
    /// Of a constant.
    pub fn constant(value: i128) -> Self {
        Self { made_of: MadeOf::Sizes, small: Interval::point(value) }
    }

    /// Of a size.
    pub fn size(size: &Sym, facts: &Facts) -> Self {
        Self { made_of: MadeOf::Sizes, small: of_small_size(size, facts) }
    }

    /// Of an id: a number from zero up to, but not including, a size.
    pub fn below(size: &Sym, facts: &Facts) -> Self {
        Self { made_of: MadeOf::Sizes, small: below(of_small_size(size, facts)) }
    }

    /// Of an iterator between two numbers that are made of sizes; of other ones it is data.
    pub fn iterator(low: Self, high: Self) -> Self {
        match low.made_of.max(high.made_of) {
            MadeOf::Sizes => {
                let last = high.small.hi.map(|hi| hi.saturating_sub(1));
                Self { made_of: MadeOf::Sizes, small: Interval { lo: low.small.lo, hi: last } }
            }
            MadeOf::SmallData | MadeOf::Data => Self::data(ElementType::I64),
        }
    }

    /// Of data of a type.
    pub fn data(element: ElementType) -> Self {
        Self { made_of: MadeOf::Data, small: of_type(element) }
    }

    /// Of the operand of a conversion to 64 bits: data of fewer bits is small.
    pub fn to_be_cast(self, from: ElementType) -> Self {
        let is_small = from.is_integer() && from.size_bytes() < 8;
        Self { made_of: if is_small { self.made_of.min(MadeOf::SmallData) } else { MadeOf::Data }, ..self }
    }

    /// Of the result of an operation on a type. The operand of a conversion is one [to be cast](Self::to_be_cast).
    pub fn of_operation<V>(operation: &Arithmetic<V>, element: ElementType, of: impl Fn(&V) -> Self) -> Self {
        let small = operation.interval(element, |operand| Some(of(operand).small));
        Self::of_result(operation.made_of(|operand| of(operand).made_of), small, element)
    }

    /// Of the result of an operation with such operands, whose exact result lies in an interval if all sizes are small, if that is
    /// known.
    pub fn of_result(operands: MadeOf, small: Option<Interval>, element: ElementType) -> Self {
        match small.filter(|small| small.lies_in(of_type(element))) {
            Some(small) if element == ElementType::I64 => Self { made_of: operands, small },
            // Fewer bits, or others, are enough for no size.
            Some(small) => Self { made_of: MadeOf::Data, small },
            None => Self::data(element),
        }
    }

    /// Whether the operation of which this is the result is taken not to wrap. Its result is exact at every launch.
    pub fn is_exact(self) -> bool {
        self.made_of != MadeOf::Data
    }

    /// Whether it is made of sizes, so that no data of an executor decides how large it is.
    pub fn is_of_sizes(self) -> bool {
        self.made_of == MadeOf::Sizes
    }
}

impl<V> Arithmetic<V> {
    /// What the result is made of, given that of the operands, if it does not leave its type.
    pub fn made_of(&self, of: impl Fn(&V) -> MadeOf) -> MadeOf {
        match self {
            Self::Negate(operand) | Self::Cast(operand) => of(operand),
            // Of whatever number, what is left is less than the divisor.
            Self::Binary(BinaryOp::Remainder | BinaryOp::FloorRemainder, dividend, divisor) => match of(divisor) {
                MadeOf::Sizes => of(dividend).min(MadeOf::SmallData),
                MadeOf::SmallData | MadeOf::Data => MadeOf::Data,
            },
            Self::Binary(_, left, right) => of(left).max(of(right)),
            Self::Choice(then, otherwise) => of(then).max(of(otherwise)),
            Self::Math(MathFunction::Min | MathFunction::Max, operands) => {
                operands.iter().map(of).max().unwrap_or(MadeOf::Data)
            }
            // The least number has no absolute value.
            Self::Math(..) => MadeOf::Data,
        }
    }
}
