//! What builds index maps.

use super::entry::Subject::{Function, MapPart};
use super::entry::{Entry, call, entry};
use kernel::functions::{Given, Parameter};

pub(super) const ENTRIES: &[Entry] = &[
    call(
        Function,
        "reshape_map",
        &[
            Parameter::new(
                "[D, …]",
                "the local dimensions: how many indices one thread has. `(D, TD)` gives the size in the tensor too",
            ),
            Parameter::new("[D, …]", "the thread dimensions: the digits of the thread id, the first one fastest")
                .behind(" | "),
            Parameter::new(
                "layout",
                "every dimension once, from the fastest to the slowest: `i0`, `t0` or a number, `-` reverses it. Left \
                 out: `[0, 1, …]`",
            )
            .written("layout: [entry, …]")
            .behind(" => ")
            .given(Given::ByName),
            Parameter::new("offset", "added to every result. Left out: 0").written("offset: e").given(Given::ByName),
        ],
        "Says which element belongs to which thread: a permutation of the local and the thread dimensions.",
        "map strided = reshape_map([3] | [4] => layout: [t0, i0]);\nassert strided(2, 1) == 9;",
    ),
    call(
        Function,
        "linear",
        &[
            Parameter::new("width", "how many neighbouring elements a thread has at a time"),
            Parameter::new("threads", "how many threads share the elements. Left out: as many as share the view")
                .optional(),
        ],
        "Deals elements out in turn, `width` to each thread: `i % width + (i / width) * width * threads + t * width`. \
         The local index has no end.",
        "map four = linear(2, 4);\nassert four(2, 1) == 10;",
    ),
    call(
        Function,
        "continuous_linear",
        &[
            Parameter::new("width", "how many neighbouring elements a thread has"),
            Parameter::new("threads", "how many threads there are. Left out: the thread id has no end").optional(),
        ],
        "Gives each thread one piece of `width` neighbouring elements: `i + t * width`.",
        "map pieces = continuous_linear(4, 8);\nassert pieces(1, 2) == 9;",
    ),
    call(
        Function,
        "map2d",
        &[
            Parameter::new("row_length", "the number of elements in a row"),
            Parameter::new("threads_x", "how many threads stand side by side in a row"),
            Parameter::new("threads_y", "how many rows of threads there are"),
        ],
        "Walks a matrix with a rectangle of threads: `row_length * y + x`, with `x = ix * threads_x + t % threads_x` \
         and `y = iy * threads_y + t / threads_x`, valid where `x < row_length`.",
        "map rows = map2d(64, 8, 4);\nassert rows(1, 0, 9) == 73;",
    ),
    call(
        Function,
        "chain",
        &[
            Parameter::new(
                "(map, unit size)",
                "one level, the largest first: a map, and the number of threads of one unit: a number, `warp` or \
                 `thread`",
            )
            .repeated(),
            Parameter::new("threads", "how many threads there are in all. Left out: the thread id has no end")
                .written("threads: n")
                .given(Given::ByName),
        ],
        "Spreads indices over nested scopes. Each map takes an index and the number of the unit within the scope \
         around it.",
        "map nested = chain((continuous_linear(64), warp), (continuous_linear(2), thread), threads: 64);\nassert \
         nested(1, 3) == 7;",
    ),
    entry(
        MapPart,
        "layout",
        "layout: [entry, …]",
        "Every dimension once, from the fastest to the slowest. An entry is `i0`, `t0` or a number, local dimensions \
         first; a minus sign reverses it.",
        "map reversed = reshape_map([3] | [2, 2] => layout: [i0, -t0, t1]);",
    ),
    entry(
        MapPart,
        "offset",
        "offset: e",
        "Is added to every result of the map; it must not be negative.",
        "map shifted = reshape_map([3] | [4] => layout: [i0, t0], offset: 4);\nassert shifted(0, 0) == 4;",
    ),
    entry(
        MapPart,
        "i",
        "i0, i1, …",
        "A local dimension in a layout, by its position on the left of the bar. `-i0` counts it from its far end.",
        "map swapped = reshape_map([2, 3] | [4] => layout: [i1, t0, i0]);",
    ),
    entry(
        MapPart,
        "t",
        "t0, t1, …",
        "A thread dimension in a layout, by its position on the right of the bar. `-t0` counts it from its far end.",
        "map reversed = reshape_map([3] | [4] => layout: [i0, -t0]);",
    ),
    entry(
        MapPart,
        "threads",
        "threads: n",
        "How many threads a map shares its elements among.",
        "map four = linear(2, threads: 4);",
    ),
];
