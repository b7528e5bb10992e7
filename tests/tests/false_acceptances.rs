//! Unsafe kernels that were accepted once. Each has one way to fail that a run shows.

use std::collections::BTreeMap;

use crate::support::check;
use kernel::{BoundsChecks, LaunchProblem, at_launch};

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

/// The same through variables.
#[test]
fn a_product_of_variables_that_wraps_is_negative() {
    rejected(
        "kernel wraps(a: u32, b: u32, y: mut f32[4]) grid(1) block(1) {
            let p = i64(a);
            let q = i64(b);
            y[(p * q) % 4] = 1.0;
        }\n",
        "out-of-bounds",
    );
}

/// No tensor is that large, but a remainder brings the index back.
#[test]
fn a_constant_that_wraps_an_index_is_seen() {
    for index in [
        "(i + 9223372036854775807) % N",
        "(i * 4611686018427387904) % N",
        "(i + 9223372036854775800 + 7) % N",
        "(i + 9223372036854775807) / 4611686018427387904",
    ] {
        let text = format!(
            "dim N;\nkernel wraps(y: mut f32[N]) grid(1) block(1) {{ for i in 0..4 {{ y[{index}] = 1.0; }} }}\n"
        );
        rejected(&text, "out-of-bounds");
    }
    rejected(
        "kernel wraps(y: mut f32[4]) { for i in grid(4) { if i * 4611686018427387904 < 4 { y[i * 2] = 1.0; } } }\n",
        "out-of-bounds",
    );
}

/// A remainder by a size is below it only where the size is positive.
#[test]
fn a_divisor_that_may_be_negative_bounds_nothing() {
    for index in ["(i - 3) % (N - 5)", "(i + 1) % (N - 5)", "i / (N - 5)", "(i + 8) % (4 - N)"] {
        let text = format!(
            "dim N;\nkernel divides(x: f32[N], y: mut f32[4]) grid(1) block(1) {{ for i in 0..4 {{ y[{index}] = 1.0; }} }}\n"
        );
        rejected(&text, "out-of-bounds");
    }
}

/// A large `u64` is at least 4, and negative as an index.
#[test]
fn a_guard_on_unsigned_data_says_nothing_of_the_index_it_becomes() {
    for index in ["i64(u)", "max(i64(u), -9)", "min(i64(u), 7)"] {
        let text = format!(
            "kernel k(u: u64, y: mut f32[8]) grid(1) block(1) {{ if u >= 4 && {index} < 8 {{ y[{index}] = 1.0; }} }}\n"
        );
        rejected(&text, "out-of-bounds");
    }
}

/// `k + 1` is the smallest integer where `k` is the largest.
#[test]
fn a_guard_on_a_sum_of_data_that_wraps_guards_nothing() {
    for (guard, index) in [
        ("k + 1 < 4 && k >= 0", "k"),
        ("k - 1 < 4 && k < 2", "k + 2"),
        ("abs(k) < 4", "k + 3"),
        ("k * 4 < 16 && k >= 0", "k"),
    ] {
        let text =
            format!("kernel wraps(k: i64, y: mut f32[4]) grid(1) block(1) {{ if {guard} {{ y[{index}] = 1.0; }} }}\n");
        rejected(&text, "out-of-bounds");
    }
}

/// The condition of an expression holds in its branch, but neither after it nor in the condition itself.
#[test]
fn the_condition_of_an_expression_ends_with_it() {
    for value in
        ["(if k >= 0 && k < 4 { x[k] } else { 0.0 }) + x[k]", "if x[k] > 0.0 && k >= 0 && k < 4 { 1.0 } else { 0.0 }"]
    {
        let text = format!("kernel k(k: i64, x: f32[4], y: mut f32[1]) grid(1) block(1) {{ y[0] = {value}; }}\n");
        rejected(&text, "out-of-bounds");
    }
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
    let launch =
        crate::support::enumerate::Launch { kernel: &kernel, sizes: &sizes, scalars: &[1], data: 0, guarded: false };
    let result = crate::support::enumerate::enumerate(&launch);
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
        let kernel::typed::StatementKind::If { condition: typed, .. } = &kernel.body[0].kind else {
            panic!("{condition}: {:?}", kernel.body[0]);
        };
        let constant = matches!(typed.kind, kernel::typed::ExprKind::Constant(_));
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
    let said = checked.findings[0].message.as_str();
    assert!(said.starts_with("it depends on the sizes whether ") && said.ends_with(" for N = 1"), "{said}");
    let checked = check(&format!("{map}const x = if m.injective {{ 1 }} else {{ 2 }};\nassert x == 1;\n"));
    assert!(checked.errors().is_empty(), "{}", checked.report());
}

/// Asks the kernel `k` over the size `S`, which must pass its checks, whether it runs with this size.
#[track_caller]
fn launched(body: &str, size: i64) -> Result<BoundsChecks, Vec<String>> {
    let checked = check(&format!("dim S where S >= 4;\nkernel k{body}\n"));
    let kernel = checked.kernel().unwrap_or_else(|| panic!("rejected:\n{body}\n{}", checked.report()));
    let sizes: BTreeMap<_, _> = kernel.symbols.iter().map(|symbol| (symbol.clone(), size)).collect();
    at_launch(&kernel, &sizes).map_err(|problems| problems.iter().map(LaunchProblem::to_string).collect())
}

/// `4 * S` is 0 where `S` is 2 to the power of 62: a guard lets the fifth block through, a quotient starts again at 0,
/// a loop takes no step. Only the launch knows that `S` is that large.
#[test]
fn arithmetic_on_a_size_that_wraps_is_refused_at_launch() {
    for (body, expression) in [
        ("(y: mut f32[2]) { for t in grid(8) { if t * S < 4 { y[t] = 1.0; } } }", "t * S"),
        ("(y: mut f32[8]) { for t in grid(8) { y[(t * S) / S] = 1.0; } }", "t * S"),
        ("(y: mut f32[8]) { for t in grid(8) { let d = t * S; if d < 4 { y[d / S] = 1.0; } } }", "t * S"),
        ("(y: mut f32[1]) { for t in grid(8) { for i in t * S..t * S + 1 { if i < 1 { y[i] = 1.0; } } } }", "t * S"),
        ("(y: mut f32[2]) { for t in grid(8) { if t < 2 && S - 2 - t * (0 - S) > 0 { y[t] = 1.0; } } }", "t * (-S)"),
        ("(a: i32[8], y: mut f32[8]) { for t in grid(8) { if i64(a[t]) * S < 4 { y[t] = 1.0; } } }", "i64(…) * S"),
        ("(y: mut f32[8]) { for t in grid(8) { y[t] = if (t + 1) * S > t { 1.0 } else { 0.0 }; } }", "(t + 1) * S"),
        ("(y: mut i64[8]) { for t in grid(8) { let q = S * S; y[t] = 1; } }", "S * S"),
        ("(y: mut i64[8]) { for t in grid(8) { y[t] = if 1 < S * S { S } else { 0 }; } }", "S * S"),
        // Loops see through variables that are assigned again, and compared and divided as if nothing wrapped.
        ("(y: mut i64[8]) { for t in grid(8) { let mut s = S; s = s * S; y[t] = s; } }", "s * S"),
        ("(y: mut i64[8]) { for t in grid(8) { let mut v = t + 1; v = v * S; y[t] = max(v, 0) / 3; } }", "v * S"),
        (
            "(p: i64, y: mut i64[8]) { for t in grid(8) { let mut v = t + 1; if p > t { v = t + S; } y[t] = max(v * S, 0); } }",
            "v * S",
        ),
    ] {
        let reasons = launched(body, (1 << 62) - 1).expect_err(body);
        assert!(reasons[0].starts_with(&format!("`{expression}")), "{reasons:?}");
        assert!(
            reasons[0].ends_with("does not fit in 64 bits, with S = 4611686018427387903; run it with smaller sizes")
        );
        assert!(launched(body, 1 << 28).is_ok(), "{body}");
    }
}

/// The same where the program adds `S` again and again: `b + 4 * S` is `b` then.
#[test]
fn a_running_sum_that_wraps_is_refused_at_launch() {
    for (body, bound) in [
        (
            "(y: mut f32[8, 2]) { for b in grid(8) { let mut i = b; for k in 0..8 { if i < 4 { y[b, k] = 1.0; } i += S; } } }",
            "7 * S",
        ),
        (
            "(y: mut f32[8, 2]) { for b in grid(8) { let mut i = b; for k in 0..8 { i += S; } if i < 4 { y[b, 5] = 1.0; } } }",
            "8 * S",
        ),
        (
            "(y: mut f32[8]) { for b in grid(8) { let mut i = b; for j in 0..2 { for k in 0..4 { i += S; } } if i < 4 { y[b] = 1.0; } } }",
            "8 * S",
        ),
    ] {
        let reasons = launched(body, (1 << 62) - 1).expect_err(body);
        assert!(reasons.iter().any(|reason| reason.starts_with(&format!("`{bound}"))), "{reasons:?}");
        assert!(launched(body, 1 << 28).is_ok(), "{body}");
    }
}

/// Every float but zero is true, also one that is cut off to 0, and NaN.
#[test]
fn a_float_as_a_bool_is_true_unless_it_is_zero() {
    for float in ["0.5", "-0.25", "clamp(x[0], 0.0, 0.9)", "f16(0.5)", "sqrt(x[0] * 0.0)"] {
        let text = format!("kernel k(x: f32[1], y: mut f32[1]) grid(1) block(1) {{ y[i64(bool({float}))] = x[0]; }}\n");
        rejected(&text, "out-of-bounds");
        let text = text.replace("y: mut f32[1]", "y: mut f32[2]");
        assert!(check(&text).kernel().is_some(), "{text}");
    }
}

/// What is computed from data wraps by definition, and so does what its constants make leave 64 bits; an intermediate
/// value that a division brings back, and a loop that takes no step, leave nothing.
#[test]
fn a_launch_is_not_refused_for_what_may_wrap_or_does_not() {
    for body in [
        "(n: i64, y: mut i64[8]) { for t in grid(8) { y[t] = n * S; } }",
        "(y: mut i64[8]) { for t in grid(8) { y[t] = t * 6364136223846793005 + S; } }",
        "(y: mut i32[8]) { for t in grid(8) { y[t] = i32(t) * i32(S); } }",
        "(y: mut i64[8]) { for t in grid(8) { y[t] = (t + S) / S * S; } }",
        "(y: mut i64[8]) { for t in grid(8) { for i in S..4 { y[t] = i * S; } } }",
        "(s: i64[8], y: mut i64[8]) { for t in grid(8) { for j in s[t]..s[t] + 3 { y[t] += j * S; } } }",
        "(y: mut i64[8]) { for t in grid(8) { y[t] = shift_left(t, 62) + S; } }",
        "(y: mut i64[8]) { for t in grid(8) { if S < 1000 && t * S < 4 { y[t] = t * S; } } }",
        "(y: mut i64[8]) { for t in grid(8) { let mut v = t; for q in 0..9 { v = v * S + 1; } y[t] = max(v, 0) / 3; } }",
        "(x: i64[8], y: mut i64[8]) { for t in grid(8) { let mut v = t; v = x[t]; y[t] = v * S % 7; } }",
        "(y: mut i64[8]) { for t in grid(8) { if t < S || S * S > 9 { y[t] = t; } else { y[t] = S * S; } } }",
    ] {
        let launched = launched(body, (1 << 62) - 1);
        assert!(launched.is_ok(), "{body}: {launched:?}");
    }
}

/// A loop whose end depends on data is known to stay below a size, and its iterator counts as one of the sizes'.
#[test]
fn an_iterator_below_a_size_does_not_wrap_unseen() {
    let body =
        "(n: i64, y: mut f32[4]) { for t in grid(4) { for j in 0..min(n, S) { if j * S < 1 { y[t] = 1.0; } } } }";
    let reasons = launched(body, 1 << 33).expect_err("it wraps");
    assert!(reasons[0].starts_with("`j * S` may become 73786976286248271872, which"), "{reasons:?}");
    assert!(launched(body, 1 << 31).is_ok());
}

/// A kernel of 16 threads over `x` of 64 elements.
fn of_threads(body: &str) -> String {
    format!(
        "kernel k(n: i64, d: i64[16], f: f32[16], x: f32[64], y: mut f32[16]) grid(1) block(16) {{
            for t in threads(16, cuda_thread) {{ {body} }}
        }}\n"
    )
}

/// What a loop assigns is in a range only if every iteration keeps it there, from its first value on.
#[test]
fn a_variable_leaves_the_range_that_it_begins_in() {
    for body in [
        // One step further, in every iteration or in some.
        "let mut p = t; for i in 0..64 { y[t] = x[p]; p += 1; }",
        "let mut p = 0; for i in 0..65 { y[t] = x[p]; p += 1; }",
        "let mut p = 0; for i in 0..64 { p += 1; y[t] = x[p]; }",
        "let mut p = 0; for i in 0..64 { if f[t] > 0.0 { p += 1; } y[t] = x[p]; }",
        "let mut p = 0; for i in 0..40 { if f[t] > 0.0 { p += 2; } y[t] = x[p]; }",
        "let mut p = 0; for i in 0..64 { y[t] = x[p]; p += 1; } y[t] = x[p];",
        "let mut p = 0; for i in 0..10 { for j in 0..10 { p += 1; } y[t] = x[p]; }",
        "let mut p = 0; for i in 0..10 { y[t] = x[p]; for j in 0..8 { p = p + j; } }",
        // The remainder is of another number, or one is added behind it.
        "let mut p = t; for i in 0..60 { y[t] = x[p]; p = (p + 1) % 65; }",
        "let mut p = t; for i in 0..60 { y[t] = x[p]; p = (p + 1) % 64 + 1; }",
        "let mut p = t; for i in 0..60 { y[t] = x[p]; p = (p + 1) % 64; if f[t] > 0.0 { p += 1; } }",
        "let mut p = n; for i in 0..9 { y[t] = x[p]; p = 3; }",
        // Two buffers of which there are three.
        "let mut b = 0; for i in 0..9 { y[t] = x[b * 32 + t]; b = 2 - b; }",
        "let mut b = 1; for i in 0..9 { y[t] = x[b * 32 + t]; b = b ^ 3; }",
        // A search that begins beyond the end, or takes the middle where both ends may be equal.
        "let mut lo = 0; let mut hi = 65; for i in 0..9 { if lo < hi { let m = (lo + hi) / 2; if x[m] < f[t] { lo = m + 1; } else { hi = m; } } }",
        "let mut lo = 0; let mut hi = 64; for i in 0..9 { let m = (lo + hi) / 2; if x[m] < f[t] { lo = m + 1; } else { hi = m; } }",
        "let mut lo = 0; let mut hi = 64; for i in 0..9 { if lo <= hi { let m = (lo + hi) / 2; if x[m] < f[t] { lo = m + 1; } else { hi = m - 1; } } }",
        // Strides that end at zero, and those that wrap.
        "let mut s = 64; for i in 0..8 { y[t] = x[s - 1]; s /= 2; }",
        "let mut s = 1; for i in 0..7 { y[t] = x[s]; s *= 2; }",
        "let mut s = 1; for i in 0..66 { if s < 64 { y[t] = x[s - 1]; } s *= 2; }",
        "let mut s: i32 = 1; for i in 0..40 { if s < 64 { y[t] = x[s]; } s *= 2; }",
        "let mut s = 64; for i in 0..d[t] { y[t] = x[64 / s]; s /= 2; }",
        // Loops that may end earlier than the most iterations say.
        "let mut s = 64; for i in 0..min(n, 7) { s /= 2; } y[t] = x[s];",
        "let mut s = 64; for i in max(n, 0)..7 { s -= 10; } y[t] = x[s];",
        "let mut s = 80; for i in 0..7 step max(n, 2) { s -= 10; } y[t] = x[s];",
        "let mut p = 70; for i in 0..min(n, 20) { p -= 1; } if p >= 0 { y[t] = x[p]; }",
        // Both sides of an `if`.
        "let mut s = t; if s >= 8 { s = 72 - s; } y[t] = x[s];",
        "let mut s = t; if s < 8 { s = -s; } y[t] = x[s];",
        "let mut s = d[t]; if s < 0 { s += 64; } y[t] = x[s];",
        "let mut s = d[t]; if s < 0 { s = -s; } if s < 64 { y[t] = x[s]; }",
        "let mut s = t + 60; if s >= 63 { s -= 63; } y[t] = x[s + 2];",
        // Numbers of a loop that wrap.
        "let lo = d[t]; if lo >= 0 { for v in lo..lo + 4 { y[t] = x[v]; } }",
        "let lo = d[t]; for v in lo..lo + 4 { if v < 64 { y[t] = x[v]; } }",
        "for v in t * 4..t * 4 + 5 { y[t] = x[v]; }",
        // Floats.
        "y[t] = x[i64(max(f[t], 0.0))];",
        "y[t] = x[min(i64(f[t]), 63)];",
        "y[t] = x[i64(clamp(f[t], 0.0, 64.0))];",
        "y[t] = x[i64(abs(min(f[t], 63.0)))];",
        "y[t] = x[i64(floor(clamp(f[t], -0.5, 63.0)))];",
        "y[t] = x[cdiv(d[t], 4)];",
        "if d[t] >= 0 && d[t] <= 256 { y[t] = x[cdiv(d[t], 4)]; }",
    ] {
        rejected(&of_threads(body), "out-of-bounds");
    }
}

/// Bits that are moved to one place, from two threads.
#[test]
fn bits_that_are_lost_make_a_race() {
    for index in [
        "t & 13",
        "(t & 1) << 2 | (t & 2) | (t & 8) >> 2",
        "((t & 10) >> 1) | ((t & 5) >> 1)",
        "t ^ (t & 8)",
        "(t >> 1) ^ (t >> 2)",
        "(t & 7) << 1 | t >> 3 << 1",
    ] {
        let body = format!("y[{index}] = x[t];");
        rejected(&of_threads(&body), "race");
    }
}

/// Elements that are exchanged with a partner which another thread has, too.
#[test]
fn an_exchange_with_another_partner_is_a_race() {
    for body in [
        "if i < (N + 1) / 2 { let a = x[i]; x[i] = x[N - 2 - i]; x[N - 2 - i] = a; }",
        "if i <= N / 2 && i < N { let a = x[i]; x[i] = x[N - 1 - i]; x[N - 1 - i] = a; }",
        "if i < N / 2 { let a = x[i]; x[i] = x[i + 1]; x[i + 1] = a; }",
    ] {
        let text = format!(
            "dim N where N >= 4;
            kernel k(x: mut f32[N]) block(64) {{ for b in grid(cdiv(N, 64)) {{ for t in threads(64, cuda_thread) {{
                let i = b * 64 + t; {body} }} }} }}\n"
        );
        let checked = check(&text);
        assert!(checked.kernel().is_none(), "accepted:\n{text}\n{}", checked.report());
    }
}

/// Proofs count with sizes below 2⁶², so that the sum of two fits.
#[test]
fn a_size_of_more_than_62_bits_is_refused_at_launch() {
    let body = "(y: mut f32[2]) { for t in grid(2) { y[t] = f32(S); } }";
    assert!(launched(body, (1 << 62) - 1).is_ok());
    let reasons = launched(body, 1 << 62).expect_err(body);
    assert_eq!(reasons, ["`S` is 4611686018427387904, and a size is below 2⁶²"]);
}

/// Two stores of equal form are one only if the values that all threads share are the same in both: `p` and `q` may be different
/// threads.
#[test]
fn accesses_that_differ_in_a_value_that_all_threads_share_are_two() {
    for (params, launch, body) in [
        (
            "(p: i64, q: i64, y: mut f32[8])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { if t == p { y[0] = 1.0; } if t == q { y[0] = 2.0; } }",
        ),
        (
            "(p: i64, q: i64, y: mut f32[8])",
            "grid(8)",
            "for i in grid(8) { if i == p { y[0] = 1.0; } if i == q { y[0] = 2.0; } }",
        ),
        (
            "(p: i64, q: i64, y: mut f32[8], z: mut f32[8])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { if t == p { y[0] = 1.0; } if t == q { z[t] = y[0]; } }",
        ),
        (
            "(v: i64[1], y: mut f32[8])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { if t == v[0] { y[0] = 1.0; } if t - 4 == v[0] { y[0] = 2.0; } }",
        ),
        (
            "(p: i64, y: mut f32[8])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { if t == p { y[0] = 1.0; } if t == p / 2 { y[0] = 2.0; } }",
        ),
        (
            "(v: i64[2], y: mut f32[16])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { let u = t + v[0]; if u >= 0 && u < 16 { y[u] = 1.0; } let w = t + v[1]; if w >= 0 && w < 16 { y[w] = 2.0; } }",
        ),
        (
            "(v: i64[2], y: mut f32[16], z: mut f32[8])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { let u = t + v[0]; if u >= 0 && u < 16 { y[u] = 1.0; } let w = t + v[1]; if w >= 0 && w < 16 { z[t] = y[w]; } }",
        ),
        (
            "(p: i64, q: i64, y: mut f32[8])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { let u = t ^ p; if u >= 0 && u < 8 { y[u] = 1.0; } let w = t ^ q; if w >= 0 && w < 8 { y[w] = 2.0; } }",
        ),
        (
            "(p: i64, y: mut f32[16])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { let u = t + (p ^ 1); if u >= 0 && u < 16 { y[u] = 1.0; } let w = t + (p ^ 2); if w >= 0 && w < 16 { y[w] = 2.0; } }",
        ),
        (
            "(n: i64[8], y: mut f32[8])",
            "grid(8) block(8)",
            "for b in grid(8) { for t in threads(8, cuda_thread) { if t == n[b] { y[b] = 1.0; } if t == n[7 - b] { y[b] = 2.0; } } }",
        ),
        (
            "(p: i64, y: mut f32[8])",
            "grid(1) block(8)",
            "for t in threads(8, cuda_thread) { let mut k = p; if t == k { y[0] = 1.0; } k = k / 2; if t == k { y[0] = 2.0; } }",
        ),
    ] {
        let text = format!("kernel k{params} {launch} {{ {body} }}\n");
        assert!(check(&text).kernel().is_none(), "accepted:\n{text}");
    }
    for body in [
        "if t == p { y[0] = 1.0; } if t == p { y[0] = 2.0; }",
        "if t == p { y[0] = 1.0; } if t == q { y[1] = 2.0; }",
        "let u = t + p; if u >= 0 && u < 8 { y[u] = 1.0; } let w = t + p; if w >= 0 && w < 8 { y[w] = 2.0; }",
    ] {
        let text = format!(
            "kernel k(p: i64, q: i64, y: mut f32[8]) grid(1) block(8) {{ for t in threads(8, cuda_thread) {{ {body} }} }}\n"
        );
        assert!(check(&text).kernel().is_some(), "refused:\n{text}\n{}", check(&text).report());
    }
}
