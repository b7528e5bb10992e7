//! Loops that are left: `break`, `continue`, and `while` with a bound.

use super::{gives, safe, says};
use crate::support::check;

/// A kernel of one thread.
fn of_one(body: &str) -> String {
    format!(
        "dim N;
        kernel k(x: f32[N], at: i32[8], n: i32, y: mut f32[N]) grid(1) block(1) {{ {body} }}\n"
    )
}

/// A kernel of 64 threads.
fn of_block(body: &str) -> String {
    format!(
        "kernel k(x: f32[64], n: i32, y: mut f32[64]) grid(1) block(64) {{
            shared s: f32[64];
            let mut mine = 0.0;
            {body}
        }}\n"
    )
}

#[test]
fn what_follows_knows_that_the_loop_was_not_left() {
    for right in [
        "for i in 0..100 { if i >= N { break; } y[i] = x[i]; }",
        "for i in 0..100 { if i >= N { continue; } y[i] = x[i]; }",
        "for i in 0..100 step 3 { if i >= N { break; } y[i] = x[i]; if x[i] > 1.0 { break; } y[i] += 1.0; }",
        "for i in 0..100 { if i < 2 { y[0] = 1.0; if i >= N { break; } } else if i >= N { break; } y[0] += 1.0; }",
        "for i in 0..8 { let k = at[i]; if k < 0 || k >= N { continue; } y[k] = 1.0; }",
        "let mut i = 0; while i < N max 100 { if i >= 0 { y[i] = 1.0; } i += 1; }",
        "let mut i = N; while i > 0 max N { i = i / 2; }",
        "let mut lo = 0; let mut hi = N; while lo < hi max 64 {
            let mid = (lo + hi) / 2; if mid < 0 || mid >= N { break; }
            if x[mid] < 1.0 { lo = mid + 1; continue; } hi = mid; }",
        "for i in 0..N { for j in 0..8 { if at[j] == 3 { break; } y[i] += 1.0; } if x[i] > 3.0 { break; } }",
        "for i in 0..4 { break; }",
        "for i in 0..N { y[i] = 1.0; continue; }",
        "while true max n { if n > 3 { break; } else { continue; } }",
    ] {
        let checked = check(&of_one(right));
        assert!(checked.errors().is_empty(), "{right}\n{}", checked.report());
        safe(&checked, right);
    }
    for wrong in [
        "for i in 0..100 { y[i] = x[i]; if i + 1 >= N { break; } }",
        "for i in 0..100 { if i >= N { y[0] = 1.0; } y[i] = x[i]; }",
        "for i in 0..100 { if x[0] > 1.0 { if i >= N { break; } } y[i] = x[i]; }",
        "let mut i = 0; while i < N max 100 { i += 1; y[i] = 1.0; }",
        // Behind the loop nothing is known of why it ended.
        "let mut i = 0; while i < 8 max 4 { i += 1; } y[i] = 1.0;",
        "let mut k: i32 = 0; for i in 0..8 { k = at[i]; if k >= 0 && k < N { break; } } y[k] = 1.0;",
    ] {
        let checked = check(&of_one(wrong));
        let errors = checked.errors();
        assert!(!errors.is_empty(), "{wrong}");
        assert!(errors.iter().all(|code| *code == "out-of-bounds"), "{wrong}\n{}", checked.report());
    }
}

/// A loop that all threads leave together may have barriers, and one that each leaves by itself none.
#[test]
fn barriers_stand_where_all_threads_go_on() {
    let turn = "for t in threads(64, cuda_thread) { s[t] = x[t]; }
        for t in threads(64, cuda_thread) { y[t] += s[63 - t]; }";
    for uniform in [
        format!("for k in 0..10 {{ {turn} if k == i64(n) {{ break; }} }}"),
        format!("for k in 0..10 {{ if i64(n) > k {{ continue; }} {turn} }}"),
        format!("let mut k: i32 = 0; while k < n max 5 {{ {turn} k += 1; }}"),
        format!("while s[0] < 3.0 max 5 {{ {turn} if s[1] > 1.0 {{ break; }} }}"),
    ] {
        let checked = gives(&of_block(&uniform), &[]);
        assert!(checked.kernel().unwrap().has_barriers(), "{uniform}");
    }
    let own = "for t in threads(64, cuda_thread) { mine = x[t]; }";
    for divergent in [
        format!("{own} for k in 0..10 {{ {turn} if mine > 1.0 {{ break; }} }}"),
        format!("{own} for k in 0..10 {{ if mine > f32(k) {{ continue; }} {turn} }}"),
        format!("{own} while mine > 0.0 max 10 {{ {turn} mine -= 1.0; }}"),
    ] {
        let checked = check(&of_block(&divergent));
        assert_eq!(checked.errors(), ["unreached-barrier"], "{divergent}\n{}", checked.report());
    }
    // What is shared may be read behind such a loop.
    let after = "for t in threads(64, cuda_thread) { s[t] = x[t]; while s[t] > 1.0 max 9 { s[t] = s[t] / 2.0; } }
        for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }";
    assert!(gives(&of_block(after), &[]).kernel().unwrap().has_barriers());
}

/// Stores of iterations that may be missing write nothing for sure.
#[test]
fn a_loop_that_may_end_early_covers_nothing() {
    let text = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(1) {
        shared s: f32[64];
        for i in 0..64 { if x[i] > 3.0 { break; } s[i] = x[i]; }
        for i in 0..64 { y[i] = s[i]; }
    }\n";
    let cleared = |text: &str| gives(text, &[]).kernel().unwrap().shared[kernel::typed::SharedId(0)].cleared;
    assert!(cleared(text));
    assert!(!cleared(&text.replace("if x[i] > 3.0 { break; } ", "")));
    let bounded = text.replace(
        "for i in 0..64 { if x[i] > 3.0 { break; } s[i]",
        "let mut i = 0; while i < 64 max 64 { if i >= 0 { s[i]",
    );
    let bounded = bounded.replace("s[i] = x[i]; }", "s[i] = x[i]; } i += 1; }");
    assert!(cleared(&bounded), "{bounded}");
}

#[test]
fn mistakes_say_what_to_write() {
    for (wrong, code, parts) in [
        ("break;", "loop-exit", &["no loop around this `break`"][..]),
        ("if n > 0 { continue; }", "loop-exit", &["no loop around this `continue`"]),
        ("for i in 0..4 { with threads(0..1, cuda_thread) { break; } }", "loop-exit", &["from within a `with`"]),
        (
            "for i in 0..4 { for t in threads(1, cuda_thread) { break; } }",
            "loop-exit",
            &["over `threads`", "`continue;`"],
        ),
        ("let mut i = 0; while i < 4 { i += 1; }", "bounded-loop", &["at most", "`max n`"]),
        ("while n max 4 { y[0] = 1.0; }", "type-mismatch", &["bool"]),
        ("while true max 1.5 { y[0] = 1.0; }", "type-mismatch", &["integer"]),
        ("return;", "unknown-local", &["nothing leaves a kernel early"]),
    ] {
        let text = of_one(&wrong.replace("y[0] = 1.0;", ""));
        let checked = check(&text);
        assert_eq!(checked.errors(), [code], "{wrong}\n{}", checked.report());
        says(&checked, code, parts);
    }
    let grid = "kernel k(y: mut f32[8]) { for i in grid(8) { if i > 3 { break; } y[i] = 1.0; } }\n";
    says(&gives(grid, &["loop-exit"]), "loop-exit", &["over `grid`"]);
    let many = "if n == 1 { break; } ".repeat(80);
    says(&check(&of_one(&format!("for i in 0..4 {{ {many} }}"))), "loop-exit", &["more than 64", "`||`"]);
    let bounded = check(&of_one("while n > 3 { }"));
    let mended = bounded.applied(&bounded.findings[0].fixes[0]);
    assert!(check(&mended).errors().is_empty(), "{mended}");
}

/// Each iteration of a loop over the grid or over threads may leave out the rest of its own body.
#[test]
fn iterations_that_are_executed_at_the_same_time_skip_their_rest() {
    for right in [
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) { for i in grid(N) { if i % 2 == 0 { continue; } y[i] = x[i]; } }",
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) { for i in grid(100) { if i >= N { continue; } y[i] = x[i]; } }",
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) { for i in grid(N) {
            if x[i] > 1.0 { y[i] = 1.0; if x[i] > 2.0 { continue; } y[i] += 1.0; } else if x[i] < 0.0 { continue; }
            y[i] += 2.0; } }",
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) block(64) {
            for b in grid(cdiv(N, 64)) { for t in threads(64, cuda_thread) {
                let i = b * 64 + t; if i >= N { continue; } y[i] = x[i]; } } }",
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) block(64) {
            for b in grid(cdiv(N, 64)) { if b == 3 { continue; } for t in threads(64, cuda_thread) {
                let i = b * 64 + t; if i < N { y[i] = x[i]; } } } }",
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) grid(1) block(64) {
            shared s: f32[64];
            for t in threads(64, cuda_thread) { s[t] = f32(t); if t >= N { continue; } y[t] = x[t]; } }",
        // A loop within has its own iterations.
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) { for i in grid(N) { let mut s = 0.0;
            for j in 0..8 { if at[j] < 0 || at[j] >= N { continue; } s += x[at[j]]; }
            if s == 0.0 { continue; } y[i] = s; } }",
        "kernel k(x: f32[N], at: i32[8], y: mut f32[N]) { for i in grid(N) { y[i] = 1.0; continue; } }",
    ] {
        let checked = check(&format!("dim N;\n{right}\n"));
        assert!(checked.errors().is_empty(), "{right}\n{}", checked.report());
        safe(&checked, right);
    }
    for (wrong, code) in [
        ("for i in grid(100) { y[i] = 1.0; if i >= N { continue; } }", "out-of-bounds"),
        ("for i in grid(100) { if x[0] > 1.0 { if i >= N { continue; } } y[i] = 1.0; }", "out-of-bounds"),
        ("for i in grid(N) { if i > 3 { break; } continue; }", "loop-exit"),
    ] {
        gives(&format!("dim N;\nkernel k(x: f32[N], y: mut f32[N]) {{ {wrong} }}\n"), &[code]);
    }
}

/// Behind a `continue` that some threads reach and others do not, no thread can wait for the others.
#[test]
fn a_barrier_behind_a_skipped_rest_stands_under_its_condition() {
    let kernel = |condition: &str| {
        format!(
            "kernel k(x: f32[64], n: i32, y: mut f32[64]) block(64) {{
                view own = x via reshape_map([1] | [64] => layout: [i0, t0]);
                shared s: f32[64];
                for b in grid(1) {{
                    if {condition} {{ continue; }}
                    for t in threads(64, cuda_thread) {{ s[t] = x[t]; }}
                    for t in threads(64, cuda_thread) {{ y[t] = s[63 - t]; }}
                }}
            }}\n"
        )
    };
    for uniform in ["n > 3", "b == 7", "x[0] > 1.0"] {
        let checked = check(&kernel(uniform));
        assert!(checked.errors().is_empty(), "{uniform}\n{}", checked.report());
        safe(&checked, uniform);
    }
    gives(&kernel("own[0] > 1.0"), &["unreached-barrier"]);
}
