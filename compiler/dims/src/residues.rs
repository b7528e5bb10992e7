//! The remainder by a small constant of a value with products, where it is the same for all numbers in them: `n * (n + 1)` is
//! even.

use num_integer::Integer;

use super::polynomial::Monomial;
use super::{Atom, Facts, Sym};

/// The most combinations of remainders of the factors that are tried.
const MOST_TRIED: usize = 256;

impl Facts {
    /// The remainder of a value by a positive constant, if it is the same for all numbers.
    pub(super) fn residue(&self, value: &Sym, by: i128) -> Option<i128> {
        self.congruence(value).residue_for(by).or_else(|| self.residue_of_products(value, by))
    }

    /// The remainder of a sum of products depends on the remainders of the factors alone, so all of those are tried.
    fn residue_of_products(&self, value: &Sym, by: i128) -> Option<i128> {
        let polynomial = value.polynomial();
        let terms = polynomial.terms();
        // Without products, the remainder varies with each factor that does.
        if by < 2 || terms.iter().all(|(monomial, _)| monomial.is_one() || monomial.as_variable().is_some()) {
            return None;
        }
        let mut factors: Vec<&Atom> =
            terms.iter().flat_map(|(monomial, _)| monomial.factors()).map(|it| &it.0).collect();
        factors.sort_unstable();
        factors.dedup();
        let mut tried = 1_usize;
        let mut choices = Vec::with_capacity(factors.len());
        for factor in &factors {
            let possible = self.residues_of_factor(factor, by)?;
            tried = tried.checked_mul(possible.len()).filter(|tried| *tried <= MOST_TRIED)?;
            choices.push(possible);
        }
        let mut found = None;
        for number in 0..tried {
            let mut rest = number;
            let chosen: Vec<i128> = choices
                .iter()
                .map(|possible| {
                    let (others, place) = rest.div_rem(&possible.len());
                    rest = others;
                    possible[place]
                })
                .collect();
            let of = |atom: &Atom| factors.binary_search(&atom).ok().map(|place| chosen[place]);
            let mut sum = 0;
            for (monomial, coefficient) in terms {
                sum = (sum + residue_of_product(monomial, *coefficient, by, of)?).mod_floor(&by);
            }
            if *found.get_or_insert(sum) != sum {
                return None;
            }
        }
        found
    }

    /// The remainders that a factor may have.
    fn residues_of_factor(&self, factor: &Atom, by: i128) -> Option<Vec<i128>> {
        if by > MOST_TRIED as i128 {
            return None;
        }
        let known = self.congruence(&Sym::from_atom(factor.clone()).ok()?);
        // What is known for a part of the divisor leaves fewer: of `N % 4 == 1`, 1 and 5 by 8.
        let parts = (1..=by).rev().filter(|part| by % part == 0);
        let (part, residue) = parts.into_iter().find_map(|part| Some((part, known.residue_for(part)?)))?;
        Some((0..by).filter(|number| number % part == residue).collect())
    }
}

fn residue_of_product(
    monomial: &Monomial<Atom>,
    coefficient: i128,
    by: i128,
    of: impl Fn(&Atom) -> Option<i128>,
) -> Option<i128> {
    let mut product = coefficient.mod_floor(&by);
    for (atom, power) in monomial.factors() {
        // The factor to the power, by squares.
        let (mut square, mut power) = (of(atom)?, *power);
        while power > 0 {
            if power % 2 == 1 {
                product = (product * square).mod_floor(&by);
            }
            square = (square * square).mod_floor(&by);
            power /= 2;
        }
    }
    Some(product)
}
