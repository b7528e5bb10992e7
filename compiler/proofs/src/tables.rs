//! Tables of slots: the linear number of a lower coordinate, and one bit for each.

use maps::Chunk;

/// Numbers the lower coordinates that a map can reach.
pub(super) struct Slots {
    /// For each lower coordinate its smallest value and its stride in the linear number.
    axes: Vec<(i64, i64)>,
    pub count: u128,
}

impl Slots {
    pub(super) fn new(ranges: &[(i64, i64)], limit: u128) -> Option<Slots> {
        let mut axes = Vec::with_capacity(ranges.len());
        let mut count: u128 = 1;
        for (low, high) in ranges {
            let step = i64::try_from(count).ok()?;
            axes.push((*low, step));
            let length = u128::try_from(i128::from(*high) - i128::from(*low) + 1).ok()?;
            count = count.checked_mul(length).filter(|count| *count <= limit)?;
        }
        Some(Slots { axes, count })
    }

    /// Writes the numbers of the slots of a chunk.
    pub(super) fn write_numbers(&self, chunk: &Chunk<'_>, numbers: &mut Vec<usize>) {
        numbers.clear();
        let Some((first, rest)) = self.axes.split_first() else {
            numbers.resize(chunk.length, 0);
            return;
        };
        // The first axis always has stride one.
        numbers.extend(chunk.lower(0).iter().map(|value| value.wrapping_sub(first.0) as usize));
        for (axis, (low, step)) in (1..).zip(rest) {
            for (number, value) in numbers.iter_mut().zip(chunk.lower(axis)) {
                *number = number.wrapping_add(value.wrapping_sub(*low).wrapping_mul(*step) as usize);
            }
        }
    }
}

/// One bit for each slot.
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(count: u128) -> Bits {
        Bits(vec![0; usize::try_from(count.div_ceil(64)).unwrap_or(0)])
    }

    /// Clears all bits.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Sets a bit; returns whether it was set before.
    #[inline(always)]
    pub(super) fn set(&mut self, slot: usize) -> bool {
        let Some(word) = self.0.get_mut(slot / 64) else {
            return false;
        };
        let bit = 1u64 << (slot % 64);
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    /// Sets many bits; returns whether any was set before or occurs twice.
    ///
    /// Neighbours are mostly in one word, which then stays in a register.
    pub(super) fn set_all(&mut self, slots: &[usize]) -> bool {
        let mut slots = slots.iter();
        let Some(first) = slots.next() else {
            return false;
        };
        let (mut number, mut twice) = (first / 64, 0u64);
        let mut word = self.0.get(number).copied().unwrap_or(0);
        let mut put = |slot: &usize, word: &mut u64| {
            let bit = 1u64 << (slot % 64);
            twice |= *word & bit;
            *word |= bit;
        };
        put(first, &mut word);
        for slot in slots {
            if slot / 64 != number {
                if let Some(place) = self.0.get_mut(number) {
                    *place = word;
                }
                number = slot / 64;
                word = self.0.get(number).copied().unwrap_or(0);
            }
            put(slot, &mut word);
        }
        if let Some(place) = self.0.get_mut(number) {
            *place = word;
        }
        twice != 0
    }

    pub(super) fn first_clear(&self, count: u128) -> Option<u128> {
        let word = self.0.iter().position(|word| *word != u64::MAX)?;
        let slot = word as u128 * 64 + u128::from(self.0.get(word)?.trailing_ones());
        (slot < count).then_some(slot)
    }
}
