//! The value of a map at one point. This is the definition of what a map means; everything faster is tested
//! against it.

use super::{Affine, IndexMap, MapError, Term};
use dims::{Sym, Symbol};

/// The image of an upper coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The lower coordinates. Meaningful only where the point is valid; elsewhere the values of the map's simplified
    /// forms, or zeros where these have no value.
    pub lower: Vec<i64>,
    /// Whether the point is valid.
    pub valid: bool,
}

/// Evaluates a map at one upper coordinate, given sizes for the map's symbols.
///
/// # Errors
/// A wrong number of coordinates, a symbol without a size, a divisor below one, a value beyond 64 bits.
pub fn evaluate(map: &IndexMap, upper: &[i64], sizes: &dyn Fn(&Symbol) -> Option<i64>) -> Result<Point, MapError> {
    if upper.len() != map.upper.len() {
        return Err(MapError::Rank { what: "coordinates", expected: map.upper.len(), found: upper.len() });
    }
    let mut inside = true;
    for (axis, coordinate) in map.upper.iter().zip(upper) {
        inside &= *coordinate >= 0;
        if let Some(extent) = &axis.extent {
            inside &= *coordinate < extent.evaluate(sizes)?;
        }
    }
    match inside_value(map, upper, sizes) {
        Ok(point) => Ok(Point { valid: point.valid && inside, ..point }),
        // Outside the extents a form may have no value, and none is needed.
        Err(MapError::NotPositive { .. } | MapError::Overflow) if !inside => {
            Ok(Point { lower: vec![0; map.lower.len()], valid: false })
        }
        Err(error) => Err(error),
    }
}

fn inside_value(map: &IndexMap, upper: &[i64], sizes: &dyn Fn(&Symbol) -> Option<i64>) -> Result<Point, MapError> {
    let mut values: Vec<i128> = Vec::with_capacity(map.terms.len());
    for term in &map.terms {
        let value = match term {
            Term::Coordinate(axis) => upper.get(*axis as usize).copied().map(i128::from).ok_or(MapError::Malformed)?,
            Term::Digit { of, divisor, modulus } => {
                let quotient = form(of, &values, sizes)?.div_euclid(radix(divisor, sizes)?);
                match modulus {
                    Some(modulus) => quotient.rem_euclid(radix(modulus, sizes)?),
                    None => quotient,
                }
            }
            Term::Xor(left, right) => form(left, &values, sizes)? ^ form(right, &values, sizes)?,
        };
        values.push(value);
    }
    let mut valid = true;
    for mask in &map.masks {
        let value = form(&mask.value, &values, sizes)?;
        if let Some(low) = &mask.low {
            valid &= value >= i128::from(low.evaluate(sizes)?);
        }
        if let Some(high) = &mask.high {
            valid &= value < i128::from(high.evaluate(sizes)?);
        }
    }
    let mut lower = Vec::with_capacity(map.lower.len());
    for axis in &map.lower {
        let value = form(&axis.value, &values, sizes)?;
        if let Some(extent) = &axis.extent {
            valid &= value >= 0 && value < i128::from(extent.evaluate(sizes)?);
        }
        lower.push(i64::try_from(value).map_err(|_| MapError::Overflow)?);
    }
    Ok(Point { lower, valid })
}

fn form(form: &Affine, values: &[i128], sizes: &dyn Fn(&Symbol) -> Option<i64>) -> Result<i128, MapError> {
    let mut sum = i128::from(form.constant.evaluate(sizes)?);
    for (term, coefficient) in &form.terms {
        let value = *values.get(term.0 as usize).ok_or(MapError::Malformed)?;
        let product = value.checked_mul(i128::from(coefficient.evaluate(sizes)?)).ok_or(MapError::Overflow)?;
        sum = sum.checked_add(product).ok_or(MapError::Overflow)?;
    }
    Ok(sum)
}

fn radix(size: &Sym, sizes: &dyn Fn(&Symbol) -> Option<i64>) -> Result<i128, MapError> {
    match size.evaluate(sizes)? {
        value if value <= 0 => Err(MapError::NotPositive { what: "a divisor", value }),
        value => Ok(i128::from(value)),
    }
}
