//! Generic parameters: what a kernel says about them, and for which values it is checked.

use super::{check, gives};

/// Exactly one finding of a source has a message with these words.
#[track_caller]
fn says(text: &str, words: &str) {
    let checked = check(text);
    let found = checked.findings.iter().filter(|found| found.message.contains(words)).count();
    assert_eq!((found, checked.findings.len()), (1, 1), "`{words}` in\n{text}\n{}", checked.report());
}

/// A kernel with generic parameters that scales `x`, and what follows it.
fn kernel(generics: &str, clauses: &str, rest: &str) -> String {
    format!(
        "dim N; kernel k[{generics}](x: f32[N], y: mut f32[N]) {clauses} {{
            view px = partition(x, [B]); view py = partition(y, [B]);
            for i in grid(py.index_space) {{ py.store_masked(px.load_masked(i) * 2.0, i); }} }} {rest}"
    )
}

#[test]
fn generic_kernels_are_proven() {
    gives(&kernel("B = 64", "", ""), &[]);
    gives(&kernel("A = 2, B = 32 * A", "where B % 32 == 0 tune(A: [1, 2, 4])", ""), &[]);
    gives(&kernel("B = 64", "where B <= 256 tune(B: [64, 512], stages: [2, 3], warps: [4])", ""), &[]);
    gives(&kernel("B = 64", "block(B) where N <= 4096", ""), &[]);
    gives(&kernel("B = 64", "", "run k[B: 7](x: ones, y: zeros) with N = 20;"), &[]);
}

#[test]
fn every_candidate_is_checked() {
    let wrong = kernel("B = 8", "tune(B: [8, 16, 300000000])", "");
    gives(&wrong, &["tile-shape"]);
    says(&wrong, "with B = 300000000: a tile of [300000000] has more than 16777216 elements");
    let races = "dim N; kernel k[S = 1](y: mut f32[N]) tune(S: [1, 2]) {
        for i in grid(N) { if i / S < N { y[i / S] = 1.0; } } }";
    says(races, "with S = 2: ");
    let types = "dim N; kernel k[T: f32 | bool](x: T[N], y: mut T[N]) { for i in grid(N) { y[i] = x[i] * x[i]; } }";
    says(types, "with T = bool: ");
}

/// Each candidate of this right kernel is proven at some cost, and there are more of them than the effort is for.
#[test]
fn candidates_beyond_the_effort_are_said_and_not_called_wrong() {
    let numbers = |most: u32| (1..=most).map(|number| (32 * number).to_string()).collect::<Vec<_>>().join(", ");
    let edge = "r == 0 || r == M - 1 || c == 0 || c == N - 1";
    let text = |most: u32, scales: &str| {
        format!(
            "dim M, N; kernel k[B = 256, S = 1](x: f32[M, N], y: mut f32[M, N]) tune(B: [{}], S: [{scales}]) {{
                for b in grid(cdiv(M * N, B)) {{ for t in threads(B, cuda_thread) {{
                    let i = b * B + t;
                    if i < M * N {{ let r = i / N; let c = i % N; if {edge} {{ y[r, c] = x[r, c]; }} else {{
                        y[r, c] = x[r - 1, c] + x[r + 1, c] + S * (x[r, c - 1] + x[r, c + 1]); }} }} }} }} }}",
            numbers(most)
        )
    };
    gives(&text(4, "1, 2"), &[]);
    gives(&text(32, "1, 2, 3, 4, 5, 6, 7, 8"), &["unchecked-candidates"]);
}

#[test]
fn an_error_of_the_default_is_not_repeated_for_the_candidates() {
    gives("kernel k[B = 4](y: mut f32[4]) tune(B: [1, 2, 4]) { for i in grid(4) { y[i] = q; } }", &["unknown-local"]);
}

#[test]
fn wrong_declarations_are_refused() {
    for (generics, clauses, message) in [
        ("B = 8, B = 9", "", "two parameters are called `B`"),
        ("B = N", "", "a generic parameter's value"),
        ("B = 8, T: f32 | f33", "", "`f33` is not an element type"),
        ("B = 8, T: f16 = f32", "", "`T` cannot be `f32`; it is one of `f16`"),
        ("B = 8", "tune(Q: [1])", "`Q` is no generic parameter of `k`, which has `B`"),
        ("B = 8", "tune(B: 4)", "the candidates of a parameter are a list"),
        ("B = 8", "tune([4])", "this list belongs to no parameter"),
        ("B = 8, T: f16 | f32", "tune(T: [4])", "`T` is an element type, one of `f16`, `f32`"),
        ("B = 8", "where B > 8", "`8 > 8` does not hold"),
        ("B", "", "expected `=` and the generic parameter's default"),
    ] {
        says(&kernel(generics, clauses, ""), message);
    }
    says("kernel k<T, const B>(x: f32[4]) { }", "stand in square brackets");
    let many = "A = 1, B = 8";
    let list: Vec<String> = (1..=40).map(|number| number.to_string()).collect();
    let list = list.join(", ");
    says(&kernel(many, &format!("tune(A: [{list}], B: [{list}])"), ""), "these are 1600 combinations");
}

#[test]
fn wrong_values_of_a_run_are_refused() {
    for (values, message) in [
        ("Q: 1", "`Q` is no generic parameter of `k`, which has `B`"),
        ("B: 1, B: 2", "`B` is given twice"),
        ("B: 512", "excludes B = 512: `512 <= 256` does not hold"),
        ("B: 0", "with B = 0, `k` has an error: "),
        ("B: f32", "`f32`"),
    ] {
        says(&kernel("B = 64", "where B <= 256", &format!("run k[{values}](x: ones, y: zeros) with N = 20;")), message);
    }
    let types = "dim N; kernel k[T: f16 | f32](y: mut T[N]) { for i in grid(N) { y[i] = T(1); } }";
    says(&format!("{types} run k[T: i32](y: zeros) with N = 4;"), "`T` cannot be `i32`; it is one of `f16`, `f32`");
    says(&format!("{types} run k[T: 4](y: zeros) with N = 4;"), "`T` is an element type, one of `f16`, `f32`");
    let none = "dim N; kernel k(y: mut f32[N]) { for i in grid(N) { y[i] = 1.0; } }";
    says(&format!("{none} run k[T: 4](y: zeros) with N = 4;"), "`k` has no generic parameters");
}

#[test]
fn facts_of_a_kernel_hold_for_its_sizes() {
    let kernel = "dim N; kernel k[B = 8](x: f32[N], y: mut f32[B]) where N >= B { for i in grid(B) { y[i] = x[i]; } }";
    gives(kernel, &[]);
    says(&format!("{kernel} run k(x: ones, y: zeros) with N = 4;"), "the fact `N >= 8` does not hold for N = 4");
}

#[test]
fn a_type_is_no_value() {
    says(
        "kernel k[T: f16 | f32](y: mut f32[4]) { for i in grid(4) { y[i] = f32(T); } }",
        "`T` is an element type, here `f16`, expected a value",
    );
}
