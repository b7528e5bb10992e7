//! The words of statements.

use super::entry::Subject::{Statement, Unit, ViewClause};
use super::entry::{Entry, call, entry};
use kernel::functions::Parameter;

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
        "let [mut] NAME[: TYPE] = E;\nlet [mut] NAME : TYPE[extents] = E;",
        "Declares a value; with `mut` a variable that may be assigned again. With extents it is an array of which every thread has its \
         own: each element begins with the number, or with that of a list, `let taps : f32[3] = [1.0, 2.0, 1.0];`. For tiles, \
         the extents are those of the tile.",
        "kernel fill(y: mut f32[4]) {\n    for i in grid(4) {\n        let mut value: f32 = 1.0;\n        value *= \
         2.0;\n        y[i] = value;\n    }\n}",
    ),
    entry(
        Statement,
        "const",
        "const NAME = E;",
        "Names a number, a truth value, a shape or a list that is known when the kernel is checked: it may stand wherever a size \
         does, and takes the type of what it meets. It is visible up to the end of its block.",
        "kernel fill(y: mut f32[64]) {\n    const B = 1 << 4;\n    view py = partition(y, [B]);\n    for i in \
         grid(py.index_space) { py.store(ones(f32[B]), i); }\n}",
    ),
    entry(
        Statement,
        "fn",
        "fn NAME(x: f32, n) -> f32 { … }",
        "Declares a function, which is visible up to the end of its block. It sees the constants and maps of the kernel, and no \
         variables: those are arguments.",
        "kernel double(x: f32[8], y: mut f32[8]) {\n    fn twice(v) = v + v;\n    for i in grid(8) { y[i] = twice(x[i]); }\n}",
    ),
    entry(
        Statement,
        "map",
        "map NAME = E;",
        "Names an index map, for the views of the kernel. It is visible up to the end of its block.",
        "kernel double(x: f32[12], y: mut f32[12]) {\n    map own = reshape_map([3] | [4] => layout: [i0, t0]);\n    view xs = x \
         via own;\n    view ys = y via own;\n    for i in 0..3 { ys[i] = 2.0 * xs[i]; }\n}",
    ),
    entry(
        Statement,
        "assert",
        "assert E;",
        "A claim about sizes, constants and maps, which is decided when the kernel is checked. Nothing of it is executed.",
        "kernel fill(y: mut f32[64]) {\n    const B = 16;\n    assert 64 % B == 0;\n    for i in grid(64) { y[i] = 1.0; }\n}",
    ),
    entry(
        Statement,
        "for",
        "for i in lo..hi [step s] { … }\nfor (i, j) in grid(n, m) { … }\nfor i in threads(count, unit) { … }",
        "A loop one step at a time, one iteration for each block, or one for each unit of threads. Both ends are evaluated once, so every loop ends.",
        "kernel total(x: f32[8], y: mut f32[1]) {\n    let mut sum = 0.0;\n    for i in 0..8 { sum += x[i]; \
         }\n    y[0] = sum;\n}",
    ),
    entry(
        Statement,
        "in",
        "for i in lo..hi { … }",
        "Stands before what a loop runs over: a range, `grid(n, …)`, or `threads(count, unit)`.",
        "kernel fill(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}",
    ),
    entry(
        Statement,
        "step",
        "for i in lo..hi step s { … }",
        "Stands before the distance from one iteration to the next, an integer that is known to be at least 1. The iterator is \
         `lo`, `lo + s`, `lo + 2 * s`, and so on below `hi`.",
        "kernel evens(x: f32[8], y: mut f32[4]) grid(1) block(1) {\n    for i in 0..8 step 2 { y[i / 2] = x[i]; }\n}",
    ),
    entry(
        Statement,
        "while",
        "while CONDITION max n { … }",
        "A loop as long as the condition holds, of at most `n` iterations: after them it stops, whatever the condition says, so every \
         kernel ends. The condition is tested before each iteration, the bound evaluated once.",
        "kernel digits(n: i32, y: mut i32[1]) grid(1) block(1) {\n    let mut rest = n;\n    let mut count = 0;\n    while rest > 0 \
         max 10 {\n        rest /= 10;\n        count += 1;\n    }\n    y[0] = i32(count);\n}",
    ),
    entry(
        Statement,
        "break",
        "break;",
        "Ends the innermost loop that goes one step at a time. Each thread leaves its own loop.",
        "kernel first(x: f32[8], y: mut i32[1]) grid(1) block(1) {\n    let mut at = 8;\n    for i in 0..8 {\n        if x[i] < 0.0 { at = \
         i; break; }\n    }\n    y[0] = i32(at);\n}",
    ),
    entry(
        Statement,
        "continue",
        "continue;",
        "Ends the current iteration of the innermost loop, also of one over threads or the grid: the rest of its body is left out.",
        "kernel positive(x: f32[8], y: mut f32[1]) grid(1) block(1) {\n    let mut sum = 0.0;\n    for i in 0..8 {\n        if x[i] < 0.0 { \
         continue; }\n        sum += x[i];\n    }\n    y[0] = sum;\n}",
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
        "Lets only some of the threads in: the units `lo` up to before `hi`, counted from the first thread of the scope. \
         The others pass by, and do not wait at the barriers inside.",
        "kernel halves(y: mut f32[64]) grid(1) block(64) {\n    with threads(0..1, cuda_warp) {\n        for t in \
         threads(32, cuda_thread) { y[t] = 1.0; }\n    }\n    with threads(1..2, cuda_warp) {\n        for t in \
         threads(32, cuda_thread) { y[t + 32] = 2.0; }\n    }\n}",
    ),
    call(
        Statement,
        "threads",
        &[
            Parameter::new("count", "how many iterations there are, or `lo..hi` behind `with`"),
            Parameter::new("unit", "the threads that execute one"),
        ],
        "What a loop over thread collectives runs over. Each iteration is executed by a unit of threads of its own, one \
         next to the other, all at the same time. Threads beyond the last unit have no iteration. Behind `with` stands a \
         range: `threads(lo..hi, unit)`.",
        "kernel rows(y: mut f32[4, 32]) grid(1) block(128) {\n    for w in threads(4, cuda_warp) {\n        for t in \
         threads(32, cuda_thread) { y[w, t] = 1.0; }\n    }\n}",
    ),
    entry(
        Statement,
        "shared",
        "shared NAME : TYPE[dimensions] [|> layout];",
        "Declares an array in shared memory. Every block has its own, and its threads reach it together; its elements are \
         zero when the block starts. Where a thread must wait for another one, the compiler puts a barrier. Behind `|>` \
         stands how the array lies in memory, such as `xor`, which keeps the columns of a tile out of one bank.",
        "kernel turn(x: f32[64], y: mut f32[64]) grid(1) block(64) {\n    shared tile : f32[64];\n    for t in threads(64, \
         cuda_thread) { tile[t] = x[t]; }\n    for t in threads(64, cuda_thread) { y[t] = tile[63 - t]; }\n}",
    ),
    entry(
        Statement,
        "async",
        "async ARRAY[…] = TENSOR[…];",
        "Begins to copy an element of a tensor to a shared array, `cp.async` in CUDA, while the thread goes on. The element is there \
         once it is used: the compiler places the waits, and in a ring of stages it waits for no more copies than it has to.",
        "kernel turn(x: f32[64], y: mut f32[64]) grid(1) block(64) {\n    shared s : f32[64];\n    for t in threads(64, \
         cuda_thread) { async s[t] = x[t]; }\n    for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }\n}",
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
        "per cluster|block|warp|thread",
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
        "cluster",
        "per cluster",
        "The threads of all blocks of one cluster together.",
        "kernel double(y: mut f32[1024]) cluster(2) grid(4) block(128) {\n    view own = y via continuous_linear(512) per \
         cluster;\n    view ys = own via linear(1);\n    for i in 0..2 { ys[i] = 1.0; }\n}",
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
