//! Maps that are linear over single bits (T5): power-of-two sizes, sums that do not carry, and xor.
//!
//! Every bit of a value is the xor of some bits of the upper coordinates, possibly inverted. A reversal is the xor
//! with ones. Questions about the map become questions about a matrix over GF(2).

use maps::{Affine, AxisRole, IndexMap, Term};

/// A bit of a value: the xor of upper bits, inverted or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bit {
    of: u128,
    inverted: bool,
}

/// A map as a matrix.
pub(super) struct BitMap {
    /// The number of upper bits of each axis, the lowest bits first.
    axes: Vec<(u32, AxisRole)>,
    /// The bits of each lower coordinate.
    lower: Vec<Vec<Bit>>,
    /// Whether every point of the box of extents is valid.
    pub exact: bool,
}

impl BitMap {
    /// The matrix of a constant map, if the map is linear over bits.
    pub(super) fn new(map: &IndexMap) -> Option<BitMap> {
        let mut axes = Vec::with_capacity(map.upper.len());
        let mut starts = Vec::with_capacity(map.upper.len());
        let mut total = 0u32;
        for axis in &map.upper {
            let bits = power_of_two(axis.extent.as_ref()?.as_constant()?)?;
            starts.push(total);
            axes.push((bits, axis.role));
            total = total.checked_add(bits).filter(|total| *total <= 128)?;
        }
        let mut terms: Vec<Vec<Bit>> = Vec::with_capacity(map.terms.len());
        for term in &map.terms {
            let bits = match term {
                Term::Coordinate(axis) => {
                    let (start, (count, _)) = (*starts.get(*axis as usize)?, *axes.get(*axis as usize)?);
                    (start..start + count).map(|bit| Bit { of: 1 << bit, inverted: false }).collect()
                }
                Term::Digit { of, divisor, modulus } => {
                    let skip = power_of_two(divisor.as_constant()?)? as usize;
                    let take = match modulus {
                        Some(modulus) => power_of_two(modulus.as_constant()?)? as usize,
                        None => usize::MAX,
                    };
                    form(of, &terms)?.into_iter().skip(skip).take(take).collect()
                }
                Term::Xor(left, right) => {
                    let (mut left, right) = (form(left, &terms)?, form(right, &terms)?);
                    left.resize(left.len().max(right.len()), Bit::default());
                    for (bit, other) in left.iter_mut().zip(right) {
                        *bit = Bit { of: bit.of ^ other.of, inverted: bit.inverted ^ other.inverted };
                    }
                    left
                }
            };
            terms.push(bits);
        }
        let mut lower = Vec::with_capacity(map.lower.len());
        let mut exact = map.masks.is_empty();
        for axis in &map.lower {
            let bits = form(&axis.value, &terms)?;
            if let Some(extent) = &axis.extent {
                let largest = (0..bits.len()).try_fold(1i64, |size, _| size.checked_mul(2));
                exact &= largest.is_some_and(|largest| extent.as_constant().is_some_and(|extent| largest <= extent));
            }
            lower.push(bits);
        }
        Some(BitMap { axes, lower, exact })
    }

    fn upper_bits(&self) -> u32 {
        self.axes.iter().map(|(bits, _)| bits).sum()
    }

    /// The upper bits that belong to threads.
    pub(super) fn thread_bits(&self) -> u128 {
        let (mut mask, mut start) = (0u128, 0);
        for (bits, role) in &self.axes {
            if *role == AxisRole::Thread {
                mask |= ones(*bits) << start.min(127);
            }
            start += bits;
        }
        mask
    }

    /// A basis of the kernel: differences that change no lower coordinate. Empty if the map is injective.
    pub(super) fn kernel(&self) -> Vec<u128> {
        let pivots = self.reduced();
        let leading: u128 = pivots.iter().fold(0, |all, (bit, _)| all | 1 << bit);
        let free = (0..self.upper_bits()).filter(|bit| leading & (1 << bit) == 0);
        let vector = |free: u32| {
            let of_pivot = |(bit, row): &(u32, u128)| {
                if row & (1 << free) != 0 { 1u128 << bit } else { 0 }
            };
            pivots.iter().map(of_pivot).fold(1u128 << free, |all, bit| all | bit)
        };
        free.map(vector).collect()
    }

    /// Whether every combination of lower coordinates below the given powers of two is reached: the bits below are
    /// independent, the bits above are zero.
    pub(super) fn covers(&self, sizes: &[u32]) -> bool {
        let mut wanted = 0;
        for (bits, size) in self.lower.iter().zip(sizes) {
            wanted += *size;
            let above = bits.iter().skip(*size as usize);
            if bits.len() < *size as usize || above.into_iter().any(|bit| *bit != Bit::default()) {
                return false;
            }
        }
        self.reduced().len() == wanted as usize
    }

    /// The rows of the matrix in reduced echelon form, each with its leading bit.
    fn reduced(&self) -> Vec<(u32, u128)> {
        let mut pivots: Vec<(u32, u128)> = Vec::new();
        for bit in self.lower.iter().flatten() {
            let mut row = bit.of;
            for (lead, pivot) in &pivots {
                if row & (1 << lead) != 0 {
                    row ^= pivot;
                }
            }
            if row == 0 {
                continue;
            }
            let lead = row.trailing_zeros();
            for (_, pivot) in &mut pivots {
                if *pivot & (1 << lead) != 0 {
                    *pivot ^= row;
                }
            }
            pivots.push((lead, row));
        }
        pivots
    }

    /// The upper coordinates with the given bits.
    pub(super) fn upper(&self, bits: u128) -> Vec<i64> {
        let mut rest = bits;
        let mut coordinates = Vec::with_capacity(self.axes.len());
        for (count, _) in &self.axes {
            coordinates.push((rest & ones(*count)) as i64);
            rest = rest.checked_shr(*count).unwrap_or(0);
        }
        coordinates
    }
}

fn ones(bits: u32) -> u128 {
    1u128.checked_shl(bits).map_or(u128::MAX, |end| end - 1)
}

fn power_of_two(value: i64) -> Option<u32> {
    (value > 0 && value.count_ones() == 1).then(|| value.trailing_zeros())
}

/// The bits of a sum in which nothing carries.
fn form(form: &Affine, terms: &[Vec<Bit>]) -> Option<Vec<Bit>> {
    let mut constant = i128::from(form.constant.as_constant()?);
    let mut bits: Vec<Option<Bit>> = Vec::new();
    for (term, coefficient) in &form.terms {
        let coefficient = coefficient.as_constant()?;
        let value = terms.get(term.0 as usize)?;
        let (size, negative) = (coefficient.unsigned_abs(), coefficient < 0);
        if negative {
            // −x is (2ⁿ − 1 − x) − (2ⁿ − 1), and 2ⁿ − 1 − x has the bits of x inverted.
            let ones = (1i128.checked_shl(u32::try_from(value.len()).ok()?)?).checked_sub(1)?;
            constant = constant.checked_sub(ones.checked_mul(i128::from(size))?)?;
        }
        // Each bit of the coefficient adds a shifted copy of the value.
        for shift in (0..u64::BITS as usize).filter(|shift| size & (1 << shift) != 0) {
            if shift + value.len() > 62 {
                return None;
            }
            bits.resize(bits.len().max(shift + value.len()), None);
            for (bit, place) in value.iter().zip(bits.iter_mut().skip(shift)) {
                if place.is_some() {
                    return None;
                }
                *place = Some(Bit { of: bit.of, inverted: bit.inverted ^ negative });
            }
        }
    }
    let constant = u64::try_from(constant).ok().filter(|constant| *constant < 1 << 62)?;
    let length = (64 - constant.leading_zeros()) as usize;
    bits.resize(bits.len().max(length), None);
    for (number, place) in bits.iter_mut().enumerate() {
        let one = constant & (1 << number) != 0;
        match place {
            Some(_) if one => return None,
            Some(_) => {}
            None => *place = Some(Bit { of: 0, inverted: one }),
        }
    }
    bits.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use dims::Facts;
    use random_maps::{Flavour, for_random_choices, random_recipe};

    #[test]
    fn every_bit_is_what_the_formula_gives() {
        let matrices = std::cell::Cell::new(0);
        for_random_choices(1500, |choices| {
            let mut recipe = random_recipe(choices, Flavour::Powers);
            recipe.masks.clear();
            recipe.lower.iter_mut().for_each(|(_, extent)| *extent = None);
            let map = recipe.raw(&Facts::empty()).unwrap();
            let Some(bits) = BitMap::new(&map) else {
                return;
            };
            matrices.set(matrices.get() + 1);
            for (upper, lower) in recipe.table(&BTreeMap::new()) {
                let (mut row, mut start) = (0u128, 0);
                for (value, (count, _)) in upper.iter().zip(&bits.axes) {
                    row |= (*value as u128) << start;
                    start += count;
                }
                assert_eq!(bits.upper(row), upper);
                for (wanted, found) in lower.unwrap().iter().zip(&bits.lower) {
                    let one = |bit: &Bit| i64::from(((bit.of & row).count_ones() % 2 == 1) ^ bit.inverted);
                    let value: i64 = found.iter().enumerate().map(|(place, bit)| one(bit) << place).sum();
                    assert_eq!(value, *wanted, "{recipe:?}");
                }
            }
        });
        assert!(matrices.get() > 200, "only {} maps were linear over bits", matrices.get());
    }
}
