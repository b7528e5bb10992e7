//! Deduction from facts as they are stated.

use num_integer::Integer;

use super::answers::Answers;
use super::facts::{Division, Relation, Sign};
use super::integer::{FloorDivision, greatest_common_divisor};
use super::known::{Impossible, Known};
use super::{Arithmetic, Atom, CompareOp, Contradiction, Fact, Facts, Sym, Symbol};

/// Real programs have fewer relations between sizes. Beyond this number, a new one is not compared with the earlier
/// ones: it may be redundant, or contradict them undetected.
const MOST_COMPARED: usize = 64;
/// The most searches for contradictions and redundant relations while facts are learned. Each definition of a symbol
/// changes the relations before it, which are then compared again.
const MOST_COMPARISONS: u32 = 32;
/// The most symbols that are replaced by what they equal. Definitions are nested, so that each is larger than the last.
const MOST_DEFINED: usize = 64;
/// Nothing is deduced from facts beyond this number. They are still checked against actual sizes.
const MOST_LEARNED: usize = 512;

impl Facts {
    /// Adds a fact. If a contradiction with known facts is detected, nothing changes and the error names the facts.
    /// An undetected contradiction can make anything provable, as no assignment satisfies the facts.
    ///
    /// Build the two sides without facts ([`Facts::empty`]), so that the fact prints as it was written.
    pub fn assume(&mut self, fact: Fact) -> Result<(), Contradiction> {
        if self.stated.len() >= MOST_LEARNED {
            self.tie(&fact);
            self.stated.push(fact);
            return Ok(());
        }
        if self.stated.contains(&fact) {
            return Ok(());
        }
        let mut next = self.clone();
        next.answers = Answers::default();
        if next.learn(&fact).is_err() {
            let against = self.culprits(&fact);
            return Err(Contradiction { fact, against });
        }
        next.stated.push(fact);
        // Answers cached while learning relied on fewer facts than are known now.
        next.answers = Answers::default();
        *self = next;
        Ok(())
    }

    /// The earlier facts that a fact contradicts: none, a single one if that suffices, or all that share symbols.
    fn culprits(&self, fact: &Fact) -> Vec<Fact> {
        let contradicted_by = |earlier: &[&Fact]| {
            let mut facts = Facts::empty();
            let consistent = earlier.iter().all(|earlier| facts.learn(earlier).is_ok());
            consistent && facts.learn(fact).is_err()
        };
        if contradicted_by(&[]) {
            return Vec::new();
        }
        if let Some(culprit) = self.stated.iter().find(|earlier| contradicted_by(&[earlier])) {
            return vec![culprit.clone()];
        }
        let mut symbols = fact.left.symbols();
        symbols.extend(fact.right.symbols());
        let related = self.related(&symbols);
        let touches = |side: &Sym| !side.symbols().is_disjoint(&related);
        self.stated.iter().filter(|earlier| touches(&earlier.left) || touches(&earlier.right)).cloned().collect()
    }

    fn learn(&mut self, fact: &Fact) -> Result<(), Impossible> {
        self.tie(fact);
        if let (Some(left), Some(right)) = (fact.left.as_constant(), fact.right.as_constant()) {
            // Their difference need not fit in 64 bits.
            let holds = fact.op.holds(i128::from(left), i128::from(right));
            return if holds { Ok(()) } else { Err(Impossible) };
        }
        let one = Sym::one();
        let difference = match fact.op {
            CompareOp::Eq | CompareOp::Ne | CompareOp::Ge => fact.left.checked_sub(&fact.right),
            CompareOp::Gt => fact.left.checked_sub(&fact.right).and_then(|above| above.checked_sub(&one)),
            CompareOp::Le => fact.right.checked_sub(&fact.left),
            CompareOp::Lt => fact.right.checked_sub(&fact.left).and_then(|above| above.checked_sub(&one)),
        };
        match fact.op {
            CompareOp::Eq => self.learn_sign(difference, Sign::Zero),
            CompareOp::Ne => self.learn_sign(difference, Sign::NonZero),
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {
                self.learn_sign(difference, Sign::NonNegative)
            }
        }
    }

    /// Learns how a value compares with zero. A value that could not be computed is skipped; the stated fact is still
    /// checked against actual sizes.
    fn learn_sign(&mut self, value: Result<Sym, Arithmetic>, sign: Sign) -> Result<(), Impossible> {
        let Ok(value) = value.and_then(|value| value.substitute(&self.definitions, self)) else {
            return Ok(());
        };
        if let Some(constant) = value.as_constant() {
            let holds = match sign {
                Sign::NonNegative => constant >= 0,
                Sign::Zero => constant == 0,
                Sign::NonZero => constant != 0,
            };
            return if holds { Ok(()) } else { Err(Impossible) };
        }
        match sign {
            Sign::NonNegative => self.learn_not_negative(value),
            Sign::Zero => self.learn_zero(value),
            Sign::NonZero => self.learn_not_zero(value),
        }
    }

    fn learn_not_negative(&mut self, value: Sym) -> Result<(), Impossible> {
        if let Some((symbol, coefficient, constant)) = linear_in_one_symbol(&value) {
            return self.bound(&symbol, coefficient, constant);
        }
        if self.may_compare() {
            if self.never_negative(&value) {
                return Ok(());
            }
            if self.always_negative(&value) {
                return Err(Impossible);
            }
        }
        self.bound_each_symbol(&value)?;
        self.relations.push(Relation { value, sign: Sign::NonNegative });
        Ok(())
    }

    /// Whether a new relation is compared with the earlier ones.
    fn may_compare(&mut self) -> bool {
        self.comparisons = self.comparisons.saturating_add(1);
        self.relations.len() < MOST_COMPARED && self.comparisons <= MOST_COMPARISONS
    }

    fn update(&mut self, symbol: &Symbol, known: Result<Known, Impossible>) -> Result<(), Impossible> {
        self.symbols.insert(symbol.clone(), known?);
        Ok(())
    }

    /// Learns that `coefficient * symbol + constant` is not negative.
    fn bound(&mut self, symbol: &Symbol, coefficient: i128, constant: i128) -> Result<(), Impossible> {
        let known = self.known(symbol);
        let Some(negated) = constant.checked_neg() else {
            return Ok(());
        };
        let known = if coefficient > 0 {
            known.raise(-(constant.floor_div(coefficient)))
        } else {
            known.lower(negated.floor_div(coefficient))
        };
        self.update(symbol, known)
    }

    /// Learns an interval for every symbol that is alone in a term of a non-negative value.
    fn bound_each_symbol(&mut self, value: &Sym) -> Result<(), Impossible> {
        for (coefficient, factors) in value.terms() {
            let [(Atom::Symbol(symbol), 1)] = factors else {
                continue;
            };
            let own = Sym::constant(coefficient).checked_mul(&Sym::symbol(symbol.clone()));
            let rest = own.and_then(|own| value.checked_sub(&own));
            // The rest may contain the symbol too; its interval still holds.
            if let Some(greatest) = rest.ok().and_then(|rest| self.range(&rest).hi) {
                self.bound(symbol, i128::from(coefficient), greatest)?;
            }
        }
        Ok(())
    }

    fn learn_zero(&mut self, value: Sym) -> Result<(), Impossible> {
        let class = self.congruence(&value);
        if class.modulus != 1 && class.residue != 0 {
            return Err(Impossible);
        }
        if let Some((symbol, coefficient, constant)) = linear_in_one_symbol(&value) {
            if constant.floor_rem(coefficient) != 0 {
                return Err(Impossible);
            }
            let point = -(constant / coefficient);
            let known = self.known(&symbol).raise(point).and_then(|known| known.lower(point));
            return self.update(&symbol, known);
        }
        if let Some((dividend, divisor)) = remainder_is_zero(&value)? {
            return self.learn_multiple(dividend, divisor);
        }
        if self.may_compare()
            && (self.always_negative(&value) || value.checked_neg().is_ok_and(|negated| self.always_negative(&negated)))
        {
            return Err(Impossible);
        }
        if self.definitions.len() < MOST_DEFINED
            && let Some((symbol, definition)) = definition_from(&value)
        {
            return self.define(symbol, definition);
        }
        self.bound_each_symbol(&value)?;
        if let Ok(negated) = value.checked_neg() {
            self.bound_each_symbol(&negated)?;
        }
        self.relations.push(Relation { value, sign: Sign::Zero });
        Ok(())
    }

    fn learn_not_zero(&mut self, value: Sym) -> Result<(), Impossible> {
        if let Some((symbol, coefficient, constant)) = linear_in_one_symbol(&value)
            && constant.floor_rem(coefficient) == 0
        {
            let excluded = -(constant / coefficient);
            let known = self.known(&symbol);
            if known.lo == excluded {
                let raised = known.raise(excluded + 1);
                self.update(&symbol, raised)?;
            } else if known.hi == Some(excluded) {
                let lowered = known.lower(excluded - 1);
                self.update(&symbol, lowered)?;
            }
        }
        let negated = value.checked_neg();
        if self.may_compare()
            && self.never_negative(&value)
            && negated.is_ok_and(|negated| self.never_negative(&negated))
        {
            return Err(Impossible);
        }
        self.relations.push(Relation { value, sign: Sign::NonZero });
        Ok(())
    }

    /// Learns that one integer is a multiple of another.
    fn learn_multiple(&mut self, dividend: Sym, divisor: Sym) -> Result<(), Impossible> {
        let Some(by) = divisor.as_constant().map(i128::from).filter(|by| *by > 0) else {
            self.divisions.push(Division { dividend, divisor });
            return Ok(());
        };
        match self.congruence(&dividend).residue_for(by) {
            Some(0) => return Ok(()),
            Some(_) => return Err(Impossible),
            None => {}
        }
        if let Some((whole, by)) = self.of_exact_quotient(&dividend, &divisor) {
            return self.learn_multiple(whole, by);
        }
        let Some((symbol, coefficient, constant)) = linear_in_one_symbol(&dividend) else {
            self.divisions.push(Division { dividend, divisor });
            return Ok(());
        };
        let common = coefficient.extended_gcd(&by);
        let common_divisor = greatest_common_divisor(coefficient, by);
        if constant.floor_rem(common_divisor) != 0 {
            return Err(Impossible);
        }
        // coefficient * symbol leaves -constant modulo `by`; the inverse of the coefficient gives the symbol's residue.
        let modulus = by / common_divisor;
        let inverse = if common.gcd < 0 { -common.x } else { common.x };
        let residue = (-(constant / common_divisor)).floor_rem(modulus) * inverse.floor_rem(modulus);
        let known = self.known(&symbol).restrict(modulus, residue.floor_rem(modulus));
        self.update(&symbol, known)
    }

    /// Of what a number is a multiple, and of which, if its exact quotient is a multiple of a number: `M / 64` is one of 8 where
    /// `M` is one of 512.
    fn of_exact_quotient(&self, quotient: &Sym, by: &Sym) -> Option<(Sym, Sym)> {
        let Some(Atom::FloorDiv { dividend, divisor, .. }) = quotient.as_atom() else { return None };
        let is_exact = divisor.as_constant().is_some_and(|divisor| divisor > 0) && self.divides(dividend, divisor);
        is_exact.then(|| Some((dividend.clone(), divisor.checked_mul(by).ok()?)))?
    }

    /// Learns that a symbol always equals an integer that does not contain it.
    fn define(&mut self, symbol: Symbol, definition: Sym) -> Result<(), Impossible> {
        let known = self.known(&symbol);
        self.definitions.insert(symbol.clone(), definition.clone());
        // The known bounds of the symbol now apply to its definition.
        let wide = |value: i128| i64::try_from(value).map(Sym::constant).ok();
        if let Some(lo) = wide(known.lo) {
            self.learn_sign(definition.checked_sub(&lo), Sign::NonNegative)?;
            if known.modulus > 1
                && let (Some(modulus), Ok(above)) = (wide(known.modulus), definition.checked_sub(&lo))
            {
                self.learn_multiple(above, modulus)?;
            }
        }
        if let Some(hi) = known.hi.and_then(wide) {
            self.learn_sign(hi.checked_sub(&definition), Sign::NonNegative)?;
        }
        // The symbol is replaced everywhere.
        let replacement = std::collections::BTreeMap::from([(symbol, definition)]);
        let empty = Facts::empty();
        let replaced = |value: &Sym| value.substitute(&replacement, &empty);
        let others = std::mem::take(&mut self.definitions);
        self.definitions = replacement.clone();
        for (other, value) in others {
            // A definition that has grown too large is dropped; the stated fact stays.
            if let Ok(value) = replaced(&value) {
                self.definitions.entry(other).or_insert(value);
            }
        }
        for relation in std::mem::take(&mut self.relations) {
            self.learn_sign(replaced(&relation.value), relation.sign)?;
        }
        for division in std::mem::take(&mut self.divisions) {
            if let (Ok(dividend), Ok(divisor)) = (replaced(&division.dividend), replaced(&division.divisor)) {
                self.learn_multiple(dividend, divisor)?;
            }
        }
        Ok(())
    }
}

/// The parts of `coefficient * symbol + constant`.
pub(super) fn linear_in_one_symbol(value: &Sym) -> Option<(Symbol, i128, i128)> {
    let polynomial = value.polynomial();
    let [(monomial, coefficient)] = polynomial.variable_terms() else {
        return None;
    };
    match monomial.as_variable()? {
        Atom::Symbol(symbol) => Some((symbol.clone(), *coefficient, polynomial.constant_term())),
        _ => None,
    }
}

/// The dividend and divisor for a value that is zero exactly where the dividend is a multiple of the divisor.
fn remainder_is_zero(value: &Sym) -> Result<Option<(Sym, Sym)>, Impossible> {
    let polynomial = value.polynomial();
    let [(monomial, coefficient)] = polynomial.variable_terms() else {
        return Ok(None);
    };
    let Some(Atom::Remainder { dividend, divisor }) = monomial.as_variable() else {
        return Ok(None);
    };
    let constant = polynomial.constant_term();
    if constant.mod_floor(coefficient) != 0 {
        return Err(Impossible);
    }
    let residue = -(constant / coefficient);
    if residue == 0 {
        return Ok(Some((dividend.clone(), divisor.clone())));
    }
    let Some(by) = divisor.as_constant() else {
        return Ok(None);
    };
    // A constant divisor of a remainder is at least 2 by construction.
    if residue < 0 || residue >= i128::from(by) {
        return Err(Impossible);
    }
    let residue = i64::try_from(residue).map(Sym::constant);
    let above = residue.ok().and_then(|residue| dividend.checked_sub(&residue).ok());
    Ok(above.map(|above| (above, divisor.clone())))
}

/// A symbol and what it equals, for a value that is zero.
fn definition_from(value: &Sym) -> Option<(Symbol, Sym)> {
    let alone = |(coefficient, factors): (i64, &[(Atom, u32)])| match factors {
        [(Atom::Symbol(symbol), 1)] if matches!(coefficient, 1 | -1) => Some((symbol.clone(), coefficient)),
        _ => None,
    };
    // The symbol that comes last in the alphabet is defined by the others; any choice would do.
    let mut candidates: Vec<(Symbol, i64)> = value.terms().filter_map(alone).collect();
    candidates.sort();
    candidates.into_iter().rev().find_map(|(symbol, coefficient)| {
        let own = Sym::constant(coefficient).checked_mul(&Sym::symbol(symbol.clone())).ok()?;
        let rest = value.checked_sub(&own).ok()?;
        let definition = if coefficient == 1 { rest.checked_neg().ok()? } else { rest };
        (!definition.symbols().contains(&symbol)).then_some((symbol, definition))
    })
}
