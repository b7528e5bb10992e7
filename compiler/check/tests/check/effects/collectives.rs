//! What is uniform in a collective, and what is known of threads that do not go in.

use super::{checked, waits};

/// What is found in a kernel of one block of four warps, and its barriers where it is accepted.
fn found(body: &str) -> Result<Vec<String>, Vec<&'static str>> {
    let head = "kernel k(n: i64, x: f32[128], v: i64[128], y: mut f32[128]) grid(1) block(128)";
    let checked = checked(&format!("{head} {{\nshared s : f32[130];\n{body}\n}}\n"));
    match &checked.kernel {
        Some(kernel) => Ok(waits(kernel)),
        None => Err(checked.diagnostics.iter().map(|found| found.page.code).collect()),
    }
}

#[track_caller]
fn refused(body: &str, code: &str) {
    let found = found(body);
    assert!(found.as_ref().is_err_and(|codes| codes.contains(&code)), "{body}\n{found:?}");
}

/// Lanes of warp `w` exchange.
const EXCHANGE: &str = "for t in threads(32, cuda_thread) { s[32 * w + t] = x[32 * w + t]; }
    for t in threads(32, cuda_thread) { y[32 * w + t] = s[32 * w + 31 - t]; }";

/// All threads of the block exchange.
const EXCHANGE_ALL: &str = "for t in threads(128, cuda_thread) { s[t] = x[t]; }
    for t in threads(128, cuda_thread) { y[t] = s[127 - t]; }";

#[test]
fn a_thread_that_a_part_of_a_condition_excludes_does_not_go_in() {
    let halo = |first: &str, last: &str| {
        format!(
            "for t in threads(128, cuda_thread) {{
                s[t + 1] = x[t];
                if {first} {{ s[0] = x[t]; }}
                if {last} {{ s[129] = x[t]; }} else {{ y[t] = 0.0; }}
            }}
            for t in threads(128, cuda_thread) {{ y[t] = s[t] + s[t + 2]; }}"
        )
    };
    assert_eq!(found(&halo("t == 0 && n > 0", "t == 127 && n > 0")).unwrap(), ["block"]);
    assert_eq!(found(&halo("n > 0 && x[t] > 0.0 && t == 0", "!(t != 127 || n > 0)")).unwrap(), ["block"]);
    refused(&halo("t <= 1 && n > 0", "t == 127 && n > 0"), "shared-race");
    refused(&halo("t == 0 || n > 0", "t == 127 && n > 0"), "shared-race");
    // One thread at most is the `n`th.
    assert_eq!(found(&halo("t == n", "t == 127 && n > 0")).unwrap(), ["block"]);
    refused(&halo("t != n", "t == 127 && n > 0"), "shared-race");
    refused(&halo("t == 0 && n > 0", "!(t != 127 && n > 0)"), "shared-race");
}

#[test]
fn those_who_pass_by_run_the_other_side() {
    let sides = |then: &str, otherwise: &str| {
        format!("for t in threads(128, cuda_thread) {{ if t < 64 && n > 0 {{ {then} }} else {{ {otherwise} }} }}")
    };
    assert_eq!(found(&sides("s[t] = 1.0;", "s[t] = 2.0;")).unwrap(), [""; 0]);
    assert_eq!(found(&sides("s[t + 64] = 1.0;", "y[t] = x[t];")).unwrap(), [""; 0]);
    refused(&sides("s[t + 64] = 1.0;", "s[t] = 2.0;"), "shared-race");
    refused(&sides("y[t] = x[t];", "s[t % 64] = 2.0;"), "shared-race");
}

#[test]
fn a_row_that_no_thread_knows_leaves_the_column() {
    let columns = |index: &str| {
        format!(
            "shared rows : f32[4, 33];
            for w in threads(1, cuda_warp) {{
                for t in threads(32, cuda_thread) {{ for k in 0..9 {{ let v = bit_and(v[k], 3); rows[{index}] += 1.0; }} }}
            }}"
        )
    };
    assert_eq!(found(&columns("v, t")).unwrap(), [""; 0]);
    assert_eq!(found(&columns("v, 32 - t")).unwrap(), [""; 0]);
    refused(&columns("v, t / 2"), "shared-race");
    refused(&columns("v, 0"), "shared-race");
    // A column more or less does not reach the next row.
    assert_eq!(found(&columns("v, t + v % 2")).unwrap(), [""; 0]);
    // Who reads all columns waits for all threads.
    let read = "for t in threads(32, cuda_thread) { y[t] = rows[0, 31 - t]; }";
    assert_eq!(found(&columns("v, t").replace("1.0; } }", &format!("1.0; }} }} {read}"))).unwrap(), ["32 lanes"]);
}

#[test]
fn a_shift_is_known_where_its_operands_are() {
    let tree = |read: &str| {
        format!(
            "for t in threads(128, cuda_thread) {{ s[t] = x[t]; }}
            for k in 0..7 {{ for t in threads(128, cuda_thread) {{
                let d = shift_right(64, k);
                if t < d {{ s[t] += s[{read}]; }}
            }} }}"
        )
    };
    assert_eq!(found(&tree("t + d")).unwrap(), ["block"]);
    refused(&tree("t + d - 1"), "shared-race");
    refused(&tree("t + shift_left(d, 1) / 4"), "shared-race");
}

#[test]
fn a_warp_may_wait_where_a_condition_is_uniform_in_it() {
    let when = |condition: &str| format!("for w in threads(4, cuda_warp) {{ if {condition} {{ {EXCHANGE} }} }}");
    assert_eq!(found(&when("w < 2")).unwrap(), ["32 lanes"]);
    assert_eq!(found(&when("4 * n + w < 9")).unwrap(), ["32 lanes"]);
    assert_eq!(found(&when("x[w] > 0.0")).unwrap(), ["32 lanes"]);
    let lane = "for w in threads(4, cuda_warp) { let mut a = 0.0; for t in threads(32, cuda_thread) { a = x[t]; }";
    refused(&format!("{lane} if a > 0.0 {{ {EXCHANGE} }} }}"), "unreached-barrier");
    let row = format!("for w in threads(4, cuda_warp) {{ let row = 4 * n + w; if row < 9 {{ {EXCHANGE} }} }}");
    assert_eq!(found(&row).unwrap(), ["32 lanes"]);
    let rounds = format!("for w in threads(4, cuda_warp) {{ for k in 0..w + n {{ {EXCHANGE} }} }}");
    assert_eq!(found(&rounds).unwrap(), ["32 lanes", "32 lanes"]);
    let lanes = format!(
        "for w in threads(4, cuda_warp) {{
            let mut a = 0; for t in threads(32, cuda_thread) {{ a = n + t; }}
            if a < 9 {{ {EXCHANGE} }}
        }}"
    );
    refused(&lanes, "unreached-barrier");
}

#[test]
fn what_warps_see_differently_is_no_place_for_more_than_a_warp() {
    let before =
        |assign: &str, then: &str| format!("let mut a = 0; for w in threads(4, cuda_warp) {{ {assign} }}\n{then}");
    let block = |condition: &str| format!("if {condition} {{ {EXCHANGE_ALL} }}");
    let warps = |condition: &str| format!("for w in threads(4, cuda_warp) {{ if {condition} {{ {EXCHANGE} }} }}");
    for assign in
        ["a = n + w;", "if n + w < 2 { a = 5; }", "for k in 0..n + w { a = 5; }", "for k in 0..n + w { a += 1; }"]
    {
        refused(&before(assign, &block("a > n")), "unreached-barrier");
        assert_eq!(found(&before(assign, &warps("a > n"))).unwrap(), ["32 lanes"], "{assign}");
    }
    assert_eq!(found(&before("a = n;", &warps("a > n"))).unwrap(), ["32 lanes"]);
    let pairs = "for p in threads(2, 2 * cuda_warp) { if a > n {
        for t in threads(64, cuda_thread) { s[64 * p + t] = x[64 * p + t]; }
        for t in threads(64, cuda_thread) { y[64 * p + t] = s[64 * p + 63 - t]; }
    } }";
    refused(&before("a = n + w;", pairs), "unreached-barrier");
}

#[test]
fn warps_on_both_sides_of_a_branch_are_there_at_the_same_time() {
    let sides = |then: &str, otherwise: &str| {
        format!("for w in threads(4, cuda_warp) {{ if n + w < 2 {{ {then} }} else {{ {otherwise} }} }}")
    };
    assert_eq!(found(&sides(EXCHANGE, EXCHANGE)).unwrap(), ["32 lanes", "32 lanes"]);
    let write = "for t in threads(32, cuda_thread) { s[32 * w + t] = x[t]; }";
    let other = "for t in threads(32, cuda_thread) { y[32 * w + t] = s[96 - 32 * w + t]; }";
    refused(&sides(write, other), "shared-race");
    refused(&sides(other, write), "shared-race");
}
