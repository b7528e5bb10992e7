//! Domain completion and typing, case by case.

use super::vectors::unit;
use crate::threads::typing::{TypedUnit, Typing};
use crate::threads::{Launch, ThreadsError, Tiling};

/// Extents and boxes of a unit after splitting it at some distances.
fn completed(
    name: &str,
    (cluster, block): (i64, i64),
    pitches: &[i64],
) -> Result<Vec<(i64, Option<i64>)>, ThreadsError> {
    let unit = unit(name);
    let mut typed = TypedUnit::new(&unit, Launch::new(cluster, block)?, Typing::Agnostic)?;
    typed.complete(pitches, unit.name())?;
    Ok(typed.dimensions.iter().map(|dimension| (dimension.extent, dimension.taken)).collect())
}

#[test]
fn a_box_fills_the_fastest_dimension_first() {
    assert_eq!(completed("32*cuda_thread", (1, 256), &[16]).unwrap(), [(16, Some(2)), (16, Some(16))]);
    assert_eq!(completed("8*cuda_thread", (1, 256), &[16]).unwrap(), [(16, Some(1)), (16, Some(8))]);
    assert!(matches!(
        completed("24*cuda_thread", (1, 256), &[16]),
        Err(ThreadsError::BoxSplit { taken: 24, factor: 16, .. })
    ));
}

#[test]
fn what_a_unit_leaves_open_is_the_slowest_dimension() {
    assert_eq!(completed("cuda_warp", (4, 256), &[]).unwrap(), [(4, None), (256, Some(32))]);
    assert_eq!(completed("cuda_warp", (1, 256), &[]).unwrap(), [(256, Some(32))]);
    assert_eq!(completed("standalone_thread", (2, 32), &[]).unwrap(), [(64, None)]);
}

#[test]
fn both_sides_get_the_boundaries_of_both() {
    // (2, 128) and (8, 32) are (2, 4, 32) together.
    let warps = Tiling::new(2, 128).unwrap().tile("w", 4, &unit("cuda_warp")).unwrap();
    assert_eq!(warps.domain(), [2, 128]);
    let parts = warps.tile("q", 4, &unit("cuda_threads_strided(8,32)")).unwrap();
    assert_eq!((parts.domain(), parts.taken()), (vec![2, 4, 32], vec![2, 1, 8]));
    assert_eq!(completed("cuda_threads_strided(8,32)", (2, 128), &[128]).unwrap().len(), 3);
}

#[test]
fn the_largest_launch_with_ten_steps() {
    let mut tiling = Tiling::new(16, 1024).unwrap();
    for (number, name) in
        ["8*cuda_cta_in_cluster", "4*cuda_cta_in_cluster", "2*cuda_cta_in_cluster", "cuda_cta_in_cluster"]
            .into_iter()
            .chain(["16*cuda_warp", "8*cuda_warp", "4*cuda_warp", "2*cuda_warp", "cuda_warp", "16*cuda_thread"])
            .enumerate()
    {
        tiling = tiling.tile(&format!("i{number}"), 2, &unit(name)).unwrap();
    }
    assert_eq!((tiling.iterations(), tiling.leaf_threads()), (1024, 16));
    assert_eq!(tiling.threads(&[1; 10]).unwrap().to_string(), "16368..16384");
    assert!(!tiling.matches(&unit("cuda_warp")).is_proven());
    assert_eq!(tiling.digits().predicate.to_string(), "true");
    assert_eq!(tiling.digits().lane.to_string(), "tid % 16");
}
