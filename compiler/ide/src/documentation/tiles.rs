//! Tiles: the functions that make them, and the members of tiles and partitions.

use super::Subject::{PartitionMember, TileFunction, TileMember};
use super::{Entry, atomics, call, choices, entry};
use kernel::functions::{Given, Parameter};

/// A kernel that stores a tile of 2 × 2 floats; the tile's expression is given.
macro_rules! stores {
    ($tile:literal) => {
        concat!(
            "kernel k(x: f32[4, 4], y: mut f32[4, 4]) {\n    view px = partition(x, [2, 2]);\n    view py = partition(y, [2, \
             2]);\n    for (i, j) in grid(px.index_space) { py.store(",
            $tile,
            ", i, j); }\n}"
        )
    };
}

/// A kernel that scatters tiles of 1 × 4.
macro_rules! scatters {
    ($scatter:literal) => {
        concat!(
            "kernel k(x: i32[8, 4], y: mut i32[8, 4]) {\n    view px = partition(x, [1, 4]);\n    for i in grid(8) { ",
            $scatter,
            " }\n}"
        )
    };
}

const TYPE: Parameter = Parameter::new("type", "an element type with constant extents, `f32[64, 64]`");
const INDEX: Parameter = Parameter::new("index", "the number of the tile along each dimension").written("i").repeated();
const INDICES: Parameter =
    Parameter::new("index", "a tile of integers, or one, for each dimension").written("i").repeated();
const DIMENSIONS: Parameter =
    Parameter::new("dimension", "the dimension, from 0, or a list of several; all of them where left out").optional();
const DIMENSION: Parameter = Parameter::new("dimension", "the dimension, from 0");
const DESCENDING: Parameter = Parameter::new("descending", "`true` for the greatest first")
    .given(Given::ByName)
    .choices(choices::TRUTHS)
    .optional();
const COUNT: Parameter = Parameter::new("count", "how many, a constant");
const KEEP: Parameter = Parameter::new("keep", "whether the dimension stays, with extent 1")
    .given(Given::ByName)
    .choices(choices::TRUTHS)
    .optional();
const TILE: Parameter = Parameter::new("tile", "a tile of the partition's shape");
const LATENCY: Parameter =
    Parameter::new("latency", "how heavy the traffic of memory is expected to be, from 1 to 10; it changes no result")
        .given(Given::ByName)
        .optional();
const ALLOW_TMA: Parameter =
    Parameter::new("allow_tma", "whether a GPU may use its copy engine, `true` or `false`; it changes no result")
        .given(Given::ByName)
        .choices(choices::TRUTHS)
        .optional();
const ORDER: Parameter =
    Parameter::new("order", "which dimension of the tensor each dimension of the tiles is: `(1, 0)` is the transpose")
        .given(Given::ByName)
        .optional();

const SCATTER: &[Parameter] = &[
    Parameter::new("y", "a tensor, a shared array or a view"),
    Parameter::new("tile", "a tile, or one number"),
    INDICES,
    Parameter::new("atomic", "how elements meet in one place: `add`, `min`, `max`, `and`, `or`, `xor` or `store`")
        .given(Given::ByName)
        .choices(choices::MEETINGS)
        .optional(),
    atomics::ORDER,
    atomics::SCOPE,
];

pub(super) const ENTRIES: &[Entry] = &[
    call(
        TileFunction,
        "partition",
        &[
            Parameter::new("x", "a tensor, a shared array, a view, or `x via m`"),
            Parameter::new("tile", "the extents of a tile, `[64, 64]`"),
            ORDER,
        ],
        "A tensor divided into tiles, as the source of a view: `view px = partition(x, [64, 64]);`. In a map, `partition([shape,] tile)` \
         is the index map of that.",
        stores!("px.load(i, j)"),
    ),
    call(TileFunction, "zeros", &[TYPE], "A tile of zeros.", stores!("zeros(f32[2, 2])")),
    call(TileFunction, "ones", &[TYPE], "A tile of ones.", stores!("ones(f32[2, 2])")),
    call(
        TileFunction,
        "full",
        &[TYPE, Parameter::new("value", "a number")],
        "A tile of one number.",
        stores!("full(f32[2, 2], 3.0)"),
    ),
    call(
        TileFunction,
        "iota",
        &[TYPE],
        "A tile whose element k in row-major order is k.",
        stores!("f32(iota(i32[2, 2]))"),
    ),
    call(
        TileFunction,
        "cat",
        &[Parameter::new("tiles", "tiles in brackets"), DIMENSION],
        "Tiles one after the other along a dimension.",
        stores!("cat([px.load(i, j)[0..1, 0..2], zeros(f32[1, 2])], 0)"),
    ),
    call(
        TileFunction,
        "gather",
        &[Parameter::new("x", "a tensor or a view"), INDICES],
        "The elements of a tensor at the indices that tiles give, one tile or number for each dimension. They must be inside.",
        stores!("gather(x, iota(i32[2, 1]), iota(i32[1, 2]))"),
    ),
    call(
        TileFunction,
        "gather_masked",
        &[Parameter::new("x", "a tensor or a view"), INDICES, atomics::PAD],
        "The elements of a tensor at the indices that tiles give, one tile or number for each dimension; the padding where an \
         index is outside.",
        stores!("gather_masked(x, iota(i32[2, 1]) - 1, iota(i32[1, 2]))"),
    ),
    call(
        TileFunction,
        "scatter",
        SCATTER,
        "A statement: stores the elements of a tile at the indices that tiles give, one tile or number for each dimension. They \
         must be inside. No two elements may go to one place, which is proven, unless `atomic` says how they meet there.",
        scatters!("scatter(y, px.load(i, 0), i, iota(i64[1, 4]));"),
    ),
    call(
        TileFunction,
        "scatter_masked",
        SCATTER,
        "A statement: stores the elements of a tile at the indices that tiles give, without those that would go outside. No two \
         elements may go to one place, which is proven, unless `atomic` says how they meet there.",
        scatters!("scatter_masked(y, 1, px.load(i, 0), iota(i64[1, 4]) - 1, atomic: add);"),
    ),
    call(
        TileFunction,
        "select",
        &[
            Parameter::new("condition", "a tile of `bool`, or one"),
            Parameter::new("then", "the value where it holds"),
            Parameter::new("otherwise", "the value elsewhere"),
        ],
        "One of two values for each element.",
        stores!("select(px.load(i, j) > 0.0, px.load(i, j), 0.0)"),
    ),
    call(
        TileFunction,
        "matmul",
        &[Parameter::new("a", "a tile of [m, k]"), Parameter::new("b", "a tile of [k, n]")],
        "The product of two matrices, or of a batch of each. `e4m3`, `e5m2`, `f16`, `bf16` and `f32` accumulate in `f32`, `i8` and `u8` in `i32`.",
        stores!("matmul(px.load(i, j), px.load(i, j))"),
    ),
    call(
        TileFunction,
        "mma",
        &[
            Parameter::new("a", "a tile of [m, k]"),
            Parameter::new("b", "a tile of [k, n]"),
            Parameter::new("acc", "a tile of [m, n]"),
        ],
        "`acc + a · b`: a product of matrices, added with `fma` in ascending k in the type of `acc`. Of `e4m3` and `e5m2` the factors may be one each.",
        stores!("mma(px.load(i, j), px.load(i, j), zeros(f32[2, 2]))"),
    ),
    call(
        TileMember,
        "permute",
        &[Parameter::new("order", "each dimension once").repeated()],
        "Dimension k of the result is dimension order[k] of the tile: `permute(1, 0)` is the transpose.",
        stores!("px.load(i, j).permute(1, 0)"),
    ),
    call(
        TileMember,
        "reshape",
        &[Parameter::new("shape", "a list of extents with the same number of elements")],
        "The same elements in row-major order.",
        stores!("px.load(i, j).reshape([4]).reshape([2, 2])"),
    ),
    call(
        TileMember,
        "insert",
        &[DIMENSION],
        "A dimension of extent 1 before this one, so that the tile extends along it.",
        stores!("px.load(i, j) + px.load(i, j).sum(1).insert(1)"),
    ),
    call(
        TileMember,
        "sum",
        &[DIMENSIONS, KEEP],
        "The sum along dimensions, in up to 32 interleaved chains that are joined in halves.",
        stores!("px.load(i, j) + px.load(i, j).sum(1, keep: true)"),
    ),
    call(
        TileMember,
        "mean",
        &[DIMENSIONS, KEEP],
        "The sum divided by the number of elements in it, of floats.",
        stores!("px.load(i, j) - px.load(i, j).mean(1, keep: true)"),
    ),
    call(
        TileMember,
        "prod",
        &[DIMENSIONS, KEEP],
        "The product along dimensions, in the same order as `sum`.",
        stores!("px.load(i, j) + px.load(i, j).prod(1, keep: true)"),
    ),
    call(
        TileMember,
        "max",
        &[DIMENSIONS, KEEP],
        "The greatest element along dimensions. NaN is left out where there is a number.",
        stores!("px.load(i, j) - px.load(i, j).max(1, keep: true)"),
    ),
    call(
        TileMember,
        "min",
        &[DIMENSIONS, KEEP],
        "The least element along dimensions. NaN is left out where there is a number.",
        stores!("px.load(i, j) - px.load(i, j).min(1, keep: true)"),
    ),
    call(
        TileMember,
        "any",
        &[DIMENSIONS, KEEP],
        "Whether an element along dimensions is `true`.",
        stores!("f32((px.load(i, j) > 0.0).any(1, keep: true)) * px.load(i, j)"),
    ),
    call(
        TileMember,
        "all",
        &[DIMENSIONS, KEEP],
        "Whether all elements along dimensions are `true`.",
        stores!("f32((px.load(i, j) > 0.0).all(1, keep: true)) * px.load(i, j)"),
    ),
    call(
        TileMember,
        "argmax",
        &[DIMENSION, KEEP],
        "The first place of the greatest element along a dimension, an `i32`.",
        stores!("px.load(i, j) + f32(px.load(i, j).argmax(1, keep: true))"),
    ),
    call(
        TileMember,
        "argmin",
        &[DIMENSION, KEEP],
        "The first place of the least element along a dimension, an `i32`.",
        stores!("px.load(i, j) + f32(px.load(i, j).argmin(1, keep: true))"),
    ),
    call(
        TileMember,
        "cumsum",
        &[DIMENSION],
        "Each element with the sum of those before it along a dimension.",
        stores!("px.load(i, j).cumsum(1)"),
    ),
    call(
        TileMember,
        "cumprod",
        &[DIMENSION],
        "Each element with the product of those before it along a dimension.",
        stores!("px.load(i, j).cumprod(1)"),
    ),
    call(
        TileMember,
        "sort",
        &[DIMENSION, DESCENDING],
        "The elements along a dimension in ascending order. Equal ones keep their order; NaNs come last.",
        stores!("px.load(i, j).sort(1)"),
    ),
    call(
        TileMember,
        "argsort",
        &[DIMENSION, DESCENDING],
        "The places, as `i32`, that the elements of `sort` have in the tile.",
        stores!("f32(px.load(i, j).argsort(1, descending: true))"),
    ),
    call(
        TileMember,
        "top",
        &[COUNT, DIMENSION],
        "The greatest elements along a dimension, the greatest first. Of equal ones the first comes first; a NaN is among them only \
         where there are fewer numbers.",
        stores!("px.load(i, j) - px.load(i, j).top(1, 1)"),
    ),
    call(
        TileMember,
        "argtop",
        &[COUNT, DIMENSION],
        "The places, as `i32`, that the elements of `top` have in the tile.",
        stores!("px.load(i, j) + f32(px.load(i, j).argtop(1, 1))"),
    ),
    call(
        PartitionMember,
        "load",
        &[INDEX, LATENCY, ALLOW_TMA],
        "The tile with this index. All of it lies inside the tensor, which is proven.",
        stores!("px.load(i, j)"),
    ),
    call(
        PartitionMember,
        "load_masked",
        &[INDEX, atomics::PAD, LATENCY, ALLOW_TMA],
        "The tile with this index. What lies beyond the edge of the tensor is 0, or what `pad` says.",
        stores!("px.load_masked(i, j, pad: nan)"),
    ),
    call(
        PartitionMember,
        "store",
        &[TILE, INDEX, LATENCY, ALLOW_TMA],
        "Stores a tile, all of which lies inside the tensor, which is proven.",
        stores!("px.load(i, j)"),
    ),
    call(
        PartitionMember,
        "store_masked",
        &[TILE, INDEX, LATENCY, ALLOW_TMA],
        "Stores a tile, without what lies beyond the edge of the tensor.",
        "kernel k(x: f32[6], y: mut f32[6]) {\n    view px = partition(x, [4]);\n    view py = partition(y, [4]);\n    for i in \
         grid(px.index_space) { py.store_masked(px.load_masked(i), i); }\n}",
    ),
    call(
        PartitionMember,
        "mask",
        &[INDEX],
        "A tile of `bool`: which elements of the tile with this index lie inside the tensor. They are those that `load_masked` does \
         not pad.",
        stores!("select(px.mask(i, j), px.load_masked(i, j), 1.0)"),
    ),
    call(
        PartitionMember,
        "index_space",
        &[DIMENSION.optional()],
        "The numbers of tiles along the dimensions, for `grid`; with a dimension, one of them.",
        stores!("px.load(i, j)"),
    ),
    call(
        PartitionMember,
        "tile",
        &[DIMENSION.optional()],
        "The extents of a tile, where extents are listed, as in `zeros(f32[px.tile])`; with a dimension, one of them.",
        stores!("full(f32[px.tile], 2.0)"),
    ),
    call(
        PartitionMember,
        "tensor",
        &[DIMENSION.optional()],
        "The dimensions of what is divided, for `grid`; with a dimension, one of them.",
        stores!("px.load(i, j) / f32(px.tensor(0))"),
    ),
    entry(
        PartitionMember,
        "mapping",
        "px.mapping",
        "The map from the index of a tile and the place of an element in it to the indices of the tensor: I · S + J in each \
         dimension. A view goes through it: `view v = x via px.mapping masked;`.",
        "kernel k(x: f32[8], y: mut f32[8]) {\n    view px = partition(x, [4]);\n    view tiled = x via px.mapping;\n    for i in \
         grid(8) { y[i] = tiled[i / 4, i % 4]; }\n}",
    ),
];
