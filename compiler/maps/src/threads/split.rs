//! Splitting the dimensions of a tiling, so that a unit with other dimensions fits.

use smol_str::SmolStr;

use super::{Dimension, Operation, ThreadsError, Tiling};

impl Tiling {
    /// Splits dimensions until each of these pitches is the pitch of one.
    ///
    /// # Errors
    /// A factor that does not divide an extent; a split that would give an iteration other threads.
    pub fn complete(&mut self, pitches: &[i64], unit: &str) -> Result<(), ThreadsError> {
        for pitch in pitches {
            let within =
                |dimension: &Dimension| dimension.pitch < *pitch && *pitch < dimension.pitch * dimension.extent;
            let Some(at) = self.dimensions.iter().position(within) else { continue };
            let Some(dimension) = self.dimensions.get(at) else { continue };
            let halves = self.split(dimension, *pitch, unit)?;
            self.dimensions.splice(at..=at, halves);
        }
        Ok(())
    }

    /// Splits a dimension in two: an outer one with the given pitch, and an inner one within it.
    ///
    /// Operations whose box is at least the pitch go to the outer dimension, the others to the inner one. The product
    /// of both is the original set of threads only if the first inner operation narrows a box of exactly one pitch:
    /// in a larger box, the inner box would be repeated at every outer coordinate.
    fn split(&self, dimension: &Dimension, pitch: i64, unit: &str) -> Result<[Dimension; 2], ThreadsError> {
        let factor = pitch / dimension.pitch;
        if pitch % dimension.pitch != 0 || dimension.extent % factor != 0 {
            let (extent, own) = (dimension.extent, dimension.pitch);
            return Err(ThreadsError::Completion { unit: unit.to_owned(), extent, own, pitch });
        }
        let inner = dimension.operations.iter().position(|operation| operation.linear_box < pitch);
        let outer = inner.unwrap_or(dimension.operations.len());
        let (outer, inner) = dimension.operations.split_at_checked(outer).unwrap_or((&dimension.operations, &[]));
        if let Some(first) = inner.first() {
            let before = outer.last().map_or(dimension.extent * dimension.pitch, |last| last.linear_box);
            if before != pitch {
                let (step, taken) = (self.describe(first), first.linear_box);
                return Err(ThreadsError::SplitChangesThreads { step, unit: unit.to_owned(), before, taken, pitch });
            }
        }
        self.require_aligned(outer, pitch, unit)?;
        self.require_aligned(inner, dimension.pitch, unit)?;
        let extent = dimension.extent / factor;
        Ok([
            Dimension { extent, pitch, operations: outer.to_vec() },
            Dimension { extent: factor, pitch: dimension.pitch, operations: inner.to_vec() },
        ])
    }

    fn require_aligned(&self, operations: &[Operation], pitch: i64, unit: &str) -> Result<(), ThreadsError> {
        for operation in operations {
            if operation.linear_box % pitch != 0 || operation.linear_offset % pitch != 0 {
                return Err(ThreadsError::SplitUnaligned {
                    step: self.describe(operation),
                    unit: unit.to_owned(),
                    taken: operation.linear_box,
                    offset: operation.linear_offset,
                    pitch,
                });
            }
        }
        Ok(())
    }

    /// An operation by the step that made it, for messages.
    fn describe(&self, operation: &Operation) -> String {
        self.steps.get(operation.depth).map(SmolStr::to_string).unwrap_or_default()
    }
}
