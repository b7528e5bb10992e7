//! The loop over the grid, and chains of views.

use super::{gives, says};
use crate::support::check;

#[test]
fn a_grid_loop_over_two_dimensions() {
    gives("dim M, N;\nkernel k(y: mut f32[M, N]) { for (i, j) in grid(M, N) { y[i, j] = 1.0; } }\n", &[]);
    gives("dim M, N;\nkernel k(y: mut f32[N, M]) { for (i, j) in grid(M, N) { y[j, i] = 1.0; } }\n", &[]);
    let swapped = check("dim M, N;\nkernel k(y: mut f32[M, N]) { for (i, j) in grid(M, N) { y[j, i] = 1.0; } }\n");
    assert_eq!(swapped.errors(), ["out-of-bounds"]);
}

#[test]
fn a_grid_whose_extent_may_be_zero_as_far_as_the_facts_show_is_no_error_of_the_map() {
    let text = "dim H, W, K where K < H;
    kernel f(y: mut f32[4, (H - K) * W]) block(2) {
        for (r, b) in grid(4, cdiv((H - K) * W, 2)) {
            for t in threads(2, cuda_thread) { if 2 * b + t < (H - K) * W { y[r, 2 * b + t] = 1.0; } }
        }
    }\n";
    let checked = check(text);
    assert!(!checked.errors().contains(&"map-construction"), "{}", checked.report());
}

#[test]
fn a_grid_whose_extent_is_a_difference_of_sizes() {
    gives(
        "dim M, B where M > B;
        kernel rows(x: f32[M], y: mut f32[M, M - B]) { for (i, j) in grid(M, M - B) { y[i, j] = x[j + B]; } }
        kernel columns(x: f32[M], y: mut f32[M, M - B]) { for (j, i) in grid(M - B, M) { y[i, j] = x[j + B]; } }
        kernel around(x: f32[M], y: mut f32[M]) { for q in grid(M) { y[q] = x[q % (M - B) + B]; } }\n",
        &[],
    );
}

/// Valid positions of a window with a symbolic extent.
#[test]
fn a_convolution_with_a_symbolic_window() {
    gives(
        "dim H, W, K where H >= K, W >= K;
        kernel convolve(x: f32[H, W], w: f32[K, K], y: mut f32[H - K + 1, W - K + 1]) {
            for (i, j) in grid(H - K + 1, W - K + 1) {
                let mut sum = 0.0;
                for p in 0..K { for q in 0..K { sum += x[i + p, j + q] * w[p, q]; } }
                y[i, j] = sum;
            }
        }
        kernel unfold(x: f32[H, W], y: mut f32[(H - K + 1) * (W - K + 1), K * K]) {
            for (i, j) in grid(H - K + 1, W - K + 1) {
                for p in 0..K { for q in 0..K { y[i * (W - K + 1) + j, p * K + q] = x[i + p, j + q]; } }
            }
        }\n",
        &[],
    );
}

/// A view computes `4 * i + t`, which wraps for a large `i`: its mask would be compared with a wrong number.
#[test]
fn a_view_is_not_computed_from_a_number_of_data_that_may_be_large() {
    let kernel = |body: &str| {
        format!(
            "kernel k(a: i64, at: i64[4], x: f32[13], y: mut f32[13], z: mut f32[13]) grid(1) block(4) {{
                view v = y via linear(1, 4) masked;
                {body}
            }}\n"
        )
    };
    for body in [
        "for i in max(a, 0)..max(a, 0) + 1 { v[i] = 7.0; }",
        "if a >= 0 { for i in a..a + 1 { v[i] = 7.0; } }",
        "let k = at[0]; if k >= 0 { for i in k..k + 1 { v[i + 3] = 7.0; } }",
    ] {
        assert_eq!(check(&kernel(body)).errors(), ["overflow"], "{body}");
    }
    for body in [
        "if a >= 0 && a < 3 { v[a] = 7.0; }",
        "for i in 0..a { v[i] = 7.0; }",
        "for i in max(a, 0)..max(a, 0) + 1 { if i < 1000 { v[i] = 7.0; } }",
    ] {
        let checked = check(&kernel(body));
        assert!(checked.errors().is_empty(), "{body}: {}", checked.report());
    }
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

/// A kernel that only reads through a view, whose map is given; `y` is written element by element.
fn reads(tensor: &str, map: &str, domain: &str) -> String {
    let indices = if domain.contains(',') { "[i, j]" } else { "[i]" };
    let iterators = if domain.contains(',') { "(i, j)" } else { "i" };
    format!(
        "kernel k(x: f32[{tensor}], y: mut f32[{domain}]) {{
            view v = x via {map};
            for {iterators} in grid({domain}) {{ y{indices} = v{indices}; }}
        }}\n"
    )
}

#[test]
fn other_indices_of_a_tensor_are_safe_where_the_map_says_so() {
    gives(&reads("5, 7", "row_major([5, 7]).permute(1, 0)", "7, 5"), &[]);
    gives(&reads("6", "row_major([6]) |> pad(1, 1)", "8"), &[]);
    gives(&reads("4", "row_major([4]) |> modulo(10)", "10"), &[]);
    gives(&reads("10", "row_major([10]) |> { (): replicate(3), 0: _ }", "3, 10"), &[]);
    gives(&reads("10", "partition([10], [4])", "3, 4"), &[]);
    gives(&reads("8, 8", "xor([8, 8])", "8, 8"), &[]);
}

#[test]
fn other_indices_beyond_the_tensor_are_out_of_bounds() {
    let text = reads("9", "row_major([10])", "10");
    says(&gives(&text, &["out-of-bounds"]), "out-of-bounds", &["becomes 9", "below 9"]);
    let text = reads("10", "row_major([10]) |> pad(1, 1)", "13");
    says(&gives(&text, &["out-of-bounds"]), "out-of-bounds", &["index 0 of `v`", "12"]);
    gives(&reads("10", "row_major([4]) |> modulo(10)", "10"), &[]);
}

/// Two lower coordinates are a tensor's own indices: the row-major index alone would be inside `x`.
#[test]
fn every_dimension_of_a_tensor_counts() {
    let text = reads("8, 4", "xor([4, 8])", "4, 8");
    let checked = gives(&text, &["out-of-bounds"]);
    says(&checked, "out-of-bounds", &["index 1 of `x` becomes 7, but must be below 4", "the point (0, 7) of the map"]);
    let masked = text.replace("xor([4, 8])", "xor([4, 8]) masked");
    gives(&masked, &[]);
    let symbolic = format!("dim M, N;\n{}", reads("M, N", "xor([M, 8])", "M, 8"));
    assert_eq!(check(&symbolic).errors(), ["out-of-bounds"]);
    // Each index is proven, and with them the row-major index.
    gives(&format!("dim M, N;\n{}", reads("M, N", "xor([M, N])", "M, N")), &[]);
    let wide = format!("dim M, N where N >= 8;\n{}", reads("M, N", "xor([M, 8])", "M, 8"));
    gives(&wide, &[]);
}

#[test]
fn stores_through_other_indices_race_where_the_map_is_not_injective() {
    let text = "kernel k(y: mut f32[4]) {
        view ring = y via row_major([4]) |> modulo(10);
        for i in grid(10) { ring[i] = 1.0; }
    }\n";
    says(&gives(text, &["race"]), "race", &["both write element 0 of `y`"]);
    let same = "kernel k(y: mut f32[4]) {
        view rows = y via row_major([4]) |> { (): replicate(3), 0: _ };
        for (i, j) in grid(3, 4) { rows[i, j] = 1.0; }
    }\n";
    gives(same, &["race"]);
    let injective = "kernel k(y: mut f32[8, 8]) {
        view tile = y via row_major([8, 8]) |> xor;
        for (i, j) in grid(8, 8) { tile[i, j] = 1.0; }
    }\n";
    gives(injective, &[]);
}

#[test]
fn other_indices_divide_nothing_among_units() {
    for unit in ["thread", "warp", "block"] {
        let text =
            format!("kernel k(y: mut f32[64]) {{ view v = y via row_major([8, 8]) per {unit}; v[0, 0] = 1.0; }}\n");
        says(&gives(&text, &["not-a-view"]), "not-a-view", &["nothing to divide among units"]);
    }
}

#[test]
fn a_map_must_lead_to_as_many_coordinates_as_its_source_has() {
    let text =
        "kernel k(x: f32[64], y: mut f32[64]) { view v = x via partition([8, 8], [4, 4]); y[0] = v[0, 0, 0, 0]; }\n";
    says(&gives(text, &["not-a-view"]), "not-a-view", &["leads to 2 coordinates", "indexed with 1 coordinate"]);
    let text = "kernel k(x: f32[64], y: mut f32[64]) {
        view square = x via row_major([8, 8]);
        view v = square via row_major([64]);
        y[0] = v[0];
    }\n";
    says(&gives(text, &["not-a-view"]), "not-a-view", &["leads to 1 coordinate", "indexed with 2 coordinates"]);
}

#[test]
fn other_indices_of_other_indices_and_of_a_share() {
    gives(
        "kernel k(x: f32[4, 6], y: mut f32[6, 4]) {
            view turned = x via row_major([4, 6]).permute(1, 0);
            view tile = turned via xor([6, 4]);
            for (i, j) in grid(6, 4) { y[i, j] = tile[i, j]; }
        }\n",
        &[],
    );
    gives(
        "kernel k(y: mut f32[64]) grid(4) block(8) {
            view mine = y via reshape_map([16] | [4] => layout: [i0, t0]) per block;
            view square = mine via row_major([2, 8]);
            view ys = square via row_major([2, 8]).inverse |> reshape_map([2] | [8] => layout: [t0, i0]);
            for i in 0..2 { ys[i] = 1.0; }
        }\n",
        &[],
    );
}

/// The only index of a tensor with one element is 0, and a view may lead to others.
#[test]
fn a_view_of_one_element_does_not_reach_others() {
    let stored = |elements: i64, index: i64| {
        let text = format!(
            "kernel k(y: mut f32[{elements}]) grid(1) block(1) {{ view v = y via row_major([4]); v[{index}] = 1.0; }}\n"
        );
        check(&text).errors()
    };
    for elements in [1, 2, 4] {
        for index in 0..4 {
            let expected: &[&str] = if index < elements { &[] } else { &["out-of-bounds"] };
            assert_eq!(stored(elements, index), expected, "{elements} elements, index {index}");
        }
    }
}

/// A border below a swizzle makes coordinates of -1, whose bits are all set, but whose row is masked.
#[test]
fn a_swizzle_may_have_a_border() {
    for map in [
        "row_major([4, 4]) |> xor |> { 0: _, 1: pad(1, 1) }",
        "row_major([4, 4]) |> xor |> { 0: pad(1, 1), 1: _ } |> { 0: slice(0, 4), 1: right_pad(2) }",
    ] {
        let text = format!(
            "map m = {map}; kernel k(x: f32[4, 4], y: mut f32[4, 6]) {{
                view v = x via m; for (i, j) in grid(4, 6) {{ y[i, j] = v[i, j]; }} }}"
        );
        gives(&text, &[]);
    }
}
