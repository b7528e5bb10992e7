//! Quasi-affine forms of values: sums of coefficient · axis, floor divisions, remainders and xors.
//!
//! Anything else is an unknown: an axis of its own. If the value of a variable has an unknown part that no other
//! variable holds, the whole variable is one unknown, since conditions on the variable say more than conditions on its
//! parts would.

use std::sync::Arc;

use super::form::Form;
use super::raiser::Raiser;
use super::value::{Cached, Kind, ValueId, is_index_like};
use crate::quasi_affine::{Operand, depends_on_ranges, is_nested};
use crate::stack::with_enough;
use crate::typed::{BinaryOp, MathFunction, UnaryOp};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;
use maps::MapError;

/// The most terms of a form, nested ones counted at each occurrence. A larger form is replaced by one unknown.
const MOST_TERMS: u32 = 128;
/// The most values that are raised again for one question.
const MOST_RAISED: u32 = 2048;

/// The most comparisons of sums that are looked at for one doubt.
const MOST_DOUBTED: usize = 16;

/// Why less is known of a value than its text seems to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// A conversion in it may truncate.
    Narrowed {
        /// The type before.
        from: ElementType,
        /// The type behind.
        to: ElementType,
    },
    /// A comparison around it is one of a sum that may wrap.
    Wraps {
        /// The type of the sum.
        element: ElementType,
    },
}

impl Raiser {
    /// The form of a value at the current program point.
    pub fn form(&mut self, id: ValueId) -> Form {
        self.form_within(id, &mut MOST_RAISED.clone())
    }

    pub(super) fn form_within(&mut self, id: ValueId, steps: &mut u32) -> Form {
        let value = self.at(id);
        let generation = self.conditions.concern_any(value.leaves).then(|| self.conditions.generation());
        let given = *steps;
        let is_good = |kept: &&Cached<Form>| {
            let form = &kept.value;
            (form.settled || kept.generation == generation) && form.ran_out_of.is_none_or(|fewer| fewer >= given)
        };
        if let Some(kept) = value.form.as_ref().filter(is_good) {
            return kept.value.clone();
        }
        let form = match steps.checked_sub(1) {
            Some(left) => {
                *steps = left;
                with_enough(|| self.raise(id, steps)).ok().flatten()
            }
            None => Some(Form { settled: false, ..self.unknown_form(id) }),
        };
        let form = match form {
            Some(form) if form.terms <= MOST_TERMS => form,
            Some(Form { settled, .. }) => Form { settled, ..self.unknown_form(id) },
            None => self.unknown_form(id),
        };
        let form = Form { ran_out_of: (*steps == 0).then_some(given), ..form };
        self.at_mut(id).form = Some(Cached { generation, value: form.clone() });
        form
    }

    /// The form of an operation; `None` if it is not quasi-affine. The error is a size that overflows 64 bits.
    fn raise(&mut self, id: ValueId, steps: &mut u32) -> Result<Option<Form>, MapError> {
        let (kind, element) = (self.kind(id).clone(), self.element(id));
        Ok(Some(match kind {
            Kind::Int(value) => Form::constant(Sym::constant(value)),
            Kind::Size(size) => Form::constant(size),
            Kind::Block | Kind::Thread => self.atom(id, false),
            Kind::Iterator(local) => {
                let low = self.loops.get(&local).map_or_else(Sym::zero, |range| range.low.clone());
                let mut form = self.atom(id, false);
                form.sum = Arc::new(form.sum.checked_offset(&low)?);
                form
            }
            Kind::Scalar(_) => self.atom(id, false),
            Kind::Again(inner, _) => self.form_within(inner, steps),
            Kind::Named(inner) | Kind::Held(inner) => {
                let form = self.form_within(inner, steps);
                if form.has_unnamed { Form { settled: form.settled, ..self.atom(inner, false) } } else { form }
            }
            Kind::Cast(_) | Kind::Unary(..) | Kind::Binary(..) if element != ElementType::U64 => {
                let settled = self.is_settled(id);
                let form = self.raise_operation(id, steps)?;
                let form = form.unwrap_or_else(|| self.unknown_form(id));
                Form { settled: form.settled && settled, ..form }
            }
            Kind::Math(MathFunction::Brev, operands) if element != ElementType::U64 => {
                let [operand] = operands.as_slice() else { return Ok(None) };
                let form = self.reversed(*operand, element, steps).unwrap_or_else(|| self.unknown_form(id));
                Form { settled: false, ..form }
            }
            Kind::Math(function @ (MathFunction::Min | MathFunction::Max), operands) if is_index_like(element) => {
                let form = match self.only_extreme(function, &operands) {
                    Some(operand) => self.form_within(operand, steps),
                    None => self.unknown_form(id),
                };
                Form { settled: false, ..form }
            }
            Kind::Select(_, then, otherwise) => match self.only_choice(id, [then, otherwise]) {
                Some(choice) => Form { settled: false, ..self.form_within(choice, steps) },
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    /// Whether an operation has the same form under all conditions. Otherwise some condition may prove that it stays in
    /// its type, or that an operand is not negative.
    fn is_settled(&mut self, id: ValueId) -> bool {
        // Which bits two numbers may have depends on how large they are here.
        if let Kind::Binary(BinaryOp::BitXor | BinaryOp::BitOr, left, right) = *self.kind(id)
            && [left, right].into_iter().any(|operand| self.numbers(operand) != self.at(operand).plain)
        {
            return false;
        }
        let value = self.at(id);
        let not_negative = |id: ValueId| self.at(id).plain.is_natural() || self.is_count(id);
        let decided = match value.kind {
            Kind::Binary(BinaryOp::Divide | BinaryOp::Remainder, left, _) => not_negative(left),
            Kind::Binary(BinaryOp::BitXor | BinaryOp::BitOr, left, right) => not_negative(left) && not_negative(right),
            _ => true,
        };
        let is_exact = self.is_assumed_exact(id);
        let casts_up = matches!(value.kind, Kind::Cast(_)) && value.element == ElementType::I64;
        decided && (is_exact || casts_up || self.stays_in_its_type(id))
    }

    fn raise_operation(&mut self, id: ValueId, steps: &mut u32) -> Result<Option<Form>, MapError> {
        if let Some(form) = self.regrouped(id, steps)? {
            return Ok(Some(form));
        }
        match self.kind(id).clone() {
            Kind::Cast(inner) if self.keeps_value(id, inner) => Ok(Some(self.form_within(inner, steps))),
            Kind::Cast(_) => Ok(None),
            _ if self.may_wrap(id) && !self.is_sum_by_sizes(id, steps) => Ok(None),
            Kind::Unary(UnaryOp::Negate, inner) => {
                let inner = self.form_within(inner, steps);
                Ok(Some(inner.with(inner.sum.checked_scale(&Sym::constant(-1))?)))
            }
            Kind::Binary(op, left, right) => {
                let element = self.element(left);
                let natural = if op == BinaryOp::Remainder { self.made_natural(id, steps) } else { None };
                let form =
                    natural.and_then(|operands| self.raise_binary(BinaryOp::FloorRemainder, operands, element, steps));
                Ok(form.or_else(|| self.raise_binary(op, [left, right], element, steps)))
            }
            _ => Ok(None),
        }
    }

    fn raise_binary(
        &mut self,
        op: BinaryOp,
        [left, right]: [ValueId; 2],
        element: ElementType,
        steps: &mut u32,
    ) -> Option<Form> {
        let (first, second) = (self.form_within(left, steps), self.form_within(right, steps));
        let [left, right] = [left, right].map(|id| self.range_for(op, id, steps));
        let operands = [Operand { form: &first.sum, range: left }, Operand { form: &second.sum, range: right }];
        let sum = self.terms.operation(op, operands, element, &self.facts)?;
        let form = first.joined(&second, sum);
        Some(if is_nested(op) { form.nested() } else { form })
    }

    /// The form of a value whose bits are those of another one in the opposite order. Which bits that has may depend on the conditions
    /// here.
    fn reversed(&mut self, operand: ValueId, element: ElementType, steps: &mut u32) -> Option<Form> {
        let inner = self.form_within(operand, steps);
        let range = self.numbers(operand);
        let sum = self.terms.reversed(&Operand { form: &inner.sum, range }, element)?;
        let bits = u32::try_from(sum.terms.len()).ok()?;
        let terms = inner.terms.saturating_add(1).saturating_mul(bits);
        Some(Form { terms, ..inner.with(sum) })
    }

    /// The range of an operand, if the form of the operation depends on it.
    fn range_for(&mut self, op: BinaryOp, id: ValueId, steps: &mut u32) -> Interval {
        if !depends_on_ranges(op) {
            return Interval::EVERYTHING;
        }
        let natural = Interval { lo: Some(0), hi: None };
        let is_natural = self.is_never_negative(id) || self.is_natural_by_sizes(id, steps);
        if is_natural { self.numbers(id).intersect(natural) } else { self.numbers(id) }
    }

    /// Whether the bounds by sizes show that a value is never negative: `k % N + N`.
    pub(super) fn is_natural_by_sizes(&mut self, id: ValueId, steps: &mut u32) -> bool {
        let low = self.range_within(id, steps).low;
        low.is_some_and(|low| self.facts.proves(&low, CompareOp::Ge, &Sym::zero()))
    }

    /// The value as a single unknown. What is known of a quotient or a remainder of ids, iterators and sizes is stated beside it,
    /// so it needs no name.
    fn unknown_form(&mut self, id: ValueId) -> Form {
        let id = self.plainly(id);
        let value = self.at(id);
        let is_stated = matches!(value.kind, Kind::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..));
        let has_unnamed = !is_stated || value.traits.data;
        self.atom(id, has_unnamed)
    }

    fn atom(&mut self, id: ValueId, has_unnamed: bool) -> Form {
        let sum = Arc::new(self.terms.value(id));
        Form { sum, terms: 1, has_unnamed, settled: true, ran_out_of: None }
    }

    /// Whether arithmetic may overflow its type, beyond what the launch refuses.
    pub(super) fn may_wrap(&mut self, id: ValueId) -> bool {
        !self.is_assumed_exact(id) && self.leaves_its_type(id)
    }

    /// Whether a cast between integers keeps every value. A large `u64` changes its value as an index.
    pub(super) fn keeps_value(&mut self, cast: ValueId, inner: ValueId) -> bool {
        is_index_like(self.element(inner))
            && is_index_like(self.element(cast))
            && (self.element(cast) == ElementType::I64 || !self.leaves_its_type(cast))
    }

    /// Why less is known of a value than its text seems to say.
    pub fn doubt(&mut self, id: ValueId) -> Option<Doubt> {
        self.narrowing_conversion(id).or_else(|| self.wrapping_comparison(id))
    }

    /// A comparison that holds here, and of which one side is a sum or a product that may wrap and is made of what the value is
    /// made of, too. One of the value itself says what it seems to say.
    fn wrapping_comparison(&mut self, id: ValueId) -> Option<Doubt> {
        let (own, leaves) = (self.bare(id), self.at(id).leaves);
        let sides: Vec<ValueId> = self.conditions().iter().rev().flat_map(|held| [held.left, held.right]).collect();
        let mut sums = sides.into_iter().map(|side| self.bare(side)).filter(|side| {
            let is_of_parts =
                matches!(self.kind(*side), Kind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..));
            is_of_parts && *side != own && self.at(*side).leaves & leaves != 0
        });
        let sums: Vec<ValueId> = sums.by_ref().take(MOST_DOUBTED).collect();
        let wraps = sums.into_iter().find(|sum| self.may_wrap(*sum))?;
        Some(Doubt::Wraps { element: self.element(wraps) })
    }

    /// A cast in a value that may truncate ids, iterators or sizes. Casts of data are not meant.
    fn narrowing_conversion(&mut self, id: ValueId) -> Option<Doubt> {
        let (mut open, mut steps) = (vec![id], MOST_RAISED);
        while let (Some(id), Some(left)) = (open.pop(), steps.checked_sub(1)) {
            steps = left;
            match *self.kind(id) {
                Kind::Cast(inner) if !self.at(inner).traits.data && self.element(inner).is_integer() => {
                    if !self.keeps_value(id, inner) {
                        let (from, to) = (self.element(inner), self.element(id));
                        return Some(Doubt::Narrowed { from, to });
                    }
                    open.push(inner);
                }
                Kind::Load { .. } => {}
                ref kind => open.extend(Self::operands(kind)),
            }
        }
        None
    }

    /// Whether a sum does not wrap, so that it is raised as a sum.
    pub(super) fn is_sum(&mut self, id: ValueId) -> bool {
        let id = self.bare(id);
        !self.may_wrap(id)
    }

    /// Whether the form of a variable is the form of its value.
    pub(super) fn is_transparent(&mut self, id: ValueId) -> bool {
        let inner = self.plainly(id);
        !self.form(inner).has_unnamed
    }
}
