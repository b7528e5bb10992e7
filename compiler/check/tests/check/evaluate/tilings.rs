//! Units and tilings as a file writes them, and what is said where they are wrong.

use super::{findings, mended, only};

/// A file in which every claim holds.
#[track_caller]
fn holds(text: &str) {
    assert_eq!(findings(text), [], "{text}");
}

#[test]
fn the_tour() {
    holds(
        "unit pair = (blockDim; 2);\n\
         tiling work = cluster(1) block(384) |> tile(w: 8, cuda_warp) |> tile(t: 16, pair);\n\
         assert work(w: 1, t: 3) == 38..40;\n\
         assert work(t: 3, w: 1) == 38..40;\n\
         assert work(1, 3) == 38..40;\n\
         assert |work(1, 3)| == 2;\n\
         assert work.matches(pair) && !work.matches(cuda_warp);\n",
    );
}

#[test]
fn questions_to_a_tiling() {
    holds(
        "tiling t = block(384) |> tile(w: 8, (8; 1));\n\
         assert t.domain == [48, 8];\nassert t.box == [48, 1];\nassert t.offset == [0, 0];\n\
         assert t.pitch(w) == 1;\nassert t.count(w) == 8;\nassert t.digit(w) == \"tid % 8\";\n\
         assert t.predicate == \"tid % 8 == w\";\nassert t.guard == \"true\";\nassert t.threads == 48;\n\
         assert t.lane == \"tid / 8\";\nassert t.iterators == [\"w\"];\n\
         assert t.operations == [[], [(\"w\", 1, 0, 1, 8, 1)]];\n\
         assert t.assignment.injective;\nassert t.assignment(2, 3) == 19;\nassert |t.domain| == 384;\n",
    );
}

#[test]
fn the_predicates_of_the_seed() {
    holds(
        "tiling groups = block(384) |> tile(g: 2, (128; 64));\n\
         assert groups.domain == [3, 128] && groups.box == [3, 64] && groups.digit(g) == \"tid % 128 / 64\";\n\
         tiling rows = groups |> tile(r: 3, 2 * cuda_warp);\nassert rows.box == [1, 64];\n\
         tiling second = rows |> specialize(1..2, cuda_warp);\n\
         assert second.predicate == \"tid % 128 / 64 == g && tid / 128 == r && tid % 64 >= 32\";\n\
         tiling odd = block(256) |> tile(t: 10, 23 * cuda_thread);\n\
         assert odd.guard == \"tid / 23 < 10\" && odd.predicate == \"tid / 23 == t\";\n\
         tiling warps = cluster(4) block(256) |> tile(w: 8, cuda_warp);\n\
         assert warps.box == [4, 32] && warps.lane == \"cluster_rank * 32 + tid % 32\";\n\
         assert warps(w: 0) == [0..32, 256..288, 512..544, 768..800];\n\
         assert !warps.matches(cuda_warp_in_cluster);\n",
    );
}

#[test]
fn units_are_values() {
    holds(
        "unit quadpair = ((blockDim / 16, 16); (2, 4));\n\
         assert quadpair == cuda_quadpair;\nassert cuda_quadpair.box == [2, 4];\n\
         assert cuda_quadpair.domain == [\"blockDim / 16\", 16];\n\
         assert 4 * cuda_warp == cuda_warpgroup;\nassert cuda_warpgroup / 4 == cuda_warp;\n\
         assert cuda_cta_in_cluster_strided(s: 2).box == [1, 1, \"blockDim\"];\n\
         unit half = (clusterDim * blockDim; 3 / 2 * blockDim);\nassert half.box == [\"3 * blockDim / 2\"];\n\
         unit any = (clusterDim, blockDim; _, 32);\nassert any.box == [_, 32];\n",
    );
}

#[test]
fn a_declared_name_wins_over_a_unit() {
    holds("cuda_warp : [4];\nassert cuda_warp == [4];\n");
    holds("const blockDim = 6;\nunit u = (blockDim; 2);\nassert u.domain == [6];\n");
}

#[test]
fn a_refuted_match_names_the_threads() {
    let text = "tiling warps = cluster(4) block(256) |> tile(w: 8, cuda_warp);\nassert warps.matches(cuda_warp);\n";
    let found = only(text);
    assert_eq!(found.code, "assertion-failed");
    insta::assert_snapshot!(found.message, @"the claim that the threads of every iteration are one `cuda_warp` is refuted: `cuda_warp` needs 32 threads; iteration w = 0 has 128, 0..32, 256..288, 512..544, 768..800");
    insta::assert_snapshot!(
        only("tiling w = block(64);\nassert w.matches(cuda_warpgroup);\n").message, @"the claim that the threads are one `cuda_warpgroup` is refuted: `cuda_warpgroup` takes 128 of `blockDim`, which is 64 with clusterDim = 1 and blockDim = 64");
    insta::assert_snapshot!(
        only("tiling w = block(64) |> specialize(8..40, cuda_thread);\nassert w.matches(cuda_warp);\n").message, @"the claim that the threads are one `cuda_warp` is refuted: `cuda_warp` needs 32 threads; there are 32, 8..40, but they do not lie as those of a `cuda_warp`");
    insta::assert_snapshot!(
        only("tiling w = block(64) |> tile(w: 2, cuda_warp);\nassert !w.matches(cuda_warp);\n").message, @"the claim that the threads of every iteration are one `cuda_warp` is proven, so its opposite is not true: on the domain (2, 32) an iteration takes (1, 32), as `cuda_warp` does");
}

/// The code and the sentence of the only finding.
#[track_caller]
fn said(text: &str) -> String {
    let found = only(text);
    format!("{}: {}", found.code, found.message)
}

#[test]
fn sizes_of_units_that_are_none() {
    insta::assert_snapshot!(said("unit u = (blockDim + 1; 2);\n"), @"unit-size: `+` has no meaning for a size that is relative to the launch");
    insta::assert_snapshot!(said("unit u = (blockDim; 0);\n"), @"unit-size: a size of a unit is positive, found 0");
    insta::assert_snapshot!(said("unit u = (32 / blockDim; 1);\n"), @"unit-size: `32 / blockDim` is no size: it leaves 64 bits, or divides by more parameters of the launch than it has");
    insta::assert_snapshot!(said("unit u = (_; 1);\n"), @"unit-size: `_` stands in the box of a unit; every dimension of its domain has a size");
    insta::assert_snapshot!(said("dim N;\nunit u = (N; 1);\n"), @"not-constant: a size of a unit must be a plain number, but `N` is only known at launch");
    insta::assert_snapshot!(said("unit u = (blockDim, 32; 1);\n"), @"unit-dimensions: the domain of this unit has 2 sizes, its box 1 size");
    insta::assert_snapshot!(said("unit u = [32];\n"), @"wrong-type: expected a unit of threads, such as `cuda_warp`, found a shape, `[32]`");
    insta::assert_snapshot!(said("show blockDim;\n"), @"unit-size: `blockDim` is only known in the sizes of a unit, as in `(blockDim; 2)`");
    insta::assert_snapshot!(said("const c = cuda_warp;\n"), @"wrong-kind: `c` is a unit, expected a constant");
    insta::assert_snapshot!(said("unit u = cuda_threads_strided(4);\n"), @"argument-count: `cuda_threads_strided` takes 2 arguments, found only 1");
    insta::assert_snapshot!(said("unit u = cuda_threads_strided;\n"), @"argument-count: `cuda_threads_strided` takes 2 arguments, found none");
    insta::assert_snapshot!(said("unit u = cuda_wrap;\n"), @"unknown-name: `cuda_wrap` is not declared");
    insta::assert_snapshot!(said("unit u = (9223372036854775807 * blockDim * 3; 1);\n"), @"unit-size: `9223372036854775807 * blockDim * 3` is no size: it leaves 64 bits, or divides by more parameters of the launch than it has");
}

#[test]
fn units_that_cannot_be_scaled() {
    insta::assert_snapshot!(said("unit u = 0 * cuda_warp;\n"), @"unit-scale: `cuda_warp` is scaled by a positive number, found 0");
    insta::assert_snapshot!(said("unit u = -2 * cuda_warp;\n"), @"unit-scale: `cuda_warp` is scaled by a positive number, found -2");
    insta::assert_snapshot!(said("unit u = 2 * cuda_quadpair;\n"), @"unit-scale: which dimension of `cuda_quadpair` to scale is ambiguous: it takes a part of several in `(blockDim / 16, 16; 2, 4)`");
    insta::assert_snapshot!(said("unit u = 2 * cuda_agnostic_sub_cta;\n"), @"unit-scale: `cuda_agnostic_sub_cta` has no dimension to scale: it takes one coordinate, all or any of each in `(clusterDim, blockDim; 1, _)`");
    insta::assert_snapshot!(said("unit u = 1.5 * cuda_warp;\n"), @"unit-scale: `cuda_warp` is scaled by a positive number, found a float");
    insta::assert_snapshot!(said("unit u = cuda_warp + 1;\n"), @"operands: `+` does not combine a unit with an integer");
}

#[test]
fn launches_that_are_none() {
    insta::assert_snapshot!(said("tiling t = block(1025);\n"), @"launch-limit: a block has 1 to 1024 threads, not 1025");
    insta::assert_snapshot!(said("tiling t = cluster(17) block(32);\n"), @"launch-limit: a cluster has 1 to 16 blocks, not 17");
    insta::assert_snapshot!(said("tiling t = cluster(0) block(32);\n"), @"launch-limit: a cluster has 1 to 16 blocks, not 0");
    insta::assert_snapshot!(said("tiling t = block(0);\n"), @"launch-limit: a block has 1 to 1024 threads, not 0");
    insta::assert_snapshot!(said("tiling t = cluster(2);\n"), @"tiling-step: a tiling needs the number of threads of a block");
    insta::assert_snapshot!(said("tiling t = grid(2) block(32);\n"), @"tiling-step: a tiling is about the threads of one cluster, so it has no grid");
    insta::assert_snapshot!(said("tiling t = block(32) block(64);\n"), @"tiling-step: the launch of this tiling has `block` twice");
    insta::assert_snapshot!(said("tiling t = [32];\n"), @"wrong-type: expected a tiling, such as `block(128)`, found a shape, `[32]`");
    insta::assert_snapshot!(said("dim N;\ntiling t = block(N);\n"), @"not-constant: the number of threads of a block must be a plain number, but `N` is only known at launch");
}

#[test]
fn units_that_a_launch_does_not_have() {
    insta::assert_snapshot!(said("tiling t = block(120) |> tile(q: 2, cuda_quadpair);\n"), @"no-such-unit: `blockDim / 16` of `cuda_quadpair` is 15 / 2 with clusterDim = 1 and blockDim = 120, which is no integer");
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 1, cuda_warpgroup);\n"), @"no-such-unit: `cuda_warpgroup` takes 128 of `blockDim`, which is 64 with clusterDim = 1 and blockDim = 64");
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 1, (12; 4));\n"), @"no-such-unit: the domain of `(12; 4)` has 12 threads, but the 64 threads of the cluster (clusterDim = 1 and blockDim = 64) are no multiple of that");
    insta::assert_snapshot!(said("tiling t = cluster(1) block(64) |> tile(w: 1, cuda_cta_in_cluster_strided(2));\n"), @"no-such-unit: `clusterDim / 2` of `cuda_cta_in_cluster_strided(2)` is 1 / 2 with clusterDim = 1 and blockDim = 64, which is no integer");
    let text = "tiling t = block(120) |> specialize(0..1, (blockDim / 32, 32; 1, 32));\n";
    let found = only(text);
    assert_eq!(found.fixes.len(), 2, "{found:#?}");
    mended(text, &found);
}

#[test]
fn units_that_do_not_fit() {
    insta::assert_snapshot!(said("tiling t = block(35) |> tile(a: 5, (7, 5; 1, 5)) |> tile(b: 1, (5, 7; 1, 7));\n"), @"unit-does-not-fit: `(5, 7; 1, 7)` and the tiling have no common dimensions: one has parts of 7 threads, the other of 5, and 5 does not divide 7");
    insta::assert_snapshot!(said("tiling t = block(128) |> tile(a: 4, 8 * cuda_thread) |> tile(b: 2, cuda_threads_strided(4, 32));\n"), @"unit-does-not-fit: `cuda_threads_strided(4, 32)` needs the threads in parts of 32, but `tile(a: 4, 8 * cuda_thread)` takes 8 out of 128: splitting by 32 would take 8 out of every 32, other threads");
    insta::assert_snapshot!(said("tiling t = block(128) |> specialize(4..20, cuda_thread) |> tile(b: 2, (16, 8; 1, 8));\n"), @"unit-does-not-fit: `(16, 8; 1, 8)` needs the threads in parts of 8, but `specialize(4..20, cuda_thread)` begins after 4, which is no multiple of 8");
    insta::assert_snapshot!(said("tiling t = block(96) |> tile(a: 2, (4, 24; 1, 24)) |> tile(b: 2, 36 * cuda_thread);\n"), @"unit-does-not-fit: `36 * cuda_thread` and the tiling have no common dimensions: the tiling has parts of 24, which do not divide the 36 that the unit takes");
    insta::assert_snapshot!(said("tiling t = block(256) |> tile(q: 8, cuda_quadpair);\n"), @"ambiguous-dimension: which dimension `tile(q: 8, cuda_quadpair)` is about is ambiguous: on the domain (16, 16) it takes 2 of the 16 of dimension 0 and 4 of the 16 of dimension 1");
}

#[test]
fn steps_that_need_too_much() {
    let text = "tiling t = block(384) |> tile(w: 13, cuda_warp);\n";
    let found = only(text);
    insta::assert_snapshot!(found.message, @"`tile(w: 13, cuda_warp)` needs 13 × 32 = 416 threads, but there are 384: 12 `cuda_warp` fit");
    mended(text, &found);
    insta::assert_snapshot!(said("tiling t = block(384) |> tile(w: 12, cuda_warp) |> tile(g: 2, cuda_warpgroup);\n"), @"not-enough-threads: `tile(g: 2, cuda_warpgroup)` needs 2 × 128 = 256 threads, but there are 32: not even one `cuda_warpgroup` fits");
    insta::assert_snapshot!(said("tiling t = cluster(4) block(256) |> specialize(8..10, cuda_warp);\n"), @"not-enough-threads: `specialize(8..10, cuda_warp)` needs 10 × 128 = 1280 threads, but there are 1024: 8 `cuda_warp` fit");
    let text = "tiling t = block(64) |> tile(w: 2, cuda_cluster);\n";
    let found = only(text);
    insta::assert_snapshot!(found.message, @"`tile(w: 2, cuda_cluster)` needs 2 of them, but one `cuda_cluster` is all of the 64 threads that there are");
    mended(text, &found);
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 9223372036854775807, cuda_warp);\n"), @"not-enough-threads: `tile(w: 9223372036854775807, cuda_warp)` needs 9223372036854775807 × 32 threads, but there are 64: 2 `cuda_warp` fit");
}

#[test]
fn steps_that_leave_nothing() {
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 0, cuda_warp);\n"), @"no-iterations: `tile(w: 0, cuda_warp)` has 0 iterations, it needs at least one");
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: -3, cuda_warp);\n"), @"no-iterations: `tile(w: -3, cuda_warp)` has -3 iterations, it needs at least one");
    insta::assert_snapshot!(said("tiling t = block(64) |> specialize(1..1, cuda_warp);\n"), @"no-iterations: `specialize(1..1, cuda_warp)` keeps no thread: the range from 1 up to before 1 is empty");
    insta::assert_snapshot!(said("tiling t = block(64) |> specialize(-1..1, cuda_warp);\n"), @"no-iterations: `specialize(-1..1, cuda_warp)` begins at -1, the first unit is 0");
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 2, cuda_warp) |> tile(w: 2, cuda_thread);\n"), @"duplicate-iterator: the tiling already has an iterator `w`");
}

#[test]
fn steps_without_end() {
    let text = format!("tiling t = block(64){};\n", " |> specialize(0..1, cuda_cluster)".repeat(300));
    assert_eq!(said(&text), "tiling-step: a tiling has at most 256 steps");
}

#[test]
fn factors_are_multiplied() {
    let text = "tiling t = block(64) |> tile(w: 3, 2 * (cuda_thread * 16));\n";
    assert!(only(text).message.contains("`tile(w: 3, 32 * cuda_thread)`"));
    holds("assert 2 * cuda_warp / 2 == cuda_warp;\n");
}

#[test]
fn steps_that_are_none() {
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(2, cuda_warp);\n"), @"tiling-step: the iterator of this step has no name");
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 2);\n"), @"tiling-step: `tile` takes an iterator and a unit");
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 2, v: cuda_warp);\n"), @"tiling-step: `tile` has one iterator; its second argument is a unit");
    insta::assert_snapshot!(said("tiling t = block(64) |> tile(w: 2, 32);\n"), @"wrong-type: expected a unit of threads, such as `cuda_warp`, found an integer, `32`");
    insta::assert_snapshot!(said("tiling t = block(64) |> specialize(2, cuda_warp);\n"), @"tiling-step: `specialize` keeps a range of units");
    insta::assert_snapshot!(said("tiling t = block(64) |> xor;\n"), @"tiling-step: this is no step of a tiling");
    insta::assert_snapshot!(said("tiling t = block(64) |> merge(2, 3);\n"), @"tiling-step: `merge` is no step of a tiling");
    insta::assert_snapshot!(said("tiling t = tile(w: 2, cuda_warp);\n"), @"tiling-step: `tile` is a step of a tiling, and stands behind `|>`");
    insta::assert_snapshot!(said("map m = row_major([8, 8]) |> tile(w: 2, cuda_warp);\n"), @"tiling-step: `tile` is a step of a tiling, and stands behind `|>`");
}

#[test]
fn iterations_that_there_are_not() {
    let ask = |question: &str| said(&format!("tiling t = block(64) |> tile(w: 2, cuda_warp);\nshow {question};\n"));
    insta::assert_snapshot!(ask("t(w: 2)"), @"no-such-iteration: iterator `w` has 2 iterations, so there is none of number 2");
    insta::assert_snapshot!(ask("t(w: -1)"), @"no-such-iteration: iterator `w` has 2 iterations, so there is none of number -1");
    insta::assert_snapshot!(ask("t()"), @"no-such-iteration: iterator `w` has no value here");
    insta::assert_snapshot!(ask("t(v: 1)"), @"no-such-iteration: the tiling has no iterator `v`");
    insta::assert_snapshot!(ask("t(1, 2)"), @"no-such-iteration: an iteration of the tiling takes 1 at most, found 2");
    insta::assert_snapshot!(ask("t(0, w: 1)"), @"no-such-iteration: an iterator has two values here");
    insta::assert_snapshot!(ask("t.pitch(v)"), @"no-such-iteration: the tiling has no iterator `v`");
    insta::assert_snapshot!(ask("t.pitch"), @"argument-count: `pitch` takes 1 argument, found none");
    insta::assert_snapshot!(ask("t.count(3)"), @"no-such-iteration: `count` asks about an iterator by its name");
    insta::assert_snapshot!(ask("t.domain(3)"), @"argument-count: `domain` takes no arguments, found 1");
    insta::assert_snapshot!(ask("t.matches(32)"), @"wrong-type: expected a unit of threads, such as `cuda_warp`, found an integer, `32`");
    insta::assert_snapshot!(ask("t.owners"), @"unknown-member: a tiling has no `.owners`");
    insta::assert_snapshot!(ask("cuda_warp.size"), @"unknown-member: a unit has no `.size`");
    insta::assert_snapshot!(ask("t(w: 1) == 3.5"), @"operands: `==` does not combine a set of threads with a float");
}

#[test]
fn the_examples_hold() {
    holds(include_str!("../../../../../examples/units.shape"));
    holds(include_str!("../../../../../examples/tilings.shape"));
}
