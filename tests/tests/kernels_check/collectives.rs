//! Kernels over collectives and shared arrays as they are written every week, and those next to them that are wrong.

use super::{gives, says};
use crate::support::check;

/// The errors of a kernel of one block of 64 threads.
#[track_caller]
fn refused(body: &str, code: &str) {
    let text = format!(
        "dim N;\nkernel k(n: i64, m: i64, d: i32, x: f32[N], at: i64[N], y: mut f32[N]) grid(1) block(64) {{\n{body}\n}}\n"
    );
    let checked = check(&text);
    assert!(checked.errors().contains(&code), "{text}\n{}", checked.report());
}

#[track_caller]
fn accepted(body: &str) {
    let text = format!(
        "dim N;\nkernel k(n: i64, m: i64, d: i32, x: f32[N], at: i64[N], y: mut f32[N]) grid(1) block(64) {{\n{body}\n}}\n"
    );
    gives(&text, &[]);
}

/// A tensor of more than 64 elements is not fully written.
#[track_caller]
fn accepted_in_part(body: &str) {
    let text = format!("dim N;\nkernel k(x: f32[N], y: mut f32[N]) grid(1) block(64) {{\n{body}\n}}\n");
    gives(&text, &["not-fully-written"]);
}

const EACH: &str = "for t in threads(64, cuda_thread)";

#[test]
fn a_comparison_in_a_row_bounds_what_its_ends_bound() {
    accepted(&format!("{EACH} {{ if n <= N && t < n {{ y[t] = x[t]; }} }}"));
    accepted(&format!("{EACH} {{ if t < n {{ if N >= m {{ if m == n {{ y[t] = x[t]; }} }} }} }}"));
    accepted(&format!("if n <= N {{ {EACH} {{ for k in 0..1 {{ if t < n {{ y[t] = x[t]; }} }} }} }}"));
    refused(&format!("{EACH} {{ if n <= N + 1 && t < n {{ y[t] = x[t]; }} }}"), "out-of-bounds");
    refused(&format!("{EACH} {{ if n <= N && t <= n {{ y[t] = x[t]; }} }}"), "out-of-bounds");
    refused(&format!("{EACH} {{ if n <= N && t < m {{ y[t] = x[t]; }} }}"), "out-of-bounds");
    refused(&format!("{EACH} {{ if n >= N && t < n {{ y[t] = x[t]; }} }}"), "out-of-bounds");
    refused(&format!("{EACH} {{ if n != N && t < n {{ y[t] = x[t]; }} }}"), "out-of-bounds");
}

#[test]
fn what_is_below_a_minimum_is_below_both() {
    accepted(&format!("{EACH} {{ if t < min(n, N) {{ y[t] = x[t]; }} }}"));
    accepted(&format!("let end = min(N, min(n, m)); {EACH} {{ if t < end {{ y[t] = x[t]; }} }}"));
    accepted(&format!("{EACH} {{ if t < N && max(n, 0 - t) <= 0 - t {{ y[t] = x[t]; }} }}"));
    refused(&format!("let end = max(N, n); {EACH} {{ if t < end {{ y[t] = x[t]; }} }}"), "out-of-bounds");
    refused(&format!("{EACH} {{ if t <= min(n, N) {{ y[t] = x[t]; }} }}"), "out-of-bounds");
    refused(&format!("{EACH} {{ if t >= min(n, N) {{ y[t] = x[t]; }} }}"), "out-of-bounds");
}

#[test]
fn a_sum_that_may_wrap_is_known_by_the_conditions_on_it() {
    let guarded = |condition: &str, index: &str| {
        format!("{EACH} {{ let i = n + t; if {condition} && t < N {{ y[t] = x[{index}]; }} }}")
    };
    accepted(&guarded("i >= 0 && i < N", "i"));
    accepted(&guarded("n + t >= 0 && n + t < N", "n + t"));
    accepted(&guarded("i >= 1 && i < N", "i - 1"));
    // Where the sum wraps it is below N too, and far below 0.
    refused(&guarded("n >= 0 && n + t < N", "n + t"), "out-of-bounds");
    refused(&guarded("n >= 0 && i < N", "i"), "out-of-bounds");
    refused(&guarded("i >= 0 && n < N", "i"), "out-of-bounds");
    // Of the summands of what may wrap nothing follows.
    refused(&format!("{EACH} {{ let i = n + t; if i < N && n >= 0 && t < N {{ y[t] = x[n]; }} }}"), "out-of-bounds");
    refused(
        &format!("{EACH} {{ let i = 3 * n; if i >= 0 && i < N && n >= 0 && t < N {{ y[t] = x[n]; }} }}"),
        "out-of-bounds",
    );
}

#[test]
fn a_value_that_was_read_keeps_its_ends() {
    let histogram = |value: &str| {
        format!(
            "dim N;\nkernel k(x: i64[N], b: u8[N], h: mut i32[16]) grid(1) block(64) {{
                shared bins : i32[16, 65];
                {EACH} {{
                    for k in 0..cdiv(N, 64) {{
                        if 64 * k + t < N {{
                            let v = {value};
                            bins[v, t] += 1;
                        }}
                    }}
                }}
                for t in threads(16, cuda_thread) {{
                    let mut sum: i32 = 0;
                    for k in 0..64 {{ sum += bins[t, k]; }}
                    h[t] = sum;
                }}
            }}\n"
        )
    };
    gives(&histogram("bit_and(x[64 * k + t], 15)"), &[]);
    gives(&histogram("min(max(x[64 * k + t], 0), 15)"), &[]);
    gives(&histogram("i64(b[64 * k + t]) / 16"), &[]);
    gives(&histogram("if x[64 * k + t] > 5 { 3 } else { 15 }"), &[]);
    for wrong in ["bit_and(x[64 * k + t], 16)", "min(x[64 * k + t], 15)", "i64(b[64 * k + t])"] {
        assert_eq!(check(&histogram(wrong)).errors(), ["out-of-bounds"], "{wrong}");
    }
    // A variable that changes keeps nothing.
    let changed = "bit_and(x[64 * k + t], 15); let mut w = v; w += 1; let u = w";
    assert_eq!(check(&histogram(changed).replace("bins[v, t]", "bins[u, t]")).errors(), ["out-of-bounds"]);
}

#[test]
fn shifts_have_ends() {
    let halves = |stride: &str, index: &str| {
        format!(
            "shared s : f32[64]; {EACH} {{ s[t] = 1.0; }}
             for k in 0..6 {{ {EACH} {{ let stride = {stride}; if t < stride {{ s[t] += s[{index}]; }} }} }}"
        )
    };
    let text = |body: String| format!("kernel k(n: i64) grid(1) block(64) {{\n{body}\n}}\n");
    gives(&text(halves("shift_right(32, k)", "t + stride")), &[]);
    for (stride, index) in [
        ("shift_right(64, k)", "t + stride"),
        ("shift_right(32, k)", "t + stride + 1"),
        ("shift_left(32, k)", "t + stride"),
    ] {
        assert_eq!(check(&text(halves(stride, index))).errors(), ["out-of-bounds"], "{stride} {index}");
    }
    // The distance counts modulo the width: 64 shifts by 0.
    assert_eq!(check(&text(halves("shift_right(63, k + 59)", "t + stride"))).errors(), ["out-of-bounds"]);
    let scan = |distance: &str, guard: &str| {
        text(format!(
            "shared s : f32[2, 64]; {EACH} {{ s[0, t] = 1.0; }}
             for k in 0..6 {{ {EACH} {{
                let d = {distance};
                s[(k + 1) % 2, t] = if {guard} {{ s[k % 2, t] + s[k % 2, t - d] }} else {{ s[k % 2, t] }};
             }} }}"
        ))
    };
    gives(&scan("shift_left(1, k)", "t >= d"), &[]);
    for (distance, guard) in
        [("shift_left(1, k)", "t + 1 >= d"), ("shift_left(n, k)", "t >= d"), ("shift_left(1, n)", "t >= d")]
    {
        assert_eq!(check(&scan(distance, guard)).errors(), ["out-of-bounds"], "{distance} {guard}");
    }
}

#[test]
fn several_elements_of_a_thread_are_stored_one_by_one() {
    let tiled = |last: &str| {
        format!(
            "dim M, N where M % 32 == 0, N % 64 == 0;\nkernel k(c: mut f32[M, N]) block(256) {{
                for (r, q) in grid(M / 32, N / 64) {{
                    for t in threads(256, cuda_thread) {{
                        c[32 * r + t / 32, 64 * q + t % 32] = 1.0;
                        c[32 * r + t / 32 + 8, 64 * q + t % 32] = 2.0;
                        c[32 * r + t / 32 + 24, 64 * q + t % 32 + 32] = 3.0;
                        c[{last}] += 4.0;
                    }}
                }}
            }}\n"
        )
    };
    for right in [
        "32 * r + t / 32 + 16, 64 * q + t % 32",
        // No other statement reaches these rows.
        "32 * r + t / 32 + 16, 64 * q + t % 32 + 1",
        "32 * r + t / 32 + 16, 64 * q + 31 - t % 32",
        "32 * r + t / 32 + 24, 64 * q + t % 32",
    ] {
        gives(&tiled(right), &[]);
    }
    for wrong in [
        "32 * r + t / 32 + 1, 64 * q + t % 32",
        "32 * r + t / 32 + 8, 64 * q + t % 32 + 1",
        "32 * r + t / 32 + 8, 64 * q + 31 - t % 32",
        "32 * r + t / 32 + 24, 64 * q + t % 32 + 31",
        "32 * r + t / 32 + 16, 64 * q + t % 32 / 2",
    ] {
        let errors = check(&tiled(wrong)).errors();
        assert!(errors.iter().all(|code| code.starts_with("race")) && !errors.is_empty(), "{wrong}: {errors:?}");
    }
}

#[test]
fn nothing_is_asked_of_what_is_never_executed() {
    accepted_in_part(&format!("{EACH} {{ if t < N {{ if 16 < 8 {{ y[t + 1] = x[t + 100]; }} y[t] = x[t]; }} }}"));
    accepted_in_part(&format!("{EACH} {{ if t < N {{ if N < 1 {{ y[t] = x[t + 100]; }} y[t] = x[t]; }} }}"));
    accepted_in_part(&format!("{EACH} {{ if t < N {{ if !true {{ y[t] = x[t + 100]; }} else {{ y[t] = x[t]; }} }} }}"));
    refused(&format!("{EACH} {{ if t < N {{ if 8 < 16 {{ y[t] = x[t + 100]; }} }} }}"), "out-of-bounds");
    refused(
        &format!("{EACH} {{ if t < N {{ if 16 < 8 {{ y[t] = 0.0; }} else {{ y[t] = x[t + 100]; }} }} }}"),
        "out-of-bounds",
    );
    refused(&format!("{EACH} {{ if t < N {{ if !false {{ y[t] = x[t + 100]; }} }} }}"), "out-of-bounds");
}

#[test]
fn a_function_that_is_not_there_is_said_before_its_arguments() {
    let checked = gives(
        "kernel k(y: mut f32[4]) grid(1) block(4) { for t in threads(4, cuda_thread) { y[t] = atomicAdd(y, 1.0); } }\n",
        &["unknown-function"],
    );
    says(&checked, "unknown-function", &["`atomic_add`"]);
    let checked = gives(
        "kernel k(n: i64, y: mut f32[4]) grid(1) block(1) { for i in 0..cdiv(n, n) { y[0] = 1.0; } }\n",
        &["type-mismatch"],
    );
    says(&checked, "type-mismatch", &["(a + b - 1) / b"]);
}

/// Threads that are idle do not hide that a swizzle keeps the others apart.
#[test]
fn a_swizzled_array_of_some_of_the_threads() {
    let with = |block: u32, declaration: &str, written: &str, read: &str| {
        format!(
            "kernel k(y: mut f32[64]) grid(1) block({block}) {{
                shared s: {declaration};
                for t in threads(64, cuda_thread) {{ s[{written}] = f32(t); }}
                for t in threads(64, cuda_thread) {{ y[t] = s[{read}]; }} }}"
        )
    };
    let rows = "t / 8, t % 8";
    for block in [64, 96, 128, 256] {
        gives(&with(block, "f32[8, 8] |> xor", rows, rows), &[]);
        gives(&with(block, "f32[8, 8] |> xor", rows, "t % 8, t / 8"), &[]);
        gives(&with(block, "f32[16, 4] |> xor", "t / 4, t % 4", "15 - t / 4, t % 4"), &[]);
        gives(&with(block, "f32[8, 8] |> cyclic_shift", rows, rows), &[]);
    }
    gives(&with(128, "f32[8, 8] |> xor", "t / 8, t % 4", rows), &["shared-race"]);
}

/// Beyond the most kinds of collectives that are told apart, a kind counts as single threads: no barrier is put where
/// some of the threads never come.
#[test]
fn many_kinds_of_collectives_hide_no_divergence() {
    for kinds in [31, 32, 33, 60, 130] {
        let loops: String = (2..2 + kinds)
            .map(|size| {
                let inner = format!("for t in threads({size}, cuda_thread) {{ q[w * {size} + t] = 1.0; }}");
                format!("for w in threads(2, {size} * cuda_thread) {{ {inner} }}\n")
            })
            .collect();
        let checked = check(&format!(
            "kernel k(x: f32[1024], y: mut f32[1024]) grid(1) block(1024) {{
                shared s : f32[1024];
                shared q : f32[1024];
                view xs = x via linear(1, 1024);
                {loops}
                if xs[0] > 0.5 {{
                    for t in threads(1024, cuda_thread) {{ s[t] = x[t]; }}
                    for t in threads(1024, cuda_thread) {{ y[t] = s[1023 - t]; }}
                }}
            }}\n"
        ));
        assert!(checked.errors().contains(&"unreached-barrier"), "{kinds} kinds: {}", checked.report());
    }
}

/// An iteration of the innermost loop is one thread.
#[test]
fn a_sum_over_one_thread_is_warned_about() {
    let of = |over: &str| {
        format!(
            "kernel k(x: f32[128], y: mut f32[1]) grid(1) block(128) {{
    for t in threads(128, cuda_thread) {{ let s = sum(x[t], over: {over}); if t == 0 {{ y[0] = s; }} }}
}}\n"
        )
    };
    let checked = gives(&of("t"), &["lone-exchange"]);
    says(&checked, "lone-exchange", &["an iteration of `t` is one thread", "over: block"]);
    gives(&of("block"), &[]);
}
