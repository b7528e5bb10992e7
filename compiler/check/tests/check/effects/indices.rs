//! Indices that are more than sums: exclusive ors, cyclic shifts, remainders, and what only a run knows.

use super::{checked, waits};

fn found(body: &str) -> Result<Vec<String>, Vec<&'static str>> {
    let head = "dim N;\nkernel k(n: i64, x: f32[128], v: i32[128], y: mut f32[128]) grid(1) block(64)";
    let checked = checked(&format!("{head} {{\nshared s : f32[128];\n{body}\n}}\n"));
    match &checked.kernel {
        Some(kernel) => Ok(waits(kernel)),
        None => Err(checked.diagnostics.iter().map(|found| found.page.code).collect()),
    }
}

#[track_caller]
fn refused(body: &str) {
    let found = found(body);
    assert!(found.as_ref().is_err_and(|codes| codes.contains(&"shared-race")), "{body}\n{found:?}");
}

fn of_threads(statements: &str) -> String {
    format!("for t in threads(64, cuda_thread) {{ {statements} }}")
}

const NONE: [&str; 0] = [];

#[test]
fn a_butterfly_exchanges_with_one_wait() {
    let by = |statement: &str| of_threads(&format!("let p = bit_xor(t, 1); if p >= 0 && p < 64 {{ {statement} }}"));
    assert_eq!(found(&by("s[p] = x[t];")).unwrap(), NONE);
    let exchange = [of_threads("s[t] = x[t];"), by("y[t] = s[p];")].concat();
    assert_eq!(found(&exchange).unwrap(), ["block"]);
    refused(&by("s[t] = s[p];"));
    refused(&by("s[p / 2] = x[t];"));
}

#[test]
fn cyclic_shifts_leave_threads_apart_however_far_they_go() {
    for end in ["10000", "N", "n"] {
        let shift = of_threads(&format!("for k in 0..{end} {{ s[(t + k) % 64] = x[t]; }}"));
        // The next iteration of another thread reaches the same element, and a thread alone cannot wait.
        refused(&shift);
        let shift = format!("for k in 0..{end} {{ {} }}", of_threads("s[(t + k) % 64] = x[t];"));
        assert_eq!(found(&shift).unwrap(), ["block"], "{end}");
    }
}

#[test]
fn rows_of_threads_stay_apart_whatever_the_sum_of_iterators_is() {
    let loops = |row: i64, index: &str| {
        of_threads(&format!(
            "if t < 8 {{ for a in 0..16 {{ for b in 0..16 {{ for c in 0..16 {{ s[{row} * t + {index}] = x[t]; }} }} }} }}"
        ))
    };
    assert_eq!(found(&loops(16, "(a + b + c) % 16")).unwrap(), NONE);
    refused(&loops(15, "(a + b + c) % 16"));
}

#[test]
fn what_a_byte_holds_stays_in_the_row_of_its_thread() {
    let rows = |row: i64| of_threads(&format!("let place = i64(bit_and(v[t], 1)); s[{row} * t + place] = x[t];"));
    assert_eq!(found(&rows(2)).unwrap(), NONE);
    refused(&rows(1));
}

#[test]
fn a_minimum_is_no_greater_than_its_operands() {
    let own = |end: &str| of_threads(&format!("let last = min(t + 1, n); for k in t..{end} {{ s[k] = x[t]; }}"));
    assert_eq!(found(&own("last")).unwrap(), NONE);
    assert!(found(&own("min(t + 2, n)")).is_err());
}

/// Arithmetic on data wraps, and then says nothing about its operands.
#[test]
fn sums_that_may_wrap_bound_nothing() {
    let column = |sum: &str| of_threads(&format!("let place = i64(bit_and({sum}, 1)); s[t + 64 * place] = x[t];"));
    assert_eq!(found(&column("v[t] + v[t]")).unwrap(), NONE);
    let guarded = |condition: &str| of_threads(&format!("if {condition} {{ s[t / 2] = x[t]; }}"));
    refused(&guarded("v[t] * 2 == i32(t)"));
    refused(&guarded("i64(v[t]) + n >= t"));
    assert_eq!(found(&guarded("t % 2 == 0")).unwrap(), NONE);
}
