//! Comparisons of several sizes as people write them: `S <= T` for `8 * S <= 8 * T`.

use num_integer::Integer;

use super::polynomial::{Monomial, Polynomial};
use super::{Atom, CompareOp, Fact, Sym};

/// The most operations of `min` and `max` that are resolved.
const MOST_RESOLVED: usize = 4;

/// `difference op 0`, in which `op` is none of `>` and `>=`.
struct Compared {
    difference: Polynomial<Atom>,
    op: CompareOp,
    /// Whether it is simpler than what was written.
    simpler: bool,
}

impl Fact {
    /// The same comparison without common factors and terms, and without a `min` or `max` of which only one operand
    /// matters; `None` if there is nothing of these, or if it holds for all sizes or none.
    pub(super) fn tidied(&self) -> Option<Fact> {
        let mut compared = Compared::of(self)?;
        for _ in 0..=MOST_RESOLVED {
            compared.divide()?;
            if !compared.resolve() {
                break;
            }
        }
        if !compared.simpler || compared.difference.as_constant().is_some() {
            return None;
        }
        let (left, negative) = compared.difference.partition(|_, coefficient| coefficient > 0);
        let sides = [left, negative.negate()?].map(Sym::from_polynomial);
        let [Ok(left), Ok(right)] = sides else { return None };
        Some(Fact::compare(left, compared.op, right))
    }

    /// Whether a fact leaves a dimension only one size, 1, which no program is written for.
    pub(super) fn leaves_one_size(&self) -> bool {
        let bound = (self.left.as_symbol(), self.right.as_constant());
        match (bound, self.op) {
            ((Some(_), Some(bound)), CompareOp::Le) => bound <= 1,
            ((Some(_), Some(bound)), CompareOp::Lt) => bound <= 2,
            _ => false,
        }
    }
}

impl Compared {
    fn of(fact: &Fact) -> Option<Self> {
        let difference = fact.left.polynomial().subtract(&fact.right.polynomial())?;
        let separate = fact.left.polynomial().terms().len() + fact.right.polynomial().terms().len();
        // Terms on both sides are written once.
        let simpler = difference.terms().len() < separate;
        Some(match fact.op {
            CompareOp::Ge | CompareOp::Gt => Self { difference: difference.negate()?, op: fact.op.turned(), simpler },
            op => Self { difference, op, simpler },
        })
    }

    /// Divides by common sizes, which are at least 1, and by a common number.
    fn divide(&mut self) -> Option<()> {
        let mut terms = self.difference.terms().iter();
        let (first, _) = terms.next()?;
        let shared = terms.fold(first.clone(), |shared, (monomial, _)| shared.common(monomial));
        for (atom, power) in shared.factors() {
            if !matches!(atom, Atom::Symbol(symbol) if symbol.least() >= 1) {
                continue;
            }
            for _ in 0..*power {
                let divisor = Polynomial::term(Monomial::variable(atom.clone()), 1);
                self.difference = self.difference.divide_exactly(&divisor)?;
                self.simpler = true;
            }
        }
        let content = self.difference.content();
        let constant = self.difference.constant_term();
        if content <= 1 {
            return Some(());
        }
        if !constant.is_multiple_of(&content) {
            // `8 * S - 8 * T <= 3` is `S - T <= 0`.
            let limit = match self.op {
                CompareOp::Le => constant.checked_neg()?,
                CompareOp::Lt => constant.checked_neg()?.checked_sub(1)?,
                _ => return Some(()),
            };
            let whole = Integer::div_floor(&limit, &content).checked_mul(content)?;
            self.difference = self.difference.add_constant(constant.checked_neg()?.checked_sub(whole)?)?;
            self.op = CompareOp::Le;
        }
        self.difference = self.difference.divide_coefficients(content)?;
        self.simpler = true;
        Some(())
    }

    /// Replaces a `min` that has to be large, or a `max` that has to be small, by its only operand for which that is not
    /// certain; tells whether there was one.
    fn resolve(&mut self) -> bool {
        if !matches!(self.op, CompareOp::Le | CompareOp::Lt) {
            return false;
        }
        let resolved = self.difference.terms().iter().find_map(|(monomial, coefficient)| {
            let operands = match monomial.as_variable()? {
                Atom::Min(operands) if *coefficient < 0 => operands,
                Atom::Max(operands) if *coefficient > 0 => operands,
                _ => return None,
            };
            let without = self.difference.subtract(&Polynomial::term(monomial.clone(), *coefficient))?;
            let mut uncertain = Vec::new();
            for operand in operands.iter() {
                let with = without.add_scaled(&operand.polynomial(), *coefficient)?;
                let holds = match (with.as_constant(), self.op) {
                    (Some(constant), CompareOp::Le) => constant <= 0,
                    (Some(constant), _) => constant < 0,
                    (None, _) => false,
                };
                if !holds {
                    uncertain.push(with);
                }
            }
            <[Polynomial<Atom>; 1]>::try_from(uncertain).ok()
        });
        let Some([difference]) = resolved else { return false };
        (self.difference, self.simpler) = (difference, true);
        true
    }
}
