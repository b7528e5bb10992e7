//! The clauses of items.

use super::entry::Subject::Clause;
use super::entry::{Entry, call, entry};
use kernel::functions::Parameter;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        Clause,
        "where",
        "where FACT, FACT, …",
        "States what is known of the sizes: comparisons of integers. They travel with the names, and a run that \
         violates one is refused.",
        "dim M, N where M % 64 == 0, N <= 65536, M >= N;",
    ),
    entry(
        Clause,
        "tune",
        "tune(NAME: [VALUE, …], …)",
        "Lists values that generic parameters of the kernel may get. The kernel is checked for every combination that its \
         `where` allows. `stages` and `warps` may be listed too; they change no result.",
        "dim N;\nkernel scale[B = 64](x: f32[N], y: mut f32[N]) tune(B: [64, 128]) {\n    view px = partition(x, [B]);\n    \
         view py = partition(y, [B]);\n    for i in grid(py.index_space) { py.store_masked(px.load_masked(i) * 2.0, i); }\n}",
    ),
    call(
        Clause,
        "grid",
        &[Parameter::new("n", "a number of blocks; several are multiplied").repeated()],
        "The number of blocks of the launch. Left out, it is what covers the threads that the views need.",
        "kernel fill(y: mut f32[512]) grid(4) block(128) {\n    view ys = y via linear(1, 512);\n    ys[0] = 1.0;\n}",
    ),
    call(
        Clause,
        "block",
        &[Parameter::new("n", "a number of threads; several are multiplied").repeated()],
        "The number of threads in each block, 1024 at most. Left out, the compiler chooses it.",
        "kernel fill(y: mut f32[128]) block(128) {\n    view ys = y via linear(1, 128);\n    ys[0] = 1.0;\n}",
    ),
    call(
        Clause,
        "cluster",
        &[Parameter::new("c", "the number of blocks in a cluster")],
        "Launches blocks in clusters of so many, at most 16. An iteration of `for … in grid(…)` is executed by a whole cluster, \
         and loops over `threads(…)` give out the threads of all its blocks. `grid(n)` counts blocks, so it is a multiple \
         of `c`. GPUs have clusters from sm_90 on.",
        "kernel fill(y: mut f32[4, 2]) cluster(2) block(32) {\n    for i in grid(4) {\n        for b in threads(2, \
         cuda_cta_in_cluster) {\n            with threads(0..1, cuda_thread) { y[i, b] = 1.0; }\n        }\n    }\n}",
    ),
    entry(
        Clause,
        "mut",
        "NAME: mut TYPE[dimensions]\nlet mut NAME = VALUE;",
        "Lets the kernel write the tensor; lets the variable be assigned again.",
        "kernel fill(y: mut f32[4]) {\n    for i in grid(4) { y[i] = 1.0; }\n}",
    ),
    entry(
        Clause,
        "strided",
        "NAME: TYPE[dimensions] strided [strides]",
        "Says how many elements of storage lie between neighbours along each dimension. Left out, the tensor is \
         row-major.",
        "dim M, N, LD where N <= LD;\nkernel pack(x: f32[M, N] strided [LD, 1], y: mut f32[M, N]) {\n    for (i, j) in \
         grid(M, N) { y[i, j] = x[i, j]; }\n}",
    ),
    entry(
        Clause,
        "with",
        "with M = …, N = …",
        "Gives the symbolic sizes of the kernel their values for this run. Files and literals give them too.",
        "dim N;\nkernel one(y: mut f32[N]) {\n    for i in grid(N) { y[i] = 1.0; }\n}\nrun one(y: zeros) with N = \
         1000;",
    ),
    entry(
        Clause,
        "expect",
        "expect CONDITION",
        "Compares whole tensors after the run. A parameter's name is the tensor after the run, `initial(y)` the tensor \
         before it.",
        "kernel one(y: mut f32[8]) {\n    for i in grid(8) { y[i] = 1.0; }\n}\nrun one(y: zeros) expect y == 1.0;",
    ),
    entry(
        Clause,
        "within",
        "within TOLERANCE",
        "How far floats may lie apart in the expectation. Left out, it is that of the coarsest type: 1e-5 for `f32`.",
        "kernel one(y: mut f32[8]) {\n    for i in grid(8) { y[i] = 0.1; }\n}\nrun one(y: zeros) expect y == 0.1 \
         within 1e-6;",
    ),
    entry(
        Clause,
        "save",
        "save y: \"y.npy\", …",
        "Writes a tensor to a file of numpy after the run, relative to the folder of this file.",
        "kernel one(y: mut f32[8]) {\n    for i in grid(8) { y[i] = 1.0; }\n}\nrun one(y: zeros) save y: \"y.npy\";",
    ),
];
