//! Products and quotients of many numbers at once, by the fastest method that is exact for their range.

/// A factor of the values of a term.
#[derive(Clone, Copy, Debug)]
pub(super) enum Factor {
    /// A power of two: a shift.
    Shift(u32),
    /// Of values in `0..2^32`, by a number in the same range.
    Narrow(i64),
    /// Of values in `0..2^32`, by a number whose negation is in the same range; holds the negation.
    NarrowNegative(i64),
    /// Anything else.
    Wide(i64),
}

impl Factor {
    /// For values between `low` and `high`.
    pub fn new(factor: i64, low: i64, high: i64) -> Factor {
        let narrow = low >= 0 && high < 1 << 32;
        match factor {
            1.. if factor.count_ones() == 1 => Factor::Shift(factor.trailing_zeros()),
            0..=0xffff_ffff if narrow => Factor::Narrow(factor),
            -0xffff_ffff..0 if narrow => Factor::NarrowNegative(-factor),
            _ => Factor::Wide(factor),
        }
    }

    /// The product with one value, which must not overflow 64 bits.
    pub fn times(self, value: i64) -> i64 {
        match self {
            Factor::Shift(bits) => value << bits,
            Factor::Narrow(factor) | Factor::Wide(factor) => value.wrapping_mul(factor),
            Factor::NarrowNegative(factor) => value.wrapping_mul(factor).wrapping_neg(),
        }
    }

    /// `place = constant + factor · value` for many places.
    pub fn set(self, constant: i64, values: &[i64], places: &mut [i64]) {
        let pairs = places.iter_mut().zip(values);
        match self {
            Factor::Shift(0) => pairs.for_each(|(place, value)| *place = constant.wrapping_add(*value)),
            Factor::Shift(bits) => pairs.for_each(|(place, value)| *place = constant.wrapping_add(value << bits)),
            Factor::Narrow(factor) => {
                pairs.for_each(|(place, value)| *place = constant.wrapping_add(narrow_product(*value, factor) as i64));
            }
            Factor::NarrowNegative(factor) => {
                pairs.for_each(|(place, value)| *place = constant.wrapping_sub(narrow_product(*value, factor) as i64));
            }
            Factor::Wide(factor) => {
                pairs.for_each(|(place, value)| *place = constant.wrapping_add(value.wrapping_mul(factor)));
            }
        }
    }

    /// `place += factor · value` for many places.
    pub fn add(self, values: &[i64], places: &mut [i64]) {
        let pairs = places.iter_mut().zip(values);
        match self {
            Factor::Shift(bits) => pairs.for_each(|(place, value)| *place = place.wrapping_add(value << bits)),
            Factor::Narrow(factor) => {
                pairs.for_each(|(place, value)| *place = place.wrapping_add(narrow_product(*value, factor) as i64));
            }
            Factor::NarrowNegative(factor) => {
                pairs.for_each(|(place, value)| *place = place.wrapping_sub(narrow_product(*value, factor) as i64));
            }
            Factor::Wide(factor) => {
                pairs.for_each(|(place, value)| *place = place.wrapping_add(value.wrapping_mul(factor)));
            }
        }
    }
}

/// Division by a known positive number, rounded down.
#[derive(Clone, Copy, Debug)]
pub(super) enum Divider {
    /// By a power of two: a shift.
    Shift(u32),
    /// Of a number in `0..2^31`: `(value · multiplier) >> shift`.
    Multiply { divisor: i64, multiplier: u32, shift: u32 },
    /// Of any number.
    Divide(i64),
}

impl Divider {
    /// For dividends between `low` and `high`.
    pub fn new(divisor: i64, low: i64, high: i64) -> Divider {
        if divisor.count_ones() == 1 {
            return Divider::Shift(divisor.trailing_zeros());
        }
        if low >= 0 && high < 1 << 31 && divisor < 1 << 31 {
            // With m = ⌊2^k / d⌋ + 1 and k = 31 + ⌈log₂ d⌉ the error n·(m·d − 2^k) / (d·2^k) is below 1/d for every
            // n < 2^31, so the floor is exact. As d is no power of two, m is below 2^32.
            let shift = 31 + (64 - (divisor as u64 - 1).leading_zeros());
            if let Ok(multiplier) = u32::try_from((1u64 << shift) / divisor as u64 + 1) {
                return Divider::Multiply { divisor, multiplier, shift };
            }
        }
        Divider::Divide(divisor)
    }

    pub fn quotient(self, value: i64) -> i64 {
        match self {
            Divider::Shift(bits) => value >> bits,
            Divider::Multiply { multiplier, shift, .. } => multiply_shift(value, multiplier, shift),
            Divider::Divide(divisor) => value.div_euclid(divisor),
        }
    }

    /// The quotients of many numbers, in place. The method is chosen once, not for each number.
    pub fn quotients(self, values: &mut [i64]) {
        match self {
            Divider::Shift(0) => {}
            Divider::Shift(bits) => values.iter_mut().for_each(|value| *value >>= bits),
            Divider::Multiply { multiplier, shift, .. } => {
                values.iter_mut().for_each(|value| *value = multiply_shift(*value, multiplier, shift));
            }
            Divider::Divide(divisor) => values.iter_mut().for_each(|value| *value = value.div_euclid(divisor)),
        }
    }

    /// The remainders of many numbers, in place.
    pub fn remainders(self, values: &mut [i64]) {
        match self {
            Divider::Shift(bits) => {
                let ones = (1i64 << bits) - 1;
                values.iter_mut().for_each(|value| *value &= ones);
            }
            Divider::Multiply { divisor, multiplier, shift } => {
                values.iter_mut().for_each(|value| {
                    *value -= narrow_product(multiply_shift(*value, multiplier, shift), divisor) as i64
                });
            }
            Divider::Divide(divisor) => values.iter_mut().for_each(|value| *value = value.rem_euclid(divisor)),
        }
    }
}

/// The quotient for a value in `0..2^31`.
#[inline(always)]
fn multiply_shift(value: i64, multiplier: u32, shift: u32) -> i64 {
    (narrow_product(value, i64::from(multiplier)) >> shift) as i64
}

/// The product of two numbers in `0..2^32`. Written this way it compiles to one SIMD instruction for several numbers.
#[inline(always)]
fn narrow_product(left: i64, right: i64) -> u64 {
    u64::from(left as u32).wrapping_mul(u64::from(right as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_divide_is_exact() {
        let edges: [i64; 14] = [1, 2, 3, 5, 6, 7, 9, 48, 641, 4095, 4097, (1 << 30) - 1, (1 << 30) + 1, (1 << 31) - 1];
        for divisor in edges {
            let mut values: Vec<i64> = (0..200).collect();
            for near in edges {
                values.extend((1..4).flat_map(|factor| {
                    let multiple = (near.wrapping_mul(divisor * factor)).rem_euclid(1 << 31);
                    [multiple, (multiple + divisor - 1) % (1 << 31), (1 << 31) - factor]
                }));
            }
            let (mut quotients, mut remainders) = (values.clone(), values.clone());
            let divider = Divider::new(divisor, 0, (1 << 31) - 1);
            divider.quotients(&mut quotients);
            divider.remainders(&mut remainders);
            for ((value, quotient), remainder) in values.iter().zip(quotients).zip(remainders) {
                assert_eq!((quotient, remainder), (value / divisor, value % divisor), "{value} by {divisor}");
            }
            let wide = Divider::new(divisor, -100, 100);
            for value in -100..100i64 {
                assert_eq!(wide.quotient(value), value.div_euclid(divisor));
            }
        }
    }

    #[test]
    fn every_way_to_multiply_is_exact() {
        let edges = [0, 1, 2, 3, 5, 64, (1 << 16) + 1, (1 << 32) - 1, 1 << 32];
        for factor in edges.iter().flat_map(|edge| [*edge, -edge]) {
            for (low, high) in [(0, 100), (-100, 100), (0, (1 << 31) - 1)] {
                let values = [low, low + 1, 7, high - 1, high];
                let wanted = values.map(|value| 11 + value * factor);
                let chosen = Factor::new(factor, low, high);
                let (mut set, mut added) = ([0; 5], [11; 5]);
                chosen.set(11, &values, &mut set);
                chosen.add(&values, &mut added);
                assert_eq!((set, added), (wanted, wanted), "{factor}");
                assert_eq!(values.map(|value| 11 + chosen.times(value)), wanted);
            }
        }
    }
}
