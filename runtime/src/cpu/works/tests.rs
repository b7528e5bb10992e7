//! Tests of which barrier regions become calls, and which tiles are read where they are.

use kernel::BoundsChecks;
use testing::tile_products::{OtherUse, TileProduct};

use super::*;
use crate::cpu::compile::phased;
use crate::cpu::options::{LaneChoice, Options};

const PRODUCT: TileProduct =
    TileProduct { sizes: [100, 100, 100], tile: [16, 32, 16], transposed: false, other_use: None };

/// What each region becomes, and how many tiles may be read in place.
fn works(product: TileProduct) -> (Vec<&'static str>, usize) {
    let kernel = product.kernel();
    let options = Options { bounds: BoundsChecks::Proven, lanes: LaneChoice::WhereItPays };
    let phased = phased(&kernel, options);
    let nothing = Default::default();
    let mut forms = Forms::new(&phased.program, &nothing, options);
    let works = Works::new(&mut forms, &phased.body, kernel.launch.threads.as_constant());
    let names = works.by_region.iter().map(|work| match work {
        Work::Copy(_) => "copy",
        Work::Products(_) => "products",
        Work::Lanes(_) => "lanes",
        Work::Threads => "threads",
    });
    (names.collect(), works.in_place.len())
}

#[test]
fn the_tiles_of_a_product_are_read_where_they_are() {
    let regions = vec!["threads", "copy", "copy", "products", "copy"];
    assert_eq!(works(PRODUCT), (regions.clone(), 2));
    assert_eq!(works(TileProduct { transposed: true, ..PRODUCT }), (regions, 2));
}

/// A tile is copied if its threads use it otherwise, or if the matrix may change before the tile is read.
#[test]
fn a_tile_with_other_uses_is_copied() {
    let with = |other_use| works(TileProduct { other_use: Some(other_use), ..PRODUCT });
    assert_eq!(with(OtherUse::Read), (vec!["threads", "copy", "copy", "threads", "products", "copy"], 1));
    assert_eq!(with(OtherUse::Written), (vec!["threads", "copy", "copy", "threads", "products", "copy"], 1));
    assert_eq!(with(OtherUse::MatrixIsWritten), (vec!["threads", "copy", "copy", "products", "threads"], 1));
}

/// Rows of few bytes are copied by vectors of threads.
#[test]
fn narrow_tiles_are_no_calls() {
    let narrow = TileProduct { tile: [64, 8, 8], ..PRODUCT };
    assert_eq!(works(narrow).0.iter().filter(|work| **work == "copy").count(), 0);
}
