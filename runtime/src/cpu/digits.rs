//! A thread's id taken apart into two digits, which are the counters of two loops.
//!
//! Threads of a block mostly stand for the elements of a tile: `id / 32` is a row and `id % 32` a column. A loop over
//! the ids would divide all the time, and ask whether the next few threads are in one row. Where the digits themselves
//! are counted, rows and columns are sums of counters, and either digit can be the one that runs in lanes.

use kernel::loops::ValueId;

use super::forms::{Atom, Digit, Form, Forms};
use super::launch_table::LaunchValue;

/// A way to split a thread's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// How many values the low digit has.
    pub low: i64,
    /// How many values the high digit has.
    pub high: i64,
}

impl Digits {
    /// How many values a digit has.
    pub fn count(self, digit: Digit) -> i64 {
        match digit {
            Digit::High => self.high,
            Digit::Low => self.low,
        }
    }
}

impl Forms<'_> {
    /// From now on, the thread's id is `digits.low` times one counter plus another one.
    pub fn split(&mut self, digits: Digits) {
        self.digits = Some(digits);
        self.forget();
    }

    /// Ends what [`Forms::split`] began.
    pub fn unsplit(&mut self) {
        self.digits = None;
        self.forget();
    }

    /// The thread's id, which is this value.
    pub(super) fn thread(&mut self, id: ValueId) -> Form {
        let Some(digits) = self.digits else { return self.of_atom(Atom::Value(id)) };
        let (high, low) = (self.of_atom(Atom::Digit(Digit::High)), self.of_atom(Atom::Digit(Digit::Low)));
        let high = self.scale(&high, LaunchValue::Constant(digits.low));
        self.add(&high, &low)
    }

    /// The quotient or the remainder of a form that contains digits of the thread's id by a constant above 1, without a
    /// division, or by one of less. Index arithmetic does not leave 64 bits, so the parts of a sum may be divided.
    pub(super) fn digit_of_digits(&mut self, of: &Form, divisor: i64, quotient: bool) -> Option<Form> {
        let digits = self.digits?;
        if !of.terms.iter().any(|(id, _)| matches!(self.atom(*id), Atom::Digit(_))) {
            return None;
        }
        let (multiples, rest) = self.parts(of, divisor)?;
        if self.is_within(&rest, digits, divisor) {
            return Some(if quotient { multiples } else { rest });
        }
        // What is left over of the rest lies below the low digit's values, so it changes no quotient by more of them.
        let fewer = divisor / digits.low;
        if fewer <= 1 || divisor % digits.low != 0 {
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

    /// The form as a divisor times one form plus another one; the first takes every term that it can.
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
