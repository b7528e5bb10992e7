//! Lengths of dimensions.

use dims::Sym;
use maps::{Affine, MapBuilder, MapError};

/// The length of a dimension; `None` if it is unbounded or unknown.
pub type Length = Option<Sym>;

/// The lengths of several dimensions.
pub(super) type Lengths = Vec<Length>;

/// The product of lengths; `None` if one of them is unknown.
pub(super) fn product(lengths: &[Length]) -> Result<Length, MapError> {
    let mut product = Sym::one();
    for length in lengths {
        match length {
            Some(length) => product = product.checked_mul(length)?,
            None => return Ok(None),
        }
    }
    Ok(Some(product))
}

/// The row-major strides of dimensions: each is the product of the lengths after it.
///
/// # Errors
/// If a dimension other than the first has no length, or if a stride overflows 64 bits.
pub(super) fn row_major_strides(lengths: &[Length]) -> Result<Vec<Sym>, MapError> {
    let mut strides = Vec::with_capacity(lengths.len());
    let mut stride = Sym::one();
    for (position, length) in lengths.iter().enumerate().rev() {
        strides.push(stride.clone());
        match length {
            Some(length) => stride = stride.checked_mul(length)?,
            None if position == 0 => {}
            None => return Err(MapError::Unbounded { axis: position }),
        }
    }
    strides.reverse();
    Ok(strides)
}

/// `Σ coordinate · stride`.
pub(super) fn weighted_sum(coordinates: &[Affine], strides: &[Sym]) -> Result<Affine, MapError> {
    let mut sum = Affine::constant(Sym::zero());
    for (coordinate, stride) in coordinates.iter().zip(strides) {
        sum = sum.checked_add(&coordinate.checked_scale(stride)?)?;
    }
    Ok(sum)
}

/// The row-major digits of an index: `index / stride % length`, the first without a remainder.
pub(super) fn digits(
    index: &Affine,
    lengths: &[Length],
    builder: &mut MapBuilder<'_>,
) -> Result<Vec<Affine>, MapError> {
    let strides = row_major_strides(lengths)?;
    let mut digits = Vec::with_capacity(lengths.len());
    for (position, (stride, length)) in strides.iter().zip(lengths).enumerate() {
        let radix = if position == 0 { None } else { length.as_ref() };
        digits.push(builder.digit(index, stride, radix)?);
    }
    Ok(digits)
}

/// The extent of a weighted sum of coordinates, `1 + Σ (length − 1) · stride`; `None` if a stride may be negative or a
/// length is unknown.
pub(super) fn element_space(lengths: &[Length], strides: &[Sym], facts: &dims::Facts) -> Result<Length, MapError> {
    let mut space = Sym::one();
    for (length, stride) in lengths.iter().zip(strides) {
        match length {
            Some(length) if facts.never_negative(stride) => {
                space = space.checked_add(&length.checked_sub(&Sym::one())?.checked_mul(stride)?)?;
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(space))
}
