//! How a line of slots or points is split into rows.

use dims::{Facts, Sym};
use maps::{IndexMap, Term, describe};

/// A line that is no longer than this stays one row.
const LONGEST_LINE: u64 = 32;
/// Cells in a row if the map suggests no width.
const PLAIN: u64 = 16;

/// The width of rows of slots: the stride of the second fastest piece, or of a later one, so that rows end where the
/// layout's dimensions end.
pub(super) fn of_slots(map: &IndexMap, total: u64, limit: usize) -> u64 {
    let described = describe(map, &Facts::empty());
    let pieces = described.iter().flat_map(|described| described.pieces.iter().flatten());
    let strides = pieces.filter(|piece| piece.extent.as_ref().and_then(Sym::as_constant) != Some(1));
    let cuts = strides.filter_map(|piece| piece.stride.as_constant()).map(i64::unsigned_abs).collect();
    width(cuts, total, limit)
}

/// The width of rows of points along one axis: a cut of the coordinate's digits.
pub(super) fn of_points(map: &IndexMap, total: u64, limit: usize) -> u64 {
    let digits = map.terms.iter().filter_map(|term| match term {
        Term::Digit { divisor, modulus, .. } => Some([Some(divisor), modulus.as_ref()]),
        _ => None,
    });
    let sizes = digits.flatten().flatten().filter_map(Sym::as_constant);
    width(sizes.map(i64::unsigned_abs).collect(), total, limit)
}

/// The first cut, or a multiple of one, that does not make the picture too tall to read.
fn width(mut cuts: Vec<u64>, total: u64, limit: usize) -> u64 {
    let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
    let is_flat = |width: u64| total.div_ceil(width) <= width.saturating_mul(5) / 2;
    cuts.retain(|cut| *cut > 1 && *cut < total);
    cuts.sort_unstable();
    cuts.dedup();
    if cuts.is_empty() && total <= LONGEST_LINE.min(limit) {
        return total.max(1);
    }
    if let Some(cut) = cuts.iter().find(|cut| **cut <= limit && is_flat(**cut)) {
        return *cut;
    }
    let fitting = cuts.iter().rev().find(|cut| **cut <= limit).copied();
    let base = fitting.or_else(|| cuts.first().map(|cut| divisor_up_to(*cut, limit))).unwrap_or(PLAIN.min(limit));
    let mut width = base;
    while !is_flat(width) && width + base <= limit {
        width += base;
    }
    width
}

/// The largest divisor of a number that is between half the limit and the limit; the limit where there is none.
fn divisor_up_to(number: u64, limit: u64) -> u64 {
    (limit / 2 + 1..=limit).rev().find(|divisor| number.is_multiple_of(*divisor)).unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_end_where_the_layout_does() {
        // Three elements for each of four threads.
        assert_eq!(width(vec![1, 3], 12, 64), 3);
        // Two columns of six would be tall; the next dimension begins at six.
        assert_eq!(width(vec![1, 2, 6], 12, 64), 6);
        // Rows of several whole threads.
        assert_eq!(width(vec![1, 3], 192, 64), 9);
        assert_eq!(width(vec![1, 128], 16384, 64), 64);
        assert_eq!(width(vec![1], 32, 64), 32);
        assert_eq!(width(vec![1], 64, 64), 16);
        assert_eq!(width(vec![], 0, 64), 1);
        assert_eq!(width(vec![u64::MAX - 1, 0], u64::MAX, 1), 1);
    }
}
