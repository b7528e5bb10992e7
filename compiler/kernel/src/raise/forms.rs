//! Quasi-affine forms of values: sums of coefficient · axis, floor divisions, remainders and xors.
//!
//! Whatever is none of that is an unknown: an axis of its own. A variable whose value has an unknown part that no other
//! variable holds is one unknown as a whole, since conditions on it say more than its parts would.

use std::sync::Arc;

use super::values::{Kept, Kind, is_index_like};
use super::{Raiser, ValueId};
use crate::stack::with_enough;
use crate::typed::{BinaryOp, UnaryOp};
use dims::Sym;
use elements::ElementType;
use maps::{Affine, MapError, TermId};

/// The most terms of a form, those inside its terms counted as often as they occur. A larger one is one unknown.
const MOST_TERMS: u32 = 128;
/// How many values are raised again for one question.
const MOST_STEPS: u32 = 2048;

/// What forms are made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    /// An id, an iterator counted from zero, or an unknown.
    Atom(ValueId),
    /// Rounded down, by a positive size.
    Quotient(Affine, Sym),
    /// Never negative, by a positive size.
    Remainder(Affine, Sym),
    /// Of two that are never negative.
    Xor(Affine, Affine),
}

/// The form of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Over [`Term`]s of the raiser.
    pub(super) sum: Arc<Affine>,
    /// How many terms there are in all.
    terms: u32,
    /// Whether there is an unknown part that no variable holds.
    has_unnamed: bool,
    /// Whether it is the same under any conditions. Else they decide that something does not wrap or is not negative.
    settled: bool,
}

impl Form {
    /// The value, where it is one size.
    fn as_size(&self) -> Option<&Sym> {
        self.sum.as_constant()
    }
}

impl Raiser {
    /// The form of a value where the walk stands.
    pub fn form(&mut self, id: ValueId) -> Form {
        self.form_within(id, &mut MOST_STEPS.clone())
    }

    fn form_within(&mut self, id: ValueId, steps: &mut u32) -> Form {
        let value = self.at(id);
        let generation = self.conditions.say_something_of(value.leaves).then(|| self.conditions.generation());
        if let Some(kept) = value.form.as_ref().filter(|kept| kept.value.settled || kept.generation == generation) {
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
        self.at_mut(id).form = Some(Kept { generation, value: form.clone() });
        form
    }

    /// The form of an operation; `None` where it is none. Errors are sizes that leave 64 bits.
    fn raise(&mut self, id: ValueId, steps: &mut u32) -> Result<Option<Form>, MapError> {
        let (kind, element) = (self.kind(id).clone(), self.element(id));
        Ok(Some(match kind {
            Kind::Int(value) => constant(Sym::constant(value)),
            Kind::Size(size) => constant(size),
            Kind::Block | Kind::Thread => self.atom(id, false),
            Kind::Iterator(local) => {
                let low = self.loops.get(&local).map_or_else(Sym::zero, |range| range.low.clone());
                let mut form = self.atom(id, false);
                form.sum = Arc::new(form.sum.checked_offset(&low)?);
                form
            }
            Kind::Scalar(_) => self.atom(id, false),
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
            _ => return Ok(None),
        }))
    }

    /// Whether conditions cannot change how an operation is raised: what is not known to stay in its type, or to be not
    /// negative, may be known under some.
    fn is_settled(&self, id: ValueId) -> bool {
        let value = self.at(id);
        let not_negative = |id: ValueId| self.at(id).plain.is_natural() || self.at(id).traits.counts;
        let decided = match value.kind {
            Kind::Binary(BinaryOp::Divide | BinaryOp::Remainder, left, _) => not_negative(left),
            Kind::Binary(BinaryOp::BitXor | BinaryOp::BitOr, left, right) => not_negative(left) && not_negative(right),
            _ => true,
        };
        let is_narrow = value.element == ElementType::I64 && !value.traits.wide;
        let casts_up = matches!(value.kind, Kind::Cast(_)) && value.element == ElementType::I64;
        decided && (is_narrow || casts_up || self.stays_in_its_type(id))
    }

    fn raise_operation(&mut self, id: ValueId, steps: &mut u32) -> Result<Option<Form>, MapError> {
        match self.kind(id).clone() {
            Kind::Cast(inner) if self.keeps_value(id, inner) => Ok(Some(self.form_within(inner, steps))),
            Kind::Cast(_) => Ok(None),
            _ if self.may_wrap(id) => Ok(None),
            Kind::Unary(UnaryOp::Negate, inner) => {
                let inner = self.form_within(inner, steps);
                Ok(Some(inner.with(inner.sum.checked_scale(&Sym::constant(-1))?)))
            }
            Kind::Binary(op, left, right) => self.raise_binary(op, left, right, steps),
            _ => Ok(None),
        }
    }

    fn raise_binary(
        &mut self,
        op: BinaryOp,
        left: ValueId,
        right: ValueId,
        steps: &mut u32,
    ) -> Result<Option<Form>, MapError> {
        let (first, second) = (self.form_within(left, steps), self.form_within(right, steps));
        let count = |form: &Form| form.as_size().and_then(Sym::as_constant);
        Ok(Some(match op {
            BinaryOp::Add => first.joined(&second, first.sum.checked_add(&second.sum)?),
            BinaryOp::Subtract => first.joined(&second, first.sum.checked_sub(&second.sum)?),
            BinaryOp::Multiply => match (first.as_size(), second.as_size()) {
                (_, Some(factor)) => first.with(first.sum.checked_scale(factor)?),
                (Some(factor), _) => second.with(second.sum.checked_scale(factor)?),
                (None, None) => return Ok(None),
            },
            BinaryOp::FloorDivide | BinaryOp::FloorRemainder => {
                let Some(divisor) = second.as_size().cloned() else { return Ok(None) };
                self.divided(&first, divisor, op == BinaryOp::FloorDivide)
            }
            // Rounded towards zero is rounded down, of what is not negative.
            BinaryOp::Divide | BinaryOp::Remainder => {
                let Some(divisor) = second.as_size().filter(|size| self.is_positive(size)).cloned() else {
                    return Ok(None);
                };
                if !self.is_never_negative(left) {
                    return Ok(None);
                }
                self.divided(&first, divisor, op == BinaryOp::Divide)
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let Some(by) = count(&second).filter(|by| (0..62).contains(by)) else { return Ok(None) };
                let factor = Sym::constant(1 << by);
                match op {
                    BinaryOp::ShiftLeft => first.with(first.sum.checked_scale(&factor)?),
                    _ => self.divided(&first, factor, true),
                }
            }
            BinaryOp::BitAnd => match (count(&first), count(&second)) {
                (_, Some(mask)) => return self.masked(&first, mask),
                (Some(mask), _) => return self.masked(&second, mask),
                _ => return Ok(None),
            },
            BinaryOp::BitXor => {
                if !self.is_never_negative(left) || !self.is_never_negative(right) {
                    return Ok(None);
                }
                let term = Term::Xor(Affine::clone(&first.sum), Affine::clone(&second.sum));
                let sum = self.term(term);
                first.joined(&second, sum).nested()
            }
            // Numbers without a common bit.
            BinaryOp::BitOr => {
                let apart = self.bits_apart(&first, right) || self.bits_apart(&second, left);
                if !apart {
                    return Ok(None);
                }
                first.joined(&second, first.sum.checked_add(&second.sum)?)
            }
            _ => return Ok(None),
        }))
    }

    fn divided(&mut self, of: &Form, divisor: Sym, is_quotient: bool) -> Form {
        let sum = Affine::clone(&of.sum);
        let term = if is_quotient { Term::Quotient(sum, divisor) } else { Term::Remainder(sum, divisor) };
        of.with(self.term(term)).nested()
    }

    /// `value & mask`: the lowest bits of a number, whatever its sign, are a remainder; all but these are the rest.
    fn masked(&mut self, of: &Form, mask: i64) -> Result<Option<Form>, MapError> {
        let power = |value: i64| value > 0 && value & (value - 1) == 0;
        if let Some(next) = mask.checked_add(1).filter(|next| power(*next)) {
            return Ok(Some(self.divided(of, Sym::constant(next), false)));
        }
        let Some(unit) = mask.checked_neg().filter(|unit| power(*unit)) else { return Ok(None) };
        let rest = self.divided(of, Sym::constant(unit), false);
        Ok(Some(rest.with(of.sum.checked_sub(&rest.sum)?)))
    }

    /// Whether a form is a multiple of a power of two above all values of another value.
    fn bits_apart(&mut self, form: &Form, other: ValueId) -> bool {
        let below = self.numbers(other);
        let Some(most) = below.hi.filter(|_| below.is_natural()) else { return false };
        let is_multiple = |size: &Sym| {
            size.as_constant().is_some_and(|value| {
                value == 0 || i128::from(value.unsigned_abs() & value.unsigned_abs().wrapping_neg()) > most
            })
        };
        form.sum.sizes().all(is_multiple)
    }

    fn is_positive(&self, size: &Sym) -> bool {
        self.facts.prove(size, dims::CompareOp::Ge, &Sym::one()).is_proven()
    }

    /// The value as one unknown.
    fn unknown_form(&mut self, id: ValueId) -> Form {
        let id = self.plainly(id);
        self.atom(id, true)
    }

    fn atom(&mut self, id: ValueId, has_unnamed: bool) -> Form {
        let sum = Arc::new(self.term(Term::Atom(id)));
        Form { sum, terms: 1, has_unnamed, settled: true }
    }

    fn term(&mut self, term: Term) -> Affine {
        if let Some(&known) = self.term_ids.get(&term) {
            return Affine::term(known);
        }
        let id = TermId(u32::try_from(self.terms.len()).unwrap_or(u32::MAX));
        self.terms.push(term.clone());
        self.term_ids.insert(term, id);
        Affine::term(id)
    }

    /// Whether arithmetic may leave its type. Sums and products of ids and sizes, and of smaller integers in 64 bits, stay
    /// inside as far as constants let them: an index that large lies in no tensor.
    fn may_wrap(&mut self, id: ValueId) -> bool {
        let value = self.at(id);
        if value.element != ElementType::I64 || value.traits.wide {
            return self.leaves_its_type(id);
        }
        let can_wrap = matches!(
            value.kind,
            Kind::Unary(UnaryOp::Negate, _) | Kind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..)
        );
        can_wrap && self.leaves_by_constants(id)
    }

    /// Whether a conversion between integers changes no value. As an index, a `u64` may be another number.
    pub(super) fn keeps_value(&mut self, cast: ValueId, inner: ValueId) -> bool {
        is_index_like(self.element(inner))
            && is_index_like(self.element(cast))
            && (self.element(cast) == ElementType::I64 || !self.leaves_its_type(cast))
    }

    /// Whether a sum is raised as one: it does not wrap.
    pub(super) fn is_sum(&mut self, id: ValueId) -> bool {
        let id = self.bare(id);
        !self.may_wrap(id)
    }

    /// Whether the form of a variable is that of its value.
    pub(super) fn is_transparent(&mut self, id: ValueId) -> bool {
        let inner = self.plainly(id);
        !self.form(inner).has_unnamed
    }
}

impl Form {
    fn with(&self, sum: Affine) -> Form {
        Form { sum: Arc::new(sum), ..self.clone() }
    }

    fn joined(&self, other: &Form, sum: Affine) -> Form {
        Form {
            sum: Arc::new(sum),
            terms: self.terms.saturating_add(other.terms),
            has_unnamed: self.has_unnamed || other.has_unnamed,
            settled: self.settled && other.settled,
        }
    }

    /// The difference of two forms.
    pub(super) fn minus(&self, other: &Form) -> Result<Form, MapError> {
        Ok(self.joined(other, self.sum.checked_sub(&other.sum)?))
    }

    /// The same inside a term.
    fn nested(self) -> Form {
        Form { terms: self.terms.saturating_add(1), ..self }
    }
}

fn constant(value: Sym) -> Form {
    Form { sum: Arc::new(Affine::constant(value)), terms: 0, has_unnamed: false, settled: true }
}
