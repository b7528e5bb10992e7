//! Deductions from known atoms to their operands: through xor, complete sets of digits, and remainders.

use super::{Opened, Search, Step};
use crate::arithmetic::divide_exactly;
use crate::normal::AtomKind;
use crate::{Affine, TermId};
use dims::Sym;

impl Search<'_, '_> {
    /// Deduces the operands of known atoms and of complete sets of digits.
    pub(super) fn look_inside(&mut self) {
        for (number, atom) in self.normal.atoms.iter().enumerate() {
            let id = TermId(number as u32);
            let AtomKind::Xor(left, right) = &atom.kind else {
                continue;
            };
            if !self.determined.knows_atom(id) || self.opened.contains(&Opened::Xor(id)) {
                continue;
            }
            let (operand, other) = match (self.determined.knows(left), self.determined.knows(right)) {
                (true, false) => (left, right),
                (false, true) => (right, left),
                _ => continue,
            };
            self.opened.push(Opened::Xor(id));
            let known = self.step(Step::XorWith { atom: id, operand: operand.clone() });
            self.take_apart(known, other.clone());
        }
        for (number, base) in self.normal.bases.iter().enumerate() {
            let Some(of) = &base.of else { continue };
            let complete = base.digits.iter().all(|digit| self.determined.knows_atom(*digit));
            if !complete || self.opened.contains(&Opened::Base(number)) || self.determined.knows(of) {
                continue;
            }
            self.opened.push(Opened::Base(number));
            let terms = base.digits.iter().copied().zip(base.cuts.iter().cloned());
            let mut terms: Vec<(TermId, Sym)> = terms.collect();
            terms.sort_by_key(|(term, _)| *term);
            let known = self.step(Step::Form(Affine { constant: Sym::zero(), terms }));
            self.take_apart(known, of.clone());
        }
        self.look_inside_remainders();
    }

    /// Deduces the unknown part of the sum under a known remainder.
    fn look_inside_remainders(&mut self) {
        for (number, base) in self.normal.bases.iter().enumerate() {
            let Some(of) = &base.of else { continue };
            let count = base.digits.iter().take_while(|digit| self.determined.knows_atom(**digit)).count();
            let Some(modulus) = base.cuts.get(count).filter(|_| count > 0) else {
                continue;
            };
            let mut terms: Vec<(TermId, Sym)> =
                base.digits.iter().copied().zip(base.cuts.iter().cloned()).take(count).collect();
            terms.sort_by_key(|(term, _)| *term);
            let remainder = Affine { constant: Sym::zero(), terms };
            self.undo_remainder(Opened::Remainder(number, count), remainder, of, modulus);
        }
        for (number, atom) in self.normal.atoms.iter().enumerate() {
            let id = TermId(number as u32);
            let AtomKind::Opaque { of, divisor, modulus: Some(modulus) } = &atom.kind else {
                continue;
            };
            if divisor.as_constant() == Some(1) && self.determined.knows_atom(id) {
                self.undo_remainder(Opened::Opaque(id), Affine::term(id), of, modulus);
            }
        }
    }

    /// `remainder = of % modulus` determines the part of `of` that is neither known nor a multiple of the modulus, if
    /// that part stays within one period.
    fn undo_remainder(&mut self, opened: Opened, remainder: Affine, of: &Affine, modulus: &Sym) {
        if self.opened.contains(&opened) || self.determined.knows(of) || self.attempts == 0 {
            return;
        }
        self.attempts -= 1;
        let mut known = Affine::constant(of.constant.clone());
        let mut rest = Affine::constant(Sym::zero());
        for (term, coefficient) in &of.terms {
            if self.determined.knows_atom(*term) {
                known.terms.push((*term, coefficient.clone()));
            } else if divide_exactly(coefficient, modulus, self.normal.facts).is_none() {
                rest.terms.push((*term, coefficient.clone()));
            }
        }
        if rest.terms.is_empty() {
            return;
        }
        let Some(low) = self.within_one_period(&rest, modulus) else {
            return;
        };
        self.opened.push(opened);
        let from = self.step(Step::Form(remainder));
        let from = self.step(Step::Subtract { from, known });
        let value = self.step(Step::Residue { from, modulus: modulus.clone(), low });
        self.take_apart(value, rest);
    }
}
