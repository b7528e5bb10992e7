//! What is known of a single symbol: an interval and a residue class.

use num_integer::Integer;

use super::integer::FloorDivision;
use super::range::{Congruence, Interval};

/// No value satisfies what was learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Impossible;

/// The values `lo`, `lo + modulus`, `lo + 2 * modulus`, … up to `hi`. Both bounds always belong to the residue class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Known {
    pub lo: i128,
    pub hi: Option<i128>,
    pub modulus: i128,
}

impl Known {
    /// A symbol without facts.
    pub fn at_least(lo: i64) -> Known {
        Known { lo: i128::from(lo), hi: None, modulus: 1 }
    }

    pub fn interval(&self) -> Interval {
        Interval { lo: Some(self.lo), hi: self.hi }
    }

    pub fn congruence(&self) -> Congruence {
        let modulus = if self.hi == Some(self.lo) { 0 } else { self.modulus };
        Congruence::new(modulus, self.lo)
    }

    fn checked(self) -> Result<Known, Impossible> {
        if self.hi.is_some_and(|hi| hi < self.lo) { Err(Impossible) } else { Ok(self) }
    }

    /// The same without values below `bound`.
    pub fn raise(mut self, bound: i128) -> Result<Known, Impossible> {
        // A bound beyond 128 bits is ignored, which is sound.
        if let Some(lo) = bound.checked_sub(self.lo).and_then(|above| round_up(self.lo, above, self.modulus))
            && bound > self.lo
        {
            self.lo = lo;
        }
        self.checked()
    }

    /// The same without values above `bound`.
    pub fn lower(mut self, bound: i128) -> Result<Known, Impossible> {
        if bound < self.lo {
            return Err(Impossible);
        }
        if self.hi.is_none_or(|hi| bound < hi) {
            self.hi = Some(bound - (bound - self.lo).floor_rem(self.modulus));
        }
        self.checked()
    }

    /// The same, only with values congruent to `residue` modulo `modulus`, which is at least 1.
    pub fn restrict(self, modulus: i128, residue: i128) -> Result<Known, Impossible> {
        let common = self.modulus.extended_gcd(&modulus);
        let distance = residue - self.lo.floor_rem(modulus);
        if distance.floor_rem(common.gcd) != 0 {
            return Err(Impossible);
        }
        let combined = || {
            let period = modulus / common.gcd;
            let lcm = self.modulus.checked_mul(period)?;
            // lo + modulus * steps is in both classes for the right number of steps.
            let steps = (distance / common.gcd).checked_mul(common.x.floor_rem(period))?.floor_rem(period);
            let lo = self.lo.checked_add(self.modulus.checked_mul(steps)?)?;
            Some((lcm, lo))
        };
        // A residue class that overflows 128 bits is ignored, which is sound.
        let Some((lcm, lo)) = combined() else {
            return Ok(self);
        };
        let Some(hi) = self.hi else {
            return Ok(Known { lo, hi: None, modulus: lcm });
        };
        if hi < lo {
            return Err(Impossible);
        }
        Ok(Known { lo, hi: Some(hi - (hi - lo).floor_rem(lcm)), modulus: lcm })
    }
}

fn round_up(lo: i128, above: i128, modulus: i128) -> Option<i128> {
    let steps = above.checked_add(modulus - 1)?.floor_div(modulus);
    lo.checked_add(steps.checked_mul(modulus)?)
}
