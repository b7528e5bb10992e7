//! Distances that are powers of two and change from iteration to iteration: trees, scans, sorting networks.

use super::safe::safe;
use super::says;
use crate::support::{Checked, check};

/// A block of 64 threads that exchanges elements of `s`: each iteration over `l` and `d` is one step.
fn steps(header: &str, body: &str) -> String {
    format!(
        "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {{
    shared s : f32[64];
    for t in threads(64, cuda_thread) {{ s[t] = x[t]; }}
    {header} for t in threads(64, cuda_thread) {{ {body} }} }}
    for t in threads(64, cuda_thread) {{ y[t] = s[t]; }}
}}\n"
    )
}

#[track_caller]
fn accepted(text: &str) {
    let checked = check(text);
    assert_eq!(checked.errors(), [""; 0], "{}", checked.report());
    assert!(safe(&checked, text) > 0);
}

#[track_caller]
fn refused(text: &str, code: &str) -> Checked {
    let checked = check(text);
    assert!(checked.errors().contains(&code), "{}", checked.report());
    checked
}

const ASCENDING: &str = "for l in 0..6 { let d = shift_left(1, l);";
const DESCENDING: &str = "for l in 0..6 { let d = shift_left(1, 5 - l);";

#[test]
fn trees() {
    accepted(&steps(ASCENDING, "if t % (2 * d) == 0 { s[t] = s[t] + s[t + d]; }"));
    accepted(&steps(ASCENDING, "let i = 2 * d * t; if i + d < 64 { s[i] += s[i + d]; }"));
    accepted(&steps(DESCENDING, "if t < d { s[t] += s[t + d]; }"));
    accepted(&steps("for l in 0..6 { let d = shift_right(32, l);", "if t < d { s[t] += s[t + d]; }"));
}

#[test]
fn the_sweeps_of_a_scan() {
    let up = "if t < 32 / d { let i = d * (2 * t + 1) - 1; s[i + d] += s[i]; }";
    accepted(&steps(ASCENDING, up));
    let down = "if t < 32 / d { let i = d * (2 * t + 1) - 1; let v = s[i]; s[i] = s[i + d]; s[i + d] += v; }";
    accepted(&steps(DESCENDING, down));
}

#[test]
fn a_scan_through_two_buffers() {
    let text = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[2, 64];
    for t in threads(64, cuda_thread) { s[0, t] = x[t]; }
    for l in 0..6 {
        let d = shift_left(1, l); let from = l % 2; let to = 1 - from;
        for t in threads(64, cuda_thread) {
            if t >= d { s[to, t] = s[from, t] + s[from, t - d]; } else { s[to, t] = s[from, t]; }
        }
    }
    for t in threads(64, cuda_thread) { y[t] = s[0, t]; }
}\n";
    accepted(text);
}

#[test]
fn a_sorting_network() {
    let header = "for p in 1..5 { for q in 0..p { let d = shift_left(1, p - 1 - q);";
    let body = "let o = bit_xor(t, d); if o > t { let a = s[t]; let b = s[o]; if a > b { s[t] = b; s[o] = a; } } }";
    accepted(&steps(header, body));
}

#[test]
fn a_step_in_which_threads_meet_is_refused_with_them() {
    let checked = refused(&steps(ASCENDING, "if t + d < 64 { s[t] = s[t] + s[t + d]; }"), "shared-race");
    says(&checked, "shared-race", &["thread 0", "thread 1"]);
    refused(&steps(ASCENDING, "if t % d == 0 { if t + d < 64 { s[t] = s[t] + s[t + d]; } }"), "shared-race");
    refused(&steps(DESCENDING, "if t <= d && t + d < 64 { s[t] += s[t + d]; }"), "shared-race");
}

#[test]
fn a_step_that_leaves_the_array_is_refused_with_its_iteration() {
    let checked = refused(&steps(ASCENDING, "if t % d == 0 { s[t] = s[t] + s[t + d]; }"), "out-of-bounds");
    says(&checked, "out-of-bounds", &["becomes 64", "thread 63 (at l = 0)"]);
    refused(&steps("for l in 0..7 { let d = shift_left(1, l);", "if t < d { s[t] += s[t + d]; }"), "out-of-bounds");
}

/// Iterations beyond a number are not looked at one by one.
#[test]
fn a_loop_with_many_iterations_is_no_row_of_cases() {
    let header = "for l in 0..1000000 { let d = shift_left(1, l % 6);";
    let bounded = check(&steps(header, "if t + d < 64 { y[t] = x[t + d]; }"));
    assert_eq!(bounded.errors(), [""; 0], "{}", bounded.report());
    refused(&steps(header, "if t % (2 * d) == 0 { s[t] += s[t + d]; }"), "out-of-bounds");
}
