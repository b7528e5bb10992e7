//! What a kernel's body defines: `const NAME = E;`, `map NAME = E;`, `assert E;`, and `let _ = E;`.

use super::{gives, says};
use crate::support::{Checked, check};

/// A kernel of one thread over tensors of `N` elements.
fn kernel(body: &str) -> String {
    format!("dim N;\nkernel k(x: f32[N], n: i32, y: mut f32[N]) grid(1) block(1) {{ {body} }}\n")
}

fn errors(body: &str) -> (Checked, Vec<String>) {
    let checked = check(&kernel(body));
    let errors = checked.errors().into_iter().map(str::to_owned).collect();
    (checked, errors)
}

#[test]
fn a_constant_stands_where_a_size_does() {
    gives(
        "dim N;
        kernel k(x: f32[N], y: mut f32[N]) {
            const B = 1 << 6;
            const HALF = B / 2;
            view px = partition(x, [B]);
            view py = partition(y, [2 * HALF]);
            for i in grid(px.index_space) {
                const SCALE = 2.0;
                let t: f32[B] = px.load_masked(i);
                py.store_masked(t * SCALE + zeros(f32[B]), i);
            }
        }
        kernel shared_by(x: f32[64], y: mut f32[64]) grid(1) block(64) {
            const C = 8;
            shared s : f32[C, C];
            for t in threads(C * C, cuda_thread) { s[t / C, t % C] = x[t]; }
            for t in threads(C * C, cuda_thread) { y[t] = s[t / C, C - 1 - t % C]; }
        }\n",
        &[],
    );
}

/// The launch is decided before the statements are read, and knows what they define.
#[test]
fn a_map_is_for_the_views_of_the_kernel() {
    let checked = gives(
        "dim N;
        kernel k(x: f32[N], y: mut f32[N]) {
            const D = 4;
            map own = reshape_map([D] | [cdiv(N, D)] => layout: [i0, t0]);
            view xs = x via own masked;
            view ys = y via own masked;
            for i in 0..D { ys[i] = xs[i]; }
        }\n",
        &[],
    );
    let launch = checked.kernel().expect("a kernel").launch.clone();
    assert_eq!(launch.threads.to_string(), "256");
    assert_eq!(
        launch.blocks.to_string(),
        check("dim N; show cdiv(cdiv(N, 4), 256);").findings[0].message.replace('`', "")
    );
}

#[test]
fn a_name_is_visible_from_its_definition_to_the_end_of_its_block() {
    for (body, code) in [
        ("y[0] = f32(A); const A = 1;", "unknown-local"),
        ("if n > 3 { const A = 1; } y[0] = f32(A);", "unknown-local"),
        ("const A = B; const B = 1; y[0] = f32(A);", "unknown-name"),
    ] {
        assert_eq!(errors(body).1.first().map(String::as_str), Some(code), "{body}");
    }
    for body in [
        "const A = 1; if n > 3 { const A = 2; assert A == 2; } assert A == 1; y[0] = f32(A);",
        "const A = 1; for A in 0..3 { let k = A + 1; } assert A == 1; y[0] = f32(A);",
        "const A = 1; const A = 2; assert A == 2; y[0] = f32(A);",
        "let A = n; const A = 2; assert A == 2; y[0] = f32(A);",
        "const A = 1; let A = n + 1; y[0] = f32(A);",
    ] {
        let (checked, errors) = errors(body);
        assert!(errors.is_empty(), "{body}\n{}", checked.report());
    }
}

/// A variable hides the constant of its name, also where a size is wanted.
#[test]
fn a_variable_is_no_constant() {
    let hidden = "const A = 1; let A = n; const B = A; y[0] = f32(B);";
    assert_eq!(errors(hidden).1, ["wrong-kind"]);
    for value in ["n + 1", "x[0]", "v"] {
        let (checked, errors) = errors(&format!("let v = n; const A = {value}; y[0] = f32(A);"));
        assert_eq!(errors, ["wrong-kind"], "{value}\n{}", checked.report());
        says(&checked, "wrong-kind", &["is known only when it runs", "`let`"]);
    }
    let (checked, errors) = errors("const A = 1; A += 1; y[0] = f32(A);");
    assert_eq!(errors, ["immutable"], "{}", checked.report());
    says(&checked, "immutable", &["cannot be assigned", "`let mut`"]);
}

#[test]
fn kinds_are_those_of_the_file() {
    assert_eq!(errors("const A = row_major([4]); y[0] = 1.0;").1, ["wrong-kind"]);
    assert_eq!(errors("map m = 4; y[0] = 1.0;").1, ["wrong-type"]);
    assert_eq!(errors("const A = _; y[0] = 1.0;").1, ["wrong-type"]);
}

#[test]
fn a_claim_about_sizes_is_decided_when_the_kernel_is_checked() {
    assert!(
        errors("const A = 4; assert A * N >= 4; map m = row_major([A]); assert m.injective; y[0] = 1.0;").1.is_empty()
    );
    let (checked, found) = errors("assert N > 3; y[0] = 1.0;");
    assert_eq!(found, ["assertion-failed"], "{}", checked.report());
    says(&checked, "assertion-failed", &["N = 1"]);
    assert_eq!(errors("assert (N > 3); y[0] = 1.0;").1, ["assertion-failed"]);
    assert_eq!(errors("assert n > 3; y[0] = 1.0;").1, ["wrong-kind"]);
    // The facts of the kernel are known.
    gives("dim N; kernel k(y: mut f32[N]) where N > 3 { assert N > 2; for i in grid(N) { y[i] = 1.0; } }\n", &[]);
    // It is a name elsewhere.
    assert!(errors("let mut assert = 1; assert += 2; assert = assert - 1; y[0] = f32(assert);").1.is_empty());
}

#[test]
fn a_value_without_a_name() {
    let body = "let _ = n + 1; let _ = x[0]; let _: f32 = 2.0; y[0] = 1.0;";
    let (checked, errors) = errors(body);
    assert!(errors.is_empty(), "{}", checked.report());
    gives(
        "kernel k(y: mut f32[64]) {
            view py = partition(y, [64]);
            for i in grid(1) {
                let t = ones(f32[64]);
                let _ = t * 2.0;
                let _ = t.sum(0);
                py.store(t, i);
            }
        }
        kernel counts(h: mut i32[1]) grid(4) block(32) { let _ = atomic_add(h[0], 1); }\n",
        &[],
    );
}
