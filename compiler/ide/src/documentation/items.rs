//! The words that start items.

use super::entry::Subject::Item;
use super::entry::{Entry, entry};

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        Item,
        "use",
        "use \"other.shape\";",
        "Takes in the names that another file declares. The path is relative to the folder of this file. Names of this \
         file come first.",
        "dim M;\nrows : [M, 64];",
    ),
    entry(
        Item,
        "mdspan",
        "mdspan NAME : [dimensions];",
        "Declares a shape. `mdspan<R>` also checks that it has `R` dimensions; the word may be left out.",
        "mdspan s0 : [7, 8];\nmdspan<1> s1 : [3];\ns2 : [s0, 6];",
    ),
    entry(
        Item,
        "dim",
        "dim M, N where FACTS;",
        "Declares sizes that are known at launch, each at least 1, and what is known of them.",
        "dim M, N where M % 64 == 0, N <= 65536;\nmatrix : [M, N];",
    ),
    entry(
        Item,
        "const",
        "const NAME = E;",
        "Gives a name to a number, a truth value, a string, a shape, a tuple or a list.",
        "const B = 64;\ntile : [B, B];",
    ),
    entry(
        Item,
        "map",
        "map NAME = E;",
        "Gives a name to an index map: which element each thread's index leads to.",
        "map rows = reshape_map([3] | [4] => layout: [i0, t0]);\nassert rows.race_free;",
    ),
    entry(
        Item,
        "fn",
        "fn NAME(x: f32, n) -> f32 { … }",
        "Declares a function: what a call means is what the body means with the arguments. It takes and gives numbers, sizes, \
         shapes, maps and tiles, in kernels and outside. A parameter with a type takes arguments of that type.",
        "fn silu(x: f32) -> f32 { x / (1.0 + exp(-x)) }\nfn swizzled(M, N) = row_major([M, N]) |> xor(M, N);",
    ),
    entry(
        Item,
        "unit",
        "unit NAME = (domain; box);",
        "Declares a unit of threads: the sizes of the space that the cluster is seen as, and how much of each the unit takes; `_` \
         for any.",
        "unit pair = (blockDim; 2);",
    ),
    entry(
        Item,
        "tiling",
        "tiling NAME = cluster(c) block(b) |> …;",
        "Declares how the threads of a cluster are divided, step by step. Each step is checked; the tiling can be asked which \
         threads an iteration has, and drawn.",
        "tiling work = cluster(1) block(384) |> tile(w: 8, cuda_warp);\nassert work(w: 1) == 32..64;",
    ),
    entry(
        Item,
        "kernel",
        "kernel NAME(parameters) [grid(n…)] [block(n…)] { statements }",
        "Declares a program that every thread of a launch executes. Its accesses are proven in bounds and free of \
         races before it runs.",
        "dim N;\nkernel double(x: f32[N], y: mut f32[N]) {\n    for i in grid(N) { y[i] = 2.0 * x[i]; }\n}",
    ),
    entry(
        Item,
        "run",
        "run NAME(arguments) [with M = …] [expect CONDITION] [within TOLERANCE] [save y: \"y.npy\"];",
        "Runs a kernel on initial values, and says what must come out.",
        "kernel one(y: mut f32[8]) {\n    for i in grid(8) { y[i] = 1.0; }\n}\nrun one(y: zeros) expect y == 1.0;",
    ),
    entry(
        Item,
        "assert",
        "assert E;",
        "Claims that something holds for every size that the facts allow. What is refuted comes with a counterexample; \
         what is neither proven nor refuted is a warning.",
        "dim N where N % 4 == 0;\nassert N / 4 * 4 == N;",
    ),
    entry(
        Item,
        "show",
        "show E;",
        "Shows the value of an expression. An expression on its own does the same.",
        "show cdiv(1000, 64);",
    ),
];
