//! Values that are uniform across a launch: computed once by the caller, read by compiled code.
//!
//! Compiled code does not contain the values of symbols, so that it serves every launch. Expressions of symbols are
//! folded into a table instead of being computed repeatedly: sizes, products of sizes that are coefficients of affine
//! forms, and multipliers for divisions by sizes.

use std::collections::{BTreeMap, HashMap};

use dims::{Sym, Symbol};
use kernel::typed::Kernel;

use crate::execute::bind::{evaluate, evaluate_wide};
use crate::execute::error::{ExecuteError, SizeOf};
use crate::interpreter::arithmetic::{floor_divide, floor_remainder};

/// A value that is uniform across the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LaunchValue {
    /// A compile-time constant.
    Constant(i64),
    /// An entry of the table.
    Slot(u32),
}

impl LaunchValue {
    /// The value, if it is a compile-time constant.
    pub fn as_constant(self) -> Option<i64> {
        match self {
            LaunchValue::Constant(value) => Some(value),
            LaunchValue::Slot(_) => None,
        }
    }

    /// Whether it is this constant.
    pub fn is(self, value: i64) -> bool {
        self == LaunchValue::Constant(value)
    }
}

/// The computation of an entry from earlier entries. Arithmetic wraps, as in compiled code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Recipe {
    Size(Sym),
    Divisor(Sym),
    Add(LaunchValue, LaunchValue),
    Multiply(LaunchValue, LaunchValue),
    FloorDivide(LaunchValue, LaunchValue),
    FloorRemainder(LaunchValue, LaunchValue),
    Xor(LaunchValue, LaunchValue),
    AtLeastOne(LaunchValue),
    Multiplier(LaunchValue),
    MultiplierShift(LaunchValue),
}

/// A division by a launch value without the processor's division: see [`LaunchTable::divider`].
#[derive(Clone, Copy, Debug)]
pub enum Divider {
    /// A division by 2 to this power.
    Shift(u32),
    /// `(2 * n * multiplier >> 64) >> shift` for n from 0 to 2^63 - 1; `divisor` is for the remainder.
    Multiply {
        /// The multiplier, an unsigned 64-bit number.
        multiplier: LaunchValue,
        /// The shift, below 64.
        shift: LaunchValue,
        /// The divisor, at least 1.
        divisor: LaunchValue,
    },
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct LaunchTable {
    recipes: Vec<Recipe>,
    known: HashMap<Recipe, u32>,
}

impl LaunchTable {
    fn slot(&mut self, recipe: Recipe) -> LaunchValue {
        let next = self.recipes.len() as u32;
        let recipes = &mut self.recipes;
        let slot = *self.known.entry(recipe.clone()).or_insert_with(|| {
            recipes.push(recipe);
            next
        });
        LaunchValue::Slot(slot)
    }

    /// The value of a size, or of the part of a sum that is one. A sum fits wherever it is computed, but a part of it need not: the
    /// lower 64 bits of the parts add up to the sum.
    pub fn size(&mut self, size: &Sym) -> LaunchValue {
        match size.as_constant() {
            Some(value) => LaunchValue::Constant(value),
            None => self.slot(Recipe::Size(size.clone())),
        }
    }

    /// The value of a size by which something is divided, which has to fit.
    pub fn divisor(&mut self, size: &Sym) -> LaunchValue {
        match size.as_constant() {
            Some(value) => LaunchValue::Constant(value),
            None => self.slot(Recipe::Divisor(size.clone())),
        }
    }

    /// The sum.
    pub fn add(&mut self, left: LaunchValue, right: LaunchValue) -> LaunchValue {
        match (left, right) {
            (LaunchValue::Constant(left), LaunchValue::Constant(right)) => {
                LaunchValue::Constant(left.wrapping_add(right))
            }
            (LaunchValue::Constant(0), other) | (other, LaunchValue::Constant(0)) => other,
            _ => self.slot(Recipe::Add(left.min(right), left.max(right))),
        }
    }

    /// The product.
    pub fn multiply(&mut self, left: LaunchValue, right: LaunchValue) -> LaunchValue {
        match (left, right) {
            (LaunchValue::Constant(left), LaunchValue::Constant(right)) => {
                LaunchValue::Constant(left.wrapping_mul(right))
            }
            (LaunchValue::Constant(0), _) | (_, LaunchValue::Constant(0)) => LaunchValue::Constant(0),
            (LaunchValue::Constant(1), other) | (other, LaunchValue::Constant(1)) => other,
            _ => self.slot(Recipe::Multiply(left.min(right), left.max(right))),
        }
    }

    /// The quotient rounded down, as [`floor_divide`] defines it.
    pub fn floor_divide(&mut self, left: LaunchValue, right: LaunchValue) -> LaunchValue {
        match (left, right) {
            (LaunchValue::Constant(left), LaunchValue::Constant(right)) => {
                LaunchValue::Constant(floor_divide(left, right))
            }
            (_, LaunchValue::Constant(..=1)) => left,
            _ => self.slot(Recipe::FloorDivide(left, right)),
        }
    }

    /// The remainder, as [`floor_remainder`] defines it.
    pub fn floor_remainder(&mut self, left: LaunchValue, right: LaunchValue) -> LaunchValue {
        match (left, right) {
            (LaunchValue::Constant(left), LaunchValue::Constant(right)) => {
                LaunchValue::Constant(floor_remainder(left, right))
            }
            (_, LaunchValue::Constant(..=1)) => LaunchValue::Constant(0),
            _ => self.slot(Recipe::FloorRemainder(left, right)),
        }
    }

    /// The bitwise exclusive or.
    pub fn xor(&mut self, left: LaunchValue, right: LaunchValue) -> LaunchValue {
        match (left, right) {
            (LaunchValue::Constant(left), LaunchValue::Constant(right)) => LaunchValue::Constant(left ^ right),
            _ => self.slot(Recipe::Xor(left.min(right), left.max(right))),
        }
    }

    /// Whether the value is so small that adding it to a position in a tensor several times never overflows 64 bits;
    /// `None` if that depends on the launch.
    pub fn magnitude_is_small(&self, value: LaunchValue) -> Option<bool> {
        value.as_constant().map(|value| value.unsigned_abs() < 1 << 40)
    }

    /// The value, or 1 if it is smaller: the divisor of floor division.
    pub fn at_least_one(&mut self, value: LaunchValue) -> LaunchValue {
        match value {
            LaunchValue::Constant(value) => LaunchValue::Constant(value.max(1)),
            LaunchValue::Slot(_) => self.slot(Recipe::AtLeastOne(value)),
        }
    }

    /// Whether a value is known to be so many times another one.
    pub fn is_multiple(&self, value: LaunchValue, of: LaunchValue, times: i64) -> bool {
        let product = self.formula(of).and_then(|of| of.checked_mul(&Sym::constant(times)).ok());
        product.is_some_and(|product| self.formula(value) == Some(product))
    }

    /// The formula of a value, unless it is one of divisions or bits.
    fn formula(&self, value: LaunchValue) -> Option<Sym> {
        let slot = match value {
            LaunchValue::Constant(value) => return Some(Sym::constant(value)),
            LaunchValue::Slot(slot) => slot,
        };
        match self.recipes.get(slot as usize)? {
            Recipe::Size(size) | Recipe::Divisor(size) => Some(size.clone()),
            Recipe::Add(left, right) => self.formula(*left)?.checked_add(&self.formula(*right)?).ok(),
            Recipe::Multiply(left, right) => self.formula(*left)?.checked_mul(&self.formula(*right)?).ok(),
            _ => None,
        }
    }

    /// The division by a launch value (by 1 if it is smaller).
    ///
    /// With s = ⌈log2 d⌉ and m = ⌈2^(63 + s) / d⌉, which is below 2^64, ⌊n / d⌋ = ⌊n · m / 2^(63 + s)⌋ for all n from 0
    /// to 2^63 − 1: the error of m is below d ≤ 2^s, so that n times it stays below 2^(63 + s). A multiplication is
    /// fast, and unlike the processor's division it cannot fault, so the code generator may move it out of loops.
    pub fn divider(&mut self, divisor: LaunchValue) -> Divider {
        let divisor = self.at_least_one(divisor);
        match divisor {
            LaunchValue::Constant(value) if value.count_ones() == 1 => Divider::Shift(value.trailing_zeros()),
            LaunchValue::Constant(value) => Divider::Multiply {
                multiplier: LaunchValue::Constant(multiplier(value)),
                shift: LaunchValue::Constant(multiplier_shift(value)),
                divisor,
            },
            LaunchValue::Slot(_) => Divider::Multiply {
                multiplier: self.slot(Recipe::Multiplier(divisor)),
                shift: self.slot(Recipe::MultiplierShift(divisor)),
                divisor,
            },
        }
    }

    /// The values of all entries for the given sizes.
    pub fn evaluate(&self, kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Result<Vec<i64>, ExecuteError> {
        let body = |size: &Sym| {
            let size = size.clone();
            move || SizeOf::Body(size.clone())
        };
        let mut values: Vec<i64> = Vec::with_capacity(self.recipes.len());
        for recipe in &self.recipes {
            // A recipe refers to earlier entries only.
            let value = |of: LaunchValue| match of {
                LaunchValue::Constant(value) => value,
                LaunchValue::Slot(slot) => values.get(slot as usize).copied().unwrap_or(0),
            };
            values.push(match recipe {
                Recipe::Size(size) => evaluate_wide(kernel, size, sizes, body(size))? as i64,
                Recipe::Divisor(size) => evaluate(kernel, size, sizes, body(size))?,
                Recipe::Add(left, right) => value(*left).wrapping_add(value(*right)),
                Recipe::Multiply(left, right) => value(*left).wrapping_mul(value(*right)),
                Recipe::FloorDivide(left, right) => floor_divide(value(*left), value(*right)),
                Recipe::FloorRemainder(left, right) => floor_remainder(value(*left), value(*right)),
                Recipe::Xor(left, right) => value(*left) ^ value(*right),
                Recipe::AtLeastOne(of) => value(*of).max(1),
                Recipe::Multiplier(divisor) => multiplier(value(*divisor)),
                Recipe::MultiplierShift(divisor) => multiplier_shift(value(*divisor)),
            });
        }
        Ok(values)
    }
}

/// ⌈log2 d⌉ for d ≥ 1.
fn multiplier_shift(divisor: i64) -> i64 {
    i64::from(64 - (divisor as u64 - 1).leading_zeros())
}

/// ⌈2^(63 + ⌈log2 d⌉) / d⌉ for d ≥ 1, as the bits of an unsigned number.
fn multiplier(divisor: i64) -> i64 {
    let power = 1u128 << (63 + multiplier_shift(divisor));
    power.div_ceil(divisor as u128) as u64 as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplication_divides() {
        let divisors = (1..100).chain([127, 128, 129, 1 << 31, (1 << 62) - 1, 1 << 62, i64::MAX - 1, i64::MAX]);
        for divisor in divisors {
            let (multiplier, shift) = (multiplier(divisor) as u64, multiplier_shift(divisor));
            let multiples = [0, 1, 2, 3, 1000, i64::MAX / divisor].map(|factor: i64| factor.saturating_mul(divisor));
            let near = multiples.into_iter().flat_map(|multiple| (-2..=2).map(move |k| multiple.saturating_add(k)));
            for dividend in near.chain([i64::MAX, i64::MAX - 1, 1 << 62]).filter(|&dividend| dividend >= 0) {
                let high = ((u128::from(dividend as u64) * 2 * u128::from(multiplier)) >> 64) as u64;
                assert_eq!((high >> shift) as i64, dividend / divisor, "{dividend} / {divisor}");
            }
        }
    }

    #[test]
    fn multiples_are_known_by_their_formulas() {
        let mut table = LaunchTable::default();
        let n = Sym::symbol(Symbol::new("N", 0));
        let (one, eight) = (table.size(&n), table.size(&n.checked_mul(&Sym::constant(8)).unwrap()));
        assert!(table.is_multiple(eight, one, 8));
        assert!(!table.is_multiple(eight, one, 4));
        let (twice, sum) = (table.multiply(one, LaunchValue::Constant(2)), table.add(one, one));
        assert!(table.is_multiple(eight, twice, 4) && table.is_multiple(twice, sum, 1));
        let rest = table.floor_remainder(one, LaunchValue::Constant(3));
        assert!(!table.is_multiple(rest, rest, 1));
    }

    #[test]
    fn constants_fold() {
        let mut table = LaunchTable::default();
        let size = table.size(&Sym::constant(6));
        assert_eq!(table.floor_divide(size, LaunchValue::Constant(4)), LaunchValue::Constant(1));
        assert_eq!(table.add(size, LaunchValue::Constant(-6)), LaunchValue::Constant(0));
        assert!(table.recipes.is_empty());
    }
}
