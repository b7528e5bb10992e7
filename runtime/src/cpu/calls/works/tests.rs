//! Tests of which barrier regions become calls, and which tiles are read where they are.

use std::borrow::Cow;

use dims::Sym;
use elements::ElementType;
use kernel::BoundsChecks;
use kernel::typed::Kernel;
use testing::build::*;
use testing::tile_products::{OtherUse, TileProduct};
use testing::transposes::{TileLayout, transposition};

use super::*;
use crate::cpu::compile::phased;
use crate::cpu::lowering::helpers::half_runs;
use crate::cpu::options::{LaneChoice, Options};
use crate::cpu::passes::plain_layouts::without_swizzles;

const PRODUCT: TileProduct =
    TileProduct { sizes: [100, 100, 100], tile: [16, 32, 16], transposed: false, other_use: None };

/// What each region becomes, and how many tiles may be read in place.
fn works(product: TileProduct) -> (Vec<&'static str>, usize) {
    works_of(&product.kernel())
}

fn works_of(kernel: &Kernel) -> (Vec<&'static str>, usize) {
    let options = Options { bounds: BoundsChecks::Proven, lanes: LaneChoice::WhereItPays };
    let phased = phased(kernel, options);
    let nothing = Default::default();
    let mut forms = Forms::new(&phased.program, &nothing, options);
    let works = Works::new(&mut forms, &phased.body, kernel.launch.threads.as_constant());
    let names = works.all().map(|work| match work {
        Work::Copy(copy) | Work::Fill(_, Some(copy)) if copy.exchanges() => "exchange",
        Work::Copy(_) | Work::Fill(_, Some(_)) => "copy",
        Work::Fill(..) => "fill",
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

/// Each thread moves four elements in a loop. What is read by rows and written by columns exchanges them.
#[test]
fn a_transposition_through_a_tile_is_two_calls() {
    let padded = transposition([2, 3], ElementType::F32, TileLayout::Padded);
    assert_eq!(works_of(&padded).0, ["copy", "exchange"]);
    let swizzled = transposition([2, 3], ElementType::F32, TileLayout::Swizzled);
    assert_eq!(works_of(&swizzled).0, ["threads", "threads"]);
    assert_eq!(works_of(&without_swizzles(Cow::Owned(swizzled))).0, ["copy", "exchange"]);
}

/// Narrow floats that are kept as `f32` are converted while they are copied, where the processor can; other types by threads.
#[test]
fn narrow_floats_become_wider_in_a_copy() {
    let widening = |from: ElementType| {
        let mut builder = KernelBuilder::new("widening", Sym::one(), Sym::constant(256));
        let length = Sym::constant(256);
        let x = builder.tensor("x", from, std::slice::from_ref(&length), false);
        let y = builder.tensor("y", ElementType::F32, std::slice::from_ref(&length), true);
        let tile = builder.shared("tile", ElementType::F32, 256);
        let map = identity(&length);
        let [read, written] = [x, y].map(|tensor| builder.access(tensor, &map, vec![thread_id()], Masking::None));
        let loaded = builder.load(read);
        let kept = builder.shared_access(tile, thread_id());
        let again = builder.load(kept.clone());
        let body = vec![store(kept, cast(ElementType::F32, loaded)), block_barrier(), store(written, again)];
        works_of(&builder.finish(body)).0
    };
    assert_eq!(widening(ElementType::Bf16), ["copy", "copy"]);
    assert_eq!(widening(ElementType::F16), [if half_runs().is_some() { "copy" } else { "threads" }, "copy"]);
    assert_eq!(widening(ElementType::I32), ["threads", "copy"]);
}
