//! Thread collectives: the syntax and the members of units and tilings.

use super::entry::Subject::{Function, ThreadUnit, TilingMember, UnitMember};
use super::entry::{Entry, call, entry};
use kernel::functions::{Given, Parameter};

/// A tiling that the examples of questions ask about.
macro_rules! asked {
    ($question:literal) => {
        concat!("tiling work = block(384) |> tile(w: 8, cuda_warp);\n", $question)
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    call(
        Function,
        "cluster",
        &[Parameter::new("c", "blocks in a cluster, at most 16")],
        "The blocks of the cluster that a tiling is about. Left out, there is one.",
        "tiling work = cluster(2) block(384) |> tile(b: 2, cuda_cta_in_cluster);",
    ),
    call(
        Function,
        "block",
        &[Parameter::new("b", "threads in a block, at most 1024")],
        "The threads of a block. All threads of the cluster together are where a tiling begins.",
        "tiling work = block(384);",
    ),
    call(
        Function,
        "tile",
        &[
            Parameter::new("iterator", "the iterator, and how many iterations it has")
                .written("iterator: count")
                .given(Given::WithNewName),
            Parameter::new("unit", "the threads that execute one"),
        ],
        "A step of a tiling: gives each iteration a unit of the threads that the steps before leave, one next to the \
         other. Threads beyond the last unit have no iteration.",
        "tiling work = block(64) |> tile(w: 2, cuda_warp);\nassert work(w: 1) == 32..64;",
    ),
    call(
        Function,
        "specialize",
        &[Parameter::new("lo..hi", "which units are kept, counted from 0"), Parameter::new("unit", "what is counted")],
        "A step of a tiling: keeps some units of the threads that the steps before leave, as for a warp that loads while \
         the others compute.",
        "tiling work = block(128) |> specialize(1..4, cuda_warp);\nassert work() == 32..128;",
    ),
    call(
        Function,
        "cuda_threads_strided",
        &[Parameter::new("n", "how many threads"), Parameter::new("s", "out of how many in a row")],
        "`n` threads in a row out of `s`, of each block: `(blockDim / s, s; 1, n)`.",
        "tiling work = block(64) |> tile(r: 2, cuda_warp) |> tile(q: 8, cuda_threads_strided(4, 32));",
    ),
    call(
        Function,
        "cuda_cta_in_cluster_strided",
        &[Parameter::new("s", "how far the blocks of neighbouring units are apart")],
        "One block of the cluster; the next unit is `s` blocks on: `(clusterDim / s, s, blockDim; 1, 1, blockDim)`.",
        "tiling work = cluster(4) block(64) |> tile(parity: 2, (2, blockDim; 1, blockDim)) |> tile(b: 2, \
         cuda_cta_in_cluster_strided(2));",
    ),
    entry(
        ThreadUnit,
        "standalone_thread",
        "standalone_thread",
        "One thread of the cluster: `(1; 1)`.",
        "tiling work = block(64) |> specialize(0..1, cuda_thread);\nassert work.matches(standalone_thread);",
    ),
    entry(
        ThreadUnit,
        "cuda_thread",
        "cuda_thread",
        "One thread of each block: `(blockDim; 1)`.",
        "tiling work = block(64) |> tile(i: 2, cuda_thread);",
    ),
    entry(
        ThreadUnit,
        "cuda_quadpair",
        "cuda_quadpair",
        "Two times four threads, 16 apart, of each block: `(blockDim / 16, 16; 2, 4)`.",
        "tiling work = block(32) |> tile(q: 4, cuda_quadpair);",
    ),
    entry(
        ThreadUnit,
        "cuda_warp",
        "cuda_warp",
        "One warp of each block: in a cluster of several blocks, one of every block: `(blockDim; 32)`.",
        "tiling work = block(64) |> tile(i: 2, cuda_warp);",
    ),
    entry(
        ThreadUnit,
        "cuda_warp_in_cluster",
        "cuda_warp_in_cluster",
        "One warp of one block of the cluster: `(clusterDim, blockDim; 1, 32)`.",
        "tiling work = cluster(2) block(64) |> tile(b: 2, cuda_cta_in_cluster) |> tile(w: 2, cuda_warp_in_cluster);",
    ),
    entry(
        ThreadUnit,
        "cuda_warpgroup",
        "cuda_warpgroup",
        "Four warps in a row of each block: `(blockDim; 128)`.",
        "tiling work = block(256) |> tile(g: 2, cuda_warpgroup);",
    ),
    entry(
        ThreadUnit,
        "cuda_cta_in_cluster",
        "cuda_cta_in_cluster",
        "One block of the cluster: `(clusterDim * blockDim; blockDim)`.",
        "tiling work = cluster(2) block(64) |> tile(b: 2, cuda_cta_in_cluster);",
    ),
    entry(
        ThreadUnit,
        "cuda_cluster",
        "cuda_cluster",
        "All threads of the cluster: `(clusterDim * blockDim; clusterDim * blockDim)`.",
        "tiling work = cluster(2) block(64);\nassert work.matches(cuda_cluster);",
    ),
    entry(
        ThreadUnit,
        "cuda_agnostic_sub_cta",
        "cuda_agnostic_sub_cta",
        "Any threads of one block: for questions, as no tiling can count it: `(clusterDim, blockDim; 1, _)`.",
        "tiling work = cluster(2) block(64) |> tile(b: 2, cuda_cta_in_cluster);\nassert work.matches(cuda_agnostic_sub_cta);",
    ),
    entry(
        ThreadUnit,
        "cuda_agnostic_intact_cta",
        "cuda_agnostic_intact_cta",
        "Any whole blocks of the cluster: for questions, as no tiling can count it: `(clusterDim, blockDim; _, blockDim)`.",
        "tiling work = cluster(2) block(64) |> tile(b: 2, cuda_cta_in_cluster);\nassert work.matches(cuda_agnostic_intact_cta);",
    ),
    entry(
        ThreadUnit,
        "blockDim",
        "blockDim",
        "The threads of a block, in the sizes of a unit. Which number it is says the launch of a tiling.",
        "unit pair = (blockDim; 2);",
    ),
    entry(
        ThreadUnit,
        "clusterDim",
        "clusterDim",
        "The blocks of a cluster, in the sizes of a unit. Which number it is says the launch of a tiling.",
        "unit warps = (clusterDim, blockDim; clusterDim, 32);",
    ),
    entry(
        TilingMember,
        "domain",
        "work.domain",
        "The extents of the dimensions that the cluster is seen as, from the slowest to the fastest.",
        asked!("assert work.domain == [384];"),
    ),
    entry(
        TilingMember,
        "box",
        "work.box",
        "How much of each dimension one iteration has.",
        asked!("assert work.box == [32];"),
    ),
    entry(
        TilingMember,
        "offset",
        "work.offset",
        "Where the threads of the first iteration begin in each dimension.",
        asked!("assert work.offset == [0];"),
    ),
    entry(
        TilingMember,
        "threads",
        "work.threads",
        "How many threads one iteration has.",
        asked!("assert work.threads == 32;"),
    ),
    entry(
        TilingMember,
        "iterators",
        "work.iterators",
        "The names of the iterators, the outermost first.",
        asked!("assert work.iterators == [\"w\"];"),
    ),
    entry(
        TilingMember,
        "lane",
        "work.lane",
        "How a thread computes its number among those of its iteration.",
        asked!("assert work.lane == \"tid % 32\";"),
    ),
    entry(
        TilingMember,
        "predicate",
        "work.predicate",
        "What holds in the threads of one iteration. `tid` is the number of the thread in its block, `cluster_rank` that of its block in the cluster.",
        asked!("assert work.predicate == \"tid / 32 == w\";"),
    ),
    entry(
        TilingMember,
        "guard",
        "work.guard",
        "What holds in the threads that have an iteration: what code has to test.",
        asked!("assert work.guard == \"tid / 32 < 8\";"),
    ),
    entry(
        TilingMember,
        "operations",
        "work.operations",
        "For each dimension its operations in order, each as (iterator, box, offset, pitch, count, depth), in threads.",
        asked!("assert work.operations == [[(\"w\", 32, 0, 32, 8, 1)]];"),
    ),
    entry(
        TilingMember,
        "assignment",
        "work.assignment",
        "The map from the place of a thread in its iteration, and the iteration, to the number of the thread. It can be drawn and asked like every map.",
        asked!("assert work.assignment.injective;"),
    ),
    call(
        TilingMember,
        "count",
        &[Parameter::new("iterator", "the name of an iterator")],
        "How many iterations an iterator has.",
        asked!("assert work.count(w) == 8;"),
    ),
    call(
        TilingMember,
        "pitch",
        &[Parameter::new("iterator", "the name of an iterator")],
        "How far the first threads of neighbouring iterations are apart; 0 where there is only one iteration.",
        asked!("assert work.pitch(w) == 32;"),
    ),
    call(
        TilingMember,
        "digit",
        &[Parameter::new("iterator", "the name of an iterator")],
        "How a thread computes the value of an iterator from its number.",
        asked!("assert work.digit(w) == \"tid / 32\";"),
    ),
    call(
        TilingMember,
        "matches",
        &[Parameter::new("unit", "a unit of threads")],
        "Whether the threads of every iteration are such a unit. A unit that speaks of a part of the cluster means one such part.",
        asked!("assert work.matches(cuda_warp);"),
    ),
    entry(
        UnitMember,
        "domain",
        "unit.domain",
        "The sizes of the space that the cluster is seen as, from the slowest dimension to the fastest.",
        "assert cuda_quadpair.domain == [\"blockDim / 16\", 16];",
    ),
    entry(
        UnitMember,
        "box",
        "unit.box",
        "How much of each dimension the unit takes; `_` for any.",
        "assert cuda_quadpair.box == [2, 4];",
    ),
];
