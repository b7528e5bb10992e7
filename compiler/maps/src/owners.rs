//! Which thread owns each slot.

use std::fmt;
use std::ops::ControlFlow;

use super::compiled::CompiledAxis;
use super::row_major::strides_of;
use super::{AxisRole, Chunk, CompiledMap, Domain, IndexMap, MapError};

/// The most slots of a table, those of a tile of 256 × 256. A longer one would be unreadable.
pub const MOST_SLOTS: u64 = 1 << 16;

/// Why there is no table of owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnersError {
    /// The map cannot be enumerated.
    Map(MapError),
    /// Two threads reach one slot.
    TwoOwners {
        /// The slot.
        slot: u64,
        /// The thread that reaches it first in map order.
        first: u64,
        /// Another thread that reaches it.
        second: u64,
    },
}

impl fmt::Display for OwnersError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OwnersError::Map(error) => write!(formatter, "{error}"),
            OwnersError::TwoOwners { slot, first, second } => {
                write!(formatter, "slot {slot} belongs to thread {first} and to thread {second}")
            }
        }
    }
}

impl std::error::Error for OwnersError {}

impl From<MapError> for OwnersError {
    fn from(error: MapError) -> OwnersError {
        OwnersError::Map(error)
    }
}

/// The thread that reaches each of the first `slots` lower coordinates; `None` for slots that no valid point reaches.
///
/// `slots` defaults to the map's lower extent, or else to the largest slot reached plus one. With several thread
/// coordinates, threads are numbered row-major, the last coordinate fastest. Slots beyond the table are ignored. At
/// most `points` points of the map are visited.
///
/// # Errors
/// Symbols in the map, several lower coordinates, an unbounded coordinate, too many slots or points, two owners.
pub fn owners(
    map: &IndexMap,
    slots: Option<u64>,
    points: u64,
    cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Option<u64>>, OwnersError> {
    let [lower] = map.lower.as_slice() else {
        return Err(MapError::Rank { what: "lower coordinates", expected: 1, found: map.lower.len() }.into());
    };
    let compiled = CompiledMap::new(map, Domain::Tight)?;
    let too_many = MapError::TooLarge { what: "slots", limit: MOST_SLOTS };
    let extent = lower.extent.as_ref().map(|extent| extent.as_constant().ok_or(MapError::Symbolic)).transpose()?;
    let reached = compiled.lower_ranges().and_then(|ranges| ranges.first().copied());
    let default = extent.or(reached.map(|(_, high)| high.saturating_add(1))).unwrap_or(0);
    let slots = slots.unwrap_or_else(|| u64::try_from(default).unwrap_or(0));
    let length = usize::try_from(slots).ok().filter(|_| slots <= MOST_SLOTS).ok_or(too_many)?;
    if compiled.points() > u128::from(points) {
        return Err(MapError::TooLarge { what: "points", limit: points }.into());
    }

    let mut table: Vec<Option<u64>> = vec![None; length];
    let mut conflict = None;
    let threads = ThreadNumbers::new(&CompiledMap::new(map, Domain::Extents)?)?;
    compiled.visit(cancelled, |chunk| {
        for (lane, (slot, valid)) in chunk.lower(0).iter().zip(chunk.valid()).enumerate() {
            let Some(place) = usize::try_from(*slot).ok().filter(|_| *valid).and_then(|slot| table.get_mut(slot))
            else {
                continue;
            };
            let thread = threads.number(chunk, lane);
            match place {
                Some(first) if *first != thread => {
                    conflict = Some(OwnersError::TwoOwners { slot: *slot as u64, first: *first, second: thread });
                    return ControlFlow::Break(());
                }
                _ => *place = Some(thread),
            }
        }
        ControlFlow::Continue(())
    })?;
    conflict.map_or(Ok(table), Err)
}

/// Linear thread numbers over all thread coordinates.
pub struct ThreadNumbers {
    /// The thread axes with their strides.
    strides: Vec<(usize, u64)>,
    /// One past the largest number.
    count: u64,
}

impl ThreadNumbers {
    /// Numbers the threads in the box of a compiled map.
    pub fn new(compiled: &CompiledMap) -> Result<ThreadNumbers, MapError> {
        let is_thread = |(_, bounds): &(usize, &CompiledAxis)| bounds.role == AxisRole::Thread;
        let end = |bounds: &CompiledAxis| (bounds.low + bounds.count).max(1) as u64;
        let (axes, ends): (Vec<usize>, Vec<u64>) =
            compiled.axes.iter().enumerate().filter(is_thread).map(|(axis, bounds)| (axis, end(bounds))).unzip();
        let count = ends.iter().try_fold(1u64, |count, end| count.checked_mul(*end)).ok_or(MapError::Overflow)?;
        Ok(ThreadNumbers { strides: axes.into_iter().zip(strides_of(&ends)).collect(), count })
    }

    /// How many threads there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The thread of one point of a chunk.
    pub fn number(&self, chunk: &Chunk<'_>, lane: usize) -> u64 {
        let part = |(axis, stride): &(usize, u64)| {
            chunk.coordinate(*axis).get(lane).map_or(0, |coordinate| (*coordinate as u64).wrapping_mul(*stride))
        };
        self.strides.iter().map(part).fold(0, u64::wrapping_add)
    }
}
