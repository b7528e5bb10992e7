//! Lengths of dimensions.

use dims::Sym;
use maps::MapError;

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
