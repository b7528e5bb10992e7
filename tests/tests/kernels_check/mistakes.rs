//! What people write who know CUDA, Triton, numpy or Rust and not this language: one error for each mistake, with what to
//! write here. Where a fix is offered, the text that it makes is accepted.

use super::says;
use crate::support::{Checked, check};

/// A kernel whose threads run some statements.
pub(super) fn kernel(statements: &str) -> String {
    format!(
        "kernel k(n: i32, x: f32[64], y: mut f32[64], m: f32[16, 16], z: mut f32[64, 4]) grid(1) block(64) {{
    for t in threads(64, cuda_thread) {{ {statements} }}\n}}\n"
    )
}

#[track_caller]
pub(super) fn one_in(text: &str, code: &str, parts: &[&str]) -> Checked {
    let checked = check(text);
    assert_eq!(checked.errors(), [code], "{text}\n{}", checked.report());
    says(&checked, code, parts);
    checked
}

/// Statements of a thread in which there is one mistake, which no edit of the text alone would mend.
#[track_caller]
pub(super) fn one_mistake(statements: &str, code: &str, parts: &[&str]) {
    let checked = one_in(&kernel(statements), code, parts);
    let fixes = checked.findings.iter().filter(|finding| finding.code == code).map(|finding| finding.fixes.len());
    assert_eq!(fixes.sum::<usize>(), 0, "{statements}");
}

/// Statements of a thread in which there is one mistake, and what its fix makes of them.
#[track_caller]
pub(super) fn mended(theirs: &str, code: &str, parts: &[&str], ours: &str) {
    let checked = one_in(&kernel(theirs), code, parts);
    let mut findings = checked.findings.iter().filter(|finding| finding.code == code);
    let [fix] = findings.next().unwrap().fixes.as_slice() else { panic!("not one fix for {theirs}") };
    assert_eq!(checked.applied(fix), kernel(ours));
    let fixed = check(&kernel(ours));
    assert_eq!(fixed.errors(), [""; 0], "{ours}\n{}", fixed.report());
}

#[test]
fn ids_are_the_iterators_of_loops() {
    let global = "let i = blockIdx.x * blockDim.x + threadIdx.x; if i < 64 { y[i] = x[i]; }";
    let ids = ["`for b in grid(n)`", "`for t in threads(256, cuda_thread)`", "`let i = b * 256 + t;`"];
    one_mistake(global, "unknown-local", &ids);
    one_mistake("y[t] = x[threadIdx.x];", "unknown-local", &ids);
    one_mistake("let i = program_id(0); y[t] = x[i];", "unknown-function", &ids);
    one_mistake("let i = tl.program_id(0); y[t] = x[i];", "unknown-local", &ids);
    // What was meant may also be a name of the kernel.
    let near = check(&kernel("let warps = t; y[t] = x[warp];"));
    says(&near, "unknown-local", &["did you mean `warps`?"]);
}

#[test]
fn elements_are_read_and_written_by_index() {
    one_mistake("y[t] = tl.load(x + t);", "unknown-local", &["there are no modules", "`y[i] = x[i];`"]);
    one_mistake("y[t] = load(x, t);", "unknown-function", &["`x[i]`", "in place of a mask"]);
    one_mistake("y[t] = __ldg(&x[t]);", "unknown-function", &["`x[i]`"]);
    one_mistake("float *p = x; y[t] = p[t];", "syntax-error", &["there are no pointers", "`view`"]);
    one_mistake("const float* p = x + 3; y[t] = *p; *p = 2.0;", "syntax-error", &["there are no pointers"]);
    one_mistake("float4 v = x[t]; y[t] = v.x;", "syntax-error", &["no types of several numbers", "`view`"]);
    mended("y[t] = x(t) + 1.0;", "index-count", &["in square brackets"], "y[t] = x[t] + 1.0;");
    mended("z(t, 1) = 2.0;", "index-count", &["in square brackets"], "z[t, 1] = 2.0;");
    mended("y[t] = exp(&x[t]);", "syntax-error", &["there are no pointers"], "y[t] = exp(x[t]);");
}

#[test]
fn an_assignment_as_a_condition_is_one_mistake() {
    mended("if t = 3 { y[t] = 1.0; }", "syntax-error", &["`=` assigns"], "if t == 3 { y[t] = 1.0; }");
}

#[test]
fn words_of_clauses_are_names_in_front_of_every_operator() {
    for word in ["per", "via", "where", "expect", "within", "show", "assert", "in", "masked", "save", "map"] {
        let use_of =
            format!("let {word} = x[t]; let a = -{word} * 2.0 + ({word} * {word}) / {word}; y[t] = {word} * a;");
        let checked = check(&kernel(&use_of));
        assert_eq!(checked.errors(), [""; 0], "{use_of}\n{}", checked.report());
    }
    mended("y[t] = exp(&x[t]) * 2.0;", "syntax-error", &["there are no pointers"], "y[t] = exp(x[t]) * 2.0;");
    one_mistake("let per = x[t]; y[t] = per ** 2;", "syntax-error", &["`**` is no operator"]);
}

#[test]
fn an_item_in_a_body_is_one_mistake() {
    let text = |items: &str, body: &str| {
        format!(
            "dim N;\n{items}kernel k(x: f32[N], y: mut f32[N]) {{\n    {body}\n    view px = partition(x, [B]);
    view py = partition(y, [B]);\n    for i in grid(px.index_space) {{ py.store_masked(px.load_masked(i), i); }}\n}}
kernel other(y: mut f32[4]) grid(1) block(4) {{ for t in threads(4, cuda_thread) {{ y[t] = 1.0; }} }}\n"
        )
    };
    let with_b = |item: &str| text("const B = 16;\n", item);
    for item in ["dim A, C where A % 4 == 0, C > 1;", "unit u = (4; 2);"] {
        let checked = one_in(&with_b(item), "syntax-error", &["stands outside of kernels, before or behind them"]);
        assert_eq!(checked.applied(&checked.findings[0].fixes[0]), text(&format!("const B = 16;\n{item}\n"), ""));
    }
    one_in(&with_b("show N;"), "syntax-error", &["stands outside of kernels", "about what is known there"]);
    // What the kernel itself declares does not move.
    let own = one_in(&with_b("show y;"), "syntax-error", &["what the kernel declares is not known there"]);
    assert_eq!(own.findings[0].fixes.len(), 0);
    // The rest is checked.
    let text = with_b("dim A; let v = unknown;");
    assert_eq!(check(&text).errors(), ["syntax-error", "unknown-local"], "{}", check(&text).report());
}

#[test]
fn a_name_of_the_kernel_is_no_size() {
    let size = &["`n` is a scalar parameter", "`dim n;`"];
    one_in("kernel k(n: i32, x: f32[n], y: mut f32[n]) grid(1) block(1) { y[0] = x[0]; }\n", "wrong-kind", size);
    let grid = "kernel k(n: i32, y: mut f32[64]) grid(cdiv(n, 64)) block(64) {
        for t in threads(64, cuda_thread) { y[t] = 1.0; } }\n";
    one_in(grid, "wrong-kind", size);
    let shared = "kernel k(y: mut f32[64]) grid(1) block(64) { let n = 64; shared s : f32[n];
        for t in threads(64, cuda_thread) { s[t] = 1.0; y[t] = s[t]; } }\n";
    one_in(shared, "wrong-kind", &["`n` is a value that the kernel computes", "`const n = …;`"]);
    let tensor = "kernel k(x: f32[8], y: mut f32[8]) grid(x) block(1) { y[0] = 1.0; }\n";
    one_in(tensor, "wrong-kind", &["`x` is a tensor", "`x: f32[N]`"]);
    let undeclared = "kernel k(y: mut f32[64]) grid(1) block(64) { { } shared s : f32[n]; let n = 64; y[0] = 1.0; }\n";
    assert!(check(undeclared).codes().contains("unknown-name"));
}

#[test]
fn a_conversion_that_may_change_an_index_is_named() {
    let kernel = |index: &str| {
        format!("dim N;\nkernel k(x: f32[N], y: mut f32[N]) block(1) {{ for b in grid(N) {{ y[b] = x[{index}]; }} }}\n")
    };
    one_in(&kernel("i32(b)"), "out-of-bounds", &["from `i64` to `i32`", "leave the conversion to `i32` away"]);
    let checked = check(
        "kernel k(at: i64[64], x: f32[64], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { y[t] = x[i8(at[t])]; } }\n",
    );
    says(&checked, "out-of-bounds", &["depends on data"]);
}

/// What was a mistake in the past is what the fix made of it then.
#[test]
fn a_variable_takes_the_type_of_what_it_is_given() {
    for (theirs, declared) in [
        (
            "let mut a = 0; for j in 0..64 { a += x[j]; } a = a * 2.0; y[t] = a;",
            "let mut a: f32 = 0; for j in 0..64 { a += x[j]; } a = a * 2.0; y[t] = a;",
        ),
        ("let mut a = 0.0; a = f64(x[t]); y[t] = f32(a);", "let mut a: f64 = 0.0; a = f64(x[t]); y[t] = f32(a);"),
        ("let mut a = 0; if n > a { a = n; } y[t] = f32(a);", "let mut a: i32 = 0; if n > a { a = n; } y[t] = f32(a);"),
    ] {
        let source = |statements: &str| {
            let checked = check(&kernel(statements));
            emit::cuda(&checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()))).source
        };
        assert_eq!(source(theirs), source(declared), "{theirs}");
    }
}

#[test]
fn variables_are_declared_by_let() {
    let by_let = &["declared by `let`"];
    for (theirs, ours) in [
        ("float v = x[t]; v = v + 1.0; y[t] = v;", "let mut v: f32 = x[t]; v = v + 1.0; y[t] = v;"),
        ("const float v = x[t]; y[t] = v;", "let v: f32 = x[t]; y[t] = v;"),
        ("float v; v = x[t]; y[t] = v;", "let mut v: f32 = 0.0; v = x[t]; y[t] = v;"),
        ("float v = x[t], w; w = v; y[t] = w;", "let mut v: f32 = x[t]; let mut w: f32 = 0.0; w = v; y[t] = w;"),
        ("int i = t; y[i] = x[i];", "let mut i = t; y[i] = x[i];"),
        ("unsigned int i = t, j = t; y[i] = x[j];", "let mut i = t; let mut j = t; y[i] = x[j];"),
        ("auto v = x[t]; y[t] = v;", "let mut v = x[t]; y[t] = v;"),
        ("f32 v = x[t]; y[t] = v;", "let mut v: f32 = x[t]; y[t] = v;"),
    ] {
        mended(theirs, "syntax-error", by_let, ours);
    }
    mended("v = x[t]; y[t] = v;", "unknown-local", &["write `let v = …;`"], "let mut v = x[t]; y[t] = v;");
    mended(
        "let mut v: f32; v = x[t]; y[t] = v;",
        "syntax-error",
        &["begins with a value"],
        "let mut v: f32 = 0.0; v = x[t]; y[t] = v;",
    );
    one_mistake("let mut v; v = x[t]; y[t] = v;", "syntax-error", &["begins with a value"]);
    let typo = "let mut v: f23 = 0.0; v += x[t]; v = v * 2.0; y[t] = v;";
    mended(typo, "unknown-element-type", &["f23"], &typo.replace("f23", "f32"));
    // The type is said, though not where it belongs.
    mended("float v = 0; v += x[t]; y[t] = v;", "syntax-error", by_let, "let mut v: f32 = 0; v += x[t]; y[t] = v;");
    one_mistake("let mut v = foo(x[t]); v = v + 1.0; v += 2.0; y[t] = v;", "unknown-function", &["foo"]);
    one_mistake("y[t] = foo + foo * x[t] - foo;", "unknown-local", &["`foo` is not declared"]);
}

#[test]
fn an_array_of_a_thread_is_declared_with_its_type() {
    let advice = &["array of a thread", "`let mut a: f32[4] = 0.0;`", "`let a: f32[3] = [1.0, 2.0, 1.0];`"];
    let uses = "a[0] = x[t]; a[1] += 1.0; y[t] = a[0] + a[1];";
    one_mistake(&format!("let mut a = [0.0, 0.0]; {uses}"), "wrong-type", advice);
    for declaration in ["let mut a = [0.0; 2];", "float a[2] = {0};"] {
        one_mistake(&format!("{declaration} {uses}"), "syntax-error", advice);
    }
    for (declaration, right) in [
        ("let a: f32[2];", "let mut a: f32[2] = 0.0;"),
        ("let mut a: f32[2];", "let mut a: f32[2] = 0.0;"),
        ("float a[2];", "let mut a : f32[2] = 0.0;"),
    ] {
        mended(&format!("{declaration} {uses}"), "syntax-error", advice, &format!("{right} {uses}"));
    }
}

#[test]
fn shared_arrays_are_declared_by_shared() {
    let kernel = |declaration: &str| {
        format!(
            "const T = 8;\nkernel k(y: mut f32[64]) grid(1) block(64) {{ {declaration};
    for t in threads(64, cuda_thread) {{ s[t / 8, t % 8] = 1.0; }}
    for t in threads(64, cuda_thread) {{ y[t] = s[t % 8, t / 8]; }} }}\n"
        )
    };
    for theirs in ["__shared__ float s[T][T + 1]", "static __shared__ float s[T][T + 1]"] {
        let checked = one_in(&kernel(theirs), "syntax-error", &["declared by `shared`"]);
        let mended = checked.applied(&checked.findings[0].fixes[0]);
        assert_eq!(mended, kernel("shared s : f32[T, T + 1]"));
        assert_eq!(check(&mended).errors(), [""; 0], "{}", check(&mended).report());
    }
    let unsized_ = one_in(&kernel("extern __shared__ float s[]"), "syntax-error", &["`shared NAME : f32[128];`"]);
    assert!(unsized_.findings.iter().all(|finding| finding.fixes.is_empty()));
}

#[test]
fn steps_of_other_languages() {
    mended(
        "for i in 0..64 by 2 { y[t] = x[i]; }",
        "syntax-error",
        &["behind `step`"],
        "for i in 0..64 step 2 { y[t] = x[i]; }",
    );
    mended(
        "for (int i = t; i < 64; i += 64) { y[i] = x[i]; }",
        "syntax-error",
        &["a C loop"],
        "for i in t..64 step 64 { y[i] = x[i]; }",
    );
    for range in ["range(0, 64, 2)", "(0..64).step_by(2)", "0..64.step_by(2)"] {
        one_mistake(&format!("for i in {range} {{ y[t] = x[i]; }}"), "bounded-loop", &["step"]);
    }
    for range in ["(0..64).rev()", "0..64.rev()"] {
        one_mistake(&format!("for i in {range} {{ y[t] = x[i]; }}"), "bounded-loop", &["let i = n - 1 - k;"]);
    }
    one_mistake("for i in reversed(range(64)) { y[t] = x[i]; }", "bounded-loop", &["a range `lo..hi`"]);
    // Both words are names elsewhere.
    let named = check(
        "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(1) { let step = 2; let by = step; y[by] = x[step]; }\n",
    );
    assert_eq!(named.errors(), [""; 0], "{}", named.report());
}

#[test]
fn a_range_with_a_wrong_end_is_one_mistake() {
    let cdiv = "for i in 0..cdiv(2, t + 1) { let j = 2 * i; y[t] = x[j]; }";
    one_mistake(cdiv, "type-mismatch", &["takes sizes", "`(a + b - 1) / b`"]);
    one_mistake("for i in 0..foo { y[t] += x[i] * f32(i); }", "unknown-local", &["foo"]);
}

#[test]
fn indices_stand_in_one_pair_of_brackets() {
    mended("y[t] = m[t / 16][t % 16];", "index-count", &["`y[i, j]`"], "y[t] = m[t / 16, t % 16];");
    mended("z[t][0] += 1.0;", "index-count", &["`y[i, j]`"], "z[t, 0] += 1.0;");
    one_mistake("y[t] = x[t][0];", "index-count", &["`x` takes 1 index, found 2"]);
    one_mistake("let a = 1.0; y[t] = a[t][0];", "not-a-tensor", &["`a`"]);
    let both = check(&kernel("z[t][0] = m[0][1];"));
    assert_eq!(both.errors(), ["index-count", "index-count"], "{}", both.report());
}

#[test]
fn threads_are_numbered_by_one_number() {
    let kernel = |domain: &str| {
        format!(
            "kernel k(y: mut f32[16, 16]) grid(1) block(256) {{ for (i, j) in threads({domain}) {{ y[i, j] = 1.0; }} }}\n"
        )
    };
    let advice = "for t in threads(256, cuda_thread) { let i = t / 16; let j = t % 16;";
    one_in(&kernel("(16, 16), cuda_thread"), "index-count", &[advice]);
    one_in(&kernel("16, 16"), "index-count", &[advice]);
}

#[test]
fn choices_and_conversions_stand_before_their_values() {
    let behind = &["the condition of a choice stands before its values"];
    mended("y[t] = x[t] if t > 3 else 0.0;", "syntax-error", behind, "y[t] = if t > 3 { x[t] } else { 0.0 };");
    let (theirs, ours) =
        ("y[t] = max(x[t] if n > 3 else 0.0, 1.0);", "y[t] = max(if n > 3 { x[t] } else { 0.0 }, 1.0);");
    mended(theirs, "syntax-error", behind, ours);
    one_mistake("y[t] = 1.0 if t > 3 else 2.0 if t > 2 else 3.0;", "syntax-error", behind);
    mended("y[t] = n as f32;", "syntax-error", &["a conversion is a call"], "y[t] = f32(n);");
    let (theirs, ours) = ("y[t] = 2.0 * (n + 1) as float + x[t];", "y[t] = 2.0 * f32((n + 1)) + x[t];");
    mended(theirs, "syntax-error", &["a conversion is a call"], ours);
}

#[test]
fn what_lanes_and_atomics_do_is_written_otherwise() {
    let ours = ["`shuffle_down(v, distance)`", "`sum(v, over: warp)`"];
    let down = "y[t] = __shfl_down_sync(0xffffffff, x[t], 16);";
    mended(down, "unknown-function", &ours, "y[t] = shuffle_down(x[t], 16);");
    let ballot = "let b = __ballot_sync(0xffffffff, x[t] > 0.0); y[t] = f32(b);";
    mended(ballot, "unknown-function", &["`ballot(c)`"], "let b = ballot(x[t] > 0.0); y[t] = f32(b);");
    one_mistake("y[t] = __shfl_xor_sync(~0, x[t], 1);", "unknown-function", &["`shuffle_xor(v, mask)`"]);
    let named = "the threads are an argument with a name";
    mended("y[t] = sum(x[t], block);", "wrong-exchange", &[named], "y[t] = sum(x[t], over: block);");
    mended("y[t] = cumsum(x[t], warp);", "wrong-exchange", &[named], "y[t] = cumsum(x[t], over: warp);");
    one_mistake("y[t] = warpReduceSum(x[t]);", "unknown-function", &["`sum(v, over: warp)`"]);
    one_mistake("y[t] = block_reduce_sum(x[t]);", "unknown-function", &["`sum(v, over: block)`"]);
    one_mistake("if __any_sync(0xffffffff, n > 3) { y[t] = 0.0; }", "unknown-function", &["`any(c, over: warp)`"]);
    mended("y[t] = f32(__popc(n));", "unknown-function", &["`popcount`"], "y[t] = f32(popcount(n));");
    mended("atomicAdd(&y[0], x[t]);", "unknown-function", &["`atomic_add`"], "atomic_add(y[0], x[t]);");
    mended("atomicAdd(y[0], x[t]);", "unknown-function", &["`atomic_add`"], "atomic_add(y[0], x[t]);");
    one_mistake("atomicSub(&y[0], x[t]);", "unknown-function", &["atomic_add(h[i], -v)"]);
}

#[test]
fn one_division_is_hinted_at_once() {
    let text = "dim M;\nkernel k(x: f32[M / 2], y: mut f32[M / 2]) block(64) {
        for b in grid(cdiv(M / 2, 64)) { for t in threads(64, cuda_thread) {
            let i = b * 64 + t; if i < M / 2 { y[i] = x[i]; } } } }\n";
    let hints = check(text).findings.iter().filter(|finding| finding.code == "inexact-division").count();
    assert_eq!(hints, 1);
}

#[test]
fn a_divisor_is_not_zero() {
    one_mistake("y[t] = f32(t / 0);", "division-by-zero", &["divides by 0"]);
    one_mistake("y[t] = f32(n % 0);", "division-by-zero", &["divides by 0"]);
    one_mistake("let q = n / (3 - 3); y[t] = f32(q);", "division-by-zero", &["divides by 0"]);
    // A float divided by zero is infinite, as everywhere.
    assert_eq!(check(&kernel("y[t] = x[t] / 0.0;")).errors(), [""; 0]);
}

#[test]
fn a_comparison_is_no_statement() {
    mended("y[t] == x[t];", "wrong-type", &["compares two values", "assigned by `=`"], "y[t] = x[t];");
}

#[test]
fn a_grid_has_an_iterator_for_each_size() {
    let grid = |iterators: &str, sizes: &str| {
        format!(
            "dim M, N;\nkernel k(y: mut f32[M, N]) block(1) {{ for {iterators} in grid({sizes}) {{ y[0, 0] = 1.0; }} }}\n"
        )
    };
    one_in(&grid("i", "M, N"), "index-count", &["2 sizes", "1 iterator", "`for (i0, i1) in grid(…)`"]);
    one_in(&grid("(i, j)", "M * N"), "index-count", &["1 size", "2 iterators", "take `i` apart"]);
}

#[test]
fn a_loop_over_threads_has_one_number() {
    let inner = |head: &str, index: &str| {
        format!(
            "const B = 4;\nkernel k(y: mut f32[64]) grid(1) block(64) {{\n    for {head} y[{index}] = 1.0; }}\n}}\n"
        )
    };
    for (theirs, ours, index) in [
        (
            "(ty, tx) in threads(8, 8) {",
            "t in threads(64, cuda_thread) { let ty = t / 8; let tx = t % 8;",
            "8 * ty + tx",
        ),
        (
            "(ty, tx) in threads((8, 8), cuda_thread) {",
            "t in threads(64, cuda_thread) { let ty = t / 8; let tx = t % 8;",
            "8 * ty + tx",
        ),
        (
            "(r, t) in threads(2 * B, 8) {",
            "thread in threads((2 * B) * 8, cuda_thread) { let r = thread / 8; let t = thread % 8;",
            "8 * r + t",
        ),
        (
            "(i, j, k) in threads(2, 8, B) {",
            "t in threads(2 * 8 * B, cuda_thread) { let i = t / (8 * B); let j = t / B % 8; let k = t % B;",
            "32 * i + 4 * j + k",
        ),
    ] {
        let checked = one_in(&inner(theirs, index), "index-count", &["gives one number", "write `for t"]);
        let fixed = checked.applied(&checked.findings[0].fixes[0]);
        assert_eq!(fixed, inner(ours, index));
        assert_eq!(check(&fixed).errors(), [""; 0], "{fixed}");
    }
    for head in ["(ty, tx) in threads(64, cuda_thread, 3, 2) {", "(ty, tx) in threads(64, cuda_thread) {"] {
        let checked = one_in(&inner(head, "ty"), "index-count", &["gives one number"]);
        assert!(checked.findings[0].fixes.is_empty());
    }
}

#[test]
fn arguments_have_the_names_of_their_parameters() {
    one_mistake("y[t] = clamp(x[t], upper: 2.0, low: 1.0);", "unknown-argument", &["`low` and `high`"]);
    one_mistake("y[t] = pow(x[t], a: 2.0);", "argument-twice", &["parameter `a` of `pow`"]);
    one_mistake("y[t] = select(x[t] > 0.0, 1.0, condition: 2.0);", "argument-twice", &["`condition`"]);
    one_mistake("y[t] = fma(x[t], c: 1.0);", "argument-count", &["`fma`"]);
    let tile = |value: &str| {
        format!(
            "kernel k(x: f32[64, 8], y: mut f32[64, 8]) {{
    view px = partition(x, [8, 8]); view py = partition(y, [8, 8]);
    for i in grid(8) {{ let t = px.load(i, 0); py.store({value}, i, 0); }}\n}}\n"
        )
    };
    for value in ["max(t, axis: 1)", "min(t, dim: 1)", "max(t, 1.0, keepdims: 1)"] {
        one_in(&tile(value), "unknown-argument", &["t.m", "(1, keep: true)"]);
    }
    one_in(&tile("t.sum(1, keep: true, keep: true)"), "argument-twice", &["`keep` of `sum`"]);
}

#[test]
fn a_loop_over_threads_takes_no_range() {
    let inner =
        |head: &str| format!("kernel k(y: mut f32[1]) grid(1) block(64) {{\n    {head} {{ y[0] = 1.0; }}\n}}\n");
    let theirs = inner("for t in threads(0..1, cuda_thread)");
    let checked = one_in(&theirs, "with-domain", &["takes their number, and no range"]);
    let fix = &checked.findings[0].fixes[0];
    assert_eq!(checked.applied(fix), inner("with threads(0..1, cuda_thread)"));
}

#[test]
fn an_undeclared_size_is_said_once_with_its_declaration() {
    let kernel = "/// Twice the number.
kernel twice(x: f32[N], y: mut f32[N]) {
    for i in grid(N) { for j in i..N step N { y[j] = 2.0 * x[j]; } }
}
";
    let checked = one_in(kernel, "unknown-name", &["`N` is not declared"]);
    let mended = checked.applied(&checked.findings[0].fixes[0]);
    assert_eq!(mended, format!("dim N;\n\n{kernel}"));
    assert_eq!(check(&mended).errors(), [""; 0]);
}

#[test]
fn a_body_that_all_threads_of_a_block_run_says_who_can_share_it() {
    let text = "dim N;\nkernel k(x: f32[N], y: mut f32[N]) block(128) { for i in grid(N) { y[i] = x[i]; } }\n";
    one_in(text, "race", &["all threads of the block", "`for t in threads(n, cuda_thread) { … }`", "`block(1)`"]);
}

#[test]
fn a_choice_of_c_becomes_one_of_the_language_wherever_it_stands() {
    let fixed = |theirs: &str, ours: &str| {
        let checked = check(&kernel(theirs));
        let finding = checked.findings.iter().find(|finding| !finding.fixes.is_empty()).expect("a fix");
        assert_eq!(checked.applied(&finding.fixes[0]), kernel(ours));
        assert_eq!(check(&kernel(ours)).errors(), [""; 0], "{ours}");
    };
    fixed("y[t] = x[t] > 0.0 ? x[t] : 0.0;", "y[t] = if x[t] > 0.0 { x[t] } else { 0.0 };");
    fixed("y[t] = max(x[t] > 0.0 ? x[t] : 0.0, 1.0);", "y[t] = max(if x[t] > 0.0 { x[t] } else { 0.0 }, 1.0);");
    fixed("y[t] = (t > 3 ? x[t] : 0.0);", "y[t] = (if t > 3 { x[t] } else { 0.0 });");
}

#[test]
fn a_tile_that_is_joined_as_another_type_is_converted() {
    let of_tile = |statement: &str| {
        format!(
            "kernel k(x: f32[64], y: mut f32[64]) {{ view px = partition(x, [64]); view py = partition(y, [64]);\n    \
             for i in grid(1) {{ let t = px.load(i); {statement} py.store(t, i); }} }}\n"
        )
    };
    for (theirs, ours) in
        [("if t.any() { }", "if (t != 0.0).any() { }"), ("let n = (t > 0.0).sum();", "let n = i32((t > 0.0)).sum();")]
    {
        let checked = one_in(&of_tile(theirs), "type-mismatch", &["expected a tile of"]);
        let finding = checked.findings.iter().find(|finding| finding.code == "type-mismatch").unwrap();
        assert_eq!(checked.applied(&finding.fixes[0]), of_tile(ours));
        assert_eq!(check(&of_tile(ours)).errors(), [""; 0], "{ours}");
    }
    one_in(&of_tile("let n = iota(64);"), "tile-shape", &["`iota(i32[64])`"]);
}
