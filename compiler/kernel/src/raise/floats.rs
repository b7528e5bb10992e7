//! Intervals of floats, as far as they say where a number is that a float is converted to.

use crate::stack::with_enough;
use crate::typed::{Constant, Expr, ExprKind, MathFunction, UnaryOp};
use dims::{Interval, Sym};
use elements::ElementType;
use maps::Range;

use super::ends::Ends;
use super::raiser::Raiser;
use super::value::{Kind, ValueId};

/// The most choices within each other that are followed.
const MOST_CHOICES: u32 = 6;

impl Raiser {
    /// What a float becomes: a number is cut off, saturates, and is 0 for NaN; a `bool` says whether the float differs from zero.
    pub(super) fn of_float(&mut self, float: &Expr, element: ElementType) -> ValueId {
        if element == ElementType::Bool {
            return self.unknown(element);
        }
        let Ends { low, high } = self.ends(float);
        // Beyond this, a float is no index.
        const FAR: f64 = (1i64 << 48) as f64;
        let end = |end: f64| (end.abs() < FAR).then(|| Sym::constant(end.trunc() as i64));
        let low = end(low.min(0.0));
        let high = end(high.max(0.0));
        // A type that does not hold the ends saturates within them.
        match (low, high) {
            (None, None) => self.unknown(element),
            (low, high) => self.unknown_within(element, Range { low, high }),
        }
    }

    /// A float, of which no more is known than its interval.
    pub(super) fn float(&mut self, float: &Expr) -> ValueId {
        let ends = self.ends(float);
        let id = self.unknown(float.element);
        if ends != Ends::ALL {
            self.floats.insert(id, ends);
        }
        id
    }

    /// The interval of a float here.
    pub(super) fn ends(&mut self, float: &Expr) -> Ends {
        with_enough(|| self.ends_of_kind(float))
    }

    fn ends_of_kind(&mut self, float: &Expr) -> Ends {
        if !float.element.is_float() {
            return Ends::ALL;
        }
        match &float.kind {
            // Rounding to a narrow type moves a constant.
            ExprKind::Constant(Constant::Float(value)) if is_wide(float.element) && value.is_finite() => {
                Ends { low: round(*value, float.element, -1.0), high: round(*value, float.element, 1.0) }
            }
            ExprKind::Local(local) => {
                self.current(*local).map_or(Ends::ALL, |value| self.ends_of_value(value, MOST_CHOICES))
            }
            ExprKind::Load(access) => {
                let contents =
                    self.contents_here(access.memory).map_or(Ends::ALL, |contents| self.contents(contents).floats);
                // A load that is masked off gives zero.
                if access.mask.is_some() { contents.union(Ends::ZERO) } else { contents }
            }
            ExprKind::Cast(inner) if inner.element.is_integer() => {
                let value = self.value(inner);
                of_integer(self.numbers(value), float.element)
            }
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let Ends { low, high } = self.ends(inner);
                Ends { low: -high, high: -low }
            }
            ExprKind::Select(_, then, otherwise) => self.ends(then).union(self.ends(otherwise)),
            ExprKind::Math(function, arguments) => {
                let arguments = arguments.iter().map(|argument| (self.ends(argument), is_number(argument)));
                of_function(*function, arguments)
            }
            _ => Ends::ALL,
        }
    }

    /// The ends of a float that a variable holds: one that is known, or one of several where ways have met.
    fn ends_of_value(&self, value: ValueId, choices: u32) -> Ends {
        let value = self.plainly(value);
        match (self.floats.get(&value), self.kind(value), choices.checked_sub(1)) {
            (Some(ends), ..) => *ends,
            (None, Kind::Select(_, then, otherwise), Some(choices)) => {
                self.ends_of_value(*then, choices).union(self.ends_of_value(*otherwise, choices))
            }
            _ => Ends::ALL,
        }
    }
}

/// The ends of a float that an integer becomes. Rounding keeps the order of numbers.
fn of_integer(numbers: Interval, element: ElementType) -> Ends {
    // A narrow type may move an end far, but never beyond zero.
    let is_kept = |end: &i128| is_wide(element) || *end == 0;
    let low = numbers.lo.map(|low| if low > 0 && !is_wide(element) { 0 } else { low }).filter(is_kept);
    let high = numbers.hi.map(|high| if high < 0 && !is_wide(element) { 0 } else { high }).filter(is_kept);
    Ends {
        low: low.map_or(Ends::ALL.low, |low| round(low as f64, element, -1.0)),
        high: high.map_or(Ends::ALL.high, |high| round(high as f64, element, 1.0)),
    }
}

/// NaN is left out of `min` and `max` where there is another number, so each argument alone may be the result; of two NaNs
/// the result is NaN.
fn of_function(function: MathFunction, mut all: impl Iterator<Item = (Ends, bool)>) -> Ends {
    let Some((first, first_is_number)) = all.next() else { return Ends::ALL };
    match function {
        MathFunction::Max => {
            all.fold((first, first_is_number), |(one, number), (other, other_is_number)| {
                let low = match (number, other_is_number) {
                    (true, true) => one.low.max(other.low),
                    // Where the other one is NaN, the number is the result.
                    (true, false) => one.low,
                    (false, true) => other.low,
                    (false, false) => one.low.min(other.low),
                };
                (Ends { low, high: one.high.max(other.high) }, number || other_is_number)
            })
            .0
        }
        MathFunction::Min => {
            all.fold((first, first_is_number), |(one, number), (other, other_is_number)| {
                let high = match (number, other_is_number) {
                    (true, true) => one.high.min(other.high),
                    (true, false) => one.high,
                    (false, true) => other.high,
                    (false, false) => one.high.max(other.high),
                };
                (Ends { low: one.low.min(other.low), high }, number || other_is_number)
            })
            .0
        }
        MathFunction::Abs => {
            let low = if first.low >= 0.0 { first.low } else { 0.0 };
            Ends { low, high: first.high.abs().max(first.low.abs()) }
        }
        MathFunction::Floor => Ends { low: first.low.floor(), high: first.high.floor() },
        MathFunction::Ceil => Ends { low: first.low.ceil(), high: first.high.ceil() },
        MathFunction::Round => Ends { low: first.low.floor(), high: first.high.ceil() },
        MathFunction::Sqrt | MathFunction::Exp | MathFunction::Exp2 => Ends { low: 0.0, ..Ends::ALL },
        _ => Ends::ALL,
    }
}

/// Whether a float is certainly not NaN.
fn is_number(float: &Expr) -> bool {
    with_enough(|| match &float.kind {
        ExprKind::Constant(Constant::Float(value)) => value.is_finite(),
        ExprKind::Cast(inner) => inner.element.is_integer(),
        ExprKind::Unary(UnaryOp::Negate, inner) => is_number(inner),
        ExprKind::Math(MathFunction::Max | MathFunction::Min, arguments) => arguments.iter().any(is_number),
        _ => false,
    })
}

fn is_wide(element: ElementType) -> bool {
    matches!(element, ElementType::F32 | ElementType::F64)
}

/// A bound of what a constant becomes in a type: the constant itself if it is a whole number that the type holds.
fn round(value: f64, element: ElementType, direction: f64) -> f64 {
    let is_exact = element == ElementType::F64 || f64::from(value as f32) == value;
    if is_exact { value } else { value + direction * value.abs() * 1e-6 }
}
