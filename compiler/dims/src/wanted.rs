//! The fact that would settle a question: candidates, and the search for the first that does.
//!
//! Nothing is guessed: a candidate counts only if the question is proven under it, and if some sizes satisfy it
//! together with the known facts.

use std::collections::BTreeSet;

use num_integer::Integer;

use super::assume::linear_in_one_symbol;
use super::{Atom, CompareOp, Fact, Facts, Sym};

/// The most candidates that are tried for one question: each costs a proof.
const MOST_CANDIDATES: usize = 6;
/// The most terms of a fact that somebody would state, and the largest number in it: `4 * M + 3 <= N`.
const MOST_TERMS: usize = 3;
const LARGEST_NUMBER: u64 = 1 << 31;
/// The most sizes that are compared with each other.
const MOST_COMPARED: usize = 4;

impl Facts {
    /// The first candidate under which a question is proven; `proven` decides it under given facts. One that only holds
    /// for a single size counts no more than one that never holds.
    pub fn settling(
        &self,
        candidates: impl IntoIterator<Item = Fact>,
        mut proven: impl FnMut(&Facts) -> bool,
    ) -> Option<Fact> {
        let mut seen: Vec<Fact> = Vec::new();
        for candidate in candidates {
            let known = seen.contains(&candidate) || self.iter().any(|fact| *fact == candidate);
            let is_plain = candidate.clone().simplified().is_plain();
            let about_sizes = candidate.symbols().iter().all(|symbol| symbol.least() == 1);
            if known
                || !about_sizes
                || !is_plain
                || candidate.symbols().is_empty()
                || candidate.clone().simplified().leaves_one_size()
            {
                continue;
            }
            if seen.len() == MOST_CANDIDATES {
                return None;
            }
            let mut facts = self.clone();
            let satisfied =
                facts.assume(candidate.clone()).is_ok() && facts.sample(&candidate.symbols()).next().is_some();
            if satisfied && proven(&facts) {
                return Some(candidate);
            }
            seen.push(candidate);
        }
        None
    }

    /// The fact under which a comparison holds for all remaining sizes.
    pub fn settling_comparison(&self, left: &Sym, op: CompareOp, right: &Sym) -> Option<Fact> {
        let own = Fact::compare(left.clone(), op, right.clone());
        let own = [own.clone().simplified(), own];
        let divisions = if matches!(op, CompareOp::Ne) { Vec::new() } else { exact_divisions([left, right]) };
        self.settling(divisions.into_iter().chain(own), |facts| facts.proves(left, op, right))
    }
}

impl Fact {
    /// The same fact as people write it: `N >= 3` for `12 <= 4 * N`, `N >= 2` for `9 / (8 * N) == 0`.
    pub fn simplified(self) -> Fact {
        let fact = self.without_division().unwrap_or(self);
        fact.written_simply()
    }

    /// Whether somebody would state it: one of few terms and usual numbers.
    fn is_plain(&self) -> bool {
        let terms = || self.left.terms().chain(self.right.terms());
        terms().count() <= MOST_TERMS && terms().all(|(factor, _)| factor.unsigned_abs() <= LARGEST_NUMBER)
    }

    fn written_simply(self) -> Fact {
        let fact = self.tidied().unwrap_or(self);
        fact.about_one_symbol().unwrap_or_else(|| fact.with_constant_right())
    }

    /// The same with a constant on the right.
    fn with_constant_right(self) -> Fact {
        match self.left.as_constant() {
            Some(_) => Fact::compare(self.right, self.op.turned(), self.left),
            None => self,
        }
    }

    /// A comparison of a quotient with a number as one of the dividend, for a positive divisor: `a / b < c` is `a < b
    /// * c`.
    fn without_division(&self) -> Option<Fact> {
        let (quotient, op, number) = match (self.left.as_constant(), self.right.as_constant()) {
            (None, Some(number)) => (&self.left, self.op, number),
            (Some(number), None) => (&self.right, self.op.turned(), number),
            _ => return None,
        };
        let mut terms = quotient.terms();
        let (Some((1, [(Atom::FloorDiv { dividend, divisor, .. }, 1)])), None) = (terms.next(), terms.next()) else {
            return None;
        };
        let anything = Facts::empty();
        if !anything.never_negative(&divisor.checked_sub(&Sym::one()).ok()?) {
            return None;
        }
        let (op, least) = match op {
            CompareOp::Ge | CompareOp::Lt => (op, number),
            CompareOp::Gt => (CompareOp::Ge, number.checked_add(1)?),
            CompareOp::Le => (CompareOp::Lt, number.checked_add(1)?),
            CompareOp::Eq if number == 0 && anything.never_negative(dividend) => (CompareOp::Lt, 1),
            CompareOp::Ne if number == 0 && anything.never_negative(dividend) => (CompareOp::Ge, 1),
            CompareOp::Eq | CompareOp::Ne => return None,
        };
        Some(Fact::compare(dividend.clone(), op, divisor.checked_mul(&Sym::constant(least)).ok()?))
    }

    /// The fact as a bound of a single symbol, if it is one.
    fn about_one_symbol(&self) -> Option<Fact> {
        let difference = self.left.checked_sub(&self.right).ok()?;
        let (symbol, coefficient, constant) = linear_in_one_symbol(&difference)?;
        let op = if coefficient > 0 { self.op } else { self.op.turned() };
        // coefficient * symbol + constant `op` 0, with a positive coefficient.
        let (coefficient, limit) = if coefficient > 0 {
            (coefficient, constant.checked_neg()?)
        } else {
            (coefficient.checked_neg()?, constant)
        };
        let (op, bound) = match op {
            CompareOp::Ge => (CompareOp::Ge, Integer::div_ceil(&limit, &coefficient)),
            CompareOp::Gt => (CompareOp::Ge, Integer::div_floor(&limit, &coefficient).checked_add(1)?),
            CompareOp::Le => (CompareOp::Le, Integer::div_floor(&limit, &coefficient)),
            CompareOp::Lt => (CompareOp::Le, Integer::div_ceil(&limit, &coefficient).checked_sub(1)?),
            CompareOp::Eq | CompareOp::Ne if limit.is_multiple_of(&coefficient) => (op, limit / coefficient),
            CompareOp::Eq | CompareOp::Ne => return None,
        };
        let bound = Sym::constant(i64::try_from(bound).ok()?);
        Some(Fact::compare(Sym::symbol(symbol), op, bound))
    }
}

/// Facts that make divisions inside of sizes exact: `N % 4 == 0` for `(N + 3) / 4`. Small divisors come first, as
/// they are the weakest facts.
pub fn exact_divisions<'s>(sizes: impl IntoIterator<Item = &'s Sym>) -> Vec<Fact> {
    let mut found = Vec::new();
    for size in sizes {
        collect_divisions(size, &mut found);
    }
    found.sort_by_key(|(divisor, _)| divisor.as_constant().unwrap_or(i64::MAX));
    found.into_iter().map(|(_, fact)| fact).collect()
}

/// Facts, each with the divisor that it is about.
fn collect_divisions(size: &Sym, found: &mut Vec<(Sym, Fact)>) {
    for (atom, _) in size.terms().flat_map(|(_, factors)| factors) {
        if found.len() >= MOST_CANDIDATES {
            return;
        }
        if let Atom::FloorDiv { dividend, divisor, exact: false } | Atom::Remainder { dividend, divisor } = atom {
            // The constant added to round up is not part of the intended multiple.
            let added = dividend.terms().find(|(_, factors)| factors.is_empty()).map_or(0, |(constant, _)| constant);
            let whole = dividend.checked_sub(&Sym::constant(added)).ok();
            for dividend in whole.iter().chain([dividend]) {
                let Ok(remainder) = dividend.checked_remainder(divisor, &Facts::empty()) else { continue };
                let fact = Fact::compare(remainder, CompareOp::Eq, Sym::zero());
                if !found.iter().any(|(_, known)| *known == fact) {
                    found.push((divisor.clone(), fact));
                }
            }
        }
        atom.operands().for_each(|operand| collect_divisions(operand, found));
    }
}

/// Facts that order sizes: `N <= LD` for two symbols, `N <= 64` for a symbol and a number.
pub fn orders<'s>(sizes: impl IntoIterator<Item = &'s Sym>) -> Vec<Fact> {
    let mut symbols: Vec<&Sym> = Vec::new();
    let mut constants = BTreeSet::new();
    for size in sizes {
        match size.as_constant() {
            Some(constant) if constant > 1 => {
                constants.insert(constant);
            }
            None if size.as_symbol().is_some() && !symbols.contains(&size) => symbols.push(size),
            _ => {}
        }
    }
    symbols.truncate(MOST_COMPARED);
    let between = symbols.iter().flat_map(|left| {
        let others = symbols.iter().filter(move |right| *right != left);
        others.map(|right| Fact::compare((*left).clone(), CompareOp::Le, (*right).clone()))
    });
    let bounds = symbols.iter().flat_map(|symbol| {
        let constants = constants.iter().take(MOST_COMPARED);
        constants.map(|constant| Fact::compare((*symbol).clone(), CompareOp::Le, Sym::constant(*constant)))
    });
    between.chain(bounds).collect()
}
