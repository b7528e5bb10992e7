//! Solves the equation of a dimension and its extent for a symbol: `N + 1` that is 5 makes `N` 4.

use super::error::EvaluateError;
use super::{Atom, Sym, Symbol};

/// What the extent of a dimension says of a symbol in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// The symbol has this value, which is at least 1.
    Is(Symbol, i64),
    /// The symbol would have to be this number, which is less than 1.
    TooSmall(Symbol, i64),
    /// No integer in the place of the symbol makes it so.
    Never(Symbol),
    /// Nothing: no symbol is unknown, or several are, or one whose value the extent does not decide, as in `N / 4`.
    Nothing,
}

impl Sym {
    /// What follows for the one symbol that is not known where this integer is `value`.
    pub fn solve(&self, value: i64, known: &dyn Fn(&Symbol) -> Option<i64>) -> Solved {
        self.solved(value, known).unwrap_or(Solved::Nothing)
    }

    fn solved(&self, value: i64, known: &dyn Fn(&Symbol) -> Option<i64>) -> Option<Solved> {
        let (mut rest, mut slope) = (i128::from(value), 0i128);
        let mut unknown: Option<&Symbol> = None;
        for (coefficient, factors) in self.terms() {
            let mut product = i128::from(coefficient);
            let mut of_unknown = None;
            for (atom, power) in factors {
                match (atom.evaluate(known), atom) {
                    (Ok(value), _) => product = product.checked_mul(value.checked_pow(*power)?)?,
                    (Err(EvaluateError::MissingSymbol(_)), Atom::Symbol(symbol))
                        if *power == 1 && of_unknown.is_none() =>
                    {
                        of_unknown = Some(symbol);
                    }
                    _ => return None,
                }
            }
            match of_unknown {
                Some(symbol) if unknown.is_none_or(|unknown| unknown == symbol) => {
                    unknown = Some(symbol);
                    slope = slope.checked_add(product)?;
                }
                Some(_) => return None,
                None => rest = rest.checked_sub(product)?,
            }
        }
        let symbol = unknown?.clone();
        // Without a slope, as in `Z * N` where `Z` is 0, any number does, or none.
        let solution = (slope != 0).then(|| (rest.checked_rem(slope), rest.checked_div(slope)));
        Some(match solution? {
            (Some(0), Some(solution)) => match i64::try_from(solution).ok()? {
                solution @ 1.. => Solved::Is(symbol, solution),
                solution => Solved::TooSmall(symbol, solution),
            },
            _ => Solved::Never(symbol),
        })
    }
}
