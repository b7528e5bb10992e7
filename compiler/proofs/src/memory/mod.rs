//! What an access pattern costs in memory: vectors, the banks of shared memory, the sectors of global memory.
//!
//! A map gives the element that each thread accesses. Here its upper coordinates become the lanes of warps, and its
//! lower coordinate an address. A request is the accesses of the 32 lanes of one warp at one value of all other
//! coordinates. Every answer is about the worst request over all sizes that the facts allow, and names that request.

mod banks;
mod bound;
mod display;
mod request;
mod sectors;
mod strides;
#[cfg(test)]
mod tests;
mod vector;
mod vector_points;
mod warps;
mod worst;

use elements::ElementType;
use maps::MapError;

pub use banks::{BankConflict, BankConflicts, bank_conflicts};
pub use request::LaneAccess;
pub use sectors::{Sectors, most_sectors, sectors};
pub use vector::{CompactRun, IndexPart, Limit, Obstacle, Quantity, VectorWidth, WidthRule, compact_run, vector_width};
pub use warps::{Lanes, lane_stride};

/// How many bytes an element has: 1, 2, 4, 8 or 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementSize(i64);

impl ElementSize {
    /// A size in bytes; `None` if no access of a lane has this size.
    pub fn of_bytes(bytes: i64) -> Option<ElementSize> {
        matches!(bytes, 1 | 2 | 4 | 8 | 16).then_some(ElementSize(bytes))
    }

    /// The number of bytes.
    pub fn bytes(self) -> i64 {
        self.0
    }
}

impl From<ElementType> for ElementSize {
    fn from(element: ElementType) -> ElementSize {
        // 1, 2, 4 or 8.
        ElementSize(element.size_bytes() as i64)
    }
}

/// The answer to a question about the worst request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// The worst request: no request costs more, and this one occurs.
    Known(T),
    /// It could not be decided.
    Open {
        /// The worst request that was found; there may be a worse one.
        seen: Option<T>,
        /// Why it could not be decided.
        reason: Undecided,
        /// Whether the work was cut short by its budget, and a larger one may decide it.
        deeper: bool,
    },
}

/// Why the worst request is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// It depends on the sizes.
    SizesDecide {
        /// The cost of the worst request that was found.
        least: i64,
        /// An upper bound on the cost.
        most: i64,
    },
    /// The requests cannot be enumerated.
    NotEnumerable(MapError),
    /// There are more requests than may be tried.
    TooManyRequests,
}

impl<T> Answer<T> {
    /// The worst request that is known to occur, whether or not it is the worst overall.
    pub fn seen(&self) -> Option<&T> {
        match self {
            Answer::Known(found) => Some(found),
            Answer::Open { seen, .. } => seen.as_ref(),
        }
    }

    fn map<U>(self, of: impl Fn(T) -> U) -> Answer<U> {
        match self {
            Answer::Known(found) => Answer::Known(of(found)),
            Answer::Open { seen, reason, deeper } => Answer::Open { seen: seen.map(of), reason, deeper },
        }
    }
}
