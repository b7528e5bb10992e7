//! Unsafe kernels that were accepted once. Each has one way to fail that a run shows.

mod support;

use support::check;

/// The kernel must be rejected with this code, and must therefore never reach an executor.
#[track_caller]
fn rejected(text: &str, code: &str) {
    let checked = check(text);
    assert!(checked.kernel().is_none(), "accepted:\n{text}\n{}", checked.report());
    assert!(checked.codes().contains(code), "no {code} for:\n{text}\n{}", checked.report());
}

#[test]
fn elements_that_share_storage_race() {
    rejected(
        "kernel fill(y: mut f32[4, 4] strided [1, 1]) {
            view ys = y via reshape_map([1] | [16] => layout: [i0, t0]);
            ys[0] = 1.0;
        }\n",
        "overlapping-strides",
    );
}

/// `n` is 4 when the loop begins and 0 when the index is computed: `y[3 - 0 + 4]`.
#[test]
fn the_end_of_a_loop_is_what_it_was_when_the_loop_began() {
    rejected(
        "kernel stale(y: mut f32[4]) grid(1) block(1) {
            let mut n = 4;
            for i in n - 4..n { n = 0; y[i - n + 4] = 1.0; }
        }\n",
        "out-of-bounds",
    );
}

/// `-n` is `n` for the smallest integer, which is below 4.
#[test]
fn a_guard_that_wraps_guards_nothing() {
    for guard in ["-n <= 0", "0 - n <= 0"] {
        let text = format!(
            "kernel wraps(n: i64, y: mut f32[4]) grid(1) block(1) {{ if {guard} && n < 4 {{ y[n] = 1.0; }} }}\n"
        );
        rejected(&text, "out-of-bounds");
    }
}

/// The product of two large `u32` does not fit an `i64`: it is negative, and so is its remainder.
#[test]
fn a_product_that_wraps_is_negative() {
    rejected(
        "kernel wraps(a: u32, b: u32, y: mut f32[4]) grid(1) block(1) { y[(i64(a) * i64(b)) % 4] = 1.0; }\n",
        "out-of-bounds",
    );
}

/// The launch has one number of blocks; two loops over the grid, or one that is not outermost, would lose iterations.
#[test]
fn a_kernel_has_one_loop_over_the_grid_and_it_is_outermost() {
    rejected(
        "kernel two(y: mut f32[4], z: mut f32[8]) {
            for i in grid(4) { y[i] = 1.0; }
            for j in grid(8) { z[j] = 1.0; }
        }\n",
        "grid-inside",
    );
    rejected("kernel inside(n: i64, y: mut f32[4]) { if n > 0 { for i in grid(4) { y[i] = 1.0; } } }\n", "grid-inside");
}

/// Each `?` is a size of its own.
#[test]
fn fresh_dimensions_of_two_parameters_differ() {
    let checked = check("kernel two(x: f32[?], y: mut f32[?]) grid(1) block(1) { y[0] = x[0]; }\n");
    let kernel = checked.kernel().expect("accepted");
    assert_eq!(kernel.symbols.len(), 2, "{:?}", kernel.symbols);
}

/// Threads 4 to 7 have no elements in the view. A condition around the access must not make them forget that.
#[test]
fn surplus_threads_stay_masked_under_a_condition() {
    let checked = check(
        "kernel k(n: i64, y: mut f32[4]) grid(1) block(8) {
            view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
            if n > 0 { ys[0] = 1.0; }
        }\n",
    );
    let kernel = checked.kernel().expect("accepted");
    let sizes = std::collections::BTreeMap::new();
    let launch = support::enumerate::Launch { kernel: &kernel, sizes: &sizes, scalars: &[1], data: 0, guarded: false };
    let result = support::enumerate::enumerate(&launch);
    assert!(result.is_ok(), "{result:?}");
}

/// That `N` is not 4 for every size does not make it another number for every size: both branches are there.
#[test]
fn a_condition_on_a_size_is_decided_at_launch() {
    for condition in ["N == 4", "N % 2 == 1", "!(N == 4)", "N == 4 && N >= 1", "N == 4 || 1 == 2", "1 == 2 || N == 4"] {
        let checked = check(&format!(
            "dim N;
            kernel k(y: mut f32[N]) grid(1) block(1) {{ if {condition} {{ y[0] = 1.0; }} else {{ y[0] = 2.0; }} }}\n"
        ));
        let kernel = checked.kernel().unwrap_or_else(|| panic!("{condition}: {}", checked.report()));
        let shapewright_compiler::kernels::typed::StatementKind::If { condition: typed, .. } = &kernel.body[0].kind
        else {
            panic!("{condition}: {:?}", kernel.body[0]);
        };
        let constant = matches!(typed.kind, shapewright_compiler::kernels::typed::ExprKind::Constant(_));
        assert!(!constant, "{condition} is taken for a constant");
        // Outside of kernels there is no launch that could decide.
        let checked = check(&format!("dim N;\nconst x = if {condition} {{ 1 }} else {{ 2 }};\nassert x == 2;\n"));
        assert_eq!(checked.errors(), ["not-constant"], "{condition}");
    }
}

/// A claim of a map that fails for some sizes only decides no condition either.
#[test]
fn a_claim_that_fails_for_some_sizes_decides_no_condition() {
    let map = "dim N;\nmap m = reshape_map([4] | [N] => layout: [i0, t0]);\n";
    let checked = check(&format!("{map}const x = if m.covers(8) {{ 1 }} else {{ 2 }};\n"));
    assert_eq!(checked.errors(), ["not-constant"], "{}", checked.report());
    let checked = check(&format!("{map}const x = if m.injective {{ 1 }} else {{ 2 }};\nassert x == 1;\n"));
    assert!(checked.errors().is_empty(), "{}", checked.report());
}
