//! The least and the greatest of several symbolic integers.

use super::sym::Limit;
use super::{Arithmetic, Atom, Facts, Sym};

/// Minimum or maximum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extreme {
    Least,
    Greatest,
}

impl Extreme {
    fn name(self) -> &'static str {
        match self {
            Extreme::Least => "min",
            Extreme::Greatest => "max",
        }
    }

    /// The operands of an atom that is this extreme.
    fn operands(self, atom: Option<&Atom>) -> Option<&[Sym]> {
        match (self, atom) {
            (Extreme::Least, Some(Atom::Min(operands))) => Some(operands),
            (Extreme::Greatest, Some(Atom::Max(operands))) => Some(operands),
            _ => None,
        }
    }

    /// Whether `best` makes `other` redundant.
    fn is_dominated(self, other: &Sym, best: &Sym, facts: &Facts) -> bool {
        let difference = match self {
            Extreme::Least => other.checked_sub(best),
            Extreme::Greatest => best.checked_sub(other),
        };
        difference.is_ok_and(|difference| facts.never_negative(&difference))
    }
}

impl Sym {
    /// The lesser of two integers.
    pub fn checked_min(&self, other: &Sym, facts: &Facts) -> Result<Sym, Arithmetic> {
        Sym::min_of(&[self.clone(), other.clone()], facts)
    }

    /// The greater of two integers.
    pub fn checked_max(&self, other: &Sym, facts: &Facts) -> Result<Sym, Arithmetic> {
        Sym::max_of(&[self.clone(), other.clone()], facts)
    }

    /// The least of the operands; 0 without operands.
    pub(super) fn min_of(operands: &[Sym], facts: &Facts) -> Result<Sym, Arithmetic> {
        extreme(Extreme::Least, operands, facts)
    }

    /// The greatest of the operands; 0 without operands.
    pub(super) fn max_of(operands: &[Sym], facts: &Facts) -> Result<Sym, Arithmetic> {
        extreme(Extreme::Greatest, operands, facts)
    }
}

fn extreme(extreme: Extreme, operands: &[Sym], facts: &Facts) -> Result<Sym, Arithmetic> {
    let mut constant: Option<i64> = None;
    let mut symbolic: Vec<Sym> = Vec::new();
    let flattened = operands.iter().flat_map(|operand| match extreme.operands(operand.as_atom()) {
        Some(nested) => nested,
        None => std::slice::from_ref(operand),
    });
    for operand in flattened {
        match (operand.as_constant(), constant) {
            (None, _) => symbolic.push(operand.clone()),
            (Some(value), None) => constant = Some(value),
            (Some(value), Some(best)) if extreme == Extreme::Least => constant = Some(best.min(value)),
            (Some(value), Some(best)) => constant = Some(best.max(value)),
        }
    }
    symbolic.sort();
    symbolic.dedup();
    symbolic.extend(constant.map(Sym::constant));
    let left = undominated(extreme, symbolic, facts);
    match left.as_slice() {
        [] => Ok(Sym::zero()),
        [only] => Ok(only.clone()),
        [first, second, ..] => {
            let error = |limit: Limit| limit.between(first, extreme.name(), second);
            let atom = match extreme {
                Extreme::Least => Atom::Min(left.as_slice().into()),
                Extreme::Greatest => Atom::Max(left.as_slice().into()),
            };
            Sym::from_atom(atom).map_err(error)
        }
    }
}

/// Removes operands that are provably never better than a remaining one.
fn undominated(extreme: Extreme, operands: Vec<Sym>, facts: &Facts) -> Vec<Sym> {
    let mut left = operands;
    let mut position = 0;
    while position < left.len() {
        let others = left.iter().enumerate().filter(|(index, _)| *index != position);
        let dominated = others.into_iter().any(|(_, other)| extreme.is_dominated(&left[position], other, facts));
        if dominated {
            left.remove(position);
        } else {
            position += 1;
        }
    }
    left
}
