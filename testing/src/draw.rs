//! Numbers that look random and depend on the seed alone.

use shapewright_runtime::tensors::random_bits;

/// The numbers of one seed, one after the other: the same on every machine.
#[derive(Clone, Debug)]
pub struct Draw {
    seed: u64,
    position: u64,
}

impl Draw {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Draw {
        Draw { seed, position: 0 }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.position += 1;
        random_bits(self.seed, self.position)
    }

    /// One of `0..count`.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// One of `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// Whether something that happens `percent` times in a hundred happens.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of some values.
    pub fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize].clone()
    }

    /// The values in another order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for place in (1..values.len()).rev() {
            let other = self.below(place as u64 + 1) as usize;
            values.swap(place, other);
        }
    }
}
