//! Words whose meaning this version reads and does not compute.

use super::Subject::{Function, MapMember};
use super::{Entry, call, entry};

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
    entry(
        Function,
        "pass_through",
        "pass_through",
        later!("One dimension as it is; also written `_`."),
        "show pass_through(4);",
    ),
    call(
        Function,
        "pad",
        "pad(left, right)",
        &[("left", "how many before"), ("right", "how many behind")],
        later!("Adds coordinates before and behind that are not valid."),
        "show pad(1, 1);",
    ),
    call(
        Function,
        "left_pad",
        "left_pad(left)",
        &[("left", "how many")],
        later!("Adds coordinates before that are not valid."),
        "show left_pad(1);",
    ),
    call(
        Function,
        "right_pad",
        "right_pad(right)",
        &[("right", "how many")],
        later!("Adds coordinates behind that are not valid."),
        "show right_pad(1);",
    ),
    call(
        Function,
        "embed",
        "embed(lengths, coefficients)",
        &[("lengths", "the upper lengths"), ("coefficients", "their weights")],
        later!("Several upper coordinates that are weighted and added: a sliding window."),
        "show embed((3, 30), (1, 1));",
    ),
    call(
        Function,
        "merge",
        "merge(length, …)",
        &[("length, …", "the lower lengths")],
        later!("Several lower dimensions as one upper dimension, in row-major order."),
        "show merge(4, 5);",
    ),
    call(
        Function,
        "unmerge",
        "unmerge(length, …)",
        &[("length, …", "the upper lengths")],
        later!("One lower dimension as several upper dimensions, in row-major order."),
        "show unmerge(4, 5);",
    ),
    call(
        Function,
        "replicate",
        "replicate(length)",
        &[("length", "its length")],
        later!("An upper dimension that leads to no lower one."),
        "show replicate(4);",
    ),
    call(
        Function,
        "insert",
        "insert(position)",
        &[("position", "the coordinate")],
        later!("A lower dimension that is always the same."),
        "show insert(0);",
    ),
    call(
        Function,
        "freeze",
        "freeze(position)",
        &[("position", "the coordinate")],
        later!("Fixes a lower dimension at one coordinate."),
        "show freeze(0);",
    ),
    call(Function, "offset", "offset(by)", &[("by", "how much")], later!("Adds to a coordinate."), "show offset(4);"),
    call(
        Function,
        "slice",
        "slice(begin, end)",
        &[("begin", "the first coordinate"), ("end", "one past the last")],
        later!("A part of a dimension."),
        "show slice(2, 6);",
    ),
    call(
        Function,
        "xor",
        "xor(rows, columns)",
        &[("rows", "the number of rows"), ("columns", "the number of columns")],
        later!("Swizzles the columns of a tile by its rows, against bank conflicts."),
        "show xor(8, 64);",
    ),
    call(
        Function,
        "modulo",
        "modulo(length)",
        &[("length", "where it starts again")],
        later!("A coordinate that starts again at 0."),
        "show modulo(4);",
    ),
    call(
        Function,
        "cyclic_shift",
        "cyclic_shift(by)",
        &[("by", "how many places")],
        later!("Turns a dimension round by some places."),
        "show cyclic_shift(1);",
    ),
    call(
        Function,
        "row_major",
        "row_major(shape)",
        &[("shape", "the shape")],
        later!("The layout in which the last dimension is the fastest."),
        "show row_major([8, 64]);",
    ),
    call(
        Function,
        "col_major",
        "col_major(shape)",
        &[("shape", "the shape")],
        later!("The layout in which the first dimension is the fastest."),
        "show col_major([8, 64]);",
    ),
    call(
        Function,
        "strided",
        "strided(shape, strides)",
        &[("shape", "the shape"), ("strides", "elements between neighbours along each dimension")],
        later!("A layout with given strides."),
        "show strided([8, 64], [128, 1]);",
    ),
    call(
        Function,
        "partition",
        "partition(tensor, shape)",
        &[("tensor", "what is divided"), ("shape", "the shape of one tile")],
        later!("A tensor as tiles."),
        "show partition([64], [4]);",
    ),
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
        "permute",
        "m.permute(order, …)",
        &[("order, …", "the order")],
        later!("The map with its upper coordinates in another order."),
        of_map!("show m.permute(1, 0);"),
    ),
    entry(
        MapMember,
        "inverse",
        "m.inverse",
        later!("The map from lower to upper coordinates."),
        of_map!("show m.inverse;"),
    ),
];
