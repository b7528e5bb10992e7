//! Loops with a step: `for i in lo..hi step s`.

use super::{gives, says};
use crate::support::check;

/// A kernel of 64 threads, each with its number `t`.
fn of_threads(body: &str) -> String {
    format!(
        "dim N, S;
        kernel k(x: f32[N], at: i64[3], y: mut f32[N]) grid(1) block(64) {{
            for t in threads(64, cuda_thread) {{ {body} }}
        }}\n"
    )
}

/// A kernel of one thread.
fn of_one(body: &str) -> String {
    format!("dim N, S; kernel k(x: f32[N], at: i64[3], y: mut f32[N]) grid(1) block(1) {{ {body} }}\n")
}

#[test]
fn an_iterator_is_known_as_well_as_one_that_counts_by_one() {
    for right in [
        "for i in 0..N step 2 { y[i] = x[i]; }",
        "for i in 1..N step 2 { y[i] = x[i - 1]; }",
        "for i in 0..N step 2 { if i + 1 < N { y[i + 1] = x[i]; } y[i] = x[i]; }",
        "for i in 0..N - N % 4 step 4 { for j in 0..4 { y[i + j] = x[i + j]; } }",
        "for i in 0..N step S { y[i] = x[i]; for j in i..min(i + S, N) { y[j] = x[j]; } }",
        "for i in 0..N step 1 << 3 { y[i] = x[i]; }",
        "for i in 5..3 step 2 { y[i] = x[i]; }",
        "for i in at[0]..at[1] step 3 { if i >= 0 && i < N { y[i] = x[i]; } }",
        "for i in max(at[0], 0)..min(at[1], N) step max(at[2], 1) { y[i] = x[i]; }",
        "if at[2] > 0 { for i in 0..N step at[2] { y[i] = x[i]; } }",
    ] {
        let checked = check(&of_one(right));
        assert!(checked.errors().is_empty(), "{right}\n{}", checked.report());
        super::safe(&checked, right);
    }
    for right in [
        "for i in t..N step 64 { y[i] = x[i]; }",
        "for i in t..N step 128 { y[i] = x[i]; }",
        "for i in 2 * t..N step 128 { y[i] = x[i]; if i + 1 < N { y[i + 1] = x[i]; } }",
    ] {
        let checked = check(&of_threads(right));
        assert!(checked.errors().is_empty(), "{right}\n{}", checked.report());
        super::safe(&checked, right);
    }
}

#[test]
fn what_is_wrong_for_some_iteration_is_refused() {
    for wrong in [
        "for i in 0..N step 2 { y[i] = x[i + 1]; }",
        "for i in 0..N + 1 step 2 { y[i] = x[i]; }",
        "for i in 0..N step 4 { for j in 0..4 { y[i + j] = x[i + j]; } }",
        "for i in at[0]..at[1] step 3 { y[i] = x[i]; }",
        "for i in 0..at[1] step 3 { y[i] = x[i]; }",
    ] {
        let checked = check(&of_one(wrong));
        assert!(checked.errors().contains(&"out-of-bounds"), "{wrong}\n{}", checked.report());
    }
    for (wrong, code) in [
        ("for i in t..N step 32 { y[i] = x[i]; }", "race"),
        ("for i in t..N step S { y[i] = x[i]; }", "race"),
        ("for i in t..N step 64 { y[i] = x[i]; if i + 1 < N { y[i + 1] = x[i]; } }", "race"),
    ] {
        let checked = check(&of_threads(wrong));
        assert_eq!(checked.errors().first(), Some(&code), "{wrong}\n{}", checked.report());
    }
}

/// Both ends and the step are those before the loop, whatever the body assigns.
#[test]
fn the_range_is_evaluated_once() {
    let body = "let mut lo = 0; let mut hi = N; let mut by = 2;
        for i in lo..hi step by { y[i] = x[i]; lo += 5; hi += 7; by -= 3; }";
    let checked = check(&of_one(body));
    assert!(checked.errors().is_empty(), "{}", checked.report());
    super::safe(&checked, body);
}

#[test]
fn a_step_is_known_to_be_positive() {
    for (step, parts) in [
        ("0", ["not by 0", "never end"]),
        ("-2", ["not by -2", "count down in the body"]),
        ("N - 1", ["`N - 1` is positive", "state the fact"]),
        ("at[2]", ["nothing says", "`max(…, 1)`"]),
    ] {
        let checked = check(&of_one(&format!("for i in 0..N step {step} {{ y[i] = x[i]; }}")));
        assert_eq!(checked.errors(), ["loop-step"], "{}", checked.report());
        says(&checked, "loop-step", &parts);
    }
    for step in ["1.5", "true"] {
        let checked = check(&of_one(&format!("for i in 0..N step {step} {{ y[i] = x[i]; }}")));
        assert_eq!(checked.errors(), ["type-mismatch"], "{}", checked.report());
    }
    gives("kernel k(y: mut f32[8]) { for i in grid(8) step 2 { y[i] = 1.0; } }\n", &["loop-step"]);
    let of_threads = check(&of_threads("").replace("threads(64, cuda_thread)", "threads(64, cuda_thread) step 2"));
    assert_eq!(of_threads.errors(), ["loop-step"], "{}", of_threads.report());
}

#[test]
fn an_iterator_is_not_assigned() {
    let checked = check(&of_one("for i in 0..N step 2 { i = 3; }"));
    assert_eq!(checked.errors(), ["immutable"], "{}", checked.report());
}
