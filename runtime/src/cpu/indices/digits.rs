//! Thread ids split into two digits, each with a loop of its own.
//!
//! The threads of a block usually stand for the elements of a tile: `id / 32` is a row and `id % 32` a column. A loop
//! over the ids would contain divisions, and would have to test whether the next few threads are in the same row. With
//! a loop for each digit, rows and columns are sums of counters, and either loop can be vectorised.

use kernel::loops::ValueId;

use super::form::{Atom, Digit, Digits, Form};
use super::forms::Forms;
use crate::cpu::launch::launch_table::LaunchValue;

impl Forms<'_> {
    /// From now on, the thread's id is `digits.low` times the counter of the high digit plus the counter of the low
    /// one.
    pub fn split(&mut self, digits: Digits) {
        self.digits = Some(digits);
        self.forget();
    }

    /// Ends the effect of [`Forms::split`].
    pub fn unsplit(&mut self) {
        self.digits = None;
        self.forget();
    }

    /// The form of the thread's id, which is this value.
    pub(super) fn thread(&mut self, id: ValueId) -> Form {
        let Some(digits) = self.digits else { return self.of_atom(Atom::Value(id)) };
        let (high, low) = (self.of_atom(Atom::Digit(Digit::High)), self.of_atom(Atom::Digit(Digit::Low)));
        let high = self.scale(&high, LaunchValue::Constant(digits.low));
        self.add(&high, &low)
    }

    /// The quotient or the remainder of a form with digits of the thread's id by a constant above 1, without a division
    /// or with a smaller divisor. Index arithmetic does not overflow, so the terms of a sum may be divided separately.
    pub(super) fn digit_of_digits(&mut self, of: &Form, divisor: i64, quotient: bool) -> Option<Form> {
        let digits = self.digits?;
        if !of.terms.iter().any(|(id, _)| matches!(self.atom(*id), Atom::Digit(_))) {
            return None;
        }
        let (multiples, rest) = self.parts(of, divisor)?;
        if self.is_within(&rest, digits, divisor) {
            return Some(if quotient { multiples } else { rest });
        }
        // The remainder is below the number of the low digit's values, so it does not change the quotient by a multiple
        // of it.
        let fewer = divisor / digits.low;
        // A low digit of one value leaves the divisor as it is.
        if digits.low == 1 || fewer <= 1 || divisor % digits.low != 0 {
            return None;
        }
        let (high, low) = self.parts(&rest, digits.low)?;
        if !self.is_within(&low, digits, digits.low) {
            return None;
        }
        let digit = self.digit(high, LaunchValue::Constant(fewer), quotient);
        if quotient {
            return Some(self.add(&multiples, &digit));
        }
        let raised = self.scale(&digit, LaunchValue::Constant(digits.low));
        Some(self.add(&raised, &low))
    }

    /// Splits a form into a multiple of the divisor, with as many terms as possible, and a rest.
    fn parts(&mut self, of: &Form, divisor: i64) -> Option<(Form, Form)> {
        let constant = of.constant.as_constant()?;
        let mut multiples = Form::constant(LaunchValue::Constant(constant.div_euclid(divisor)));
        let mut rest = Form::constant(LaunchValue::Constant(constant.rem_euclid(divisor)));
        for &(id, coefficient) in &of.terms {
            let known = coefficient.as_constant()?;
            if known % divisor == 0 {
                multiples.terms.push((id, LaunchValue::Constant(known / divisor)));
            } else {
                rest.terms.push((id, coefficient));
            }
        }
        Some((multiples, rest))
    }

    /// Whether the values of a form are known to lie in `0..end`.
    fn is_within(&self, form: &Form, digits: Digits, end: i64) -> bool {
        let Some(constant) = form.constant.as_constant() else { return false };
        let range = form.terms.iter().try_fold((constant, constant), |(least, greatest), (id, coefficient)| {
            let Atom::Digit(digit) = self.atom(*id) else { return None };
            let reach = coefficient.as_constant()?.checked_mul(digits.count(*digit) - 1)?;
            Some((least.checked_add(reach.min(0))?, greatest.checked_add(reach.max(0))?))
        });
        range.is_some_and(|(least, greatest)| least >= 0 && greatest < end)
    }
}
