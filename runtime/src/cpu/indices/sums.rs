//! Arithmetic on forms.

use super::form::{Atom, AtomId, Form};
use super::forms::Forms;
use crate::cpu::launch::launch_table::LaunchValue;

impl Forms<'_> {
    /// The form that consists of one atom.
    pub fn of_atom(&mut self, atom: Atom) -> Form {
        let id = self.id(atom);
        self.of_id(id)
    }

    /// The form that consists of the atom with this number.
    pub fn of_id(&self, id: AtomId) -> Form {
        Form { constant: LaunchValue::Constant(0), terms: vec![(id, LaunchValue::Constant(1))] }
    }

    /// The sum of two forms.
    pub fn add(&mut self, left: &Form, right: &Form) -> Form {
        let constant = self.launch.add(left.constant, right.constant);
        let mut terms = left.terms.clone();
        for &(id, coefficient) in &right.terms {
            match terms.binary_search_by_key(&id, |(id, _)| *id) {
                Ok(place) => {
                    let sum = self.launch.add(terms[place].1, coefficient);
                    terms[place].1 = sum;
                }
                Err(place) => terms.insert(place, (id, coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| !coefficient.is(0));
        self.join_digits(Form { constant, terms })
    }

    /// The form times a launch value.
    pub fn scale(&mut self, form: &Form, factor: LaunchValue) -> Form {
        if factor.is(1) {
            return form.clone();
        }
        let constant = self.launch.multiply(form.constant, factor);
        let scaled = form.terms.iter().map(|&(id, coefficient)| (id, self.launch.multiply(coefficient, factor)));
        let terms = scaled.filter(|(_, coefficient)| !coefficient.is(0)).collect();
        Form { constant, terms }
    }

    pub(super) fn xor(&mut self, left: Form, right: Form) -> Form {
        match (left.as_launch_value(), right.as_launch_value()) {
            (Some(left), Some(right)) => Form::constant(self.launch.xor(left, right)),
            _ => self.of_atom(Atom::Xor(left, right)),
        }
    }

    pub(super) fn digit(&mut self, of: Form, divisor: LaunchValue, quotient: bool) -> Form {
        match (of.as_launch_value(), divisor.as_constant()) {
            (Some(value), _) if quotient => Form::constant(self.launch.floor_divide(value, divisor)),
            (Some(value), _) => Form::constant(self.launch.floor_remainder(value, divisor)),
            (None, Some(..=1)) if quotient => of,
            (None, Some(..=1)) => Form::constant(LaunchValue::Constant(0)),
            (None, Some(constant)) => match self.digit_of_digits(&of, constant, quotient) {
                Some(form) => form,
                None if quotient => self.of_atom(Atom::Quotient(of, divisor)),
                None => self.of_atom(Atom::Remainder(of, divisor)),
            },
            _ if quotient => self.of_atom(Atom::Quotient(of, divisor)),
            _ => self.of_atom(Atom::Remainder(of, divisor)),
        }
    }

    /// The form after replacing `d * (x / d) + x % d` by `x`.
    fn join_digits(&mut self, mut form: Form) -> Form {
        let pair = form.terms.iter().enumerate().find_map(|(high, (id, times))| {
            let Atom::Quotient(of, divisor) = self.atom(*id) else { return None };
            let remainder = self.known_id(&Atom::Remainder(of.clone(), *divisor))?;
            let low = form.terms.binary_search_by_key(&remainder, |(id, _)| *id).ok()?;
            let coefficient = form.terms[low].1;
            let whole = coefficient.as_constant()?.checked_mul(divisor.as_constant()?)?;
            times.is(whole).then(|| (high, low, of.clone(), coefficient))
        });
        let Some((high, low, of, coefficient)) = pair else { return form };
        form.terms.remove(high.max(low));
        form.terms.remove(high.min(low));
        let joined = self.scale(&of, coefficient);
        self.add(&form, &joined)
    }

    /// The form after increasing a counter by a constant.
    pub fn moved(&mut self, form: &Form, counter: AtomId, by: i64) -> Form {
        let mut sum = Form::constant(form.constant);
        for &(id, coefficient) in &form.terms {
            let atom = match self.atom(id).clone() {
                _ if id == counter => {
                    let mut moved = self.of_id(id);
                    moved.constant = LaunchValue::Constant(by);
                    moved
                }
                Atom::Quotient(of, divisor) => {
                    let of = self.moved(&of, counter, by);
                    self.digit(of, divisor, true)
                }
                Atom::Remainder(of, divisor) => {
                    let of = self.moved(&of, counter, by);
                    self.digit(of, divisor, false)
                }
                Atom::Xor(left, right) => {
                    let (left, right) = (self.moved(&left, counter, by), self.moved(&right, counter, by));
                    self.of_atom(Atom::Xor(left, right))
                }
                _ => self.of_id(id),
            };
            let scaled = self.scale(&atom, coefficient);
            sum = self.add(&sum, &scaled);
        }
        sum
    }
}
