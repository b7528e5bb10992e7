//! Maps as coordinate transforms make them, with symbolic sizes: what is true of them must be proven.

use super::symbolic::{facts, named, number, proven};
use crate::{Budget, Verdict, covers, equal, in_bounds, injective, race_free};
use dims::{CompareOp, Facts, Sym};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, UpperAxis};

/// No point is tried and no difference searched: only rules about every size may answer.
fn rules_only() -> Budget<'static> {
    Budget { points: 0, steps: 0, ..Budget::default() }
}

/// A map from rows, which belong to threads, and other coordinates to forms with extents.
fn map(
    upper: &[Sym],
    known: &Facts,
    lower: impl FnOnce(&mut MapBuilder<'_>, &[Affine]) -> Result<Vec<(Affine, Option<Sym>)>, MapError>,
) -> IndexMap {
    let role = |axis| if axis == 0 { AxisRole::Thread } else { AxisRole::Local };
    let axis = |(axis, extent): (usize, &Sym)| UpperAxis { extent: Some(extent.clone()), role: role(axis) };
    let mut builder = MapBuilder::new(upper.iter().enumerate().map(axis).collect(), known);
    let coordinates: Vec<Affine> = (0..upper.len()).map(|axis| builder.coordinate(axis).unwrap()).collect();
    let lower = lower(&mut builder, &coordinates).unwrap();
    builder.finish(lower.into_iter().map(|(value, extent)| LowerAxis { value, extent }).collect()).unwrap()
}

fn times(left: &Sym, right: &Sym) -> Sym {
    left.checked_mul(right).unwrap()
}

fn multiple(name: &str, of: i64) -> (Sym, CompareOp, Sym) {
    (named(name).checked_remainder(&number(of), &Facts::empty()).unwrap(), CompareOp::Eq, number(0))
}

/// Proves that a map is a permutation of `[0, size)`: race-free, injective, inside and covering.
#[track_caller]
fn permutes(map: &IndexMap, size: &Sym, known: &Facts) {
    let budget = rules_only();
    proven(&injective(map, known, &budget));
    proven(&race_free(map, known, &budget));
    proven(&in_bounds(map, std::slice::from_ref(size), known, &budget));
    proven(&covers(map, &[Sym::zero()..size.clone()], known, &budget));
    let less = size.checked_sub(&Sym::one()).unwrap();
    assert!(in_bounds(map, &[less], known, &Budget::default()).is_refuted());
    let more = size.checked_add(&Sym::one()).unwrap();
    assert!(covers(map, &[Sym::zero()..more], known, &Budget::default()).is_refuted());
}

#[track_caller]
fn settled_by(verdict: &Verdict, fact: &str) {
    assert!(!verdict.is_proven(), "{verdict:?}");
    assert_eq!(verdict.obligation().map(ToString::to_string).as_deref(), Some(fact), "{verdict:?}");
}

/// `i·columns + (j ^ (i % 8))`
fn xor_tile(rows: &Sym, columns: &Sym, known: &Facts) -> IndexMap {
    map(&[rows.clone(), columns.clone()], known, |builder, at| {
        let bits = builder.remainder(&at[0], &number(8))?;
        let column = builder.xor(&at[1], &bits)?;
        Ok(vec![(at[0].checked_scale(columns)?.checked_add(&column)?, None)])
    })
}

#[test]
fn xor_tiles_with_any_number_of_rows() {
    let none = Facts::empty();
    for columns in [8, 64, 24] {
        permutes(&xor_tile(&named("N"), &number(columns), &none), &times(&named("N"), &number(columns)), &none);
    }
    // 12 columns are no multiple of 8 (T4).
    let map = xor_tile(&named("N"), &number(12), &none);
    assert!(injective(&map, &none, &Budget::default()).is_refuted());
    assert!(in_bounds(&map, &[times(&named("N"), &number(12))], &none, &Budget::default()).is_refuted());
}

#[test]
fn xor_tiles_of_symbolic_width_need_it_to_be_a_multiple() {
    let none = Facts::empty();
    let size = times(&named("N"), &named("M"));
    let map = xor_tile(&named("N"), &named("M"), &none);
    let budget = Budget::default();
    settled_by(&injective(&map, &none, &budget), "M % 8 == 0");
    settled_by(&in_bounds(&map, std::slice::from_ref(&size), &none, &budget), "M % 8 == 0");
    settled_by(&covers(&map, &[Sym::zero()..size.clone()], &none, &budget), "M % 8 == 0");
    let aligned = facts(&[multiple("M", 8)]);
    permutes(&xor_tile(&named("N"), &named("M"), &aligned), &size, &aligned);
}

#[test]
fn swizzled_chunks() {
    // Chunks of 8 of a row of 64, the chunk's number xored with the row: what loads without bank conflicts.
    let none = Facts::empty();
    let swizzled = map(&[named("N"), number(64)], &none, |builder, at| {
        let chunk = builder.floor_div(&at[1], &number(8))?;
        let inside = builder.remainder(&at[1], &number(8))?;
        let row = builder.remainder(&at[0], &number(8))?;
        let chunk = builder.xor(&chunk, &row)?;
        let row = at[0].checked_scale(&number(64))?;
        Ok(vec![(row.checked_add(&chunk.checked_scale(&number(8))?)?.checked_add(&inside)?, None)])
    });
    permutes(&swizzled, &times(&named("N"), &number(64)), &none);
}

#[test]
fn cyclic_shifts_of_any_length() {
    let none = Facts::empty();
    let size = times(&named("N"), &named("L"));
    for (first, second) in [(1, 1), (5, 1), (1, -1), (-3, 1)] {
        let shifted = map(&[named("N"), named("L")], &none, |builder, at| {
            let sum = at[0].checked_scale(&number(first))?.checked_add(&at[1].checked_scale(&number(second))?)?;
            let column = builder.remainder(&sum, &named("L"))?;
            Ok(vec![(at[0].checked_scale(&named("L"))?.checked_add(&column)?, None)])
        });
        permutes(&shifted, &size, &none);
    }
    // By a size, and of a coordinate alone.
    let shifted = map(&[named("L")], &none, |builder, at| {
        Ok(vec![(builder.remainder(&at[0].checked_offset(&named("S"))?, &named("L"))?, None)])
    });
    permutes(&shifted, &named("L"), &none);
    // A shift within a row that is longer than the row shows less of it.
    let map = map(&[named("N"), named("K")], &none, |builder, at| {
        let column = builder.remainder(&at[0].checked_add(&at[1])?, &named("L"))?;
        Ok(vec![(at[0].checked_scale(&named("L"))?.checked_add(&column)?, None)])
    });
    settled_by(&injective(&map, &none, &Budget::default()), "K <= L");
    settled_by(&covers(&map, &[Sym::zero()..size], &none, &Budget::default()), "L <= K");
}

#[test]
fn a_cyclic_shift_of_a_swizzle() {
    let none = Facts::empty();
    let map = map(&[named("N"), number(64)], &none, |builder, at| {
        let row = builder.remainder(&at[0], &number(16))?;
        let column = builder.xor(&at[1], &row)?;
        let column = builder.remainder(&column.checked_add(&at[0])?, &number(64))?;
        Ok(vec![(at[0].checked_scale(&number(64))?.checked_add(&column)?, None)])
    });
    permutes(&map, &times(&named("N"), &number(64)), &none);
}

#[test]
fn nested_digits_of_symbolic_radix() {
    // [M, K, 4] out of one index and back, in another order.
    let none = Facts::empty();
    let (rows, columns) = (named("M"), named("K"));
    let size = times(&times(&rows, &columns), &number(4));
    let digits = |builder: &mut MapBuilder<'_>, of: &Affine| -> Result<[Affine; 3], MapError> {
        let tail = times(&columns, &number(4));
        let row = builder.floor_div(of, &tail)?;
        let column = builder.digit(of, &number(4), Some(&columns))?;
        Ok([row, column, builder.remainder(of, &number(4))?])
    };
    let transposed = map(std::slice::from_ref(&size), &none, |builder, at| {
        let [row, column, last] = digits(builder, &at[0])?;
        let above = last.checked_scale(&rows)?.checked_add(&row)?;
        Ok(vec![(above.checked_scale(&columns)?.checked_add(&column)?, None)])
    });
    permutes(&transposed, &size, &none);
    // Put together again it is the index itself, and digits of digits are digits.
    let again = map(std::slice::from_ref(&size), &none, |builder, at| {
        let [row, column, last] = digits(builder, &at[0])?;
        let whole = row.checked_scale(&columns)?.checked_add(&column)?.checked_scale(&number(4))?.checked_add(&last)?;
        let [row, column, last] = digits(builder, &whole)?;
        Ok(vec![(
            row.checked_scale(&columns)?.checked_add(&column)?.checked_scale(&number(4))?.checked_add(&last)?,
            None,
        )])
    });
    let same = map(&[size], &none, |_, at| Ok(vec![(at[0].clone(), None)]));
    proven(&equal(&again, &same, &none, &rules_only()));
}

#[test]
fn slices_and_pads() {
    let none = Facts::empty();
    let window = map(&[named("N"), number(16)], &none, |_, at| {
        let column = at[1].checked_offset(&number(8))?;
        Ok(vec![(at[0].clone(), Some(named("N"))), (column, Some(number(32)))])
    });
    let budget = rules_only();
    proven(&injective(&window, &none, &budget));
    proven(&in_bounds(&window, &[named("N"), number(24)], &none, &budget));
    proven(&covers(&window, &[Sym::zero()..named("N"), number(8)..number(24)], &none, &budget));

    // Padded by one on either side: valid where the column is inside, and all of it is reached.
    let width = named("M").checked_add(&number(2)).unwrap();
    let padded = map(&[named("N"), width], &none, |_, at| {
        let column = at[1].checked_offset(&number(-1))?;
        Ok(vec![(at[0].clone(), Some(named("N"))), (column, Some(named("M")))])
    });
    proven(&injective(&padded, &none, &budget));
    proven(&in_bounds(&padded, &[named("N"), named("M")], &none, &budget));
    proven(&covers(&padded, &[Sym::zero()..named("N"), Sym::zero()..named("M")], &none, &budget));
}

/// `p(I, J) = I·step + J` for tiles of `tile` elements, up to an edge.
fn partition(tiles: &Sym, tile: &Sym, step: &Sym, edge: Option<&Sym>, known: &Facts) -> IndexMap {
    map(&[tiles.clone(), tile.clone()], known, |builder, at| {
        let slot = at[0].checked_scale(step)?.checked_add(&at[1])?;
        builder.mask(&slot, None, edge, MaskReason::TensorBound)?;
        Ok(vec![(slot, None)])
    })
}

#[test]
fn partitions_masked_at_the_edge() {
    let none = Facts::empty();
    for tile in [number(64), named("T")] {
        let tiles = named("N").cdiv(&tile, &none).unwrap();
        let map = partition(&tiles, &tile, &tile, Some(&named("N")), &none);
        permutes(&map, &named("N"), &none);
    }
    // Without the mask the last tile leaves.
    let tiles = named("N").cdiv(&number(64), &none).unwrap();
    let bare = partition(&tiles, &number(64), &number(64), None, &none);
    settled_by(&in_bounds(&bare, &[named("N")], &none, &Budget::default()), "N % 64 == 0");
}

#[test]
fn partitions_that_overlap_or_leave_gaps() {
    let none = Facts::empty();
    // Tiles of 66 every 64: a halo. Two tiles share it, and all is reached.
    let halo = partition(&named("G"), &number(66), &number(64), None, &none);
    assert!(race_free(&halo, &none, &Budget::default()).is_refuted());
    let size = times(&named("G"), &number(64));
    proven(&covers(&halo, &[Sym::zero()..size.clone()], &none, &rules_only()));
    // Tiles of 62 every 64 leave a gap.
    let gaps = partition(&named("G"), &number(62), &number(64), None, &none);
    proven(&injective(&gaps, &none, &rules_only()));
    assert!(covers(&gaps, &[Sym::zero()..size], &none, &Budget::default()).is_refuted());
    // Of symbolic tiles and steps the order decides.
    let map = partition(&named("G"), &named("T"), &named("S"), None, &none);
    settled_by(&injective(&map, &none, &Budget::default()), "T <= S");
    let size = times(&named("G"), &named("S"));
    settled_by(&covers(&map, &[Sym::zero()..size.clone()], &none, &Budget::default()), "S <= T");
    let ordered = facts(&[(named("T"), CompareOp::Le, named("S"))]);
    proven(&injective(&map, &ordered, &rules_only()));
    let ordered = facts(&[(named("S"), CompareOp::Le, named("T"))]);
    proven(&covers(&map, &[Sym::zero()..size], &ordered, &rules_only()));
}

#[test]
fn strides_wider_than_the_row() {
    // A leading dimension of twice a size plus something: no order of two symbols says it.
    let none = Facts::empty();
    let stride = times(&named("LD"), &number(2)).checked_add(&number(1)).unwrap();
    let map = map(&[named("N"), named("M")], &none, |_, at| {
        Ok(vec![(at[0].checked_scale(&stride)?.checked_add(&at[1])?, None)])
    });
    settled_by(&injective(&map, &none, &Budget::default()), "M <= 2 * LD + 1");
}

#[test]
fn an_xor_is_the_same_either_way_round_and_undoes_itself() {
    let none = Facts::empty();
    let tile = |swapped: bool| {
        map(&[named("N"), number(64)], &none, |builder, at| {
            let row = builder.remainder(&at[0], &number(8))?;
            let column = if swapped { builder.xor(&row, &at[1])? } else { builder.xor(&at[1], &row)? };
            Ok(vec![(at[0].clone(), None), (column, None)])
        })
    };
    proven(&equal(&tile(false), &tile(true), &none, &rules_only()));
    let twice = map(&[named("N"), number(64)], &none, |builder, at| {
        let row = builder.remainder(&at[0], &number(8))?;
        let once = builder.xor(&at[1], &row)?;
        Ok(vec![(at[0].clone(), None), (builder.xor(&row, &once)?, None)])
    });
    let plain = map(&[named("N"), number(64)], &none, |_, at| Ok(vec![(at[0].clone(), None), (at[1].clone(), None)]));
    proven(&equal(&twice, &plain, &none, &rules_only()));
    assert!(equal(&tile(false), &plain, &none, &Budget::default()).is_refuted());
}

#[test]
fn maps_of_different_extents_are_equal_only_where_the_extents_are() {
    let none = Facts::empty();
    let row = |extent: Sym| map(&[extent], &none, |_, at| Ok(vec![(at[0].clone(), None)]));
    let budget = Budget::default();
    assert!(equal(&row(number(4)), &row(number(5)), &none, &budget).is_refuted());
    let verdict = equal(&row(named("N")), &row(number(64)), &none, &budget);
    assert!(verdict.is_refuted());
    settled_by(&verdict, "N == 64");
    // A mask may say the same as an extent.
    let masked = map(&[number(5)], &none, |builder, at| {
        builder.mask(&at[0], None, Some(&number(4)), MaskReason::Guard)?;
        Ok(vec![(at[0].clone(), None)])
    });
    proven(&equal(&row(number(4)), &masked, &none, &budget));
}
