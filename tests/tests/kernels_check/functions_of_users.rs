//! Functions that a file declares: what they mean in kernels and outside, and what is said of mistakes.

use super::{gives, says};
use crate::support::{Checked, check};

/// A kernel with one thread for each element, of which this is the value.
fn kernel(functions: &str, value: &str) -> String {
    format!(
        "dim N;\n{functions}\nkernel k(x: f32[N], h: f16[N], n: i32[N], y: mut f32[N]) {{\n    \
         for i in grid(N) {{ y[i] = {value}; }}\n}}\n"
    )
}

fn codes_of(functions: &str, value: &str) -> (Checked, Vec<String>) {
    let checked = check(&kernel(functions, value));
    let codes = checked.errors().into_iter().map(str::to_owned).collect();
    (checked, codes)
}

#[test]
fn functions_see_their_own_file_only() {
    gives(&kernel("const K = 10.0;\nfn inner(i) = i + K;\nfn outer(v) = inner(v) * 2.0;", "outer(x[i])"), &[]);
    let (checked, codes) = codes_of("fn leaks(v) = v + x[i];", "leaks(x[i])");
    assert_eq!(codes, ["unknown-local"; 2], "{}", checked.report());
    says(&checked, "unknown-local", &["`x` is not declared in `leaks`", "pass it"]);
}

#[test]
fn no_function_is_proposed_for_itself() {
    for (functions, nearest) in [
        ("fn relu6(x) = relu7(x);", None),
        ("fn warp_sum(x) = wrap_sum(x);", None),
        ("fn sums(v) { let a = sum_s(v); a }", None),
        ("fn scaled(v) = scaled2(v); fn scaler(v) = v;", Some("scaler")),
        ("fn gelu2(x) = 0.5 * x * (1.0 + erff(x));", Some("erf")),
        ("fn outer(v) { fn inner2(w) = inner3(w); inner2(v) }", None),
        ("const factor1 = factor2;", None),
        ("map places1 = places2;", None),
        ("dim rows, columns where row > 1;", Some("rows")),
    ] {
        let checked = check(&format!("{functions}\n"));
        let help = checked.findings.first().map(|found| found.help.join("; ")).unwrap_or_default();
        match nearest {
            Some(name) => assert_eq!(help, format!("did you mean `{name}`?"), "{functions}\n{}", checked.report()),
            None => assert!(!help.contains("did you mean"), "{functions}: {help}"),
        }
    }
}

#[test]
fn sizes_shapes_and_maps_are_computed_outside_kernels() {
    gives(
        "dim M;
        fn rounded(n, to) = cdiv(n, to) * to;
        fn swizzled(R, C) = row_major([R, C]) |> xor(R, C);
        fn tile(n) = [n, 2 * n];
        fn largest(a, b) = if a > b { a } else { b };
        const a = rounded(13, 8);
        assert a == 16;
        assert rounded(M, 4) >= M;
        assert largest(3, rounded(4, 4)) == 4;
        map m = swizzled(8, 8);
        assert m.injective;
        s : tile(3);
        assert size(s) == 18;
        kernel k(x: f32[M], y: mut f32[rounded(M, 32)]) grid(rounded(M, 32)) {
            for i in grid(rounded(M, 32)) { y[i] = if i < M { x[i] } else { 0.0 }; }
        }\n",
        &[],
    );
}

#[test]
fn tiles_are_arguments_and_values() {
    gives(
        "dim R;
        fn softmax[M, N](t: f32[M, N]) -> f32[M, N] {
            let e = exp(t - t.max(1, keep: true));
            e / e.sum(1, keep: true)
        }
        fn scaled[T](t: T, by: T) -> T = t * by;
        fn eye(N) = full(f32[N, N], 1.0);
        kernel k(x: f32[R, 64], y: mut f32[R, 64]) {
            const B = 4;
            fn own(t) = t + f32(B);
            view px = partition(x, [B, 64]);
            view py = partition(y, [B, 64]);
            for i in grid(cdiv(R, 4)) {
                let t = scaled(softmax(own(px.load_masked(i, 0))), 2.0);
                py.store_masked(t + eye(64).sum(0).reshape([1, 64]), i, 0);
            }
        }\n",
        &[],
    );
}

#[test]
fn tensors_and_views_are_named() {
    gives(&kernel("fn at(v, i) = v[max(i - 1, 0)];", "at(x, i)"), &[]);
    gives(&kernel("fn at(v, i) = v[i + 1];", "at(x, i)"), &["out-of-bounds"]);
}

#[test]
fn maps_are_called_with_numbers_of_a_run() {
    let text = |map: &str, index: &str| {
        format!(
            "{map}\nkernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {{
                shared s : f32[64];
                for t in threads(64, cuda_thread) {{ s[{index}] = x[t]; }}
                for t in threads(64, cuda_thread) {{ y[t] = s[63 - t]; }}
            }}\n"
        )
    };
    gives(&text("map m = row_major([8, 8]) |> xor(8, 8);", "m(t / 8, t % 8)"), &[]);
    gives(&text("fn m(R, C) = row_major([R, C]) |> xor(R, C);", "m(8, 8)(t / 8, t % 8)"), &[]);
    gives(&text("map m = strided([8, 8], [4, 1]);", "m(t / 8, t % 8)"), &["shared-race"]);
    gives(&text("map m = strided([8, 8], [9, 1]);", "m(t / 8, t % 8)"), &["out-of-bounds"]);
    let wrong = gives(&text("map m = row_major([8, 8]);", "m(t)"), &["coordinate-count"]);
    says(&wrong, "coordinate-count", &["2 coordinates, found 1"]);
    gives(&text("map m = merge(8, 8);", "m(t)"), &["coordinate-count"]);
    gives(&text("map m = row_major([64]) |> pad(1, 1);", "m(t)"), &["coordinate-count"]);
}

#[test]
fn mistakes_of_a_function_are_reported_there_and_not_at_its_calls() {
    for (function, code, part) in [
        ("fn f(v: f32) -> f32 { v + z }", "unknown-local", "`z` is not declared in `f`"),
        ("fn f(v) { let mut s = v; s }", "function-body", "nothing changes"),
        ("fn f(v) { }", "function-body", "computes no value"),
        ("fn f(v) { if v > 0.0 { v } }", "function-body", "without an `else`"),
        ("fn f(v) { v; v }", "function-body", "nothing in `f` uses this value"),
        ("fn f(v) { let a = v; }", "function-body", "computes no value"),
        ("fn f(v) { for i in 0..2 { } v }", "function-body", "only computes a value"),
        ("fn f(v: f32, v: f32) = v;", "duplicate-parameter", "two parameters are called `v`"),
        ("fn f(v: f16) -> f32 = v;", "type-mismatch", "expected `f32`, found `f16`"),
        ("fn f(v: float) = v;", "unknown-element-type", "float"),
        ("fn f(v) = sqroot(v);", "unknown-function", "sqroot"),
        ("fn f(v) { return v; }", "syntax-error", "without `return`"),
        ("fn f(v: f32) -> f32 { if v > 3.0 { return 4.0; } v }", "syntax-error", "without `return`"),
    ] {
        let (checked, codes) = codes_of(function, "f(x[i])");
        let others: Vec<&String> = codes.iter().filter(|found| *found != code).collect();
        // A call of a function whose parameters cannot be told apart has too few arguments.
        assert!(others.is_empty() || code == "duplicate-parameter", "{function}\n{}", checked.report());
        assert!(codes.iter().any(|found| found == code), "{function}\n{}", checked.report());
        says(&checked, code, &[part]);
    }
}

#[test]
fn mistakes_of_a_call_are_reported_at_the_call_with_the_place_in_the_body() {
    for (function, value, code, part) in [
        ("fn f(v: f32) = v;", "f(h[i])", "type-mismatch", "expected `f32`, found `f16`"),
        ("fn f(v) = v;", "f(x[i], 1.0)", "argument-count", "takes 1 argument, found 2"),
        ("fn f(v) = v;", "f()", "argument-count", "argument"),
        ("fn f(v) = v;", "f(w: x[i])", "unknown-argument", "no parameter `w`"),
        ("fn f(v) = v + 1.0;", "f(n[i])", "type-mismatch", "expected `i32`"),
        ("fn f(v) = v;", "f", "wrong-type", "a function"),
        ("fn scaled(v) = v;", "scald(x[i])", "unknown-function", "did you mean `scaled`"),
        ("fn f(v) = f(v);", "f(x[i])", "recursive-function", "without end"),
        ("fn g(v) = f(v);\nfn f(v) = g(v) + 1.0;", "f(x[i])", "recursive-function", "without end"),
        ("fn f(t: f32[4]) = t.sum(0);", "f(x[i])", "function-argument", "one number"),
        ("fn f[T](v) = v;", "f(x[i])", "function-argument", "`T` of `f`"),
        ("fn f(v: f32) = v;", "f([1, 2])", "type-mismatch", "a shape"),
    ] {
        let (checked, codes) = codes_of(function, value);
        assert_eq!(codes, [code], "{function} {value}\n{}", checked.report());
        says(&checked, code, &[part]);
    }
    let (checked, _) = codes_of("fn f(v) = v + 1.0;", "f(n[i])");
    let finding = checked.findings.iter().find(|finding| finding.code == "type-mismatch").expect("the finding");
    assert!(finding.related.iter().any(|(_, text)| text.contains("here in `f`")), "{}", checked.report());
}

#[test]
fn calls_that_double_end_in_an_error() {
    let doubled: String = (1..60).map(|n| format!("fn f{n}(v) = f{}(v) + f{}(v + 1.0);\n", n - 1, n - 1)).collect();
    let (checked, codes) = codes_of(&format!("fn f0(v) = v;\n{doubled}"), "f59(x[i])");
    assert_eq!(codes, ["recursive-function"], "{}", checked.report());
    says(&checked, "recursive-function", &["more than"]);
    let nested: String = (1..300).map(|n| format!("fn f{n}(v) = f{}(v);\n", n - 1)).collect();
    let (checked, codes) = codes_of(&format!("fn f0(v) = v;\n{nested}"), "f299(x[i])");
    assert_eq!(codes, ["recursive-function"], "{}", checked.report());
    // Both at once: the innermost of so many would be called again and again.
    let both: String = (1..200).map(|n| format!("fn f{n}(v) = f{}(v) + f{}(v);\n", n - 1, n - 1)).collect();
    for innermost in ["fn f0(v) = v;\n", "fn f0(v) = f0(v);\n"] {
        for outermost in [100, 199] {
            let (checked, codes) = codes_of(&format!("{innermost}{both}"), &format!("f{outermost}(x[i])"));
            assert_eq!(codes, ["recursive-function"], "{}", checked.report());
        }
    }
}
