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
    ] {
        refuses(&kernel(first, second), &[]);
    }
    for (first, second, found) in [
        (insert, "a | 2", "race"),
        (insert, "a | 8", "race"),
        ("(t & ~3) << 1 | (t & 7)", "a | 8", "race"),
        ("(t & ~3) << 1 | (t & 1)", "a | 4", "race"),
        ("2 * t - (t & 3)", "(2 * t - (t & 3)) | 8", "out-of-bounds"),
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
