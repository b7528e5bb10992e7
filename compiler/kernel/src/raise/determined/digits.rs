//! Dividends from their quotients and remainders.

use super::super::raiser::Raiser;
use super::super::value::{Kind, ValueId};
use super::Search;
use crate::typed::BinaryOp;
use dims::{CompareOp, Sym};

/// The most divisions within each other.
const MOST_NESTED: u32 = 8;

/// The divisor of a division.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Divisor {
    Size(Sym),
    Value(ValueId),
}

/// A quotient or a remainder.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    dividend: ValueId,
    divisor: Divisor,
}

/// The quotients and remainders of natural numbers by positive ones that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    quotients: Vec<Part>,
    remainders: Vec<Part>,
}

impl Search<'_> {
    /// Notes that the result of an operation is known, if it is a quotient or a remainder.
    pub(super) fn note_part(&mut self, op: BinaryOp, of: ValueId, by: ValueId) {
        let Some((dividend, divisor, is_quotient)) = self.divided(op, of, by) else { return };
        let part = Part { dividend, divisor };
        let known = if is_quotient { &mut self.parts.quotients } else { &mut self.parts.remainders };
        if !known.contains(&part) {
            known.push(part);
        }
    }

    /// Learns the dividends of which both the quotient and the remainder by one divisor are known.
    pub(super) fn join_parts(&mut self) {
        let parts: Vec<Part> = self.parts.quotients.iter().chain(&self.parts.remainders).cloned().collect();
        for Part { dividend, divisor } in parts {
            if self.known.contains(&dividend) {
                continue;
            }
            let is_known = match divisor {
                Divisor::Size(_) => true,
                Divisor::Value(value) => self.is_known(value),
            };
            if is_known
                && self.knows_quotient(dividend, &divisor, MOST_NESTED)
                && self.knows_remainder(dividend, &divisor, MOST_NESTED)
            {
                self.learn(dividend);
            }
        }
    }

    /// The dividend, the divisor, and whether an operation gives their quotient or their remainder. Both are the same whether
    /// they are rounded down or towards zero, since the dividend is never negative and the divisor is positive.
    fn divided(&mut self, op: BinaryOp, of: ValueId, by: ValueId) -> Option<(ValueId, Divisor, bool)> {
        let raiser = &mut *self.raiser;
        let of = raiser.plainly(of);
        let number = raiser.as_size(by).and_then(|size| size.as_constant());
        let (op, divisor) = match number.and_then(|by| op.in_arithmetic(by, raiser.element(of))) {
            Some((op, by)) => (op, Divisor::Size(Sym::constant(by))),
            None => (op, raiser.divisor(by)),
        };
        let is_quotient = match op {
            BinaryOp::Divide | BinaryOp::FloorDivide => true,
            BinaryOp::Remainder | BinaryOp::FloorRemainder => false,
            _ => return None,
        };
        let is_positive = match &divisor {
            Divisor::Size(size) => raiser.facts.proves(size, CompareOp::Ge, &Sym::one()),
            Divisor::Value(value) => raiser.is_positive(*value, &mut super::super::raiser::MOST_BOUNDED.clone()),
        };
        (is_positive && raiser.is_never_negative(of)).then_some((of, divisor, is_quotient))
    }

    /// What an operand of a known part is made of, if it is a quotient or a remainder itself.
    fn inner(&mut self, value: ValueId) -> Option<(ValueId, Divisor, bool)> {
        match *self.raiser.kind(value) {
            Kind::Binary(op, of, by) => self.divided(op, of, by),
            _ => None,
        }
    }

    /// Whether a quotient is known, also as `(x / a) / b` that is `x / (a * b)`.
    fn knows_quotient(&mut self, dividend: ValueId, divisor: &Divisor, nested: u32) -> bool {
        let part = Part { dividend, divisor: divisor.clone() };
        if self.known.contains(&dividend) || self.parts.quotients.contains(&part) {
            return true;
        }
        let (Some(nested), Divisor::Size(by)) = (nested.checked_sub(1), divisor) else { return false };
        match self.inner(dividend) {
            Some((of, Divisor::Size(first), true)) => {
                first.checked_mul(by).is_ok_and(|by| self.knows_quotient(of, &Divisor::Size(by), nested))
            }
            _ => false,
        }
    }

    /// Whether a remainder is known, also as that of a remainder by a multiple of the divisor: `x % 64 % 8` is `x % 8`.
    fn knows_remainder(&mut self, dividend: ValueId, divisor: &Divisor, nested: u32) -> bool {
        if self.known.contains(&dividend) {
            return true;
        }
        let facts = &self.raiser.facts;
        let gives = |known: &Divisor| match (known, divisor) {
            (Divisor::Size(known), Divisor::Size(divisor)) => known == divisor || facts.divides(known, divisor),
            _ => known == divisor,
        };
        if self.parts.remainders.iter().any(|part| part.dividend == dividend && gives(&part.divisor)) {
            return true;
        }
        let Some(nested) = nested.checked_sub(1) else { return false };
        match self.inner(dividend) {
            Some((of, Divisor::Size(first), false)) => {
                let is_multiple = matches!(divisor, Divisor::Size(by) if self.raiser.facts.divides(&first, by));
                is_multiple && self.knows_remainder(of, divisor, nested)
            }
            _ => false,
        }
    }
}

impl Raiser {
    fn divisor(&self, id: ValueId) -> Divisor {
        self.as_size(id).map_or_else(|| Divisor::Value(self.plainly(id)), Divisor::Size)
    }
}
