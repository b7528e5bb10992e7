//! The contents of a cell: what is known of its point or slot.

use super::Cell;
use dims::Sym;
use maps::hardware::{BANK_WORD_BYTES, BANKS};
use maps::row_major::{self, strides_of};
use maps::{AxisRole, IndexMap, UpperAxis};

/// Splits upper coordinates into thread and local ones, and numbers threads and slots.
pub(super) struct Reader {
    /// The thread axes with their strides.
    threads: Vec<(usize, u64)>,
    locals: Vec<usize>,
    /// The strides of the lower axes, if the lower extents are known.
    strides: Option<Vec<i64>>,
    element_bytes: i64,
}

impl Reader {
    /// For a map with known sizes.
    pub(super) fn new(map: &IndexMap, element_bytes: u32) -> Reader {
        let is_thread = |(_, upper): &(usize, &UpperAxis)| upper.role == AxisRole::Thread;
        let extent = |upper: &UpperAxis| upper.extent.as_ref().and_then(Sym::as_constant).unwrap_or(1).unsigned_abs();
        let (axes, extents): (Vec<usize>, Vec<u64>) =
            map.upper.iter().enumerate().filter(is_thread).map(|(axis, upper)| (axis, extent(upper))).unzip();
        let threads = axes.into_iter().zip(strides_of(&extents)).collect();
        let role = |axis: &usize| map.upper.get(*axis).map(|upper| upper.role);
        let locals = (0..map.upper.len()).filter(|axis| role(axis) == Some(AxisRole::Local)).collect();
        Reader { threads, locals, strides: strides(map), element_bytes: i64::from(element_bytes.clamp(1, 16)) }
    }

    /// Whether the map has threads.
    pub(super) fn has_threads(&self) -> bool {
        !self.threads.is_empty()
    }

    /// The number of the thread of a point.
    pub(super) fn thread(&self, upper: &[i64]) -> Option<u64> {
        let part = |(axis, weight): &(usize, u64)| {
            upper.get(*axis).map_or(0, |coordinate| (*coordinate as u64).wrapping_mul(*weight))
        };
        self.has_threads().then(|| self.threads.iter().map(part).fold(0, u64::wrapping_add))
    }

    /// Writes a point into a cell.
    pub(super) fn set_point(&self, cell: &mut Cell, upper: Vec<i64>) {
        cell.thread = self.thread(&upper);
        cell.local = self.locals.iter().filter_map(|axis| upper.get(*axis).copied()).collect();
        cell.upper = upper;
    }

    /// Writes a lower coordinate into a cell.
    pub(super) fn set_lower(&self, cell: &mut Cell, lower: Vec<i64>) {
        cell.bank = self.bank(&lower);
        cell.rank = self.slot(&lower).unwrap_or(0);
        cell.lower = lower;
    }

    /// A lower coordinate as one number.
    pub(super) fn slot(&self, lower: &[i64]) -> Option<i64> {
        match (lower, &self.strides) {
            ([slot], _) => Some(*slot),
            (_, None) => None,
            (_, Some(strides)) => lower
                .iter()
                .zip(strides)
                .try_fold(0i64, |sum, (coordinate, weight)| sum.checked_add(coordinate.checked_mul(*weight)?)),
        }
    }

    fn bank(&self, lower: &[i64]) -> Option<u32> {
        let byte = self.slot(lower)?.checked_mul(self.element_bytes)?;
        u32::try_from(byte.div_euclid(BANK_WORD_BYTES).rem_euclid(BANKS)).ok()
    }
}

/// Row-major strides of the lower coordinates; `None` where an extent is not known.
fn strides(map: &IndexMap) -> Option<Vec<i64>> {
    let extents: Vec<Sym> = map.lower.iter().map(|axis| axis.extent.clone()).collect::<Option<_>>()?;
    row_major::strides(&extents).ok()?.iter().map(Sym::as_constant).collect()
}
