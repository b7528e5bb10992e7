//! The loop over the grid, and chains of views.

use super::support::check;
use super::{gives, says};

#[test]
fn a_grid_loop_over_two_dimensions() {
    gives("dim M, N;\nkernel k(y: mut f32[M, N]) { for (i, j) in grid(M, N) { y[i, j] = 1.0; } }\n", &[]);
    gives("dim M, N;\nkernel k(y: mut f32[N, M]) { for (i, j) in grid(M, N) { y[j, i] = 1.0; } }\n", &[]);
    let swapped = check("dim M, N;\nkernel k(y: mut f32[M, N]) { for (i, j) in grid(M, N) { y[j, i] = 1.0; } }\n");
    assert_eq!(swapped.errors(), ["out-of-bounds"]);
}

#[test]
fn a_share_per_block_and_then_per_thread() {
    gives(
        "kernel k(y: mut f32[64]) grid(4) block(8) {
            view mine = y via reshape_map([16] | [4] => layout: [i0, t0]) per block;
            view ys = mine via reshape_map([2] | [8] => layout: [t0, i0]);
            for i in 0..2 { ys[i] = 1.0; }
        }\n",
        &[],
    );
}

#[test]
fn a_share_per_warp_and_then_per_thread() {
    gives(
        "kernel k(y: mut f32[256]) grid(2) block(64) {
            view mine = y via reshape_map([64] | [4] => layout: [i0, t0]) per warp;
            view ys = mine via reshape_map([2] | [32] => layout: [t0, i0]);
            for i in 0..2 { ys[i] = 1.0; }
        }\n",
        &[],
    );
}

#[test]
fn blocks_of_broken_warps_race() {
    let checked = check(
        "kernel k(y: mut f32[64]) grid(2) block(48) {
            view mine = y via reshape_map([32] | [2] => layout: [i0, t0]) per warp;
            view ys = mine via reshape_map([1] | [32] => layout: [i0, t0]);
            ys[0] = 1.0;
        }\n",
    );
    assert_eq!(checked.errors(), ["race"], "{}", checked.report());
}

#[test]
fn a_view_inside_a_grid_loop_belongs_to_the_block() {
    let text = "kernel k(y: mut f32[8]) block(8) {
        for b in grid(2) { view ys = y via reshape_map([1] | [8] => layout: [i0, t0]); ys[0] = 1.0; }
    }\n";
    says(&gives(text, &["race"]), "race", &["block 1"]);
}

#[test]
fn a_view_of_a_matrix_goes_through_its_elements_in_order() {
    gives(
        "dim M, N;\nkernel k(x: f32[M, N], y: mut f32[M, N]) {
            view xs = x via reshape_map([1] | [M * N] => layout: [i0, t0]);
            view ys = y via reshape_map([1] | [M * N] => layout: [i0, t0]);
            ys[0] = xs[0];
        }\n",
        &[],
    );
}

#[test]
fn padded_rows_do_not_touch() {
    gives(
        "dim M, N, LD where N <= LD;\nkernel k(y: mut f32[M, N] strided [LD, 1]) {
            view ys = y via reshape_map([1] | [M * N] => layout: [i0, t0]);
            ys[0] = 1.0;
        }\n",
        &[],
    );
}

#[test]
fn more_threads_than_elements_get_a_hint() {
    gives(
        "kernel k(y: mut f32[4]) grid(1) block(8) {
            view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
            ys[0] = 1.0;
        }\n",
        &["surplus-threads"],
    );
}
