//! The interval and the residue class of a symbolic integer under the facts.

use super::range::{Congruence, Interval};
use super::{Atom, Facts, Sym};

impl Facts {
    /// An interval that contains every value the integer has under assignments that satisfy the facts.
    pub fn range(&self, value: &Sym) -> Interval {
        if let Some(constant) = value.as_constant() {
            return Interval::point(i128::from(constant));
        }
        let mut sum = Interval::point(0);
        for (coefficient, factors) in value.terms() {
            let powers = factors.iter().flat_map(|(atom, power)| {
                let range = self.range_of_atom(atom);
                (0..*power).map(move |_| range)
            });
            let product = powers.reduce(Interval::multiply).unwrap_or(Interval::point(1));
            sum = sum.plus(product.times(i128::from(coefficient)));
        }
        sum
    }

    fn range_of_atom(&self, atom: &Atom) -> Interval {
        match atom {
            Atom::Symbol(symbol) => {
                let own = self.known(symbol).interval();
                self.definition(symbol).map_or(own, |definition| own.intersect(self.range(definition)))
            }
            Atom::FloorDiv { dividend, divisor, .. } => self.range(dividend).divide(self.range(divisor)),
            Atom::Remainder { dividend, divisor } => self.range(dividend).remainder(self.range(divisor)),
            Atom::Min(operands) => self.fold_ranges(operands, Interval::least),
            Atom::Max(operands) => self.fold_ranges(operands, Interval::greatest),
        }
    }

    fn fold_ranges(&self, operands: &[Sym], combine: fn(Interval, Interval) -> Interval) -> Interval {
        let ranges = operands.iter().map(|operand| self.range(operand));
        ranges.reduce(combine).unwrap_or(Interval::EVERYTHING)
    }

    /// A residue class that contains every value the integer has under assignments that satisfy the facts.
    pub(super) fn congruence(&self, value: &Sym) -> Congruence {
        let mut sum = Congruence::new(0, 0);
        for (coefficient, factors) in value.terms() {
            let mut product = Congruence::new(0, i128::from(coefficient));
            for (atom, power) in factors {
                let class = self.congruence_of_atom(atom);
                for _ in 0..*power {
                    product = product.multiply(class);
                }
            }
            sum = sum.add(product);
        }
        sum
    }

    fn congruence_of_atom(&self, atom: &Atom) -> Congruence {
        match atom {
            Atom::Symbol(symbol) => {
                let own = self.known(symbol).congruence();
                let defined = self.definition(symbol).map(|definition| self.congruence(definition));
                // Either class is valid; the one with the greater modulus is stronger, and a single integer is
                // strongest.
                let rank = |class: &Congruence| {
                    if class.modulus == 0 { i128::MAX } else { class.modulus }
                };
                defined.filter(|class| rank(class) > rank(&own)).unwrap_or(own)
            }
            Atom::FloorDiv { dividend, divisor, .. } => match divisor.as_constant() {
                Some(divisor) => self.congruence(dividend).divide(i128::from(divisor)),
                None => Congruence::EVERYTHING,
            },
            Atom::Remainder { dividend, divisor } => {
                // x % d is x plus a multiple of d.
                let multiples = self.congruence(divisor).multiply(Congruence::EVERYTHING);
                self.congruence(dividend).add(multiples)
            }
            Atom::Min(operands) | Atom::Max(operands) => {
                let classes = operands.iter().map(|operand| self.congruence(operand));
                classes.reduce(Congruence::join).unwrap_or(Congruence::EVERYTHING)
            }
        }
    }
}
