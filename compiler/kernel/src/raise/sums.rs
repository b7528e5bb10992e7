//! Sums of which a part may wrap: `t + (i * 4 + first)`, where nothing is known of `first`.
//!
//! Sums that wrap may be grouped in any way: the result has the same bits. So if the conditions on the result exclude every
//! other number with these bits, it is the exact sum of all summands, although the sum of some of them may be another number.

use super::form::Form;
use super::raiser::Raiser;
use super::value::{Kind, ValueId};
use crate::intervals::of_type;
use crate::typed::BinaryOp;
use dims::{Interval, Sym};
use elements::ElementType;
use maps::{MapError, Range};

/// The most summands of a sum that is regrouped.
const MOST_SUMMANDS: usize = 16;

/// A part of a sum.
struct Summand {
    value: ValueId,
    is_subtracted: bool,
}

impl Raiser {
    /// Whether an operand of a sum is a sum that may wrap.
    fn has_wrapping_part(&mut self, id: ValueId) -> bool {
        let Some((left, _, right)) = self.parts_of_sum(id) else { return false };
        [left, right].into_iter().any(|part| {
            let part = self.plainly(part);
            self.parts_of_sum(part).is_some() && self.may_wrap(part)
        })
    }

    /// Whether a sum of indices does not wrap, also by the bounds of its operands as sizes, where those of the sum fit 64 bits. The
    /// launch tests whether they do.
    pub(super) fn is_sum_by_sizes(&mut self, id: ValueId, steps: &mut u32) -> bool {
        if self.is_sum(id) {
            return true;
        }
        let id = self.bare(id);
        let Some((left, op, right)) = self.parts_of_sum(id).filter(|_| self.element(id) == ElementType::I64) else {
            return false;
        };
        let [one, other] = [left, right].map(|operand| self.bounds_of_operand(operand, steps));
        let sum = one.plus(&if op == BinaryOp::Subtract { other.negate() } else { other });
        let Range { low: Some(low), high: Some(high) } = sum else { return false };
        self.rely_on_fitting(&[low, high]);
        true
    }

    /// The form of a sum with a part that may wrap, as that of all its summands; `None` if the sum may be another number than
    /// their exact sum, and of any other value.
    pub(super) fn regrouped(&mut self, id: ValueId, steps: &mut u32) -> Result<Option<Form>, MapError> {
        if !self.has_wrapping_part(id) {
            return Ok(None);
        }
        let summands = self.summands(id);
        let exact = self.exact_sum(&summands, self.element(id));
        if self.may_differ_from_exact(id, exact) {
            return Ok(None);
        }
        let mut sum: Option<Form> = None;
        for Summand { value, is_subtracted } in summands {
            let form = self.form_within(value, steps);
            let factor = Sym::constant(if is_subtracted { -1 } else { 1 });
            let own = form.sum.checked_scale(&factor)?;
            sum = Some(match sum {
                None => form.with(own),
                Some(before) => before.joined(&form, before.sum.checked_add(&own)?),
            });
        }
        Ok(sum)
    }

    /// The interval of the exact sum. As everywhere, ids, sizes and their sums overflow only by their constants.
    fn exact_sum(&mut self, summands: &[Summand], element: ElementType) -> Interval {
        let [mut of_ids, mut small, mut others] = [Interval::point(0); 3];
        for Summand { value, is_subtracted } in summands {
            let signed = |numbers: Interval| if *is_subtracted { numbers.negate() } else { numbers };
            let numbers = signed(self.numbers(*value));
            if self.is_assumed_exact(*value) {
                of_ids = of_ids.plus(numbers);
                small = small.plus(signed(self.at(*value).small));
            } else {
                others = others.plus(numbers);
            }
        }
        let all = of_type(element);
        let of_ids = if element == ElementType::I64 && small.lies_in(all) { of_ids.intersect(all) } else { of_ids };
        of_ids.plus(others)
    }

    /// The summands of a sum and of the sums in it. Beyond the most of them, a sum is a summand like any other.
    fn summands(&self, id: ValueId) -> Vec<Summand> {
        let mut found = Vec::new();
        let mut open = vec![Summand { value: id, is_subtracted: false }];
        while let Some(Summand { value, is_subtracted }) = open.pop() {
            let parts = self.parts_of_sum(self.plainly(value)).filter(|_| found.len() + open.len() < MOST_SUMMANDS);
            match parts {
                Some((left, op, right)) => {
                    let is_opposite = is_subtracted != (op == BinaryOp::Subtract);
                    open.push(Summand { value: right, is_subtracted: is_opposite });
                    open.push(Summand { value: left, is_subtracted });
                }
                None => found.push(Summand { value, is_subtracted }),
            }
        }
        found
    }

    fn parts_of_sum(&self, id: ValueId) -> Option<(ValueId, BinaryOp, ValueId)> {
        match *self.kind(id) {
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => Some((left, op, right)),
            _ => None,
        }
    }
}
