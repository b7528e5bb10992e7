//! Words whose meaning this version reads and does not compute.

use super::Subject::Function;
use super::{Entry, call};

/// What something will mean.
macro_rules! later {
    ($text:literal) => {
        concat!($text, " This version reads it and does not compute it.")
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
];
