//! A form: a constant and a sum of atoms times coefficients.

use kernel::loops::ValueId;

use crate::cpu::launch::launch_table::LaunchValue;

/// An index into [`Forms`](super::forms::Forms)' atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// The atoms of forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A value that is no form of other values: an id, an iterator, an element of memory.
    Value(ValueId),
    /// The position in the loop over the iterations of all threads: see [`Forms::flatten`](super::forms::Forms::flatten).
    Run,
    /// A digit of the thread's id: see [`Forms::split`](super::forms::Forms::split).
    Digit(Digit),
    /// The quotient of a form by a launch value, rounded down.
    Quotient(Form, LaunchValue),
    /// The remainder of that division.
    Remainder(Form, LaunchValue),
    /// The bitwise exclusive or of two forms.
    Xor(Form, Form),
}

/// The digits of a split thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digit {
    /// The quotient by the number of values of the low digit.
    High,
    /// The remainder.
    Low,
}

impl Digit {
    /// The other one.
    pub fn other(self) -> Digit {
        match self {
            Digit::High => Digit::Low,
            Digit::Low => Digit::High,
        }
    }
}

/// A split of thread ids into digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// The number of values of the low digit.
    pub low: i64,
    /// The number of values of the high digit.
    pub high: i64,
}

impl Digits {
    /// The number of values of a digit.
    pub fn count(self, digit: Digit) -> i64 {
        match digit {
            Digit::High => self.high,
            Digit::Low => self.low,
        }
    }
}

/// `constant + Σ coefficient · atom`, with atoms ascending and no coefficient that is known to be zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The part without an atom.
    pub constant: LaunchValue,
    /// Coefficients by atom.
    pub terms: Vec<(AtomId, LaunchValue)>,
}

impl Form {
    /// A form without atoms.
    pub fn constant(value: LaunchValue) -> Form {
        Form { constant: value, terms: Vec::new() }
    }

    /// The value, if the form has no atoms.
    pub fn as_launch_value(&self) -> Option<LaunchValue> {
        self.terms.is_empty().then_some(self.constant)
    }
}
