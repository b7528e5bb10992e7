//! Right programs in which threads find their partners, their part or their place by bits, quotients and comparisons with data; each
//! beside the wrong program that looks like it.

use super::gives;
use crate::support::check;

/// Checks which errors and warnings a text has; what is accepted is safe.
#[track_caller]
fn refuses(text: &str, codes: &[&str]) {
    let checked = check(text);
    let found: Vec<&str> = checked.codes().into_iter().filter(|code| *code != "not-fully-written").collect();
    assert_eq!(found, codes, "\n{text}\n{}", checked.report());
    if checked.kernel().is_some() {
        super::safe(&checked, text);
    }
}

#[test]
fn bits_that_are_inserted_are_a_sum() {
    let kernel = |first: &str, second: &str| {
        format!(
            "kernel k(x: f32[128], y: mut f32[128]) grid(1) block(64) {{ for t in threads(64, cuda_thread) {{
    let a = {first}; let b = {second}; y[a] = x[a] + x[b]; y[b] = x[a] - x[b]; }} }}\n"
        )
    };
    let insert = "(t & ~3) << 1 | (t & 3)";
    for (first, second) in [
        (insert, "a | 4"),
        (insert, "a ^ 4"),
        (insert, "a + 4"),
        ("2 * t - (t & 3)", "(2 * t - (t & 3)) | 4"),
        ("(t - t % 8) * 2 | t % 8", "a | 8"),
        ("t / 4 * 8 | t % 4", "a | 4"),
        // The same bit is set by both, or belongs to the thread itself.
        ("(t & ~3) << 1 | (t & 7)", "a | 8"),
    ] {
        refuses(&kernel(first, second), &[]);
    }
    for (first, second, found) in [
        (insert, "a | 2", "race"),
        (insert, "a | 8", "race"),
        ("(t & ~3) << 1 | (t & 7)", "a | 16", "race"),
        ("(t & ~3) << 1 | (t & 1)", "a | 4", "race"),
        ("2 * t - (t & 3)", "(2 * t - (t & 3)) | 8", "race"),
        (insert, "a + 8", "out-of-bounds"),
    ] {
        let checked = check(&kernel(first, second));
        assert!(checked.errors().contains(&found), "{first}; {second}\n{}", checked.report());
    }
}

#[test]
fn chunks_of_nearly_equal_length_are_apart() {
    let kernel = |threads: &str, low: &str, high: &str| {
        format!(
            "dim N, P;\nkernel k(y: mut f32[N]) {{ for t in grid({threads}) {{ for i in {low}..{high} {{ y[i] = 1.0; }} }} }}\n"
        )
    };
    for threads in ["P", "16"] {
        let part = |factor: &str| format!("N * {factor} / {threads}");
        refuses(&kernel(threads, &part("t"), &part("(t + 1)")), &[]);
        refuses(&kernel(threads, &part("t"), &format!("{} + 1", part("(t + 1)"))), &["out-of-bounds"]);
        for (low, high) in [
            (part("t"), format!("min({} + 1, N)", part("(t + 1)"))),
            (part("t"), format!("min({}, N)", part("(t + 2)"))),
            (format!("max({} - 1, 0)", part("t")), part("(t + 1)")),
        ] {
            let checked = check(&kernel(threads, &low, &high));
            let codes = checked.codes();
            assert!(codes.contains("race") || codes.contains("race-open"), "{low}..{high}\n{}", checked.report());
        }
    }
}

#[test]
fn one_thread_meets_a_number_that_all_share() {
    let kernel = |index: &str, step: i64, condition: &str| {
        format!(
            "dim N, B;\nkernel k(at: i64[B], one: i64, x: f32[B, N], y: mut f32[B]) block(64) {{
    for b in grid(B) {{ let place = at[b]; for t in threads(64, cuda_thread) {{
        for j in t..N step {step} {{ if {condition} {{ y[{index}] = x[b, j]; }} }} }} }} }}\n"
        )
    };
    refuses(&kernel("b", 64, "j == place"), &[]);
    refuses(&kernel("b", 64, "j == one"), &[]);
    refuses(&kernel("b", 64, "j + 1 == place"), &[]);
    refuses(&kernel("b", 63, "j == place"), &["race"]);
    refuses(&kernel("b", 64, "j <= place"), &["race"]);
    refuses(&kernel("b", 64, "j / 2 == place"), &["race"]);
    // Blocks have places of their own.
    refuses(&kernel("0", 64, "j == place"), &["race"]);
    refuses(&kernel("0", 64, "j == one"), &["race"]);
}

/// What is known of a number at each of two accesses is not the number.
#[test]
fn a_number_that_all_threads_share_is_one_number_at_all_places() {
    let kernel = |first: &str, second: &str| {
        format!(
            "kernel k(at: i64, y: mut f32[64]) grid(1) block(8) {{ for t in threads(8, cuda_thread) {{ {first} {second} }} }}\n"
        )
    };
    let guarded = |thread: &str, least: i64, index: &str| {
        format!("if {thread} && at >= {least} && at < 20 {{ y[{index}] = 1.0; }}")
    };
    for least in [0, 3, 5] {
        refuses(&kernel(&guarded("t == 0", 5, "at"), &guarded("t == 1", least, "at")), &["race"]);
        refuses(&kernel(&guarded("t == 0", 5, "at"), &guarded("t == 1", least, "at + 1")), &[]);
        refuses(&kernel(&guarded("t < 8", 5, "at + 2 * t"), &guarded("t < 8", least, "at + 2 * t + 1")), &[]);
        refuses(&kernel(&guarded("t < 8", 5, "at + 2 * t"), &guarded("t < 8", least, "at + 2 * t + 2")), &["race"]);
    }
}

#[test]
fn two_pointers_merge_two_arrays() {
    let kernel = |condition: &str, choice: &str, first: &str, second: &str| {
        format!(
            "dim N, M;\nkernel k(a: f32[N], b: f32[M], y: mut f32[N + M]) {{ for w in grid(1) {{
    let mut i = 0; let mut j = 0;
    while {condition} max N + M {{ if {choice} {{ {first} i += 1; }} else {{ {second} j += 1; }} }} }} }}\n"
        )
    };
    let (first, second) = ("y[i + j] = a[i];", "y[i + j] = b[j];");
    for choice in [
        "j >= M || (i < N && a[i] <= b[j])",
        "i < N && (j >= M || a[i] <= b[j])",
        "!(j < M && (i >= N || a[i] > b[j]))",
        "i < N",
    ] {
        gives(&kernel("i < N || j < M", choice, first, second), &[]);
    }
    for (condition, choice, second) in [
        ("i <= N || j < M", "j >= M || (i < N && a[i] <= b[j])", second),
        ("i < N || j < M", "j > M || (i < N && a[i] <= b[j])", second),
        ("i < N || j < M", "j >= M || i < N || a[0] <= b[0]", second),
        ("i < N || j < M", "i < N && j < M", second),
        ("i < N || j < M", "j >= M || (i < N && a[i] <= b[j])", "y[i + j + 1] = b[j];"),
    ] {
        refuses(&kernel(condition, choice, first, second), &["out-of-bounds"]);
    }
}

#[test]
fn a_search_keeps_to_the_ends_from_which_it_began() {
    let kernel = |low: &str, high: &str, index: &str, down: &str| {
        format!(
            "dim N, M;\nkernel k(a: f32[N], b: f32[M], y: mut i64[N + M]) {{ for d in grid(N + M) {{
    let mut lo = {low}; let mut hi = {high};
    while lo < hi max 32 {{
        let mid = (lo + hi) / 2;
        if a[mid] <= b[{index}] {{ lo = mid + 1; }} else {{ hi = {down}; }} }}
    y[d] = lo; }} }}\n"
        )
    };
    let (low, high, index) = ("max(0, d - M)", "min(d, N)", "d - 1 - mid");
    gives(&kernel(low, high, index, "mid"), &[]);
    for (low, high, index, down) in [
        ("0", high, index, "mid"),
        (low, "N", index, "mid"),
        (low, "min(d + 1, N)", index, "mid"),
        (low, high, "d - mid", "mid"),
        (low, high, "d - 2 - mid", "mid"),
        ("max(0, d - M - 1)", high, index, "mid"),
        (low, high, index, "min(hi + 1, N)"),
    ] {
        refuses(&kernel(low, high, index, down), &["out-of-bounds"]);
    }
}

#[test]
fn a_number_runs_around_a_ring_wherever_it_begins() {
    let kernel = |first: i64, update: &str| {
        format!(
            "dim N;\nkernel k(y: mut f32[3]) grid(1) block(1) {{ for t in threads(1, cuda_thread) {{
    let mut at = {first}; for i in 0..N {{ y[at] = 1.0; {update} }} }} }}\n"
        )
    };
    for first in 0..3 {
        for update in [
            "at += 1; if at == 3 { at = 0; }",
            "at = if at == 2 { 0 } else { at + 1 };",
            "if at == 2 { at = 0; } else { at += 1; }",
            "at = (at + 1) % 3;",
        ] {
            refuses(&kernel(first, update), &[]);
        }
    }
    for (first, update) in [
        (3, "at += 1; if at == 3 { at = 0; }"),
        (2, "at += 1; if at == 4 { at = 0; }"),
        (2, "at += 1; if at == 2 { at = 0; }"),
        (2, "at = if at == 1 { 0 } else { at + 1 };"),
        (2, "at += 1; if at != 3 { at = 0; }"),
    ] {
        refuses(&kernel(first, update), &["out-of-bounds"]);
    }
}

#[test]
fn steps_that_only_some_iterations_take_keep_threads_apart() {
    let kernel = |first: &str, change: &str| {
        format!(
            "dim N;\nkernel k(x: i32[N], y: mut f32[N]) grid(1) block(64) {{ for t in threads(64, cuda_thread) {{
    let mut p = {first}; while p < N max 1000 {{ y[p] = 1.0; {change} }} }} }}\n"
        )
    };
    for (first, change) in [
        ("t", "if x[p] > 0 { p += 64; }"),
        ("t", "if x[p] > 0 { p += 64; } else { p += 128; }"),
        // One of 128, 192 and 256.
        ("t", "if x[p] > 0 { p += 96; } else { p += 160; } if x[0] > 0 { p += 32; } else { p += 96; }"),
        ("t", "p += 64; if x[0] > 1 { p += 64; }"),
        ("t + 1000", "if x[0] > 0 { p += 64; }"),
        ("2 * t", "if x[p] > 0 { p += 128; }"),
        ("t / 8 * 8 + t % 8", "if x[p] == 3 { p += 192; } else { if x[p] == 4 { p += 64; } }"),
    ] {
        refuses(&kernel(first, change), &[]);
    }
    for (first, change) in [
        ("t", "if x[p] > 0 { p += 32; }"),
        ("t", "if x[p] > 0 { p += 64; } else { p += 96; }"),
        ("t", "if x[p] > 0 { p += 64; } else { p += 1; }"),
        ("t", "if x[p] > 0 { p += 63; }"),
        ("2 * t", "if x[p] > 0 { p += 64; }"),
        ("t / 2", "if x[p] > 0 { p += 64; }"),
        ("t", "if x[p] > 0 { p += 64; } else { p = p + x[0] * 64; }"),
    ] {
        let checked = check(&kernel(first, change));
        assert!(!checked.errors().is_empty(), "{first}; {change}\n{}", checked.report());
    }
}

#[test]
fn a_packed_triangle_has_a_place_for_each_row_and_column() {
    let kernel = |size: &str, heads: &str, condition: &str, index: &str| {
        format!(
            "dim N;\nkernel k(y: mut f32[{size}]) {{ for (i, j) in grid({heads}) {{ if {condition} {{ y[{index}] = 1.0; }} }} }}\n"
        )
    };
    let size = "N * (N + 1) / 2";
    for (heads, condition, index) in [
        ("N, N", "j <= i", "i * (i + 1) / 2 + j"),
        ("N, N", "j < i + 1", "j + i * (i + 1) / 2"),
        ("N, N", "i >= j", "(i + 1) * i / 2 + j"),
        ("N, N", "i <= j", "j * (j + 1) / 2 + i"),
        ("N, N", "j < i", "i * (i + 1) / 2 + j"),
    ] {
        refuses(&kernel(size, heads, condition, index), &[]);
    }
    for (size, heads, condition, index) in [
        (size, "N, N", "j <= i + 1", "i * (i + 1) / 2 + j"),
        (size, "N, N", "j >= 0", "i * (i + 1) / 2 + j"),
        (size, "N, N", "j <= i", "i * (i - 1) / 2 + j"),
        (size, "N, N", "j <= i", "i * (i + 1) / 2 + j + 1"),
        (size, "N, N", "j <= i", "i * (i + 1) / 3 + j"),
        (size, "N, N", "j <= i", "i * (i + 2) / 2 + j"),
        (size, "N, N", "j <= i", "i * (i + 1) / 2 - j"),
        (size, "N, N + 1", "j <= i + 1", "i * (i + 1) / 2 + j"),
        (size, "N + 1, N", "j <= i", "i * (i + 1) / 2 + j"),
        ("N * (N - 1) / 2 + 1", "N, N", "j <= i", "i * (i + 1) / 2 + j"),
    ] {
        let checked = check(&kernel(size, heads, condition, index));
        assert!(!checked.codes().is_empty(), "{heads} {condition} {index}\n{}", checked.report());
    }
    let rows = |last: &str| {
        format!(
            "dim N;\nkernel k(x: f32[N], y: mut f32[{size}]) block(32) {{ for i in grid(N) {{ for t in threads(32, cuda_thread) {{
    for j in t..{last} step 32 {{ y[i * (i + 1) / 2 + j] = x[i] * x[j]; }} }} }} }}\n"
        )
    };
    refuses(&rows("i + 1"), &[]);
    let checked = check(&rows("i + 2"));
    assert!(!checked.errors().is_empty(), "{}", checked.report());
}

#[test]
fn a_merge_counts_what_it_writes() {
    let kernel = |first: &str, second: &str, tails: &str| {
        format!(
            "dim N, M;\nkernel k(a: f32[N], b: f32[M], y: mut f32[N + M]) {{ for w in grid(1) {{
    let mut i = 0; let mut j = 0; let mut o = 0;
    while i < N && j < M max N + M {{ if a[i] <= b[j] {{ {first} }} else {{ {second} }} }}
    {tails} }} }}\n"
        )
    };
    let (first, second) = ("y[o] = a[i]; i += 1; o += 1;", "y[o] = b[j]; j += 1; o += 1;");
    let tails = "while i < N max N { y[o] = a[i]; i += 1; o += 1; } while j < M max M { y[o] = b[j]; j += 1; o += 1; }";
    gives(&kernel(first, second, tails), &[]);
    gives(&kernel(first, second, ""), &[]);
    for (first, second, tails) in [
        ("y[o] = a[i]; i += 1; o += 2;", second, tails),
        ("y[o] = a[i]; o += 1;", second, tails),
        (first, "y[o] = b[j]; j += 1; o += 3;", tails),
        (first, second, "while i < N max N { y[o] = a[i]; i += 1; o += 2; }"),
        (first, second, "while i <= N max N { y[o] = a[0]; i += 1; o += 1; } y[o] = 0.0;"),
        (first, second, "while i < N max N { y[o + 1] = a[i]; i += 1; o += 1; }"),
    ] {
        let checked = check(&kernel(first, second, tails));
        assert!(!checked.errors().is_empty(), "{first} {second} {tails}\n{}", checked.report());
    }
}

#[test]
fn a_loop_that_halves_ends_by_itself() {
    let kernel = |most: &str, parts: i64, change: &str, condition: &str| {
        format!(
            "kernel k(x: f32[1024], y: mut f32[1024]) grid(1) block(512) {{
    shared s : f32[1024];
    for t in threads(512, cuda_thread) {{ s[2 * t] = x[2 * t]; s[2 * t + 1] = x[2 * t + 1]; }}
    let mut d = 1;
    while d < 1024 max {most} {{
        for t in threads(512, cuda_thread) {{ if t < 512 / d {{ let i = 2 * d * t + d - 1; s[i + d] += s[i]; }} }}
        d *= 2;
    }}
    d = 512;
    while {condition} max {most} {{
        for t in threads(512, cuda_thread) {{
            if t < {parts} / d {{ let i = 2 * d * t + d - 1; let v = s[i]; let w = s[i + d]; s[i] = w; s[i + d] = v + w; }}
        }}
        {change}
    }}
    for t in threads(512, cuda_thread) {{ y[2 * t] = s[2 * t]; y[2 * t + 1] = s[2 * t + 1]; }}
}}\n"
        )
    };
    for most in ["10", "64", "100", "1024"] {
        for condition in ["d > 0", "d >= 1", "0 < d", "d != 0"] {
            refuses(&kernel(most, 512, "d /= 2;", condition), &["bank-conflict"]);
        }
        refuses(&kernel(most, 512, "d = d >> 1;", "d > 0"), &["bank-conflict"]);
        let checked = check(&kernel(most, 1024, "d /= 2;", "d > 0"));
        assert!(checked.errors().contains(&"out-of-bounds"), "{}", checked.report());
    }
}
