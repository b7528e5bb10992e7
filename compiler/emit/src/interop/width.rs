//! How wide the integers of a range are.

use crate::range::Range;
use dims::Interval;

/// Whether all values fit an `int`.
pub(super) fn fits_int(range: &Range) -> bool {
    range.within(i128::from(i32::MIN), i128::from(i32::MAX))
}

/// The range within 64 bits; the limits exclude all other values.
pub(super) fn cut(range: Range) -> Range {
    let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
    Range { numbers: range.numbers.intersect(Interval::between(least, greatest)), ..range }
}
