//! Domain completion and typing, case by case.

use super::typing::{TypedUnit, Typing};
use super::{Launch, Scale, Size, ThreadsError, Tiling, Unit, standard_unit};

/// A standard unit with its parameters.
fn unit(name: &str, parameters: &[i64]) -> Unit {
    let parameters: Vec<Size> = parameters.iter().map(|value| Size::integer(*value).unwrap()).collect();
    standard_unit(name).unwrap().build(&parameters).unwrap()
}

/// So many neighbouring threads.
fn threads(count: i64) -> Unit {
    unit("cuda_thread", &[]).scaled(Scale::integer(count).unwrap()).unwrap()
}

/// Extents and boxes of a unit after splitting it at some distances.
fn completed(
    unit: &Unit,
    (cluster, block): (i64, i64),
    pitches: &[i64],
) -> Result<Vec<(i64, Option<i64>)>, ThreadsError> {
    let mut typed = TypedUnit::new(unit, Launch::new(cluster, block)?, Typing::Agnostic)?;
    typed.complete(pitches, unit.name())?;
    Ok(typed.dimensions.iter().map(|dimension| (dimension.extent, dimension.taken)).collect())
}

#[test]
fn a_box_fills_the_fastest_dimension_first() {
    assert_eq!(completed(&threads(32), (1, 256), &[16]).unwrap(), [(16, Some(2)), (16, Some(16))]);
    assert_eq!(completed(&threads(8), (1, 256), &[16]).unwrap(), [(16, Some(1)), (16, Some(8))]);
    assert!(matches!(
        completed(&threads(24), (1, 256), &[16]),
        Err(ThreadsError::BoxSplit { taken: 24, factor: 16, .. })
    ));
}

#[test]
fn what_a_unit_leaves_open_is_the_slowest_dimension() {
    assert_eq!(completed(&unit("cuda_warp", &[]), (4, 256), &[]).unwrap(), [(4, None), (256, Some(32))]);
    assert_eq!(completed(&unit("cuda_warp", &[]), (1, 256), &[]).unwrap(), [(256, Some(32))]);
    assert_eq!(completed(&unit("standalone_thread", &[]), (2, 32), &[]).unwrap(), [(64, None)]);
}

#[test]
fn both_sides_get_the_boundaries_of_both() {
    let strided = unit("cuda_threads_strided", &[8, 32]);
    // (2, 128) and (8, 32) are (2, 4, 32) together.
    let warps = Tiling::new(2, 128).unwrap().tile("w", 4, &unit("cuda_warp", &[])).unwrap();
    assert_eq!(warps.domain(), [2, 128]);
    let parts = warps.tile("q", 4, &strided).unwrap();
    assert_eq!((parts.domain(), parts.taken()), (vec![2, 4, 32], vec![2, 1, 8]));
    assert_eq!(completed(&strided, (2, 128), &[128]).unwrap().len(), 3);
}
