//! Proofs from facts: whether a comparison holds, and whether one integer is a multiple of another.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, Sign};
use super::natural::{Stop, Translation};
use super::{Atom, CompareOp, Fact, Sym, Symbol};

/// Minima and maxima make the prover consider one case per operand; beyond this many it gives up.
const MOST_CASES: u32 = 16;
/// Assignments tried in the search for a counterexample.
const MOST_ASSIGNMENTS: usize = 400;

/// Assignments tried before a search for a proof.
const FEW_ASSIGNMENTS: usize = 12;
/// Constants whose neighbouring values are tried in that search.
const MOST_HINTS: usize = 16;

/// The answer to a question about symbolic integers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Proof {
    /// It holds under every assignment that satisfies the facts.
    Proven,
    /// It does not hold under this assignment, which satisfies the facts.
    Refuted {
        /// A value for every symbol of the question and for those that facts connect to them.
        assignment: BTreeMap<Symbol, i64>,
    },
    /// Neither was found.
    Open,
}

impl Proof {
    /// Whether it is proven.
    pub fn is_proven(&self) -> bool {
        matches!(self, Proof::Proven)
    }
}

impl Facts {
    /// Whether a comparison holds under every assignment that satisfies the facts and under which both sides have a
    /// value.
    pub fn prove(&self, left: &Sym, op: CompareOp, right: &Sym) -> Proof {
        if self.proves(left, op, right) {
            return Proof::Proven;
        }
        let mut symbols = left.symbols();
        symbols.extend(right.symbols());
        let hints = hints_from([left, right]);
        let fact = Fact::compare(left.clone(), op, right.clone());
        self.refute(&symbols, &hints, |assignment| fact.holds(assignment).map(|holds| !holds))
    }

    /// Whether one integer is a multiple of another under every assignment that satisfies the facts and under which the
    /// other is not zero.
    pub fn divisible(&self, value: &Sym, by: &Sym) -> Proof {
        if self.divides(value, by) {
            return Proof::Proven;
        }
        let mut symbols = value.symbols();
        symbols.extend(by.symbols());
        let hints = hints_from([value, by]);
        self.refute(&symbols, &hints, |assignment| {
            let evaluate = |side: &Sym| side.evaluate_wide(&|symbol| assignment.get(symbol).copied()).ok();
            let by = evaluate(by)?;
            evaluate(value)?.checked_rem(by).map(|remainder| remainder != 0)
        })
    }

    /// Searches for an assignment that satisfies the facts and makes the question fail.
    fn refute(
        &self,
        symbols: &BTreeSet<Symbol>,
        hints: &[i64],
        fails: impl Fn(&BTreeMap<Symbol, i64>) -> Option<bool>,
    ) -> Proof {
        let mut samples = self.sample_near(symbols, hints).take(MOST_ASSIGNMENTS);
        match samples.find(|assignment| fails(assignment) == Some(true)) {
            Some(assignment) => Proof::Refuted { assignment },
            None => Proof::Open,
        }
    }

    /// Whether a comparison is proven, without a search for a counterexample, which costs far more than the proof.
    pub fn proves(&self, left: &Sym, op: CompareOp, right: &Sym) -> bool {
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            return op.holds(i128::from(left), i128::from(right));
        }
        if left == right {
            return matches!(op, CompareOp::Eq | CompareOp::Le | CompareOp::Ge);
        }
        let (Ok(above), Ok(below)) = (left.checked_sub(right), right.checked_sub(left)) else {
            return false;
        };
        match op {
            CompareOp::Ge => self.never_negative(&above),
            CompareOp::Le => self.never_negative(&below),
            CompareOp::Gt => self.always_negative(&below),
            CompareOp::Lt => self.always_negative(&above),
            CompareOp::Eq => self.never_negative(&above) && self.never_negative(&below),
            CompareOp::Ne => {
                let class = self.congruence(&above);
                let stated = |value: &Sym| {
                    let mut relations = self.relations.iter();
                    relations.any(|relation| relation.sign == Sign::NonZero && relation.value == *value)
                };
                (class.modulus != 1 && class.residue != 0)
                    || stated(&above)
                    || stated(&below)
                    || self.always_negative(&above)
                    || self.always_negative(&below)
            }
        }
    }

    /// Whether the value is proven to be at least `bound`.
    pub(super) fn at_least(&self, value: &Sym, bound: i64) -> bool {
        value.checked_sub(&Sym::constant(bound)).is_ok_and(|above| self.never_negative(&above))
    }

    pub(super) fn always_negative(&self, value: &Sym) -> bool {
        // A value below zero is one whose negation, less one, is not.
        let negated = Sym::constant(-1).checked_sub(value);
        negated.is_ok_and(|negated| self.never_negative(&negated))
    }

    /// Whether the value is proven to be never negative, without a search for a counterexample.
    pub fn never_negative(&self, value: &Sym) -> bool {
        match value.as_constant() {
            Some(constant) => constant >= 0,
            None => {
                self.range(value).lo.is_some_and(|lo| lo >= 0)
                    || self.answers.get_or(value, || self.never_negative_by_search(value))
            }
        }
    }

    fn never_negative_by_search(&self, value: &Sym) -> bool {
        if self.is_negative_somewhere(value) {
            return false;
        }
        let mut cases = MOST_CASES;
        self.never_negative_where(value, &mut Vec::new(), &mut cases)
    }

    /// Whether one of a few small assignments makes the value negative. This refutes most false comparisons at a
    /// fraction of the cost of a search for a proof.
    fn is_negative_somewhere(&self, value: &Sym) -> bool {
        let mut samples = self.sample(&value.symbols()).within(FEW_ASSIGNMENTS);
        samples.any(|assignment| {
            let value = value.evaluate_wide(&|symbol| assignment.get(symbol).copied());
            value.is_ok_and(|value| value < 0)
        })
    }

    /// The same for one combination of operands that minima and maxima equal.
    fn never_negative_where(&self, value: &Sym, choices: &mut Vec<(Atom, usize)>, cases: &mut u32) -> bool {
        let attempt = {
            let mut translation = Translation::new(self, choices);
            let goal = translation.add_facts(&value.symbols()).and_then(|()| translation.translate(value));
            goal.map(|goal| translation.known.proves(&goal))
        };
        let atom = match attempt {
            Ok(proven) => return proven,
            Err(Stop::GiveUp) => return false,
            Err(Stop::Choose(atom)) => atom,
        };
        let count = match &atom {
            Atom::Min(operands) | Atom::Max(operands) => operands.len(),
            Atom::Symbol(_) | Atom::FloorDiv { .. } | Atom::Remainder { .. } => return false,
        };
        (0..count).all(|chosen| {
            let Some(left) = cases.checked_sub(1) else {
                return false;
            };
            *cases = left;
            choices.push((atom.clone(), chosen));
            let proven = self.never_negative_where(value, choices, cases);
            choices.pop();
            proven
        })
    }

    /// Whether the value is proven to lie in `0..divisor`, for a divisor of at least one.
    pub(super) fn is_remainder(&self, value: &Sym, divisor: &Sym) -> bool {
        self.never_negative(value) && value.checked_sub(divisor).is_ok_and(|above| self.always_negative(&above))
    }

    /// Whether the value is proven to be a multiple of the divisor wherever that is not zero.
    pub fn divides(&self, value: &Sym, divisor: &Sym) -> bool {
        if self.divides_as_written(value, divisor) {
            return true;
        }
        if self.definitions.is_empty() {
            return false;
        }
        let replaced = |side: &Sym| side.substitute(&self.definitions, &Facts::empty());
        match (replaced(value), replaced(divisor)) {
            (Ok(value), Ok(divisor)) => self.divides_as_written(&value, &divisor),
            _ => false,
        }
    }

    fn divides_as_written(&self, value: &Sym, divisor: &Sym) -> bool {
        if value.is_zero() {
            return true;
        }
        if let Some(by) = divisor.as_constant() {
            return by != 0 && self.divides_by_constant(value, i128::from(by).abs());
        }
        let (value, divisor) = (value.polynomial(), divisor.polynomial());
        if value.divide_exactly(&divisor).is_some() {
            return true;
        }
        let is_multiple = |part: &super::polynomial::Polynomial<Atom>| {
            part.divide_exactly(&divisor).is_some()
                || self.divisions.iter().any(|division| {
                    // A multiple of a stated dividend whose stated divisor is a multiple of the divisor.
                    let factor = part.divide_exactly(&division.dividend.polynomial());
                    factor.is_some() && division.divisor.polynomial().divide_exactly(&divisor).is_some()
                })
        };
        let term = |(monomial, coefficient): &(super::polynomial::Monomial<Atom>, i128)| {
            super::polynomial::Polynomial::term(monomial.clone(), *coefficient)
        };
        is_multiple(&value) || value.terms().iter().all(|part| is_multiple(&term(part)))
    }

    fn divides_by_constant(&self, value: &Sym, by: i128) -> bool {
        if self.residue(value, by) == Some(0) {
            return true;
        }
        let polynomial = value.polynomial();
        self.divisions.iter().any(|division| {
            let stated = division.divisor.as_constant().map(i128::from);
            let dividend = division.dividend.polynomial();
            let Some((leading, coefficient)) = dividend.terms().first() else {
                return false;
            };
            // The value minus a multiple of the fact's dividend may be a known multiple. The scaled dividend is a
            // multiple of the scaled divisor.
            let times = polynomial.coefficient(leading).checked_div(*coefficient).unwrap_or(0);
            let scaled = stated.and_then(|stated| stated.checked_mul(times));
            if times == 0 || scaled.is_none_or(|scaled| scaled % by != 0) {
                return false;
            }
            let rest = polynomial.add_scaled(&dividend, times.checked_neg().unwrap_or(0));
            let rest = rest.map(Sym::from_polynomial);
            rest.is_some_and(|rest| rest.is_ok_and(|rest| self.congruence(&rest).residue_for(by) == Some(0)))
        })
    }
}

/// The constants in two sides and their quotients, smallest first: comparisons tend to fail near them.
fn hints_from(sides: [&Sym; 2]) -> Vec<i64> {
    let mut constants = BTreeSet::new();
    sides.into_iter().for_each(|side| collect_constants(side, &mut constants));
    let quotients = constants.iter().flat_map(|value| constants.iter().map(move |by| value / by));
    let mut hints: BTreeSet<i64> = quotients.filter(|quotient| *quotient > 1).collect();
    hints.extend(constants);
    hints.into_iter().take(MOST_HINTS).collect()
}

fn collect_constants(value: &Sym, constants: &mut BTreeSet<i64>) {
    for (coefficient, factors) in value.terms() {
        constants.extend(coefficient.checked_abs().filter(|magnitude| *magnitude > 1));
        if constants.len() >= MOST_HINTS {
            return;
        }
        let operands = factors.iter().flat_map(|(atom, _)| atom.operands());
        operands.for_each(|operand| collect_constants(operand, constants));
    }
}
