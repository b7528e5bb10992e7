//! Which upper coordinates the lower coordinates of a valid point determine.
//!
//! A sum `unit · whole + rest`, where the rest has at most `unit` consecutive values, determines both parts. Peeling
//! sums this way proves injectivity where the strides of T1 nest, with constants as with symbols, also where they
//! nest only thanks to masks on sums of coordinates. An xor is undone where one operand is known (T4), and a
//! remainder where the unknown part of its sum stays within one period, as in cyclic shifts. The recorded steps
//! compute the inverse.
//!
//! Nothing here assumes that atoms are independent, so all conclusions hold for any masks.

mod inside;
mod known;
mod split;

use super::{AtomKind, NormalMap};
use crate::{Affine, TermId, arithmetic};
use dims::Sym;
use split::Split;

pub use known::Determined;
pub(crate) use known::{Conclusion, Deduction, Known, Step};

/// The most splits that are tried; a map of rank 64 needs some thousands.
const MOST_ATTEMPTS: u32 = 4_000;

impl NormalMap<'_> {
    /// Everything that follows from the lower coordinates of a valid point.
    pub fn determine(&self) -> Determined {
        let atoms = vec![false; self.atoms.len()];
        let determined = Determined { atoms, deductions: Vec::new(), missing: Vec::new() };
        let mut search = Search {
            normal: self,
            determined,
            values: 0,
            stuck: Vec::new(),
            opened: Vec::new(),
            attempts: MOST_ATTEMPTS,
        };
        search.run();
        search.determined
    }
}

struct Search<'a, 'f> {
    normal: &'a NormalMap<'f>,
    determined: Determined,
    /// How many values are known so far.
    values: usize,
    /// Known sums that could not be split yet.
    stuck: Vec<(Known, Affine)>,
    /// Atoms and bases whose operands have been deduced.
    opened: Vec<Opened>,
    attempts: u32,
}

#[derive(PartialEq, Eq)]
enum Opened {
    Xor(TermId),
    Base(usize),
    /// A base, and how many of its lowest digits are known.
    Remainder(usize, usize),
    Opaque(TermId),
}

impl Search<'_, '_> {
    fn run(&mut self) {
        self.conclude_constants();
        for (axis, form) in self.normal.lower.iter().enumerate() {
            let known = self.step(Step::Lower { axis });
            self.stuck.push((known, form.clone()));
        }
        loop {
            let before = (self.values, self.determined.deductions.len());
            for (known, form) in std::mem::take(&mut self.stuck) {
                self.take_apart(known, form);
            }
            self.look_inside();
            self.conclude_computed();
            if before == (self.values, self.determined.deductions.len()) || self.attempts == 0 {
                return;
            }
        }
    }

    fn step(&mut self, step: Step) -> Known {
        self.determined.deductions.push(Deduction::Step(step));
        self.values += 1;
        self.values - 1
    }

    fn conclude(&mut self, atom: TermId, conclusion: Conclusion) {
        if let Some(flag) = self.determined.atoms.get_mut(atom.0 as usize) {
            if !*flag {
                self.determined.deductions.push(Deduction::Conclusion(conclusion));
            }
            *flag = true;
        }
    }

    /// Concludes the atoms with one possible value.
    fn conclude_constants(&mut self) {
        for (number, atom) in self.normal.atoms.iter().enumerate() {
            let facts = self.normal.facts;
            let only = atom.lows.iter().find(|low| atom.highs.iter().any(|high| arithmetic::at_most(high, low, facts)));
            if let Some(only) = only {
                let id = TermId(number as u32);
                self.conclude(id, Conclusion::Constant(id, only.clone()));
            }
        }
    }

    /// Concludes what follows from a known sum; keeps it for later where nothing follows yet.
    fn take_apart(&mut self, known: Known, form: Affine) {
        let Some((known, form)) = self.without_known(known, form) else {
            return;
        };
        match form.terms.as_slice() {
            [] => {}
            [(atom, coefficient)] => match self.normal.sign(coefficient) {
                Some(_) => {
                    let (atom, by) = (*atom, coefficient.clone());
                    let value =
                        if by.as_constant() == Some(1) { known } else { self.step(Step::Divide { from: known, by }) };
                    self.conclude(atom, Conclusion::Value(atom, value));
                }
                None => self.stuck.push((known, form)),
            },
            _ => match self.split(&form) {
                Some(Split { unit, whole, rest, low }) => {
                    let upper = self.step(Step::Whole { from: known, unit: unit.clone(), low });
                    let lower = self.step(Step::Rest { from: known, unit, whole: upper });
                    self.take_apart(upper, whole);
                    self.take_apart(lower, rest);
                }
                None => self.stuck.push((known, form)),
            },
        }
    }

    /// Subtracts the constant and the known atoms.
    fn without_known(&mut self, known: Known, form: Affine) -> Option<(Known, Affine)> {
        let (inside, open): (Vec<_>, Vec<_>) =
            form.terms.iter().cloned().partition(|(term, _)| self.determined.knows_atom(*term));
        if inside.is_empty() && form.constant.is_zero() {
            return Some((known, form));
        }
        let part = Affine { constant: form.constant, terms: inside };
        let open = Affine { constant: Sym::zero(), terms: open };
        if open.terms.is_empty() {
            return None;
        }
        let known = self.step(Step::Subtract { from: known, known: part });
        Some((known, open))
    }

    /// Concludes the atoms whose inputs are all known.
    fn conclude_computed(&mut self) {
        for (number, atom) in self.normal.atoms.iter().enumerate() {
            let id = TermId(number as u32);
            let inputs = match &atom.kind {
                AtomKind::Coordinate(_) => continue,
                AtomKind::Digit { base, .. } if self.normal.bases.get(*base).is_none_or(|base| base.of.is_none()) => {
                    continue;
                }
                kind => self.normal.inputs(kind),
            };
            if !self.determined.knows_atom(id) && inputs.iter().all(|input| self.determined.knows_atom(*input)) {
                self.conclude(id, Conclusion::Computed(id));
            }
        }
    }
}
