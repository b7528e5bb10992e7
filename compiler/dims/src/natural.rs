//! The prover's view of an integer: a polynomial over variables that are zero or positive.
//!
//! A symbol `M` with `M % 64 == 0` becomes `64 * m + 64` with `m >= 0`, which encodes divisibility and lower bounds.
//! A quotient becomes a variable with the two inequalities that define rounding down. A remainder is expressed by its
//! quotient. A minimum or maximum is one of its operands: the prover tries each.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Relation, Sign};
use super::integer::{FloorDivision, greatest_common_divisor};
use super::polynomial::Polynomial;
use super::search;
use super::{Atom, Facts, Sym, Symbol};

/// The most relations that are used for one question.
const MOST_RELATIONS: usize = 32;

/// A polynomial over the prover's variables.
pub(super) type Natural = Polynomial<u32>;

/// Why an integer could not be translated.
pub(super) enum Stop {
    /// The prover cannot represent it: a coefficient is too large, or a divisor is zero.
    GiveUp,
    /// It depends on which operand is this minimum or maximum.
    Choose(Atom),
}

/// The prover's state for one question.
pub(super) struct Translation<'f> {
    facts: &'f Facts,
    /// For every minimum or maximum decided so far, the chosen operand.
    choices: &'f [(Atom, usize)],
    symbols: BTreeMap<Symbol, Natural>,
    /// The symbols whose divisors are being translated.
    open: BTreeSet<Symbol>,
    quotients: BTreeMap<(Natural, Natural), Natural>,
    pub known: search::Known,
}

impl<'f> Translation<'f> {
    pub fn new(facts: &'f Facts, choices: &'f [(Atom, usize)]) -> Translation<'f> {
        Translation {
            facts,
            choices,
            symbols: BTreeMap::new(),
            open: BTreeSet::new(),
            quotients: BTreeMap::new(),
            known: search::Known::default(),
        }
    }

    /// Adds the facts about the given symbols, and the choices made.
    pub fn add_facts(&mut self, symbols: &BTreeSet<Symbol>) -> Result<(), Stop> {
        let facts = self.facts;
        let related = facts.related(symbols);
        // Facts about the symbols themselves come first, where there are too many to use all.
        let mentioned = |relation: &&Relation| relation.value.mentions(&related);
        let (direct, others): (Vec<_>, Vec<_>) =
            facts.relations.iter().filter(mentioned).partition(|relation| relation.value.mentions(symbols));
        for relation in direct.into_iter().chain(others).take(MOST_RELATIONS) {
            passing_over(self.add_relation(&relation.value, relation.sign))?;
        }
        for division in facts.divisions.iter().filter(|division| division.dividend.mentions(&related)) {
            passing_over(self.add_division(&division.dividend, &division.divisor))?;
        }
        for (atom, chosen) in self.choices {
            let (operands, sign) = match atom {
                Atom::Min(operands) => (operands, 1),
                Atom::Max(operands) => (operands, -1),
                Atom::Symbol(_) | Atom::FloorDiv { .. } | Atom::Remainder { .. } => continue,
            };
            let best = self.translate(&operands[*chosen])?;
            for other in operands.iter() {
                let apart = self.translate(other)?.subtract(&best).and_then(|apart| apart.scale(sign));
                self.known.assume(apart.ok_or(Stop::GiveUp)?);
            }
        }
        Ok(())
    }

    fn add_relation(&mut self, value: &Sym, sign: Sign) -> Result<(), Stop> {
        if sign == Sign::NonZero {
            return Ok(());
        }
        let value = self.translate(value)?;
        if sign == Sign::Zero {
            self.known.assume(value.negate().ok_or(Stop::GiveUp)?);
        }
        self.known.assume(value);
        Ok(())
    }

    fn add_division(&mut self, dividend: &Sym, divisor: &Sym) -> Result<(), Stop> {
        let (dividend, divisor) = (self.translate(dividend)?, self.translate(divisor)?);
        let quotient = self.quotient(dividend.clone(), divisor.clone())?;
        // The remainder is zero, whatever the sign of the divisor.
        let product = divisor.multiply(&quotient).ok_or(Stop::GiveUp)?;
        let remainder = dividend.subtract(&product).ok_or(Stop::GiveUp)?;
        self.known.assume(remainder.negate().ok_or(Stop::GiveUp)?);
        self.known.assume(remainder);
        // A positive multiple of a positive integer is at least that integer.
        let positive = |value: &Natural| value.add_constant(-1).is_some_and(|above| self.known.proves(&above));
        if positive(&dividend) && positive(&divisor) {
            self.known.assume(quotient.add_constant(-1).ok_or(Stop::GiveUp)?);
        }
        Ok(())
    }

    pub fn translate(&mut self, value: &Sym) -> Result<Natural, Stop> {
        if let Some(constant) = value.as_constant() {
            return Ok(Natural::constant(i128::from(constant)));
        }
        let mut sum = Natural::zero();
        for (coefficient, factors) in value.terms() {
            let mut product = Natural::constant(i128::from(coefficient));
            for (atom, power) in factors {
                let translated = self.atom(atom)?;
                for _ in 0..*power {
                    product = search::bounded(product.multiply(&translated)).ok_or(Stop::GiveUp)?;
                }
            }
            sum = search::bounded(sum.add(&product)).ok_or(Stop::GiveUp)?;
        }
        Ok(sum)
    }

    fn atom(&mut self, atom: &Atom) -> Result<Natural, Stop> {
        match atom {
            Atom::Symbol(symbol) => self.symbol(symbol),
            Atom::FloorDiv { dividend, divisor, .. } => {
                let (dividend, divisor) = (self.translate(dividend)?, self.translate(divisor)?);
                self.quotient(dividend, divisor)
            }
            Atom::Remainder { dividend, divisor } => {
                let (dividend, divisor) = (self.translate(dividend)?, self.translate(divisor)?);
                let quotient = self.quotient(dividend.clone(), divisor.clone())?;
                let whole = divisor.multiply(&quotient);
                whole.and_then(|whole| dividend.subtract(&whole)).ok_or(Stop::GiveUp)
            }
            Atom::Min(operands) | Atom::Max(operands) => {
                let decided = self.choices.iter().find(|(decided, _)| decided == atom);
                let Some((_, chosen)) = decided else {
                    return Err(Stop::Choose(atom.clone()));
                };
                self.translate(&operands[*chosen])
            }
        }
    }

    fn symbol(&mut self, symbol: &Symbol) -> Result<Natural, Stop> {
        if let Some(translated) = self.symbols.get(symbol) {
            return Ok(translated.clone());
        }
        let facts = self.facts;
        let translated = match facts.definition(symbol) {
            Some(definition) => self.translate(definition)?,
            None if let Some(multiple) = self.multiple(symbol)? => multiple,
            // The divisor may have been about the symbol itself.
            None if let Some(translated) = self.symbols.get(symbol) => return Ok(translated.clone()),
            None => {
                let known = facts.known(symbol);
                match known.hi {
                    Some(hi) if hi == known.lo => Natural::constant(hi),
                    hi => {
                        let steps = self.known.fresh(true);
                        if let Some(hi) = hi {
                            let most = Natural::constant((hi - known.lo).floor_div(known.modulus));
                            self.known.assume(most.subtract(&steps).ok_or(Stop::GiveUp)?);
                        }
                        let above = steps.scale(known.modulus).and_then(|above| above.add_constant(known.lo));
                        above.ok_or(Stop::GiveUp)?
                    }
                }
            }
        };
        self.symbols.insert(symbol.clone(), translated.clone());
        Ok(translated)
    }

    /// A symbol as a product, if a fact says that it is a multiple of a positive integer: what divides it then cancels.
    fn multiple(&mut self, symbol: &Symbol) -> Result<Option<Natural>, Stop> {
        let (facts, own) = (self.facts, Sym::symbol(symbol.clone()));
        let is_multiple = |divisor: &Sym| divisor.as_constant().is_none() && !divisor.symbols().contains(symbol);
        let division =
            facts.divisions.iter().find(|division| division.dividend == own && is_multiple(&division.divisor));
        let known = facts.known(symbol);
        let Some(division) = division.filter(|_| known.lo >= 0 && known.modulus == 1) else { return Ok(None) };
        if !self.open.insert(symbol.clone()) {
            return Ok(None);
        }
        let divisor = self.translate(&division.divisor);
        self.open.remove(symbol);
        let divisor = divisor?;
        let is_positive = divisor.add_constant(-1).is_some_and(|above| self.known.proves(&above));
        if !is_positive || self.symbols.contains_key(symbol) {
            return Ok(None);
        }
        // A positive multiple of a positive integer is at least that integer.
        let quotient = self.known.fresh(true).add_constant(known.lo.min(1)).ok_or(Stop::GiveUp)?;
        let product = search::bounded(divisor.multiply(&quotient)).ok_or(Stop::GiveUp)?;
        self.known.assume(product.add_constant(-known.lo).ok_or(Stop::GiveUp)?);
        if let Some(hi) = known.hi {
            self.known.assume(Natural::constant(hi).subtract(&product).ok_or(Stop::GiveUp)?);
        }
        Ok(Some(product))
    }

    /// The quotient rounded down.
    fn quotient(&mut self, dividend: Natural, divisor: Natural) -> Result<Natural, Stop> {
        match divisor.as_constant() {
            Some(0) => Err(Stop::GiveUp),
            Some(1) => Ok(dividend),
            Some(by) if by < 0 => {
                let (dividend, divisor) = (dividend.negate(), divisor.negate());
                self.quotient(dividend.ok_or(Stop::GiveUp)?, divisor.ok_or(Stop::GiveUp)?)
            }
            Some(by) => self.quotient_by_constant(&dividend, by),
            None => self.quotient_by_symbolic(dividend, divisor),
        }
    }

    /// The multiples of the divisor in every coefficient are taken out of the quotient, so that equal quotients get
    /// equal variables and the rest has no negative coefficient.
    fn quotient_by_constant(&mut self, dividend: &Natural, by: i128) -> Result<Natural, Stop> {
        let whole = dividend.terms().iter().map(|(monomial, value)| (monomial.clone(), value.floor_div(by)));
        let whole = Natural::collect(whole.collect()).ok_or(Stop::GiveUp)?;
        let rest = dividend.add_scaled(&whole, by.checked_neg().ok_or(Stop::GiveUp)?).ok_or(Stop::GiveUp)?;
        let content = rest.content();
        if content == 0 {
            // The rest keeps a constant below the divisor.
            return Ok(whole);
        }
        let common = greatest_common_divisor(content, by);
        let constant = rest.constant_term();
        let rest = rest.add_constant(-constant).and_then(|rest| rest.divide_coefficients(common));
        let rest = rest.and_then(|rest| rest.add_constant(constant.floor_div(common))).ok_or(Stop::GiveUp)?;
        let divisor = Natural::constant(by / common);
        let quotient = if by == common { rest } else { self.variable(rest, divisor)? };
        whole.add(&quotient).ok_or(Stop::GiveUp)
    }

    fn quotient_by_symbolic(&mut self, dividend: Natural, divisor: Natural) -> Result<Natural, Stop> {
        if let Some(exact) = dividend.divide_exactly(&divisor) {
            return Ok(exact);
        }
        let key = (dividend, divisor);
        if let Some(variable) = self.quotients.get(&key) {
            return Ok(variable.clone());
        }
        let (dividend, divisor) = key;
        let below_zero = || divisor.negate()?.add_constant(-1);
        if divisor.add_constant(-1).is_some_and(|positive| self.known.proves(&positive)) {
            return self.variable(dividend, divisor);
        }
        if below_zero().is_some_and(|negative| self.known.proves(&negative)) {
            let (dividend, divisor) = (dividend.negate(), divisor.negate());
            return self.variable(dividend.ok_or(Stop::GiveUp)?, divisor.ok_or(Stop::GiveUp)?);
        }
        // Nothing is known about a quotient by a divisor of unknown sign, except that equal ones are equal.
        let variable = self.known.fresh(false);
        self.quotients.insert((dividend, divisor), variable.clone());
        Ok(variable)
    }

    /// The variable for a quotient by a positive divisor.
    fn variable(&mut self, dividend: Natural, divisor: Natural) -> Result<Natural, Stop> {
        let key = (dividend, divisor);
        if let Some(variable) = self.quotients.get(&key) {
            return Ok(variable.clone());
        }
        let not_negative = self.known.proves(&key.0);
        let variable = self.known.fresh(not_negative);
        let whole = key.1.multiply(&variable).ok_or(Stop::GiveUp)?;
        let remainder = key.0.subtract(&whole).ok_or(Stop::GiveUp)?;
        let room = key.1.subtract(&remainder).and_then(|room| room.add_constant(-1)).ok_or(Stop::GiveUp)?;
        self.known.assume(remainder);
        self.known.assume(room);
        self.known.divided_by(&variable, key.1.clone());
        self.quotients.insert(key, variable.clone());
        Ok(variable)
    }
}

/// Ignores a fact that the prover cannot represent, which is sound; choices are still reported.
fn passing_over(result: Result<(), Stop>) -> Result<(), Stop> {
    match result {
        Err(Stop::GiveUp) => Ok(()),
        other => other,
    }
}
