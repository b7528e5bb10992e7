//! Arrays of which every thread has its own.

use super::{gives, safe, says};
use crate::support::check;

/// A kernel of 64 threads, each with its number `t`.
fn of_threads(body: &str) -> String {
    format!(
        "dim N;
        kernel k(x: f32[64], at: i32[64], y: mut f32[64]) grid(1) block(64) {{
            for t in threads(64, cuda_thread) {{ {body} }}
        }}\n"
    )
}

#[test]
fn every_access_is_inside() {
    for right in [
        "let mut a: f32[4, 4] = 0.0; for i in 0..4 { for j in 0..4 { a[i, j] += x[t] * f32(j); } } y[t] = a[3, 3];",
        "let taps: f32[3] = [1.0, x[t], 1]; let mut s = 0.0; for k in 0..3 { s += taps[k]; } y[t] = s;",
        "let a: i32[2, 2] = [[1, 2], [3, 4]]; y[t] = f32(a[1, t % 2]);",
        // What a table of constants holds is known.
        "let order: i32[4] = [3, 1, 0, 2]; let a: f32[4] = x[t]; for k in 0..4 { y[t] += a[order[k]]; }",
        "let places: i64[2] = [5, 60]; y[t] = x[places[t / 32]];",
        "let mut a: f32[4] = 0.0; let k = at[t]; if k >= 0 && k < 4 { a[k] = 1.0; } y[t] = a[0];",
        "let mut seen: bool[8] = false; seen[t % 8] = true; if seen[3] { y[t] = 1.0; }",
        "let mut a: u8[16] = 0; a[t / 4] += 1; a[t % 16] <<= 1; y[t] = f32(a[0]);",
        "for k in 0..3 { let mut a: f32[2] = x[t]; a[k % 2] = 1.0; y[t] += a[0]; }",
        "let a: f32[255] = 0.0; y[t] = a[t];",
    ] {
        let checked = check(&of_threads(right));
        assert!(checked.errors().is_empty(), "{right}\n{}", checked.report());
        assert!(safe(&checked, right) > 0, "{right}");
    }
    for wrong in [
        "let mut a: f32[4] = 0.0; for i in 0..5 { a[i] = 1.0; } y[t] = a[0];",
        "let a: f32[4] = 0.0; y[t] = a[t];",
        "let a: f32[4] = 0.0; y[t] = a[at[t]];",
        // An element that is assigned may hold anything.
        "let mut order: i32[2] = [0, 1]; order[0] = at[t]; let a: f32[2] = 0.0; y[t] = a[order[1]];",
        "let order: i32[2] = [0, 2]; let a: f32[2] = 0.0; y[t] = a[order[1]];",
    ] {
        let checked = check(&of_threads(wrong));
        assert_eq!(checked.errors(), ["out-of-bounds"], "{wrong}\n{}", checked.report());
    }
}

/// No thread waits for another one because of them, and none races.
#[test]
fn threads_do_not_meet_in_them() {
    let text = of_threads("let mut a: f32[64] = 0.0; a[0] = x[t]; a[t] += a[0]; y[t] = a[63 - t];");
    let checked = gives(&text, &[]);
    assert!(!checked.kernel().unwrap().has_barriers());
    // Each thread has its own outside of the loop over threads, too, as it has of variables.
    let around = "kernel k(y: mut f32[64]) grid(1) block(64) {
        let mut a: f32[2] = 0.0;
        for t in threads(64, cuda_thread) { a[1] = f32(t); }
        for t in threads(64, cuda_thread) { y[t] = a[1]; }
    }\n";
    assert!(!gives(around, &[]).kernel().unwrap().has_barriers());
    // What they hold differs between threads, so nothing that depends on it is uniform.
    let waits = "kernel k(x: i32[64], y: mut f32[64]) grid(1) block(64) {
        shared s: f32[64];
        let mut a: i32[2] = 0;
        for t in threads(64, cuda_thread) { a[1] = x[t]; }
        if a[1] > 0 {
            for t in threads(64, cuda_thread) { s[t] = 1.0; }
            for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }
        }
    }\n";
    let checked = check(waits);
    assert_eq!(checked.errors(), ["unreached-barrier"], "{}", checked.report());
}

#[test]
fn mistakes_say_what_to_write() {
    for (wrong, code, parts) in [
        (
            "let a: f32[256] = 0.0; y[t] = a[0];",
            "thread-array",
            &["1024 bytes", "at most 1020", "`shared a : f32[…, 256];`"][..],
        ),
        ("let a: f32[3] = [1.0, 2.0]; y[t] = a[0];", "thread-array", &["has 3 elements, and this list 2"]),
        ("let a: f32[2, 2] = [1.0, 2.0]; y[t] = a[0, 0];", "thread-array", &["2 dimensions", "a list of 2"]),
        ("let a: f32[2] = [[1.0], [2.0]]; y[t] = a[0];", "thread-array", &["1 dimension", "a number is needed"]),
        ("let a: f32[N] = 0.0; y[t] = a[0];", "not-constant", &["the extent of an array of each thread"]),
        ("let a: f32[t] = 0.0; y[t] = a[0];", "wrong-kind", &["`t`"]),
        ("let a: f32[2] = 0.0; a[0] = 1.0; y[t] = a[0];", "immutable", &["`a` is assigned", "`mut`"]),
        ("let a: f32[2] = true; y[t] = a[0];", "type-mismatch", &["f32"]),
        ("let a: i8[2] = [1, 300]; y[t] = f32(a[0]);", "type-mismatch", &["300"]),
        ("let a: f32[2] = 0.0; y[t] = a;", "type-mismatch", &["`a`"]),
        ("let mut a: f32[2] = 0.0; a = 1.0; y[t] = a[0];", "immutable", &["`a[i] = …;`"]),
        ("let a: f32[2] = 0.0; y[t] = a[0, 1];", "index-count", &[]),
        (
            "let a: f32[2] = 0.0; view v = a via linear(2); y[t] = v[0];",
            "not-a-tensor",
            &["every thread has its own `a`"],
        ),
        ("let mut a: f32[2] = 0.0; atomic_add(a[0], 1.0); y[t] = a[0];", "wrong-atomic", &["every thread has its own"]),
        ("let a = [1.0, 2.0]; y[t] = a[0];", "wrong-type", &["declared with its type", "`let mut a: f32[4] = 0.0;`"]),
        ("let a: f32[0] = 0.0; y[t] = 1.0;", "zero-size", &[]),
    ] {
        let checked = check(&of_threads(wrong));
        assert_eq!(checked.errors(), [code], "{wrong}\n{}", checked.report());
        says(&checked, code, parts);
    }
}

/// In a kernel of tiles, a block's array is a tile, and threads by themselves have arrays of their own.
#[test]
fn beside_tiles() {
    let kernel = |block: &str, thread: &str| {
        format!(
            "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {{
                view px = partition(x, [64]);
                let t0 = px.load(0);
                {block}
                for t in threads(64, cuda_thread) {{ {thread} y[t] = t0.sum(); }}
            }}\n"
        )
    };
    let checked = check(&kernel("let a: f32[4] = 0.0;", ""));
    says(&checked, "tile-shape", &["its value is a number", "declared in a loop over `threads`"]);
    let text = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
        view px = partition(x, [64]);
        view py = partition(y, [64]);
        py.store(px.load(0) * 2.0, 0);
        for t in threads(64, cuda_thread) { let mut a: f32[2] = 1.0; a[t % 2] = 3.0; y[t] = a[0]; }
    }\n";
    let checked = check(text);
    assert!(checked.errors().iter().all(|code| *code != "thread-array"), "{}", checked.report());
}
