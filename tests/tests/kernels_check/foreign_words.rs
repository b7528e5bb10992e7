//! What people write by habit who know CUDA, Triton, numpy or Pascal, and what the messages say to it.

use super::mistakes::{kernel, mended, one_in, one_mistake};
use super::says;
use crate::support::check;

/// A kernel whose blocks run some statements.
fn blocks(statements: &str) -> String {
    format!("dim N;\nkernel k(x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ {statements} }} }}\n")
}

/// Applies the fix with this title, whose result has no error.
#[track_caller]
fn mended_in(text: &str, code: &str, title: &str, ours: &str) {
    let checked = check(text);
    assert_eq!(checked.errors(), [code], "{text}\n{}", checked.report());
    let fixes = checked.findings.iter().flat_map(|finding| &finding.fixes);
    let fix = fixes.into_iter().find(|fix| fix.title == title).unwrap_or_else(|| panic!("{}", checked.report()));
    assert_eq!(checked.applied(fix), ours);
    let fixed = check(ours);
    assert_eq!(fixed.errors(), [""; 0], "{ours}\n{}", fixed.report());
}

#[test]
fn what_cannot_be_assigned() {
    let own = ["is the iterator of a loop", "`let mut next = i;`"];
    one_in(&blocks("y[i] = x[i]; i = 2;"), "immutable", &own);
    one_mistake("t = t + 1; y[t] = 1.0;", "immutable", &["is the iterator of a loop", "`let mut next = t;`"]);
    one_in(&blocks("y[i] = x[i]; N = 3;"), "immutable", &["`N` is a size"]);
    one_mistake("y = x;", "immutable", &["one by one", "`y[i] = …;`"]);
    one_mistake("z = 1.0;", "immutable", &["one by one", "`z[i, j] = …;`"]);
    one_mistake("n = 1;", "immutable", &["is a number that the kernel is given", "`mut f32[1]`"]);
}

#[test]
fn a_number_is_not_given_back() {
    let text = |word: &str, value: &str| {
        format!(
            "kernel k(y: mut f32[4], w: {word}) {{ for i in grid(4) {{ {value} y[i] = 1.0; }} }}\nrun k(y: zeros, w: 1.0);\n"
        )
    };
    let checked = one_in(&text("mut f32", "w = 3.0;"), "immutable", &["`w` is one number"]);
    assert_eq!(checked.findings[0].fixes.len(), 2);
    mended_in(&text("mut f32", ""), "immutable", "leave out `mut`", &text("f32", ""));
}

const DIGITS: &str = "a number has digits on both sides of its point";
const BRACES: &str = "the body of an `if` or a loop stands in braces";

#[test]
fn statements_of_other_languages() {
    mended("y[t] = .5 * x[t];", "syntax-error", &[DIGITS], "y[t] = 0.5 * x[t];");
    mended("y[t] = 2. * x[t];", "syntax-error", &[DIGITS], "y[t] = 2.0 * x[t];");
    mended("y[t] = max(1.f, x[t]);", "syntax-error", &[DIGITS], "y[t] = max(1.0, x[t]);");
    mended("v := x[t]; y[t] = v;", "syntax-error", &["is declared by `let`"], "let mut v = x[t]; y[t] = v;");
    let range = "for j in 0..4 { y[t] += m[0, j]; }";
    mended("for j = 0 to 3 { y[t] += m[0, j]; }", "syntax-error", &["`lo..hi`", "not reached"], range);
    mended("for j in 0..4: y[t] += m[0, j];", "syntax-error", &[BRACES], range);
    mended("if t > 2: y[t] = 1.0;", "syntax-error", &[BRACES], "if t > 2 { y[t] = 1.0; }");
    mended(
        "if t > 2 { y[t] = 1.0; } elif t > 1 { y[t] = 2.0; }",
        "syntax-error",
        &["`else if`"],
        "if t > 2 { y[t] = 1.0; } else if t > 1 { y[t] = 2.0; }",
    );
    mended("y[static_cast<int>(t)] = 1.0;", "syntax-error", &["a conversion is a call"], "y[i32(t)] = 1.0;");
    mended(
        "let a: f32[4] = {0}; y[t] = a[0];",
        "syntax-error",
        &["with one number or a list"],
        "let a: f32[4] = 0.0; y[t] = a[0];",
    );
    one_in(&kernel("#pragma unroll\nfor j in 0..4 { y[t] += m[0, j]; }"), "syntax-error", &["unrolled by themselves"]);
    one_mistake("#define A 4\ny[t] = x[A];", "syntax-error", &["`const A = 64;`"]);
    one_mistake(
        "switch (t) { case 0: y[t] = 1.0; break; default: y[t] = 2.0; }",
        "syntax-error",
        &["`if i == 0 { … }"],
    );
    one_mistake("y[t] = x[t] @ x[t];", "syntax-error", &["`matmul(a, b)`"]);
}

#[test]
fn a_colon_ends_only_what_it_begins() {
    let colons = "if t > 2: y[t] = 1.0; elif t > 1: y[t] = 2.0; else: y[t] = 3.0;";
    let checked = check(&kernel(colons));
    assert!(checked.errors().iter().all(|code| *code == "syntax-error"), "{}", checked.report());
    assert_eq!(checked.errors().len(), 4, "{}", checked.report());
}

#[test]
fn names_of_other_languages() {
    for (theirs, ours) in [
        ("INFINITY", "inf"),
        ("NAN", "nan"),
        ("np.inf", "inf"),
        ("math.inf", "inf"),
        ("np.exp(x[t])", "exp(x[t])"),
        ("tl.sqrt(x[t])", "sqrt(x[t])"),
        ("math.expf(x[t])", "exp(x[t])"),
    ] {
        mended(&format!("y[t] = {theirs};"), "unknown-local", &[], &format!("y[t] = {ours};"));
    }
    mended(
        "let c = True; y[t] = if c { 1.0 } else { 2.0 };",
        "unknown-local",
        &["called `true`"],
        "let c = true; y[t] = if c { 1.0 } else { 2.0 };",
    );
    one_mistake("y[t] = None;", "unknown-local", &["nothing is empty"]);
    one_mistake("y[t] = FLT_MAX;", "unknown-local", &["`3.4028235e38`"]);
    one_mistake(
        "let v = float4(1.0, 2.0, 3.0, 4.0); y[t] = 1.0;",
        "unknown-function",
        &["no types of several numbers"],
    );
}

#[test]
fn items_of_other_languages() {
    let right = blocks("y[i] = x[i];");
    for (item, parts) in [
        ("def g(x): return x", &["declared by `fn`", "`fn f(x) = 2.0 * x`"][..]),
        ("__device__ float g(float x) { return x; }", &["declared by `fn`"]),
        ("__global__ void g(float *x, int n) { x[0] = 1.0; }", &["declared by `kernel`"]),
        ("#include <cuda.h>", &["no preprocessor"]),
        ("constexpr int A = 4;", &["defined by `const`"]),
        ("struct pair { float a; };", &["no types of one's own"]),
        ("k<<<grid, block>>>(x, y);", &["`run f(x: arange, y: zeros) with N = 1000;`"]),
    ] {
        one_in(&format!("{right}\n{item}\n"), "syntax-error", parts);
    }
    for item in ["import numpy as np", "@triton.jit", "from math import exp"] {
        mended_in(&format!("{item}\n{right}"), "syntax-error", "leave it out", &format!("\n{right}"));
    }
    mended_in(
        &format!("use std/activations;\n{right}"),
        "syntax-error",
        "write it in quotation marks",
        &format!("use \"std/activations.shape\";\n{right}"),
    );
}

#[test]
fn signatures_of_other_languages() {
    let text = |params: &str| format!("dim N;\nkernel k({params}) {{ for i in grid(N) {{ y[i] = x[i]; }} }}\n");
    let right = text("x: f32[N], y: mut f32[N]");
    for wrong in ["x: f32[N], y: f32[N] mut", "x: f32[N], y: out f32[N]"] {
        mended_in(&text(wrong), "syntax-error", "write `mut` before the type", &right);
    }
    for wrong in ["x: Tensor[f32, N], y: mut f32[N]", "x: tensor<float, N>, y: mut f32[N]"] {
        mended_in(&text(wrong), "syntax-error", "write the type of its elements", &right);
    }
    one_in(&text("const float *x, float *y, int n"), "syntax-error", &["behind its name", "`y: mut f32[N]`"]);
    one_in(&text("float* __restrict__ x, float y[]"), "syntax-error", &["behind its name"]);
    mended_in("fn h(x: f32): f32 { x }\n", "syntax-error", "write `->`", "fn h(x: f32) -> f32 { x }\n");
}

#[test]
fn clauses_of_runs() {
    let text = |clauses: &str| format!("{}run k(x: arange, y: zeros) {clauses};\n", blocks("y[i] = x[i];"));
    let right = text("with N = 4 expect y == x within 1e-5");
    let wrong = text("").replace("y: zeros)", "y: zeros, N: 4)");
    one_in(&wrong, "run-argument", &["`with N = …`"]);
    for (wrong, title) in [
        ("with N = 4 expect y == x atol 1e-5", "write `within`"),
        ("with N = 4 assert y == x within 1e-5", "write `expect`"),
        ("with (N = 4) expect y == x within 1e-5", "write `with`"),
        ("N = 4 expect y == x within 1e-5", "write `with`"),
    ] {
        mended_in(&text(wrong), "syntax-error", title, &right);
    }
}

#[test]
fn a_matrix_is_transposed_by_permute() {
    let text = |expected: &str| {
        format!(
            "dim M, N;\nkernel k(x: f32[M, N], y: mut f32[N, M]) {{ for (i, j) in grid(M, N) {{ y[j, i] = x[i, j]; }} }}
run k(x: arange, y: zeros) with M = 2, N = 3 expect y == {expected};\n"
        )
    };
    mended_in(&text("x.T"), "expect-shape", "write `.permute(1, 0)`", &text("x.permute(1, 0)"));
}

#[test]
fn quotients_of_integers() {
    mended("y[t] += t / 3;", "type-mismatch", &["a quotient of integers"], "y[t] += f32(t) / f32(3);");
    let checked = check(&kernel("y[t] = x[t] * (1 / 2);"));
    says(&checked, "lost-remainder", &["it is 0", "a float is needed"]);
    assert!(!checked.codes().contains("inexact-division"), "{}", checked.report());
    let fix = checked.findings.iter().find(|found| found.code == "lost-remainder").map(|found| &found.fixes[0]);
    assert_eq!(checked.applied(fix.unwrap()), kernel("y[t] = x[t] * (1.0 / 2.0);"));
    mended("if x[t] { y[t] = 1.0; }", "type-mismatch", &["no condition"], "if x[t] != 0.0 { y[t] = 1.0; }");
}

#[test]
fn the_bound_of_a_while_is_what_its_condition_names() {
    let text = |bound: &str| blocks(&format!("let mut k = 0; while k < N {bound}{{ k += 1; }} y[i] = x[i];"));
    mended_in(&text(""), "bounded-loop", "write `max N`", &text("max N "));
    one_mistake("while x[t] > 0.0 { y[t] = 1.0; }", "bounded-loop", &["`max n`"]);
}

#[test]
fn stores_that_may_meet() {
    let text = |store: &str| {
        format!("dim N;\nkernel k(x: f32[N], q: i64[N], y: mut f32[N]) {{ for i in grid(N) {{ {store} }} }}\n")
    };
    mended_in(&text("y[0] += x[i];"), "race", "change it by `atomic_add`", &text("atomic_add(y[0], x[i]);"));
    let guarded = |store: &str| text(&format!("let at = q[i]; if at >= 0 && at < N {{ {store} }}"));
    mended_in(&guarded("y[at] = x[i];"), "race", "store it by `atomic_store`", &guarded("atomic_store(y[at], x[i]);"));
    let checked = check(&text("y[0] = x[i];"));
    assert!(checked.findings.iter().all(|found| found.fixes.is_empty()), "{}", checked.report());
}

#[test]
fn reductions_of_numpy() {
    let text = |reduced: &str| {
        format!(
            "dim M;
kernel k(x: f32[M, 64], y: mut f32[M, 64]) {{
    view px = partition(x, [4, 64]);
    view py = partition(y, [4, 64]);
    for i in grid(cdiv(M, 4)) {{ let t = px.load_masked(i, 0); py.store_masked(t - t.{reduced}, i, 0); }}
}}\n"
        )
    };
    for theirs in ["max(axis=1, keepdims=True)", "max(1, keepdims=True)", "max(dim=1, keep: true)"] {
        mended_in(&text(theirs), "syntax-error", "write it as here", &text("max(1, keep: true)"));
    }
}

#[test]
fn numbers_that_are_texts() {
    mended("y[t] = float(\"inf\");", "unknown-function", &["called `inf`"], "y[t] = inf;");
    mended("y[t] = float(\"-inf\");", "unknown-function", &["called `-inf`"], "y[t] = -inf;");
}

#[test]
fn loops_say_what_they_run_over() {
    let text = |domain: &str| {
        format!("kernel k(y: mut f32[64]) grid(1) block(64) {{ for t in {domain} {{ y[t] = 1.0; }} }}\n")
    };
    mended_in(&text("threads(64)"), "argument-count", "number threads", &text("threads(64, cuda_thread)"));
    let checked = check(&kernel("y[t] = 0.0; for j in 9..0 { y[t] += m[0, j]; }"));
    says(&checked, "empty-range", &["counts up", "`for k in 0..9 { let i = 9 - k; … }`"]);
}

#[test]
fn swapped_indices() {
    let text = |indices: &str| {
        format!(
            "dim M, N;\nkernel k(x: f32[M, N], y: mut f32[N, M]) {{ for (i, j) in grid(M, N) {{ y[{indices}] = x[i, j]; }} }}\n"
        )
    };
    let checked = check(&text("i, j"));
    says(&checked, "out-of-bounds", &["the indices look swapped", "below `M`"]);
    mended_in(&text("i, j"), "out-of-bounds", "swap the indices", &text("j, i"));
}

#[test]
fn sizes_have_names() {
    one_mistake("let n = x.shape[0]; y[t] = 1.0;", "unknown-member", &["a size has a name"]);
    one_mistake("let k = n + 1; y[t] = f32(cdiv(64, k));", "type-mismatch", &["`cdiv` takes sizes", "`const`"]);
}

#[test]
fn parts_of_tiles_and_their_stores() {
    let text = |statement: &str| {
        format!(
            "dim B;
kernel k(x: f32[B, 16, 16], y: mut f32[B, 16, 16]) {{
    view px = partition(x, [1, 16, 16]);
    view py = partition(y, [1, 16, 16]);
    for b in grid(B) {{ {statement} }}
}}\n"
        )
    };
    one_in(&text("let t = px.load(b, 0, 0)[0];"), "tile-shape", &["needs 3 ranges, found 1", "`t[0, 0..16, 0..16]`"]);
    one_in(&text("py.store(px.load(b, 0, 0));"), "index-count", &["`py.store(t, i0, i1, i2)`"]);
}

#[test]
fn what_stands_behind_a_return_is_not_judged() {
    let guarded = "dim N;\nkernel k(x: f32[N], y: mut f32[N]) block(256) { for b in grid(cdiv(N, 256)) {
    for t in threads(256, cuda_thread) { let i = b * 256 + t; if i >= N { return; } y[i] = x[i]; } } }\n";
    one_in(guarded, "unknown-local", &["put the rest under an `if`"]);
}

#[test]
fn a_size_of_zero_breaks_no_fact_of_the_program() {
    let text = format!("{}run k(x: ones, y: zeros) with N = 0;\n", blocks("y[i] = x[i];"));
    one_in(&text, "run-violates-fact", &["every size is at least 1"]);
}

/// A name that is near to that of a function with another meaning is no misspelling of it.
#[test]
fn a_function_of_another_meaning_is_not_offered() {
    for name in ["asin", "acos", "atanh", "sinh", "cosh", "acosh", "exp10", "erfc", "isinf"] {
        let checked =
            check(&format!("kernel k(x: f32[8], y: mut f32[8]) {{ for i in grid(8) {{ y[i] = {name}(x[i]); }} }}\n"));
        assert_eq!(checked.errors(), ["unknown-function"], "{}", checked.report());
        let found = &checked.findings[0];
        assert!(found.fixes.is_empty() && found.help.len() == 1, "{name}: {}", checked.report());
        assert!(!found.help[0].contains("did you mean"), "{name}: {}", checked.report());
    }
    let checked = check("kernel k(x: f32[8], y: mut f32[8]) { for i in grid(8) { y[i] = tahn(x[i]); } }\n");
    assert_eq!(checked.findings[0].fixes.len(), 1, "{}", checked.report());
}
