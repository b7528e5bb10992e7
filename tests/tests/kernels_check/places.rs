//! Places in packed triangles and other rows of lengths of their own, around a ring, and at either side of a condition: what is
//! accepted is tried with each thread, and beside it stands the wrong program that looks like it.

use super::{gives, safe, says};
use crate::support::check;

/// The kernel is refused for what it does, in this thread.
#[track_caller]
fn refused(text: &str, code: &str, parts: &[&str]) {
    let checked = check(text);
    assert_eq!(checked.errors(), [code], "\n{text}\n{}", checked.report());
    says(&checked, code, parts);
}

/// Stores to all places of the rows `0..N` with the columns under a condition.
fn packed(facts: &str, length: &str, condition: &str, place: &str) -> String {
    format!(
        "dim N{facts};\nkernel k(a: mut f32[{length}]) {{ for (i, j) in grid(N, N) {{ if {condition} {{ a[{place}] = 1.0; }} }} }}\n"
    )
}

/// Triangles in the notations of libraries, with their lengths.
const TRIANGLES: &[[&str; 4]] = &[
    ["", "N * (N + 1) / 2", "j <= i", "i * (i + 1) / 2 + j"],
    ["", "N * (N + 1) / 2", "j < i + 1", "(i + 1) * i / 2 + j"],
    ["", "N * (N + 1) / 2", "j <= i", "j + (i * i + i) / 2"],
    ["", "N * (N + 1) / 2", "j >= i", "i * N - i * (i - 1) / 2 + j - i"],
    ["", "N * (N + 1) / 2", "j >= i", "i * (2 * N - i + 1) / 2 + (j - i)"],
    ["", "N * (N + 1) / 2", "i <= j", "i * (2 * N - i - 1) / 2 + j"],
    [" where N >= 2", "N * (N - 1) / 2", "j < i", "i * (i - 1) / 2 + j"],
    [" where N >= 2", "N * (N - 1) / 2", "i > j", "(i - 1) * i / 2 + j"],
    [" where N >= 2", "N * (N - 1) / 2", "j > i", "i * (2 * N - i - 1) / 2 + j - i - 1"],
    [" where N >= 2", "N * (N - 1) / 2", "i < j", "i * N - i * (i + 1) / 2 + j - i - 1"],
];

#[test]
fn each_triangle_has_a_place_for_each_row_and_column() {
    for [facts, length, condition, place] in TRIANGLES {
        let checked = check(&packed(facts, length, condition, place));
        assert!(checked.errors().is_empty(), "{place}\n{}", checked.report());
        safe(&checked, place);
    }
}

#[test]
fn a_triangle_that_is_not_that_of_the_place_is_refused() {
    for [facts, length, condition, place] in TRIANGLES {
        let others = [condition.replace("<=", "<= 1 +").replace(">=", ">= -1 +"), "j >= 0".to_owned()];
        let wrong = others.iter().filter(|other| *other != condition).map(|other| packed(facts, length, other, place));
        let shifted = packed(facts, length, condition, &format!("{place} + 1"));
        let shorter = packed(" where N >= 3", &format!("{length} - 1"), condition, place);
        for text in wrong.chain([shifted, shorter]) {
            let checked = check(&text);
            assert!(!checked.errors().is_empty(), "accepted:\n{text}");
        }
    }
}

/// Rows of any lengths, most of which are not where the place says: whatever is accepted is tried with each thread.
#[test]
fn rows_that_are_accepted_have_no_place_in_common() {
    let mut accepted = 0;
    for (more, times, first) in (-2i64..=2)
        .flat_map(|more| (-1i64..=2).flat_map(move |times| (0i64..=1).map(move |first| (more, times, first))))
    {
        for condition in ["j <= i", "j < i", "j >= i", "j > i", "j < 3", "j <= 2 * i", "i + 1 >= j"] {
            let place = format!("i * (i + {more}) / 2 + {times} * i + j + {first}").replace("+ -", "- ");
            let text = format!(
                "dim N;\nkernel k(a: mut f32[4 * N * N + 8]) {{ for (i, j) in grid(N, N) {{ if {condition} {{ a[{place} + 4] = 1.0; }} }} }}\n"
            );
            let checked = check(&text);
            if checked.errors().is_empty() {
                accepted += 1;
                safe(&checked, &text);
            }
        }
    }
    assert!(accepted >= 20, "{accepted} accepted");
}

#[test]
fn a_rotation_by_any_number_has_a_place_for_each_element() {
    let kernel = |by: &str, place: &str| {
        format!("dim N;\nkernel k(s: {by}, x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ y[{place}] = x[i]; }} }}\n")
    };
    for place in [
        "((i + i64(s)) % N + N) % N",
        "(N + (i + i64(s)) % N) % N",
        "((i - i64(s)) % N + N) % N",
        "((i64(s) - i) % N + N) % N",
    ] {
        gives(&kernel("i32", place), &[]);
    }
    for place in [
        "((2 * i + i64(s)) % N + N) % N",
        "((i / 2 + i64(s)) % N + N) % N",
        "((i * i64(s)) % N + N) % N",
        "((i + i64(s)) % (N + 1) + N + 1) % N",
    ] {
        refused(&kernel("i32", place), "race", &[]);
    }
    refused(&kernel("i32", "(i + i64(s)) % N"), "out-of-bounds", &["negative"]);
    refused(&kernel("i32", "((i + i64(s)) % (N + 1) + N + 1) % (N + 1)"), "out-of-bounds", &[]);
}

#[test]
fn a_number_between_sizes_is_added_without_a_wrap() {
    let kernel = |facts: &str, condition: &str| {
        format!(
            "dim N{facts};\nkernel k(s: i64, x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ if {condition} {{ y[i] = x[(i + s + N) % N]; }} }} }}\n"
        )
    };
    for facts in ["", " where N <= 1000000"] {
        for condition in ["s > -N && s < N", "s >= -N && s <= N", "s >= 1 - N && s < 1000"] {
            gives(&kernel(facts, condition), &[]);
        }
        // The sum of large numbers is a negative one.
        for condition in ["s > -N", "s > -N - 2 && s < N", "s < N", "s > -2 * N && s < 0"] {
            refused(&kernel(facts, condition), "out-of-bounds", &["negative"]);
        }
    }
}

#[test]
fn either_side_of_a_choice_has_places_of_its_own() {
    let kernel = |facts: &str, choice: &str| {
        format!(
            "dim N, H where {facts};\nkernel k(x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ {choice} y[j] = x[i]; }} }}\n"
        )
    };
    for (facts, choice) in [
        ("H < N", "let j = if i < H { i } else { N - 1 - (i - H) };"),
        ("H < N", "let j = if i < H { H - 1 - i } else { i };"),
        ("H < N", "let j = if i < H { i + N - H } else { i - H };"),
        ("H < N", "let mut j = i + H; if j >= N { j -= N; }"),
        ("H < N", "let mut j = i; if i < H { j = H - 1 - i; }"),
    ] {
        let checked = check(&kernel(facts, choice));
        assert!(checked.errors().is_empty(), "{choice}\n{}", checked.report());
        safe(&checked, choice);
    }
    for (facts, choice, code, parts) in [
        ("H < N", "let j = if i < H { i } else { i - H };", "race", &["thread 0", "both write element 0"][..]),
        ("H <= N", "let j = if i < H { i } else { N - (i - H) };", "out-of-bounds", &["becomes"]),
        ("H < N", "let j = if i <= H { H - 1 - i } else { i };", "out-of-bounds", &["becomes -1"]),
        ("H < N", "let j = if i < H { i + N - H + 1 } else { i - H };", "out-of-bounds", &["becomes"]),
        ("N == 2 * H", "let j = if i < N / 2 { 2 * i } else { 2 * (i - N / 2) };", "race", &["both write element 0"]),
    ] {
        refused(&kernel(facts, choice), code, parts);
    }
}

/// The counterexample is as clear as without the condition.
#[test]
fn a_condition_that_says_unequal_hides_no_counterexample() {
    let kernel = |condition: &str| {
        format!(
            "dim N;\nkernel k(x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ for di in 0..3 {{ for dj in 0..2 {{ if {condition} {{
    y[i] += x[i + di - 1 + 0 * dj]; }} }} }} }} }}\n"
        )
    };
    for condition in ["di != 1", "di != 1 || dj != 1", "di != 1 && dj != 1", "!(di == 1 && dj == 0)"] {
        refused(&kernel(condition), "out-of-bounds", &["becomes", "thread 0", "di = "]);
    }
    // Both sides of the number are outside only where there is one.
    gives(&kernel("di != 0 && i + di - 1 < N"), &[]);
    gives(&kernel("di != 1 && i + di - 1 >= 0 && i + di <= N"), &[]);
    refused(&kernel("di != 0"), "out-of-bounds", &["becomes 1", "di = 2"]);
}

#[test]
fn a_table_of_different_numbers_is_an_order_of_the_threads() {
    let kernel = |table: &str, place: &str| {
        format!(
            "kernel k(x: f32[8], y: mut f32[8]) grid(1) block(8) {{ for t in threads(8, cuda_thread) {{
    let order: i64[8] = {table}; y[{place}] = x[t]; }} }}\n"
        )
    };
    let order = "[3, 1, 0, 2, 7, 6, 5, 4]";
    for place in ["order[t]", "7 - order[t]", "order[7 - t]", "order[order[t]]", "order[t ^ 1]"] {
        gives(&kernel(order, place), &[]);
    }
    refused(&kernel("[3, 1, 0, 2, 7, 6, 3, 4]", "order[t]"), "race", &[]);
    refused(&kernel(order, "order[t / 2]"), "race", &[]);
    refused(&kernel("[3, 1, 0, 2, 8, 6, 5, 4]", "order[t]"), "out-of-bounds", &[]);
}

#[test]
fn a_search_of_narrow_numbers_stays_inside() {
    let kernel = |high: &str, middle: &str| {
        format!(
            "dim N, Q;\nkernel k(a: f32[N], v: f32[Q], at: mut i32[Q]) {{ for q in grid(Q) {{
    let mut lo: i32 = 0; let mut hi: i32 = {high};
    while lo < hi max 32 {{ let mid = {middle}; if a[mid] < v[q] {{ lo = mid + 1; }} else {{ hi = mid; }} }}
    at[q] = lo; }} }}\n"
        )
    };
    // A size that loses bits becomes no greater number.
    gives(&kernel("i32(N)", "lo + (hi - lo) / 2"), &[]);
    // The sum of both wraps where there are more than 2^30 elements.
    refused(&kernel("i32(N)", "(lo + hi) / 2"), "out-of-bounds", &[]);
    refused(&kernel("i32(N) + 1", "lo + (hi - lo) / 2"), "out-of-bounds", &[]);
    refused(&kernel("i32(N)", "lo + (hi - lo) / 2 + 1"), "out-of-bounds", &[]);
}

/// What is doubled on the way up is halved on the way down.
#[test]
fn a_distance_is_carried_from_one_loop_into_the_next() {
    let kernel = |after: &str, first: &str, threads: &str| {
        format!(
            "kernel scan(x: f32[64], y: mut f32[64]) grid(1) block(32) {{
    shared s: f32[64];
    for t in threads(32, cuda_thread) {{ s[2 * t] = x[2 * t]; s[2 * t + 1] = x[2 * t + 1]; }}
    let mut off = 1;
    for d in 0..6 {{
        for t in threads(32, cuda_thread) {{ if t < 32 >> d {{
            let ai = off * (2 * t + 1) - 1; let bi = off * (2 * t + 2) - 1; s[bi] += s[ai]; }} }}
        off *= 2;
    }}
    for t in threads(32, cuda_thread) {{ if t == 0 {{ s[63] = 0.0; }} }}
    {after}
    for d in 0..6 {{
        {first}
        for t in threads(32, cuda_thread) {{ if t < {threads} {{
            let ai = off * (2 * t + 1) - 1; let bi = off * (2 * t + 2) - 1;
            let v = s[ai]; s[ai] = s[bi]; s[bi] += v; }} }}
    }}
    for t in threads(32, cuda_thread) {{ y[2 * t] = s[2 * t]; y[2 * t + 1] = s[2 * t + 1]; }}
}}\nrun scan(x: ones, y: zeros) expect y[0] == 0.0 && y[1] == 1.0 && y[63] == 63.0;\n"
        )
    };
    let right = check(&kernel("", "off /= 2;", "1 << d"));
    assert!(right.errors().is_empty(), "{}", right.report());
    for (after, first, threads) in [
        ("", "off /= 2;", "2 << d"),
        ("", "", "1 << d"),
        ("off += 1;", "off /= 2;", "1 << d"),
        ("off *= 2;", "off /= 2;", "1 << d"),
    ] {
        let wrong = check(&kernel(after, first, threads));
        assert!(!wrong.errors().is_empty(), "{after} {first} {threads}");
    }
}

/// Indices that no map states are computed in every thread.
#[test]
fn few_threads_are_gone_through_one_by_one() {
    let kernel = |body: &str| {
        format!(
            "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {{ for t in threads(64, cuda_thread) {{ {body} }} }}\n"
        )
    };
    for body in [
        "if t % 2 == 0 { y[t | 1] = x[t]; y[t] = x[t | 1]; }",
        "if t % 4 == 0 { for k in 0..3 { y[t | k + 1] = x[t]; } }",
        "y[t ^ (t & 1) << 1] = x[t];",
        "y[min(t * 2, 127 - t * 2)] = x[t];",
        "y[abs(t * 2 - 63) / 2 * 2 + (if t < 32 { 0 } else { 1 })] = x[t];",
        "let table: i64[4] = [2, 0, 3, 1]; y[t / 4 * 4 + table[t % 4]] = x[t];",
        "let table: i64[4] = [2, 0, 3, 1]; for k in 0..4 { if t < 16 { y[t * 4 + table[(k + t) % 4]] = x[t]; } }",
    ] {
        gives(&kernel(body), &[]);
    }
    for (body, code, parts) in [
        ("if t % 4 < 2 { y[t | 1] = x[t]; y[t] = x[t | 1]; }", "race", &["both write element 1"][..]),
        ("if t % 4 == 0 { for k in 0..3 { y[t | k + 2] = x[t]; } }", "race", &["both write element 4"]),
        ("y[t & (t >> 1)] = x[t];", "race", &["thread 0 and thread 1 both write element 0"]),
        ("y[t ^ (t << 1)] = x[t];", "out-of-bounds", &["becomes"]),
        ("y[min(t * 2, 126 - t * 2)] = x[t];", "race", &["both write element"]),
        ("let table: i64[4] = [2, 0, 2, 1]; y[t / 4 * 4 + table[t % 4]] = x[t];", "race", &["both write element 2"]),
        ("let table: i64[4] = [2, 0, 3, 1]; for k in 0..4 { y[t + table[k]] = x[t]; }", "out-of-bounds", &["becomes"]),
    ] {
        refused(&kernel(body), code, parts);
    }
}

/// So are the parts of an index that has others, which sizes decide.
#[test]
fn a_part_of_an_index_decides_the_thread() {
    let kernel = |place: &str| {
        format!(
            "dim B;\nkernel k(x: f32[B, 64], y: mut f32[B * 64]) block(64) {{ for b in grid(B) {{ for t in threads(64, cuda_thread) {{
    let table: i64[4] = [2, 0, 3, 1]; {place} }} }} }}\n"
        )
    };
    for place in ["y[b * 64 + (t ^ (t >> 1))] = x[b, t];", "if t % 2 == 0 { y[b * 64 + (t | 1)] = x[b, t]; }"] {
        let checked = check(&kernel(place));
        assert!(checked.errors().is_empty(), "{place}\n{}", checked.report());
        safe(&checked, place);
    }
    for place in [
        "y[b * 64 + (t & (t >> 1))] = x[b, t];",
        "y[b * 64 + table[t % 4]] = x[b, t];",
        "y[b * 63 + (t ^ (t >> 1))] = x[b, t];",
        "if t % 3 < 2 { y[b * 64 + (t | 1)] = x[b, t]; }",
    ] {
        refused(&kernel(place), "race", &[]);
    }
}

/// Where the elements of a merge begin in both arrays: the search keeps to the ends from which it began, also behind its loop.
#[test]
fn behind_a_search_its_ends_are_still_in_order() {
    let kernel = |low: &str, down: &str, condition: &str| {
        format!(
            "dim N, M;\nkernel merge(a: f32[N], b: f32[M], y: mut f32[N + M]) {{ for d in grid(N + M) {{
    let mut lo = {low}; let mut hi = min(d, N);
    while lo < hi max 64 {{
        let mid = lo + (hi - lo) / 2;
        if a[mid] <= b[d - 1 - mid] {{ lo = mid + 1; }} else {{ hi = {down}; }} }}
    let i = lo; let j = d - lo;
    {condition} }} }}\n"
        )
    };
    const MERGE: &str = "if i < N && (j >= M || a[i] <= b[j]) { y[d] = a[i]; } else { y[d] = b[j]; }";
    let low = "max(0, d - M)";
    for condition in ["if i < N && j < M { y[d] = min(a[i], b[j]); }", MERGE] {
        let checked = check(&kernel(low, "mid", condition));
        assert!(checked.errors().is_empty(), "{condition}\n{}", checked.report());
        safe(&checked, condition);
    }
    for (low, down, condition) in [
        (low, "mid", "y[d] = a[i];"),
        (low, "mid", "y[d] = b[j];"),
        (low, "mid", "if i < N && (j > M || a[i] <= b[j]) { y[d] = a[i]; } else { y[d] = b[j]; }"),
        (low, "max(mid - 1, 0)", MERGE),
        ("max(0, d - M) + 1", "mid", MERGE),
    ] {
        let checked = check(&kernel(low, down, condition));
        assert!(
            checked.errors().contains(&"out-of-bounds"),
            "accepted: {low} {down} {condition}\n{}",
            checked.report()
        );
    }
}

/// An index says who executes a statement under its conditions, and nothing of another statement under others.
#[test]
fn places_under_other_conditions_are_others() {
    for text in [
        "dim N;\nkernel k(a: mut f32[4 * N * N + 8]) { for (i, j) in grid(N, N) {
    if j <= i { a[i * (i + 1) / 2 + j] = 1.0; }
    if j >= i + 1 && j < 2 * i + 2 { a[i * (i + 1) / 2 + j] = 2.0; } } }\n",
        "dim B;\nkernel k(y: mut f32[B * 64]) block(64) { for b in grid(B) { for t in threads(64, cuda_thread) {
    if t % 2 == 0 { y[b * 64 + (t | 1)] = 1.0; }
    if t % 2 == 1 { y[b * 64 + (t | 1)] = 2.0; } } } }\n",
        "kernel k(y: mut f32[64]) grid(1) block(64) { for t in threads(64, cuda_thread) {
    if t % 2 == 0 { y[t | 1] = 1.0; }
    if t % 2 == 1 { y[t | 1] = 2.0; } } }\n",
    ] {
        refused(text, "race", &[]);
    }
    for text in [
        "dim N;\nkernel k(a: mut f32[N * (N + 1) / 2]) { for (i, j) in grid(N, N) {
    if j <= i { if j == 0 { a[i * (i + 1) / 2 + j] = 1.0; } else { a[i * (i + 1) / 2 + j] = 2.0; } } } }\n",
        "dim B;\nkernel k(y: mut f32[B * 64]) block(64) { for b in grid(B) { for t in threads(64, cuda_thread) {
    if t % 2 == 0 { y[b * 64 + (t | 1)] = 1.0; } } } }\n",
    ] {
        let checked = check(text);
        assert!(checked.errors().is_empty(), "{text}\n{}", checked.report());
        safe(&checked, text);
    }
}
