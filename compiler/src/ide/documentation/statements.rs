//! The words of statements.

use super::Subject::{Statement, Unit, ViewClause};
use super::{Entry, entry};

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        Statement,
        "view",
        "view NAME = SOURCE via MAP [per block|warp|thread] [masked];",
        "Gives each unit of threads its elements of a tensor: the map's thread id is the number of the unit.",
        "kernel double(x: f32[12], y: mut f32[12]) {\n    view xs = x via reshape_map([3] | [4] => layout: [i0, \
         t0]);\n    view ys = y via reshape_map([3] | [4] => layout: [i0, t0]);\n    for i in 0..3 { ys[i] = 2.0 * \
         xs[i]; }\n}",
    ),
    entry(
        Statement,
        "let",
        "let [mut] NAME[: TYPE] = E;",
        "Declares a value; with `mut` a variable that may be assigned again.",
        "kernel fill(y: mut f32[4]) {\n    for i in grid(4) {\n        let mut value: f32 = 1.0;\n        value *= \
         2.0;\n        y[i] = value;\n    }\n}",
    ),
    entry(
        Statement,
        "for",
        "for i in lo..hi { … }\nfor (i, j) in grid(n, m) { … }",
        "A loop one step at a time, or one iteration for each block. Both ends are evaluated once, so every loop ends.",
        "kernel total(x: f32[8], y: mut f32[1]) {\n    let mut sum = 0.0;\n    for i in 0..8 { sum += x[i]; \
         }\n    y[0] = sum;\n}",
    ),
    entry(
        Statement,
        "in",
        "for i in lo..hi { … }",
        "Stands before what a loop runs over: a range, or `grid(n, …)`.",
        "kernel fill(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}",
    ),
    entry(
        Statement,
        "grid",
        "for (i, j) in grid(n, m) { … }",
        "One iteration for each block; the last iterator runs fastest. It is the outermost loop and the only one of \
         its kind.",
        "kernel fill(y: mut f32[4, 8]) {\n    for (i, j) in grid(4, 8) { y[i, j] = 1.0; }\n}",
    ),
    entry(
        Statement,
        "if",
        "if CONDITION { … } else if CONDITION { … } else { … }",
        "A condition on each thread. Accesses inside it are proven under it.",
        "dim N;\nkernel shift(x: f32[N], y: mut f32[N]) {\n    for i in grid(N) {\n        let mut next = \
         0.0;\n        if i + 1 < N { next = x[i + 1]; } else { next = 1.0; }\n        y[i] = next;\n    }\n}",
    ),
    entry(
        Statement,
        "else",
        "if CONDITION { … } else { … }",
        "What happens where no condition before it holds.",
        "const B = if 4 < 8 { 4 } else { 8 };",
    ),
    entry(
        Statement,
        "with",
        "with threads(lo..hi, unit) { … }",
        "Narrows to some of the threads. It is read, and not run by this version.",
        "kernel fill(y: mut f32[4]) {\n    with threads(0..2, 1) { y[0] = 1.0; }\n}",
    ),
    entry(
        Statement,
        "shared",
        "shared NAME : TYPE[dimensions];",
        "Declares a tensor that the threads of a block share. It is read, and not run by this version.",
        "kernel fill(y: mut f32[4]) {\n    shared buffer : f32[64];\n    for i in grid(4) { y[i] = 1.0; }\n}",
    ),
    entry(
        ViewClause,
        "via",
        "view NAME = SOURCE via MAP",
        "Names the map from a unit's own indices and its number to the element of the source.",
        "map rows = reshape_map([3] | [4] => layout: [i0, t0]);\nkernel one(y: mut f32[12]) {\n    view ys = y via \
         rows;\n    for i in 0..3 { ys[i] = 1.0; }\n}",
    ),
    entry(
        ViewClause,
        "per",
        "per block|warp|thread",
        "Says whose number the map's thread id is. A view per block or per warp belongs to the unit's threads \
         together, and further views divide it.",
        "kernel double(y: mut f32[1024]) grid(4) block(128) {\n    view own = y via continuous_linear(256) per \
         block;\n    view ys = own via linear(1);\n    for i in 0..2 { ys[i] = 1.0; }\n}",
    ),
    entry(
        ViewClause,
        "masked",
        "view NAME = SOURCE via MAP masked",
        "Masks what lies beyond the tensor: reads there give 0, stores there store nothing. Without it, a proof is \
         required that there is nothing.",
        "dim N;\nkernel one(y: mut f32[N]) {\n    view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) \
         masked;\n    for i in 0..4 { ys[i] = 1.0; }\n}",
    ),
    entry(
        Unit,
        "block",
        "per block",
        "The threads of one block together.",
        "kernel double(y: mut f32[1024]) grid(4) block(128) {\n    view own = y via continuous_linear(256) per \
         block;\n    view ys = own via linear(1);\n    for i in 0..2 { ys[i] = 1.0; }\n}",
    ),
    entry(
        Unit,
        "warp",
        "per warp",
        "32 neighbouring threads together. In `chain`, a level of 32 threads.",
        "kernel double(y: mut f32[256]) grid(1) block(128) {\n    view own = y via continuous_linear(64) per \
         warp;\n    view ys = own via linear(1);\n    for i in 0..2 { ys[i] = 1.0; }\n}",
    ),
    entry(
        Unit,
        "thread",
        "per thread",
        "Each thread on its own; what a view means without `per`. In `chain`, a level of one thread.",
        "map nested = chain((continuous_linear(64), warp), (continuous_linear(2), thread), threads: 64);",
    ),
];
