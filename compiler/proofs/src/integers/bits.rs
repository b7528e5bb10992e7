//! Exclusive ors as sums of digits.

use super::{Linear, Stop, System};
use dims::Interval;

/// Exclusive ors of numbers with more bits are not taken apart, unless one of them is known.
const MOST_BITS: u32 = 12;

/// Larger powers of two are near the numbers that end the computation.
const MOST_PLACES: u32 = 100;

impl System {
    /// Exclusive ors as sums: with a known number, of runs of equal bits; of small numbers, bit by bit.
    pub(super) fn take_xors_apart(&mut self) -> Result<(), Stop> {
        for forms in std::mem::take(&mut self.xors) {
            let [left, right, found] = &forms;
            // Of three numbers whose exclusive or is 0, each is that of the others.
            let known = [(left, right, found), (right, left, found), (found, left, right)]
                .into_iter()
                .find_map(|(known, one, other)| Some((known.as_constant()?, one, other)));
            let taken = match (known, self.most_bits(&forms)) {
                (Some((known, one, other)), _) => self.by_runs(known, one, other)?,
                (None, Some(bits)) if bits <= MOST_BITS => self.by_bits(bits, &forms).ok_or(Stop::Open)?,
                _ => false,
            };
            if !taken {
                self.xors.push(forms);
            }
        }
        Ok(())
    }

    /// How many bits the values of any of the forms have at most.
    fn most_bits(&self, forms: &[Linear; 3]) -> Option<u32> {
        let bits = forms.iter().map(|form| self.bits(form)).collect::<Option<Vec<u32>>>();
        bits.and_then(|bits| bits.into_iter().max())
    }

    /// `one ^ other = known`: where a run of bits of the known number is 0, both have the same digits, and where it is 1, the
    /// complements. Returns whether the known number is small enough.
    fn by_runs(&mut self, known: i128, one: &Linear, other: &Linear) -> Result<bool, Stop> {
        if known < 0 {
            return Err(Stop::Empty);
        }
        if i128::BITS - known.leading_zeros() > MOST_PLACES {
            return Ok(false);
        }
        let sums = self.digits(known).ok_or(Stop::Open)?;
        for (form, sum) in [one, other].into_iter().zip(&sums) {
            self.equal(form, sum).ok_or(Stop::Open)?;
        }
        Ok(true)
    }

    /// Two numbers that are not negative and whose exclusive or is known.
    fn digits(&mut self, known: i128) -> Option<[Linear; 2]> {
        let mut sums = [Linear::constant(0), Linear::constant(0)];
        let mut place = 0;
        loop {
            let rest = known >> place;
            let (length, greatest) = match rest {
                0 => (0, None),
                _ => {
                    let length = if rest & 1 == 0 { rest.trailing_zeros() } else { rest.trailing_ones() };
                    (length, Some((1 << length) - 1))
                }
            };
            let digit = Linear::variable(self.variable(Interval { lo: Some(0), hi: greatest }));
            let turned = match greatest.filter(|_| rest & 1 == 1) {
                Some(greatest) => digit.times(-1)?.offset(greatest)?,
                None => digit.clone(),
            };
            for (sum, digit) in sums.iter_mut().zip([digit, turned]) {
                *sum = sum.plus(1 << place, &digit)?;
            }
            if rest == 0 {
                return Some(sums);
            }
            place += length;
        }
    }

    /// Each three bits have an even sum.
    fn by_bits(&mut self, bits: u32, forms: &[Linear; 3]) -> Option<bool> {
        let bit = Interval { lo: Some(0), hi: Some(1) };
        let mut sums = [const { Linear { constant: 0, terms: Vec::new() } }; 3];
        for place in 0..bits {
            let mut parity = Linear::default();
            for sum in &mut sums {
                let digit = Linear::variable(self.variable(bit));
                *sum = sum.plus(1 << place, &digit)?;
                parity = parity.plus(1, &digit)?;
            }
            let half = Linear::variable(self.variable(bit));
            self.zero.push(parity.plus(-2, &half)?);
        }
        for (form, sum) in forms.iter().zip(&sums) {
            self.equal(form, sum)?;
        }
        Some(true)
    }
}
