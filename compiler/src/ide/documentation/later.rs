//! Words whose meaning this version reads and does not compute.

use super::Subject::{Function, MapMember};
use super::{Entry, call};

/// What something will mean.
macro_rules! later {
    ($text:literal) => {
        concat!($text, " This version reads it and does not compute it.")
    };
}

/// An example that asks a map.
macro_rules! of_map {
    ($question:literal) => {
        concat!("map m = reshape_map([3] | [4] => layout: [t0, i0]);\n", $question)
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    call(
        Function,
        "cluster",
        "cluster(c)",
        &[("c", "blocks in a cluster")],
        later!("The clusters that a tiling starts with."),
        "tiling work = cluster(1) block(384);",
    ),
    call(
        Function,
        "block",
        "block(b)",
        &[("b", "threads in a block")],
        later!("The threads of a block that a tiling starts with."),
        "tiling work = cluster(1) block(384);",
    ),
    call(
        Function,
        "tile",
        "tile(iterator: count, unit)",
        &[
            ("iterator: count", "the iterator and how many iterations it has"),
            ("unit", "the collective that executes one"),
        ],
        later!("Spreads iterations over thread collectives."),
        "tiling work = block(64) |> tile(w: 2, cuda_warp);",
    ),
    call(
        Function,
        "specialize",
        "specialize(lo..hi, unit)",
        &[("lo..hi", "which collectives"), ("unit", "the kind of collective")],
        later!("Narrows to some of the thread collectives."),
        "tiling work = block(64) |> specialize(0..1, cuda_warp);",
    ),
    call(
        MapMember,
        "vector_width",
        "m.vector_width(f32)",
        &[("f32", "the element type")],
        later!("How many elements one access of a thread may take at once."),
        of_map!("show m.vector_width(f32);"),
    ),
    call(
        MapMember,
        "bank_conflicts",
        "m.bank_conflicts(f32)",
        &[("f32", "the element type")],
        later!("How many accesses of shared memory collide."),
        of_map!("show m.bank_conflicts(f32);"),
    ),
    call(
        MapMember,
        "sectors",
        "m.sectors(f32)",
        &[("f32", "the element type")],
        later!("How many sectors of memory a warp touches."),
        of_map!("show m.sectors(f32);"),
    ),
];
