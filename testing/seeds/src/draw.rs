//! Pseudo-random numbers that depend only on the seed.

/// The sequence of a seed, the same on every machine.
#[derive(Clone, Debug)]
pub struct Draw {
    seed: u64,
    state: u64,
}

impl Draw {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Draw {
        // Neighbouring seeds must not give shifted copies of the same sequence.
        Draw { seed, state: mix(seed.wrapping_add(GAMMA)) }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// A number in `0..count`.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// An index into a list of this length; 0 if it is empty.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// True in one of `times` cases.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of several values.
    pub fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.index(values.len())].clone()
    }

    /// Shuffles the values.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for place in (1..values.len()).rev() {
            let other = self.index(place + 1);
            values.swap(place, other);
        }
    }
}

/// The step and the finaliser of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators").
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_depend_on_the_seed_alone() {
        let numbers = |seed| {
            let mut draw = Draw::new(seed);
            [draw.bits(), draw.bits(), draw.bits()]
        };
        assert_eq!(numbers(7), numbers(7));
        assert!(numbers(7).iter().all(|number| !numbers(8).contains(number)));
        // The reference implementation of SplitMix64 starts with this number for seed 0.
        assert_eq!(mix(GAMMA), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn numbers_are_in_their_bounds_and_meet_them() {
        let mut draw = Draw::new(1);
        let drawn: std::collections::BTreeSet<i64> = (0..200).map(|_| draw.between(-2, 2)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
        assert!((0..200).any(|_| draw.one_in(10)) && (0..200).any(|_| !draw.one_in(10)));
        assert!((0..200).all(|_| draw.chance(100) && !draw.chance(0)));
    }

    #[test]
    fn a_shuffle_loses_nothing() {
        let mut values: Vec<u32> = (0..50).collect();
        Draw::new(3).shuffle(&mut values);
        assert_ne!(values, (0..50).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..50).collect::<Vec<_>>());
    }
}
