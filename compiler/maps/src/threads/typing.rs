//! A unit for one launch: integers in place of sizes that depend on the launch.

use super::size::AtLaunch;
use super::{Launch, Size, ThreadsError, Unit};
use crate::row_major::strides_of;

/// A unit for one launch. The product of the extents is the number of threads in the cluster, and no extent is 1,
/// unless it is the only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypedUnit {
    pub(super) dimensions: Vec<TypedDimension>,
}

/// One dimension of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypedDimension {
    pub(super) extent: i64,
    /// How many coordinates the unit takes; `None`: any.
    pub(super) taken: Option<i64>,
}

/// How a unit that covers only a part of the cluster treats the rest of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typing {
    /// It is one such part.
    Unitary,
    /// It may be any number of such parts.
    Agnostic,
}

impl TypedUnit {
    /// # Errors
    /// A size that is no integer for the launch, a box larger than its extent, extents that do not multiply out.
    pub(super) fn new(unit: &Unit, launch: Launch, typing: Typing) -> Result<TypedUnit, ThreadsError> {
        let mut dimensions = Vec::with_capacity(unit.dimensions().len() + 1);
        let mut product: i64 = 1;
        for (position, dimension) in unit.dimensions().iter().enumerate() {
            let extent = integer(dimension.extent, unit, launch)?;
            let taken = dimension.taken.map(|taken| integer(taken, unit, launch)).transpose()?;
            if let Some(taken) = taken.filter(|taken| *taken > extent) {
                return Err(ThreadsError::BoxBeyondExtent {
                    unit: unit.to_string(),
                    dimension: position,
                    of: dimension.extent,
                    extent,
                    taken,
                    launch,
                });
            }
            product = product.checked_mul(extent).ok_or(ThreadsError::Overflow)?;
            dimensions.push(TypedDimension { extent, taken });
        }
        let threads = launch.threads();
        if threads % product != 0 {
            let extents = dimensions.iter().map(|dimension| dimension.extent).collect();
            return Err(ThreadsError::Domain { unit: unit.to_string(), extents, launch });
        }
        let taken = match typing {
            Typing::Unitary => Some(1),
            Typing::Agnostic => None,
        };
        dimensions.insert(0, TypedDimension { extent: threads / product, taken });
        // A dimension of extent 1 carries no information.
        dimensions.retain(|dimension| dimension.extent != 1);
        if dimensions.is_empty() {
            dimensions.push(TypedDimension { extent: 1, taken: Some(1) });
        }
        Ok(TypedUnit { dimensions })
    }

    /// The unit split so that it takes one, all or any of each dimension: a box becomes a dimension of its own.
    ///
    /// # Errors
    /// A box that does not divide its extent.
    pub(super) fn aligned(&self, unit: &str) -> Result<TypedUnit, ThreadsError> {
        let mut dimensions = Vec::with_capacity(self.dimensions.len() + 1);
        for dimension in &self.dimensions {
            match dimension.taken {
                Some(taken) if taken != 1 && taken != dimension.extent => {
                    if dimension.extent % taken != 0 {
                        let (extent, unit) = (dimension.extent, unit.to_owned());
                        return Err(ThreadsError::Unaligned { unit, taken, extent });
                    }
                    dimensions.push(TypedDimension { extent: dimension.extent / taken, taken: Some(1) });
                    dimensions.push(TypedDimension { extent: taken, taken: Some(taken) });
                }
                _ => dimensions.push(*dimension),
            }
        }
        Ok(TypedUnit { dimensions })
    }

    /// The distance between neighbours along each dimension, the slowest first.
    pub(super) fn pitches(&self) -> Vec<i64> {
        strides_of(&self.dimensions.iter().map(|dimension| dimension.extent).collect::<Vec<i64>>())
    }

    /// Splits dimensions until each of these pitches is the pitch of one.
    ///
    /// # Errors
    /// A factor that does not divide an extent or a box.
    pub(super) fn complete(&mut self, pitches: &[i64], unit: &str) -> Result<(), ThreadsError> {
        for pitch in pitches {
            let own = self.pitches();
            // The first dimension with a pitch at most this one contains it; one of pitch 1 always exists.
            let Some(at) = own.iter().position(|own| own <= pitch) else { continue };
            let (Some(own), Some(dimension)) = (own.get(at), self.dimensions.get(at).copied()) else { continue };
            if own == pitch || *pitch >= own * dimension.extent {
                continue;
            }
            let [outer, inner] = dimension.split(*own, *pitch, unit)?;
            self.dimensions.splice(at..=at, [outer, inner]);
        }
        Ok(())
    }
}

impl TypedDimension {
    fn split(self, own: i64, pitch: i64, unit: &str) -> Result<[TypedDimension; 2], ThreadsError> {
        let factor = pitch / own;
        if pitch % own != 0 || self.extent % factor != 0 {
            return Err(ThreadsError::Completion { unit: unit.to_owned(), extent: self.extent, own, pitch });
        }
        let taken = match self.taken {
            None => [None, None],
            Some(taken) if taken < factor => [Some(1), Some(taken)],
            Some(taken) if taken % factor == 0 => [Some(taken / factor), Some(factor)],
            Some(taken) => return Err(ThreadsError::BoxSplit { unit: unit.to_owned(), taken, factor }),
        };
        let [outer, inner] = taken;
        Ok([
            TypedDimension { extent: self.extent / factor, taken: outer },
            TypedDimension { extent: factor, taken: inner },
        ])
    }
}

fn integer(size: Size, unit: &Unit, launch: Launch) -> Result<i64, ThreadsError> {
    match size.at(launch) {
        AtLaunch::Integer(value) => Ok(value),
        AtLaunch::Fraction(value) => Err(ThreadsError::Fraction { unit: unit.to_string(), size, value, launch }),
        AtLaunch::TooLarge => Err(ThreadsError::Overflow),
    }
}
