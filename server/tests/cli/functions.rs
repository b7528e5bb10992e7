//! Functions of users: what they compute, in the interpreter and on the CPU, and the library that is written in the language.

use crate::program::Folder;

/// Runs a kernel of `y[i] = value` over `x = 0, 1, …, 8` on both devices; `expected` is a formula over whole tensors.
fn computes(functions: &str, value: &str, expected: &str) {
    let text = format!(
        "dim N;\n{functions}\nkernel k(x: f32[N], h: f16[N], n: i32[N], y: mut f32[N]) {{\n    \
         for i in grid(N) {{ y[i] = {value}; }}\n}}\n\
         run k(x: arange, h: arange, n: arange, y: zeros) with N = 9 expect y == {expected} within 1e-5;\n"
    );
    let folder = Folder::new(&[("a.shape", &text)]);
    for device in ["interp", "cpu"] {
        let answer = folder.run(&["run", "a.shape", "--device", device]);
        assert_eq!(answer.status, 0, "{text}\n{}{}", answer.output, answer.errors);
        assert!(answer.output.contains("expect passed"), "{text}\n{}", answer.output);
    }
}

#[test]
fn a_call_is_its_body() {
    computes("fn silu(v: f32) -> f32 { v / (1.0 + exp(-v)) }", "silu(x[i])", "x / (1.0 + exp(-x))");
    computes("fn twice(v) = v + v;", "twice(twice(x[i] + 1.0))", "4 * x + 4");
    computes("fn pair(a, b) { let s = a + b; let d = a - b; s * d }", "pair(b: 2.0, a: x[i])", "x * x - 4");
    computes("fn wide(v) = f32(v) * 2.0;", "wide(n[i]) + wide(h[i])", "4 * x");
    computes("fn none() = 3.0;", "none() * x[i]", "3 * x");
    computes("fn at(v, i) = v[max(i - 1, 0)];", "at(x, i)", "max(x - 1, 0)");
}

#[test]
fn a_block_ends_with_its_value_which_may_be_a_choice() {
    let function = "fn f(v, at) { if v > at { let over = v - at; over * over } else if v > 1.0 { 0.5 } else { 0.0 } }";
    let below = "0.5 * min(max(x - 1, 0), 1) * min(max(5 - x, 0), 1)";
    computes(function, "f(x[i], 4.0)", &format!("max(x - 4, 0) * max(x - 4, 0) + {below}"));
}

/// The guard of a choice holds for the accesses in the arguments of a call in it.
#[test]
fn an_argument_is_evaluated_under_its_own_condition() {
    let square = "fn square(v) = v * v;";
    computes(square, "if i > 0 { square(x[i - 1]) } else { 0.0 }", "max(x - 1, 0) * max(x - 1, 0)");
    computes(square, "if i > 0 && square(x[i - 1]) > 4.0 { 1.0 } else { 0.0 }", "min(max(x - 3, 0), 1)");
}

#[test]
fn an_argument_is_evaluated_once() {
    let text = "fn square(v) = v * v;
kernel k(x: f32[8], y: mut f32[8]) {
    for i in grid(8) { y[i] = square(square(square(exp(x[i])))); }
}
";
    let answer = Folder::new(&[("a.shape", text)]).run(&["emit", "a.shape", "k"]);
    assert_eq!(answer.status, 0, "{}", answer.errors);
    assert_eq!(answer.output.matches("expf(").count(), 1, "{}", answer.output);
}

#[test]
fn expectations_call_functions_of_whole_tensors() {
    let gate = "fn gate(a, b) { let s = a / (1.0 + exp(-a)); fn twice(v) = v + v; twice(s) * b }";
    computes(gate, "gate(x[i], 3.0)", "gate(x, 3.0)");
    computes(gate, "gate(x[i], 3.0)", "6 * x / (1.0 + exp(-x))");
    computes("fn pick(a, low) = if a > low { a } else { low };", "pick(x[i], 3.0)", "pick(x, 3.0)");
    computes("fn whole(t, d) = t - t.sum(d, keep: true);", "x[i] - 36.0", "whole(x, 0)");
}

/// Each activation of the library, by its formula.
#[test]
fn activations_of_the_library() {
    let library = "use \"std/activations.shape\";";
    let v = "(x[i] - 4.0)";
    for (call, expected) in [
        ("relu(V)", "max(X, 0)"),
        ("leaky_relu(V, 0.1)", "max(X, 0) + 0.1 * min(X, 0)"),
        ("sigmoid(V)", "1 / (1 + exp(-X))"),
        ("silu(V)", "X / (1 + exp(-X))"),
        ("gelu_tanh(V)", "0.5 * X * (1 + tanh(0.7978845608 * (X + 0.044715 * X * X * X)))"),
        ("softplus(V)", "log(1 + exp(X))"),
        ("mish(V)", "X * tanh(log(1 + exp(X)))"),
        ("elu(V, 1.5)", "max(X, 0) + 1.5 * (exp(min(X, 0)) - 1)"),
        ("hard_swish(V)", "X * min(max((X + 3) / 6, 0), 1)"),
        ("squared_relu(V)", "max(X, 0) * max(X, 0)"),
        ("log1p(V / 1000000.0) * 1000000.0", "X - X * X / 2000000"),
        ("expm1(V / 1000000.0) * 1000000.0", "X + X * X / 2000000"),
        ("softplus(V * 4.0) - max(V * 4.0, 0.0)", "log(1 + exp(0 - max(4 * X, 0 - 4 * X)))"),
        // Both probabilities add up to one.
        ("gelu(V) - gelu(-V)", "X"),
    ] {
        computes(library, &call.replace('V', v), &expected.replace('X', "(x - 4)"));
    }
}

/// Each reduction of the library, by its formula over whole rows.
#[test]
fn reductions_of_the_library() {
    let centred = "(x - x.mean(1, keep: true))";
    let variance = format!("({centred} * {centred}).mean(1, keep: true)");
    let softmax = "exp(x - x.max(1, keep: true)) / exp(x - x.max(1, keep: true)).sum(1, keep: true)";
    for (call, expected) in [
        ("softmax(t, 1)", softmax.to_owned()),
        ("exp(log_softmax(t, 1))", softmax.to_owned()),
        ("t - t + logsumexp(t, 1)", "x - x + log(exp(x).sum(1, keep: true))".to_owned()),
        ("t - t + variance(t, 1)", format!("x - x + {variance}")),
        ("normalised(t, 1, 1e-5)", format!("{centred} * rsqrt({variance} + 1e-5)")),
        ("layer_norm(t, 1, 2.0, 0.5, 1e-5)", format!("2 * {centred} * rsqrt({variance} + 1e-5) + 0.5")),
        ("rms_norm(t, 1, 3.0, 1e-5)", "3 * x * rsqrt((x * x).mean(1, keep: true) + 1e-5)".to_owned()),
    ] {
        let text = format!(
            "use \"std/reductions.shape\";\ndim R;\nkernel k(x: f32[R, 64], y: mut f32[R, 64]) {{
    view px = partition(x, [4, 64]);
    view py = partition(y, [4, 64]);
    for i in grid(cdiv(R, 4)) {{ let t = px.load_masked(i, 0); py.store_masked({call}, i, 0); }}
}}
run k(x: random(1), y: zeros) with R = 10 expect y == {expected} within 1e-4;
"
        );
        let folder = Folder::new(&[("a.shape", &text)]);
        let answer = folder.run(&["run", "a.shape"]);
        assert_eq!(answer.status, 0, "{text}\n{}{}", answer.output, answer.errors);
        assert!(answer.output.contains("expect passed"), "{text}\n{}", answer.output);
    }
}

#[test]
fn layouts_of_the_library() {
    let text = "use \"std/layouts.shape\";
map b = blocked(8, 16, 4, 4);
assert b.injective;
assert b(0, 3) == 3;
assert b(1, 0) == 4;
assert b(0, 4) == 16;
assert b(4, 0) == 64;
assert swizzled(32, 32).injective;
assert swizzled(32, 32)(3, 5) == 32 * 3 + 6;
assert padded(32, 32, 1)(2, 1) == 67;
";
    let answer = Folder::new(&[("a.shape", text)]).run(&["check", "a.shape"]);
    assert_eq!(answer.status, 0, "{}", answer.output);
}

#[test]
fn an_unknown_file_of_the_library_is_answered_with_those_that_there_are() {
    let answer = Folder::new(&[("a.shape", "use \"std/activation.shape\";\n")]).run(&["check", "a.shape"]);
    assert_eq!(answer.status, 1);
    for part in ["the library has no file `std/activation.shape`", "`std/activations.shape`", "`std/layouts.shape`"] {
        assert!(answer.output.contains(part), "{}", answer.output);
    }
}

/// What users pass to functions, and use in them, of which the first form once was refused.
const PASSED: &str = "fn total(v: f32) = sum(v, over: block);
fn tot2(v) = sum(v, over: warp);
fn tot3(v, w) = sum(v, over: w);
fn tiled(v: f32) = full(f32[16], v);
fn bits(x) = bitcast(u32, x);
fn first(a) = a[0] + a[1];
fn tapped(v, i) { let taps: f32[4] = [1.0, 4.0, 6.0, 4.0]; taps[i] * v }
const T4 = [0.5, 1.5, 2.5, 3.5];
kernel k(x: f32[32], y: mut f32[32]) grid(1) block(32) { for t in threads(32, cuda_thread) { y[t] = total(x[t]) + tot2(x[t]); } }
run k(x: ones, y: zeros) expect y == 64.0;
kernel k3(x: f32[32], y: mut f32[32]) grid(1) block(32) { for w in threads(1, cuda_warp) { for t in threads(32, cuda_thread) { y[t] = tot3(x[t], w); } } }
run k3(x: ones, y: zeros) expect y == 32.0;
kernel kt(y: mut f32[16]) { view py = partition(y, [16]); for i in grid(1) { py.store(tiled(3.0), i); } }
run kt(y: zeros) expect y == 3.0;
kernel kb(x: f32[4], y: mut u32[4]) { for i in grid(4) { y[i] = bits(x[i]); } }
run kb(x: ones, y: zeros) expect y == 0x3f800000;
kernel kg[S = 8](y: mut f32[64]) { fn at(k) = k * S; for i in grid(8) { y[at(i)] = 1.0; } }
kernel ka(y: mut f32[4]) { for i in grid(4) { let acc: f32[2] = [1.0, 2.0]; y[i] = first(acc) + tapped(2.0, i); } }
run ka(y: zeros) expect y == [5, 11, 15, 11];
kernel d(y: mut f32[4]) { for t in grid(4) { let a: f32[4] = T4; y[t] = a[t]; } }
run d(y: zeros) expect y == [0.5, 1.5, 2.5, 3.5];
";

#[test]
fn threads_arrays_lists_and_generic_parameters_are_known_in_functions() {
    let folder = Folder::new(&[("a.shape", PASSED)]);
    for device in ["interp", "cpu"] {
        let answer = folder.run(&["run", "a.shape", "--device", device]);
        assert_eq!(answer.status, 0, "{}{}", answer.output, answer.errors);
        assert_eq!(answer.output.matches("expect passed").count(), 6, "{}", answer.output);
    }
}
