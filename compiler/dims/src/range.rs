//! Intervals and residue classes of integers, and arithmetic on them.

use super::CompareOp;
use super::integer::{FloorDivision, greatest_common_divisor};

/// The integers from `lo` to `hi`, both included; a missing bound is unbounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// The least value, if there is a known one.
    pub lo: Option<i128>,
    /// The greatest value, if there is a known one.
    pub hi: Option<i128>,
}

impl Default for Interval {
    /// All integers.
    fn default() -> Self {
        Self::EVERYTHING
    }
}

impl Interval {
    /// All integers.
    pub const EVERYTHING: Interval = Interval { lo: None, hi: None };

    /// A single integer.
    #[inline]
    pub fn point(value: i128) -> Interval {
        Interval { lo: Some(value), hi: Some(value) }
    }

    /// The integers from `lo` to `hi`, both of them included.
    #[inline]
    pub fn between(lo: i128, hi: i128) -> Interval {
        Interval { lo: Some(lo), hi: Some(hi) }
    }

    /// Whether all integers are in another interval.
    #[inline]
    pub fn lies_in(self, outer: Interval) -> bool {
        let reaches = |own: Option<i128>, outer: Option<i128>, fits: fn(i128, i128) -> bool| {
            outer.is_none_or(|outer| own.is_some_and(|own| fits(own, outer)))
        };
        reaches(self.lo, outer.lo, |own, outer| own >= outer) && reaches(self.hi, outer.hi, |own, outer| own <= outer)
    }

    /// Whether none is below zero.
    pub fn is_natural(self) -> bool {
        self.lo.is_some_and(|lo| lo >= 0)
    }

    /// The negatives.
    #[must_use]
    pub fn negate(self) -> Interval {
        self.times(-1)
    }

    /// The products with one number.
    #[must_use]
    #[inline]
    pub fn times(self, factor: i128) -> Interval {
        let end = |end: Option<i128>| product(end?, factor);
        match factor.signum() {
            0 => Interval::point(0),
            1 => Interval { lo: end(self.lo), hi: end(self.hi) },
            _ => Interval { lo: end(self.hi), hi: end(self.lo) },
        }
    }

    /// The differences.
    #[must_use]
    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.negate())
    }

    /// The smallest interval that holds both.
    #[must_use]
    pub fn union(self, other: Interval) -> Interval {
        Interval { lo: both(self.lo, other.lo, i128::min), hi: both(self.hi, other.hi, i128::max) }
    }

    /// The sums.
    #[must_use]
    #[inline]
    pub fn plus(self, other: Interval) -> Interval {
        let sum = |left: Option<i128>, right: Option<i128>| left?.checked_add(right?);
        Interval { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi) }
    }

    /// The products.
    #[must_use]
    pub fn multiply(self, other: Interval) -> Interval {
        if let (Some(left), Some(right)) = (self.lo, other.lo)
            && left >= 0
            && right >= 0
        {
            // Sizes and counts, the most frequent: the ends are multiplied. Zero times any end is zero.
            let hi = match (self.hi, other.hi) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (left, right) => both_multiplied(left, right),
            };
            return Interval { lo: product(left, right), hi };
        }
        let own = [Bound::low(self.lo), Bound::high(self.hi)];
        let theirs = [Bound::low(other.lo), Bound::high(other.hi)];
        let products = own.iter().flat_map(|left| theirs.iter().map(|right| left.multiply(*right)));
        let (mut least, mut greatest) = (Bound::PlusInfinity, Bound::MinusInfinity);
        for product in products {
            least = least.min(product);
            greatest = greatest.max(product);
        }
        Interval { lo: least.finite(), hi: greatest.finite() }
    }

    /// The quotients, rounded down, by a divisor that is at least one throughout.
    #[must_use]
    pub fn divide(self, divisor: Interval) -> Interval {
        let Some(least) = divisor.lo.filter(|least| *least >= 1) else {
            return Interval::EVERYTHING;
        };
        // A value above zero is least when divided by the greatest divisor; one below zero, by the least.
        let by_greatest = |value: i128| match divisor.hi {
            // The divisor's interval can be empty where nothing is executed.
            Some(greatest) => value.floor_div(greatest.max(least)),
            None => value.signum().min(0),
        };
        let lo = self.lo.map(|lo| if lo >= 0 { by_greatest(lo) } else { lo.floor_div(least) });
        let hi = self.hi.map(|hi| if hi >= 0 { hi.floor_div(least) } else { by_greatest(hi) });
        Interval { lo, hi }
    }

    /// The remainders by a divisor that is at least one throughout.
    #[must_use]
    pub fn remainder(self, divisor: Interval) -> Interval {
        if divisor.lo.is_none_or(|least| least < 1) {
            return Interval::EVERYTHING;
        }
        let below_divisor = divisor.hi.map(|greatest| greatest - 1);
        let below_dividend = self.hi.filter(|_| self.lo.is_some_and(|lo| lo >= 0));
        Interval { lo: Some(0), hi: least_known(below_divisor, below_dividend) }
    }

    /// Whether every number of this interval compares so with every one of the other, or none does; `None` if some do.
    pub fn compare(self, op: CompareOp, other: Interval) -> Option<bool> {
        let is_below = |one: Interval, other: Interval| one.hi.zip(other.lo).is_some_and(|(hi, lo)| hi < lo);
        let is_at_most = |one: Interval, other: Interval| one.hi.zip(other.lo).is_some_and(|(hi, lo)| hi <= lo);
        let (holds, fails) = match op {
            CompareOp::Lt => (is_below(self, other), is_at_most(other, self)),
            CompareOp::Le => (is_at_most(self, other), is_below(other, self)),
            CompareOp::Gt => (is_below(other, self), is_at_most(self, other)),
            CompareOp::Ge => (is_at_most(other, self), is_below(self, other)),
            CompareOp::Eq => {
                let are_one = is_at_most(self, other) && is_at_most(other, self);
                (are_one, is_below(self, other) || is_below(other, self))
            }
            CompareOp::Ne => return self.compare(CompareOp::Eq, other).map(|equal| !equal),
        };
        if holds { Some(true) } else { fails.then_some(false) }
    }

    /// The minima.
    #[must_use]
    pub fn least(self, other: Interval) -> Interval {
        Interval { lo: both(self.lo, other.lo, i128::min), hi: least_known(self.hi, other.hi) }
    }

    /// The maxima.
    #[must_use]
    pub fn greatest(self, other: Interval) -> Interval {
        Interval { lo: greatest_known(self.lo, other.lo), hi: both(self.hi, other.hi, i128::max) }
    }

    /// The integers in both.
    #[must_use]
    #[inline]
    pub fn intersect(self, other: Interval) -> Interval {
        Interval { lo: greatest_known(self.lo, other.lo), hi: least_known(self.hi, other.hi) }
    }
}

/// The product, if it fits. Numbers of 64 bits, which are the most frequent, are multiplied by one instruction.
fn product(left: i128, right: i128) -> Option<i128> {
    match (i64::try_from(left), i64::try_from(right)) {
        (Ok(left), Ok(right)) => Some(i128::from(left) * i128::from(right)),
        _ => left.checked_mul(right),
    }
}

fn both_multiplied(left: Option<i128>, right: Option<i128>) -> Option<i128> {
    product(left?, right?)
}

fn both(left: Option<i128>, right: Option<i128>, choose: fn(i128, i128) -> i128) -> Option<i128> {
    Some(choose(left?, right?))
}

fn least_known(left: Option<i128>, right: Option<i128>) -> Option<i128> {
    both(left, right, i128::min).or(left).or(right)
}

fn greatest_known(left: Option<i128>, right: Option<i128>) -> Option<i128> {
    both(left, right, i128::max).or(left).or(right)
}

/// A bound of an interval, with the infinities as values so that products can be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    MinusInfinity,
    Finite(i128),
    PlusInfinity,
}

impl Bound {
    fn low(value: Option<i128>) -> Bound {
        value.map_or(Bound::MinusInfinity, Bound::Finite)
    }

    fn high(value: Option<i128>) -> Bound {
        value.map_or(Bound::PlusInfinity, Bound::Finite)
    }

    fn sign(self) -> i128 {
        match self {
            Bound::MinusInfinity => -1,
            Bound::Finite(value) => value.signum(),
            Bound::PlusInfinity => 1,
        }
    }

    fn multiply(self, other: Bound) -> Bound {
        let product = match (self, other) {
            (Bound::Finite(left), Bound::Finite(right)) => product(left, right),
            _ => None,
        };
        match (product, self.sign() * other.sign()) {
            (Some(value), _) => Bound::Finite(value),
            // Zero times an unbounded bound is zero: it stands for arbitrarily large integers, not for infinity.
            (None, 0) => Bound::Finite(0),
            (None, sign) if sign < 0 => Bound::MinusInfinity,
            (None, _) => Bound::PlusInfinity,
        }
    }

    fn finite(self) -> Option<i128> {
        match self {
            Bound::Finite(value) => Some(value),
            Bound::MinusInfinity | Bound::PlusInfinity => None,
        }
    }
}

/// The integers that leave `residue` when divided by `modulus`; modulus 0 is the single integer `residue`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Congruence {
    pub modulus: i128,
    pub residue: i128,
}

impl Congruence {
    pub const EVERYTHING: Congruence = Congruence { modulus: 1, residue: 0 };

    pub fn new(modulus: i128, residue: i128) -> Congruence {
        let residue = if modulus == 0 { residue } else { residue.floor_rem(modulus) };
        Congruence { modulus, residue }
    }

    pub fn add(self, other: Congruence) -> Congruence {
        let sum = self.residue.checked_add(other.residue);
        let modulus = greatest_common_divisor(self.modulus, other.modulus);
        sum.map_or(Congruence::EVERYTHING, |sum| Congruence::new(modulus, sum))
    }

    pub fn multiply(self, other: Congruence) -> Congruence {
        let product = || {
            let moduli = self.modulus.checked_mul(other.modulus)?;
            let left = self.modulus.checked_mul(other.residue)?;
            let right = other.modulus.checked_mul(self.residue)?;
            let modulus = greatest_common_divisor(moduli, greatest_common_divisor(left, right));
            Some(Congruence::new(modulus, self.residue.checked_mul(other.residue)?))
        };
        product().unwrap_or(Congruence::EVERYTHING)
    }

    /// The smallest class that contains both.
    pub fn join(self, other: Congruence) -> Congruence {
        let Some(apart) = self.residue.checked_sub(other.residue) else {
            return Congruence::EVERYTHING;
        };
        let moduli = greatest_common_divisor(self.modulus, other.modulus);
        Congruence::new(greatest_common_divisor(moduli, apart), self.residue)
    }

    /// The residue for another modulus, where this class determines it.
    pub fn residue_for(self, modulus: i128) -> Option<i128> {
        (modulus > 0 && self.modulus.floor_rem(modulus) == 0).then(|| self.residue.floor_rem(modulus))
    }

    pub fn divide(self, divisor: i128) -> Congruence {
        if divisor <= 0 || self.modulus.floor_rem(divisor) != 0 {
            return Congruence::EVERYTHING;
        }
        Congruence::new(self.modulus / divisor, self.residue.floor_div(divisor))
    }
}
