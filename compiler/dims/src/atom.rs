//! Operations on a single atom.

use super::integer::FloorDivision;

use super::{Atom, EvaluateError, Sym, Symbol};

impl Atom {
    /// The operands of an atom; a symbol has none.
    pub fn operands(&self) -> impl Iterator<Item = &Sym> {
        let (pair, list): ([Option<&Sym>; 2], &[Sym]) = match self {
            Atom::Symbol(_) => ([None, None], &[]),
            Atom::FloorDiv { dividend, divisor, .. } | Atom::Remainder { dividend, divisor } => {
                ([Some(dividend), Some(divisor)], &[])
            }
            Atom::Min(operands) | Atom::Max(operands) => ([None, None], operands),
        };
        pair.into_iter().flatten().chain(list)
    }

    pub(super) fn evaluate(&self, assignment: &dyn Fn(&Symbol) -> Option<i64>) -> Result<i128, EvaluateError> {
        let divide = |dividend: &Sym, divisor: &Sym| {
            let by = divisor.evaluate_wide(assignment)?;
            if by == 0 {
                return Err(EvaluateError::DivisionByZero(divisor.clone()));
            }
            let value = dividend.evaluate_wide(assignment)?;
            // The one quotient of two 128-bit integers that overflows.
            if value == i128::MIN && by == -1 {
                Err(EvaluateError::Overflow)
            } else {
                Ok((value.floor_div(by), value.floor_rem(by)))
            }
        };
        match self {
            Atom::Symbol(symbol) => {
                assignment(symbol).map(i128::from).ok_or_else(|| EvaluateError::MissingSymbol(symbol.clone()))
            }
            Atom::FloorDiv { dividend, divisor, .. } => Ok(divide(dividend, divisor)?.0),
            Atom::Remainder { dividend, divisor } => Ok(divide(dividend, divisor)?.1),
            Atom::Min(operands) => fold(operands, assignment, i128::min),
            Atom::Max(operands) => fold(operands, assignment, i128::max),
        }
    }
}

fn fold(
    operands: &[Sym],
    assignment: &dyn Fn(&Symbol) -> Option<i64>,
    choose: fn(i128, i128) -> i128,
) -> Result<i128, EvaluateError> {
    let mut chosen = None;
    for operand in operands {
        let value = operand.evaluate_wide(assignment)?;
        chosen = Some(chosen.map_or(value, |best| choose(best, value)));
    }
    // The list of operands is never empty by construction.
    Ok(chosen.unwrap_or_default())
}
