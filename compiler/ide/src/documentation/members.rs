//! The members of maps, shapes and tensors.

use super::entry::Subject::{MapMember, ShapeMember, TensorMember};
use super::entry::{Entry, call, entry};
use check::kernels::parameters::TRUTHS;
use kernel::functions::{Given, Parameter};

const KEEP: Parameter = Parameter::new("keep", "whether the dimension stays, with extent 1")
    .given(Given::ByName)
    .choices(TRUTHS)
    .optional();

pub(super) const ENTRIES: &[Entry] = &[
    call(
MapMember,
"lower",
&[Parameter::new("i", "the local indices").repeated(), Parameter::new("t", "the thread, as one number or as a tuple of its digits")],
        "The lower coordinate of an upper one, also where that is not valid.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.lower(2, 1) == 9;",
    ),
    call(
MapMember,
"upper",
&[Parameter::new("slot", "the lower coordinate")],
        "The upper coordinate that leads to a lower one, or `_`.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.upper(9) == (2, 1);",
    ),
    call(
MapMember,
"valid",
&[Parameter::new("i", "the local indices").repeated(), Parameter::new("t", "the thread, as one number or as a tuple of its digits")],
        "Whether an upper coordinate is valid.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert !m.valid(3, 0);",
    ),
    entry(
        MapMember,
        "upper_shape",
        "m.upper_shape",
        "The extents of the upper coordinates, `_` where there is no end.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.upper_shape == [3, 4];",
    ),
    entry(
        MapMember,
        "lower_shape",
        "m.lower_shape",
        "The extents of the lower coordinates, `_` where there is no end.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.lower_shape == [12];",
    ),
    call(
MapMember,
"owners",
&[Parameter::new("slots", "how many slots are listed. Left out, with the parentheses: as many as the map has")],
        "The thread that reaches each slot, `_` where there is none.",
        "map m = reshape_map([2] | [3] => layout: [i0, t0]);\nassert m.owners == [0, 0, 1, 1, 2, 2];",
    ),
    call(
MapMember,
"in_bounds",
&[Parameter::new("n", "the bound. Left out, with the parentheses: the map's own end")],
        "Verdict: every valid coordinate stays below the bound.",
        "dim M where M % 4 == 0;\nmap m = reshape_map([4] | [M / 4] => layout: [i0, t0]);\nassert m.in_bounds(M);",
    ),
    entry(
        MapMember,
        "injective",
        "m.injective",
        "Verdict: no two valid coordinates reach one slot.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.injective;",
    ),
    entry(
        MapMember,
        "race_free",
        "m.race_free",
        "Verdict: no two threads reach one slot.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.race_free;",
    ),
    call(
MapMember,
"covers",
&[Parameter::new("n", "how many slots. Left out, with the parentheses: as many as the map has")],
        "Verdict: every slot is reached.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.covers && !m.covers(13);",
    ),
    call(
MapMember,
"permute",
&[Parameter::new("order", "which coordinate of the map comes at each place, all of them once").repeated()],
        "The map with its upper coordinates in another order, as `transpose` of numpy orders dimensions.",
        "map m = row_major([2, 3]).permute(1, 0);\nassert m(2, 1) == 5;",
    ),
    entry(
        MapMember,
        "inverse",
        "m.inverse",
        "The map from lower coordinates back to upper ones. It is valid where something leads.",
        "map back = row_major([4, 5]).inverse;\nassert back(13) == (2, 3);",
    ),
    call(
MapMember,
"fits",
&[Parameter::new("bits", "the width; a signed 32-bit index has 31")],
        "Verdict: every index is below 2 to the power of `bits`.",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.fits(31);",
    ),
    call(
MapMember,
"vector_width",
&[Parameter::new("element", "the element type, or the bytes of an element")],
        "How many elements one access of a thread may take at once: neighbours, aligned, all valid or none, at most 16 bytes. \
         The tensor's first element is taken to be aligned.",
        "map m = reshape_map([4] | [32] => layout: [i0, t0]);\nassert m.vector_width(f32) == 4;",
    ),
    call(
MapMember,
"bank_conflicts",
&[
            Parameter::new("element", "the element type, or the bytes of an element"),
            Parameter::new("lanes", "the position of the coordinate along which the lanes of a warp run. Left out: the threads, or the last \
                 coordinate of a layout").optional(),
        ],
        "How many words of one bank of shared memory a warp wants at once, at worst. Without a conflict it is 1.",
        "map m = reshape_map([(32, 33)] | [32] => layout: [i0, t0]);\nassert m.bank_conflicts(f32) == 1;",
    ),
    call(
MapMember,
"sectors",
&[
            Parameter::new("element", "the element type, or the bytes of an element"),
            Parameter::new("lanes", "the position of the coordinate along which the lanes of a warp run. Left out: the threads, or the last \
                 coordinate of a layout").optional(),
        ],
        "How many sectors of 32 bytes of global memory a warp touches at once, at worst. 32 neighbouring `f32` touch 4.",
        "map m = reshape_map([3] | [32] => layout: [t0, i0]);\nassert m.sectors(f32) == 4;",
    ),
    entry(
        ShapeMember,
        "rank",
        "s.rank",
        "The number of dimensions.",
        "image : [3, 224, 224];\nassert image.rank == 3;",
    ),
    entry(ShapeMember, "size", "s.size", "The product of the dimensions.", "image : [3, 4];\nassert image.size == 12;"),
    call(
TensorMember,
"permute",
&[Parameter::new("order", "for each dimension of the result, which dimension of `x` it is").repeated()],
        "The tensor with its dimensions in another order.",
        "kernel copy(x: f32[2, 3], y: mut f32[2, 3]) {\n    for (i, j) in grid(2, 3) { y[i, j] = x[i, j]; }\n}\nrun \
         copy(x: arange, y: zeros) expect y.permute(1, 0) == x.permute(1, 0);",
    ),
    call(
TensorMember,
"reshape",
&[Parameter::new("dimension", "the new dimensions; their product must stay the same").repeated()],
        "The same elements in row-major order under another shape.",
        "kernel copy(x: f32[2, 3], y: mut f32[6]) {\n    for (i, j) in grid(2, 3) { y[3 * i + j] = x[i, j]; }\n}\nrun \
         copy(x: arange, y: zeros) expect y == x.reshape(6);",
    ),
    call(
TensorMember,
"reverse",
&[Parameter::new("dimension", "the dimension; 0 where left out")],
        "The tensor turned round along a dimension.",
        "kernel turn(x: f32[4], y: mut f32[4]) {\n    for i in grid(4) { y[i] = x[3 - i]; }\n}\nrun turn(x: arange, y: \
         zeros) expect y == x.reverse();",
    ),
    call(
TensorMember,
"sum",
&[
            Parameter::new("dimension", "the dimension, which disappears; all of them where left out").optional(),
            KEEP,
        ],
        "The sum over all elements, or along a dimension.",
        "kernel ones(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}\nrun ones(y: zeros) expect y.sum() == \
         4.0;",
    ),
    call(
TensorMember,
"max",
&[
            Parameter::new("dimension", "the dimension, which disappears; all of them where left out").optional(),
            KEEP,
        ],
        "The largest of all elements, or along a dimension.",
        "kernel ones(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}\nrun ones(y: zeros) expect y.max() == 1.0;",
    ),
    call(
TensorMember,
"min",
&[
            Parameter::new("dimension", "the dimension, which disappears; all of them where left out").optional(),
            KEEP,
        ],
        "The smallest of all elements, or along a dimension.",
        "kernel ones(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}\nrun ones(y: zeros) expect y.min() == 1.0;",
    ),
    call(
TensorMember,
"matmul",
&[Parameter::new("other", "the right factor")],
        "The product of matrices `[M, K]` and `[K, N]`, or of as many of them as the leading dimension says.",
        "kernel twice(x: f32[4, 4], y: mut f32[4, 4]) {\n    for (i, j) in grid(4, 4) { y[i, j] = 4.0 * x[0, 0]; }\n}\nrun \
         twice(x: ones, y: zeros) expect y == x.matmul(x);",
    ),
    call(
        TensorMember,
        "mean",
        &[
            Parameter::new("dimension", "the dimension, which disappears; all of them where left out").optional(),
            KEEP,
        ],
        "The sum divided by the number of elements in it.",
        "kernel ones(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}\nrun ones(y: zeros) expect y.mean() == 1.0;",
    ),
    call(
        TensorMember,
        "any",
        &[
            Parameter::new("dimension", "the dimension, which disappears; all of them where left out").optional(),
            KEEP,
        ],
        "Whether a `bool` of all elements, or along a dimension, holds.",
        "kernel ones(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}\nrun ones(y: zeros) expect (y > 0.0).any();",
    ),
    call(
        TensorMember,
        "all",
        &[
            Parameter::new("dimension", "the dimension, which disappears; all of them where left out").optional(),
            KEEP,
        ],
        "Whether each `bool` of all elements, or along a dimension, holds.",
        "kernel ones(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}\nrun ones(y: zeros) expect (y > 0.0).all();",
    ),
    call(
        TensorMember,
        "insert",
        &[Parameter::new("dimension", "the place of the new dimension, from 0")],
        "The tensor with a dimension of extent 1, along which elements are repeated where they meet others.",
        "kernel rows(x: f32[4], y: mut f32[3, 4]) {\n    for (i, j) in grid(3, 4) { y[i, j] = x[j]; }\n}\nrun rows(x: arange, y: \
         zeros) expect y == x.insert(0);",
    ),
];
