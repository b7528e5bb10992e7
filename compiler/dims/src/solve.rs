//! Solves the equation of a dimension and its extent for a symbol: `N + 1 = 5` gives `N = 4`. An exact quotient is solved for its
//! dividend: where `K` is a multiple of 128, `K / 128 = 2` gives `K = 256`.

use super::error::EvaluateError;
use super::{Atom, Sym, Symbol};

/// The solution for a symbol in a dimension with a known extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// The symbol has this value, which is at least 1.
    Is(Symbol, i64),
    /// The only solution is this number, which is less than 1.
    TooSmall(Symbol, i64),
    /// There is no integer solution.
    Never(Symbol),
    /// Not determined: no symbol is unknown, or several are, or the extent does not determine it, as in `N / 4`.
    Nothing,
}

impl Sym {
    /// Solves `self = value` for the one unknown symbol.
    pub fn solve(&self, value: i64, known: &dyn Fn(&Symbol) -> Option<i64>) -> Solved {
        self.solved(value, known).unwrap_or(Solved::Nothing)
    }

    fn solved(&self, value: i64, known: &dyn Fn(&Symbol) -> Option<i64>) -> Option<Solved> {
        let (mut rest, mut slope) = (i128::from(value), 0i128);
        let mut unknown: Option<&Atom> = None;
        for (coefficient, factors) in self.terms() {
            let mut product = i128::from(coefficient);
            let mut of_unknown = None;
            for (atom, power) in factors {
                match (atom.evaluate(known), atom) {
                    (Ok(value), _) => product = product.checked_mul(value.checked_pow(*power)?)?,
                    (Err(EvaluateError::MissingSymbol(_)), Atom::Symbol(_) | Atom::FloorDiv { exact: true, .. })
                        if *power == 1 && of_unknown.is_none() =>
                    {
                        of_unknown = Some(atom);
                    }
                    _ => return None,
                }
            }
            match of_unknown {
                Some(atom) if unknown.is_none_or(|unknown| unknown == atom) => {
                    unknown = Some(atom);
                    slope = slope.checked_add(product)?;
                }
                Some(_) => return None,
                None => rest = rest.checked_sub(product)?,
            }
        }
        // Without a slope, as in `Z * N` with `Z = 0`, every integer is a solution or none is.
        let solution = (slope != 0).then(|| (rest.checked_rem(slope), rest.checked_div(slope)));
        let solution = match solution? {
            (Some(0), Some(solution)) => Some(i64::try_from(solution).ok()?),
            _ => None,
        };
        match (unknown?, solution) {
            (Atom::FloorDiv { dividend, divisor, .. }, Some(solution)) => {
                let divisor = divisor.evaluate(known).ok()?;
                dividend.solved(solution.checked_mul(divisor)?, known)
            }
            (Atom::Symbol(symbol), Some(solution @ 1..)) => Some(Solved::Is(symbol.clone(), solution)),
            (Atom::Symbol(symbol), Some(solution)) => Some(Solved::TooSmall(symbol.clone(), solution)),
            (atom, None) => {
                let symbols = Sym::from_atom(atom.clone()).ok()?.symbols();
                let mut unknown = symbols.into_iter().filter(|symbol| known(symbol).is_none());
                let only = unknown.next().filter(|_| unknown.next().is_none())?;
                Some(Solved::Never(only))
            }
            _ => None,
        }
    }
}
