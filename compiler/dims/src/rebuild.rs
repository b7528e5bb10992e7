//! Symbolic integers built again, with other symbols or under other facts.

use std::collections::BTreeMap;

use super::{Arithmetic, Atom, Facts, Sym, Symbol};

impl Sym {
    /// The integer with some of its symbols replaced, in canonical form under the given facts.
    ///
    /// Canonical forms rely on the facts about their symbols, at least on their signs. So the result is valid only
    /// where the replacements satisfy the facts about the symbols they replace.
    pub fn substitute(&self, replacements: &BTreeMap<Symbol, Sym>, facts: &Facts) -> Result<Sym, Arithmetic> {
        self.rebuild(&|symbol| replacements.get(symbol).cloned(), facts)
    }

    /// The same integer in canonical form under the given facts, which may be stronger than those under which it was
    /// built.
    pub fn simplify(&self, facts: &Facts) -> Result<Sym, Arithmetic> {
        self.rebuild(&|_| None, facts)
    }

    pub(super) fn rebuild(&self, replace: &dyn Fn(&Symbol) -> Option<Sym>, facts: &Facts) -> Result<Sym, Arithmetic> {
        if self.as_constant().is_some() {
            return Ok(self.clone());
        }
        let mut sum = Sym::zero();
        for (coefficient, factors) in self.terms() {
            let mut product = Sym::constant(coefficient);
            for (atom, power) in factors {
                let value = atom.rebuild(replace, facts)?;
                for _ in 0..*power {
                    product = product.checked_mul(&value)?;
                }
            }
            sum = sum.checked_add(&product)?;
        }
        Ok(sum)
    }
}

impl Atom {
    /// The atom rebuilt with replaced symbols, under the given facts.
    fn rebuild(&self, replace: &dyn Fn(&Symbol) -> Option<Sym>, facts: &Facts) -> Result<Sym, Arithmetic> {
        let again = |operand: &Sym| operand.rebuild(replace, facts);
        match self {
            Atom::Symbol(symbol) => Ok(replace(symbol).unwrap_or_else(|| Sym::symbol(symbol.clone()))),
            Atom::FloorDiv { dividend, divisor, .. } => again(dividend)?.checked_floor_div(&again(divisor)?, facts),
            Atom::Remainder { dividend, divisor } => again(dividend)?.checked_remainder(&again(divisor)?, facts),
            Atom::Min(operands) => {
                let operands: Result<Vec<Sym>, Arithmetic> = operands.iter().map(again).collect();
                Sym::min_of(&operands?, facts)
            }
            Atom::Max(operands) => {
                let operands: Result<Vec<Sym>, Arithmetic> = operands.iter().map(again).collect();
                Sym::max_of(&operands?, facts)
            }
        }
    }
}
