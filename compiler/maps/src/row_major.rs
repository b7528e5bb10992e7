//! Row-major order, in which the last dimension runs fastest: the strides of dimensions, and the digits of an element's
//! number, which are its coordinates.

use num_integer::Integer;
use num_traits::SaturatingMul;

use super::{Affine, MapBuilder, MapError};
use dims::{Arithmetic, Sym};

/// The stride of each dimension: the product of the extents after it.
///
/// # Errors
/// Where the number of all elements overflows 64 bits.
pub fn strides(extents: &[Sym]) -> Result<Vec<Sym>, Arithmetic> {
    let mut stride = Sym::one();
    let mut strides = Vec::with_capacity(extents.len());
    for extent in extents.iter().rev() {
        let next = stride.checked_mul(extent)?;
        strides.push(std::mem::replace(&mut stride, next));
    }
    strides.reverse();
    Ok(strides)
}

/// [`strides`] where extents may be unbounded or unknown. The first one, which no stride depends on, may be.
///
/// # Errors
/// If another extent is `None`, or if the number of all elements overflows 64 bits.
pub fn strides_of_lengths(lengths: &[Option<Sym>]) -> Result<Vec<Sym>, MapError> {
    let unbounded = lengths.iter().skip(1).rposition(Option::is_none);
    if let Some(after_first) = unbounded {
        return Err(MapError::Unbounded { axis: after_first + 1 });
    }
    let known = |length: &Option<Sym>| length.clone().unwrap_or_else(Sym::one);
    Ok(strides(&lengths.iter().map(known).collect::<Vec<Sym>>())?)
}

/// [`strides`] of numbers. A stride that overflows is the largest number; an extent of 0 counts as 1.
pub fn strides_of<T: Integer + Copy + SaturatingMul>(extents: &[T]) -> Vec<T> {
    let mut stride = T::one();
    let mut strides = Vec::with_capacity(extents.len());
    for extent in extents.iter().rev() {
        strides.push(stride);
        stride = stride.saturating_mul(&T::one().max(*extent));
    }
    strides.reverse();
    strides
}

/// Whether strides are those of row-major order. `same` compares the stride that is expected with the one that is there.
pub fn are_strides(extents: &[Sym], found: &[Sym], same: impl Fn(&Sym, &Sym) -> bool) -> bool {
    let expected = strides(extents);
    expected.is_ok_and(|expected| {
        expected.len() == found.len() && expected.iter().zip(found).all(|(expected, found)| same(expected, found))
    })
}

/// The digits of a number, from the fastest dimension to the slowest: its remainder by the extent of the dimension, and
/// then the digits of the quotient. An extent of 0 counts as 1.
pub struct Digits<T, I> {
    rest: T,
    extents: I,
}

/// The digits of a number for dimensions of these extents, which are given from the fastest to the slowest.
pub fn digits<T: Integer + Copy, I: IntoIterator<Item = T>>(number: T, extents: I) -> Digits<T, I::IntoIter> {
    Digits { rest: number, extents: extents.into_iter() }
}

impl<T: Copy, I> Digits<T, I> {
    /// What the digits so far leave of the number: 0 after the last digit of a number of an element.
    pub fn rest(&self) -> T {
        self.rest
    }
}

impl<T: Integer + Copy, I: Iterator<Item = T>> Iterator for Digits<T, I> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let (quotient, digit) = self.rest.div_mod_floor(&T::one().max(self.extents.next()?));
        self.rest = quotient;
        Some(digit)
    }
}

/// The coordinates of the element of a number, the slowest first.
pub fn coordinates<T: Integer + Copy>(number: T, extents: &[T]) -> Vec<T> {
    let mut coordinates: Vec<T> = digits(number, extents.iter().rev().copied()).collect();
    coordinates.reverse();
    coordinates
}

/// Advances coordinates to the next element, the last one fastest; `false` after the last element, where they are those
/// of the first again.
pub fn advance(coordinates: &mut [i64], extents: impl DoubleEndedIterator<Item = i64> + ExactSizeIterator) -> bool {
    for (coordinate, extent) in coordinates.iter_mut().zip(extents).rev() {
        *coordinate += 1;
        if *coordinate < extent {
            return true;
        }
        *coordinate = 0;
    }
    false
}

impl MapBuilder<'_> {
    /// The digits of an index, the slowest first: `index / stride % extent`, the first without a remainder.
    ///
    /// # Errors
    /// Those of [`strides_of_lengths`] and [`MapBuilder::digit`].
    pub fn digits(&mut self, index: &Affine, lengths: &[Option<Sym>]) -> Result<Vec<Affine>, MapError> {
        let strides = strides_of_lengths(lengths)?;
        let mut digits = Vec::with_capacity(lengths.len());
        for (position, (stride, length)) in strides.iter().zip(lengths).enumerate() {
            let modulus = length.as_ref().filter(|_| position > 0);
            digits.push(self.digit(index, stride, modulus)?);
        }
        Ok(digits)
    }
}

impl Affine {
    /// `Σ form · weight`: the position of coordinates for strides.
    ///
    /// # Errors
    /// If a coefficient overflows 64 bits.
    pub fn weighted_sum(forms: &[Affine], weights: &[Sym]) -> Result<Affine, MapError> {
        let mut sum = Affine::constant(Sym::zero());
        for (form, weight) in forms.iter().zip(weights) {
            sum = sum.checked_add(&form.checked_scale(weight)?)?;
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stride_is_the_product_of_the_extents_after_it() {
        assert_eq!(strides_of(&[4, 3, 2]), [6, 2, 1]);
        assert_eq!(strides_of::<i64>(&[]), []);
        assert_eq!(strides_of(&[5, 0, 2]), [2, 2, 1]);
        assert_eq!(strides_of(&[2, u64::MAX, 2]), [u64::MAX, 2, 1]);
        let size = |value: i64| Sym::constant(value);
        assert_eq!(strides(&[size(4), size(3)]), Ok(vec![size(3), size(1)]));
        assert!(strides(&[size(2), size(i64::MAX)]).is_err());
        assert_eq!(strides_of_lengths(&[None, Some(size(3))]), Ok(vec![size(3), size(1)]));
        assert_eq!(strides_of_lengths(&[None, None, Some(size(3))]), Err(MapError::Unbounded { axis: 1 }));
    }

    #[test]
    fn the_coordinates_of_a_number_count_up_with_it() {
        let extents = [2i64, 3, 2];
        let mut counted = vec![0; 3];
        for number in 0..12 {
            assert_eq!(coordinates(number, &extents), counted);
            let position: i64 = counted.iter().zip(strides_of(&extents)).map(|(at, stride)| at * stride).sum();
            assert_eq!(position, number);
            assert_eq!(advance(&mut counted, extents.iter().copied()), number < 11);
        }
        assert_eq!(counted, [0, 0, 0]);
        let mut beyond = digits(13, extents.iter().rev().copied());
        assert_eq!((beyond.by_ref().collect::<Vec<i64>>(), beyond.rest()), (vec![1, 0, 0], 1));
    }
}
