//! What the lower coordinates of a valid point say about its upper coordinates.
//!
//! Knowing a sum, `unit · whole + rest` with a rest that stays within fewer than `unit` values, is knowing both
//! parts. Peeling sums this way proves injectivity where the strides of T1 nest, with constants and symbols alike, and
//! where masks on sums of coordinates are what makes them nest. An xor is undone where one side of it is known (T4), and
//! a remainder where what is left of its sum stays within one period: cyclic shifts. The steps are recorded: on known
//! sizes they compute the inverse.
//!
//! Nothing here assumes that atoms are independent of each other, so that all conclusions hold whatever the masks.

use super::{AtomKind, NormalMap};
use crate::arithmetic::{self, Sign, divide_exactly};
use crate::{Affine, TermId};
use dims::{CompareOp, Fact, Sym};

/// Splits tried before the search for further conclusions ends; a map of rank 64 needs some thousands.
const MOST_ATTEMPTS: u32 = 4_000;

/// Facts that are noted as missing.
const MOST_MISSING: usize = 16;

/// The number of a value in the order in which they become known.
pub(crate) type Known = usize;

/// How the next value becomes known, in terms of earlier ones and of atoms that are known already.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A lower coordinate.
    Lower { axis: usize },
    /// An earlier value without the part that is made of known atoms.
    Subtract { from: Known, known: Affine },
    /// `⌊(from − low) / unit⌋` where the rest of the sum is between `low` and `low + unit − 1`.
    Whole { from: Known, unit: Sym, low: Sym },
    /// `from − unit · whole`.
    Rest { from: Known, unit: Sym, whole: Known },
    /// `from / by`, which leaves nothing over at a valid point.
    Divide { from: Known, by: Sym },
    /// The other operand of `atom = operand ^ other`.
    XorWith { atom: TermId, operand: Affine },
    /// A form made of known atoms: the whole of a base whose digits are all known, or a remainder.
    Form(Affine),
    /// The number in `low..low + modulus` that leaves the same remainder as `from`.
    Residue { from: Known, modulus: Sym, low: Sym },
}

/// An atom that is known, and how.
#[derive(Clone, Debug)]
pub(crate) enum Conclusion {
    /// It has this value.
    Value(TermId, Known),
    /// It can have one value only.
    Constant(TermId, Sym),
    /// It follows from the atoms that it is made of.
    Computed(TermId),
}

/// A step or a conclusion, in the order in which they can be replayed.
#[derive(Clone, Debug)]
pub(crate) enum Deduction {
    Step(Step),
    Conclusion(Conclusion),
}

/// Everything that follows from the lower coordinates.
#[derive(Clone, Debug)]
pub struct Determined {
    /// For each atom whether it is known.
    pub atoms: Vec<bool>,
    /// How it became known.
    pub(crate) deductions: Vec<Deduction>,
    /// What kept sums from being taken apart: comparisons of sizes that are not known to hold.
    pub missing: Vec<Fact>,
}

impl Determined {
    /// Whether all atoms of a form are known.
    pub fn knows(&self, form: &Affine) -> bool {
        form.terms.iter().all(|(term, _)| self.knows_atom(*term))
    }

    /// Whether something became known by undoing an xor.
    pub fn undoes_xor(&self) -> bool {
        self.takes(|step| matches!(step, Step::XorWith { .. }))
    }

    /// Whether something became known by undoing a remainder.
    pub fn undoes_remainder(&self) -> bool {
        self.takes(|step| matches!(step, Step::Residue { .. }))
    }

    fn takes(&self, is: fn(&Step) -> bool) -> bool {
        self.deductions.iter().any(|deduction| matches!(deduction, Deduction::Step(step) if is(step)))
    }

    fn knows_atom(&self, atom: TermId) -> bool {
        self.atoms.get(atom.0 as usize).copied().unwrap_or(false)
    }
}

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
    /// Known sums that could not be taken apart yet.
    stuck: Vec<(Known, Affine)>,
    /// Atoms and bases that have been looked into already.
    opened: Vec<Opened>,
    attempts: u32,
}

#[derive(PartialEq, Eq)]
enum Opened {
    Xor(TermId),
    Base(usize),
    /// A base of which so many digits, the lowest ones, are known.
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

    /// Atoms with one possible value.
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

    /// Concludes what follows from a known sum; keeps it for later where nothing does.
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

    /// Takes off the constant and what is made of known atoms.
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

    /// Looks for a unit by which the sum falls into two parts.
    fn split(&mut self, form: &Affine) -> Option<Split> {
        let mut units: Vec<Sym> = Vec::new();
        for (_, coefficient) in &form.terms {
            let unit = match self.normal.sign(coefficient) {
                Some(Sign::Positive) => coefficient.clone(),
                Some(Sign::Negative) => coefficient.checked_neg().ok()?,
                None => continue,
            };
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        // The largest stride first, where that is known: T1 peels from the top.
        units.sort_by_key(|unit| std::cmp::Reverse(unit.as_constant()));
        let common = units.iter().filter_map(Sym::as_constant).fold(0, num_integer::gcd);
        if common > 1 && units.iter().all(|unit| unit.as_constant().is_some()) {
            units.push(Sym::constant(common));
        }
        for unit in units {
            self.attempts = self.attempts.saturating_sub(1);
            if self.attempts == 0 {
                return None;
            }
            if let Some(split) = self.split_by(form, unit) {
                return Some(split);
            }
        }
        None
    }

    fn split_by(&mut self, form: &Affine, unit: Sym) -> Option<Split> {
        let facts = self.normal.facts;
        let mut whole = Affine::constant(Sym::zero());
        let mut rest = Affine::constant(Sym::zero());
        for (term, coefficient) in &form.terms {
            match divide_exactly(coefficient, &unit, facts) {
                Some(quotient) => whole.terms.push((*term, quotient)),
                None => rest.terms.push((*term, coefficient.clone())),
            }
        }
        // Dividing by one changes nothing; a unit that divides nothing does not split.
        if whole.terms.is_empty() || (rest.terms.is_empty() && unit.as_constant() == Some(1)) {
            return None;
        }
        let low = self.within_one_period(&rest, &unit)?;
        Some(Split { unit, whole, rest, low })
    }

    /// Where the values of a form lie within one period `low..low + unit`: its `low`.
    fn within_one_period(&mut self, form: &Affine, unit: &Sym) -> Option<Sym> {
        let facts = self.normal.facts;
        let (lows, highs) = (self.normal.lower_bounds(form), self.normal.upper_bounds(form));
        for low in &lows {
            let Ok(end) = low.checked_add(unit) else {
                continue;
            };
            if highs.iter().any(|high| arithmetic::less(high, &end, facts)) {
                return Some(low.clone());
            }
        }
        for (low, high) in lows.iter().flat_map(|low| highs.iter().map(move |high| (low, high))) {
            let length = high.checked_sub(low).and_then(|span| span.checked_add(&Sym::one()));
            let Ok(length) = length else { continue };
            let constant = length.as_constant().is_some() && unit.as_constant().is_some();
            if !constant && self.determined.missing.len() < MOST_MISSING {
                let fact = Fact::compare(length, CompareOp::Le, unit.clone()).simplified();
                if !self.determined.missing.contains(&fact) {
                    self.determined.missing.push(fact);
                }
            }
        }
        None
    }

    /// Follows known atoms and complete sets of digits to the forms that they are made of.
    fn look_inside(&mut self) {
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

    /// Follows known remainders to what is left of their sums.
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

    /// From `remainder = of % modulus` follows the part of `of` that is not known yet and no multiple of the modulus,
    /// where that part stays within one period.
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

    /// Atoms whose parts are all known.
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

struct Split {
    unit: Sym,
    whole: Affine,
    rest: Affine,
    low: Sym,
}
