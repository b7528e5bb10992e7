//! Fitting a transform to the dimensions below it.

use super::lengths::Lengths;
use super::{Length, Transform};
use dims::{Facts, Sym};
use maps::{AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis, arithmetic};

/// A transform with the lengths of its dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The lengths of its lower dimensions. A written length that the dimension is not known to have is kept: both are
    /// conditions then.
    pub lower: Vec<Length>,
    /// The lengths of its upper dimensions.
    pub upper: Vec<Length>,
    /// What is not wrong, but probably not meant.
    pub notices: Vec<Notice>,
}

/// Why a transform does not fit the dimensions below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It takes another number of dimensions.
    Rank {
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// It is written for another length.
    Length {
        /// Which of its lower dimensions.
        position: usize,
        /// The length that is written.
        written: Sym,
        /// The length of the dimension.
        found: Sym,
    },
    /// A length is left out that nothing below it gives.
    Needed {
        /// Which of its lower dimensions.
        position: usize,
    },
    /// It has no formula.
    Map(MapError),
}

/// What is probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The written length is not known to be that of the dimension.
    LengthNotKnown {
        /// Which of its lower dimensions.
        position: usize,
        /// The length that is written.
        written: Sym,
        /// The length of the dimension.
        found: Sym,
    },
    /// It names lower coordinates that the dimension does not have.
    Outside {
        /// The first coordinate that it names.
        first: Sym,
        /// One past the last.
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

/// A transform above lower dimensions of these lengths.
///
/// # Errors
/// Another number of dimensions than it takes; a written length that is not that of the dimension; a size that leaves
/// 64 bits.
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

/// The lengths of dimensions where some are written too.
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
/// A length that is left out; a size that leaves 64 bits.
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
