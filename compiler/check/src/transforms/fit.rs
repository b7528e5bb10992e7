//! Fits a transform to the dimensions below it.

use super::lengths::Lengths;
use super::{Length, Transform};
use dims::{Facts, Sym};
use maps::{AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis, arithmetic};

/// A transform with the lengths of all its dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The lengths of its lower dimensions. A given length that is not known to be that of the dimension is kept, and
    /// both lengths bound the coordinate.
    pub lower: Vec<Length>,
    /// The lengths of its upper dimensions.
    pub upper: Vec<Length>,
    /// Probable mistakes that are no errors.
    pub notices: Vec<Notice>,
}

/// Why a transform does not fit the dimensions below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It takes another number of dimensions.
    Rank {
        /// The number that it takes.
        expected: usize,
        /// The number of dimensions below it.
        found: usize,
    },
    /// It is given another length than that of the dimension.
    Length {
        /// The position among its lower dimensions.
        position: usize,
        /// The given length.
        written: Sym,
        /// The length of the dimension.
        found: Sym,
    },
    /// A length is omitted and cannot be inferred from the dimension.
    Needed {
        /// The position among its lower dimensions.
        position: usize,
    },
    /// Its map cannot be built.
    Map(MapError),
}

/// A probable mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The given length is not known to be that of the dimension.
    LengthNotKnown {
        /// The position among its lower dimensions.
        position: usize,
        /// The given length.
        written: Sym,
        /// The length of the dimension.
        found: Sym,
    },
    /// It refers to lower coordinates outside the dimension.
    Outside {
        /// The first coordinate to which it refers.
        first: Sym,
        /// The end of these coordinates, exclusive.
        end: Sym,
        /// The length of the dimension.
        length: Sym,
    },
}

impl From<MapError> for Misfit {
    fn from(error: MapError) -> Misfit {
        Misfit::Map(error)
    }
}

/// Fits a transform to lower dimensions of these lengths.
///
/// # Errors
/// If it takes another number of dimensions, if a given length differs from that of the dimension, or if a size
/// overflows 64 bits.
pub fn fit(transform: &Transform, given: &[Length], facts: &Facts) -> Result<Fit, Misfit> {
    let rule = transform.rule();
    let mut notices = Vec::new();
    let lower = match rule.written() {
        None => given.to_vec(),
        Some(written) if written.len() != given.len() => {
            return Err(Misfit::Rank { expected: written.len(), found: given.len() });
        }
        Some(written) => agree(written, given, facts, &mut notices)?,
    };
    if let (Some((first, end)), [Some(length)]) = (rule.reach(), given)
        && (arithmetic::less(length, &end, facts) || arithmetic::less(&first, &Sym::zero(), facts))
    {
        notices.push(Notice::Outside { first, end, length: length.clone() });
    }
    let upper = rule.upper(&lower, facts)?;
    Ok(Fit { lower, upper, notices })
}

/// Combines the given lengths of dimensions with their actual ones.
fn agree(written: Lengths, given: &[Length], facts: &Facts, notices: &mut Vec<Notice>) -> Result<Lengths, Misfit> {
    let mut lengths = Vec::with_capacity(given.len());
    for (position, (written, given)) in written.into_iter().zip(given).enumerate() {
        if let (Some(written), Some(found)) = (&written, given)
            && !arithmetic::equal(written, found, facts)
        {
            let (written, found) = (written.clone(), found.clone());
            if arithmetic::less(&written, &found, facts) || arithmetic::less(&found, &written, facts) {
                return Err(Misfit::Length { position, written, found });
            }
            notices.push(Notice::LengthNotKnown { position, written, found });
        }
        lengths.push(written.or_else(|| given.clone()));
    }
    Ok(lengths)
}

/// A transform as a map of its own.
///
/// # Errors
/// If a length is omitted, or if a size overflows 64 bits.
pub fn alone(transform: &Transform, facts: &Facts) -> Result<IndexMap, Misfit> {
    let rule = transform.rule();
    let Some(lower) = rule.alone(facts)? else { return Err(Misfit::Needed { position: 0 }) };
    let upper = rule.upper(&lower, facts)?;
    if upper.iter().any(Option::is_none) {
        let position = lower.iter().position(Option::is_none).unwrap_or(0);
        return Err(Misfit::Needed { position });
    }
    let axes = upper.into_iter().map(|extent| UpperAxis { extent, role: AxisRole::Local }).collect();
    let mut builder = MapBuilder::new(axes, facts);
    let coordinates = builder.coordinates()?;
    let values = rule.lower(&coordinates, &lower, &mut builder)?;
    let lower = values.into_iter().zip(lower).map(|(value, extent)| LowerAxis { value, extent });
    Ok(builder.finish(lower.collect())?)
}
