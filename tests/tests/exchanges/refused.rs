//! Exchanges that cannot be, each with its one error.

use crate::support::check;

/// The codes of the errors in a loop over 64 threads of two warps, with 2 × 4 lanes in it.
fn errors(statements: &str) -> Vec<&'static str> {
    let text = format!(
        "dim N;
kernel k(x: f32[64], c: bool[64], n: i64, y: mut f32[64]) grid(1) block(64) {{
    for w in threads(2, cuda_warp) {{
        for q in threads(8, 4 * cuda_thread) {{
            for t in threads(4, cuda_thread) {{
                let i = 32 * w + 4 * q + t;
                {statements}
                y[i] = 1.0;
            }}
        }}
    }}
}}
"
    );
    check(&text).errors()
}

const NONE: [&str; 0] = [];

#[test]
fn right_exchanges_are_accepted() {
    for statements in [
        "let s = sum(x[i], over: q) + max(x[i], over: w) + shuffle(x[i], t) * f32(ballot(c[i]));",
        "if n > 3 { let s = cumsum(x[i], over: block); }",
        "for k in 0..n { let s = min(x[i], over: w); }",
        "if w == 1 { let s = prod(x[i], over: w); } else { let s = any(c[i], over: warp); }",
        "if q == 1 { let s = sum(x[i], over: q); }",
        "if sum(x[i], over: w) > 1.0 { let s = shuffle_xor(x[i], 1); }",
        "if sum(x[i], over: q) > 1.0 { let s = sum(x[i], over: q); }",
        "if shuffle(x[i], 0) > 1.0 { let s = shuffle_xor(x[i], 1); }",
        "if ballot(c[i]) > 5 { let s = sum(i32(i), over: warp); }",
        "if any(c[i], over: block) { let s = sum(1, over: block); } else if all(c[i], over: w) { let s = sum(2, over: w); }",
        "for k in 0..i64(max(x[i], over: block)) { let s = sum(x[i], over: block); }",
        "let mut s = 0.0; for k in 0..3 { s = max(s + x[i], over: w); if s > 2.0 { s = sum(s, over: w); } }",
    ] {
        assert_eq!(errors(statements), NONE, "{statements}");
    }
}

#[test]
fn threads_that_do_not_all_come_are_refused() {
    for statements in [
        "if c[i] { let s = sum(x[i], over: w); }",
        "if t == 0 { let s = shuffle(x[i], 0); }",
        "if q == 1 { let s = sum(x[i], over: w); }",
        "if w == 1 { let s = sum(x[i], over: block); }",
        "for k in 0..t { let s = ballot(c[i]); }",
        "if sum(x[i], over: q) > 1.0 { let s = sum(x[i], over: w); }",
        "if shuffle(x[i], t) > 1.0 { let s = shuffle_xor(x[i], 1); }",
        "if shuffle_up(x[i], 1) > 1.0 { let s = shuffle_xor(x[i], 1); }",
        "if cumsum(x[i], over: w) > 1.0 { let s = sum(x[i], over: w); }",
        "if c[i] { let s = 1; } else { let s = any(c[i], over: q); }",
    ] {
        assert_eq!(errors(statements), ["threads-apart"], "{statements}");
    }
}

#[test]
fn exchanges_that_cannot_be_are_refused() {
    for statements in [
        "let s = if n > 1 { sum(x[i], over: w) } else { 0.0 };",
        "let s = c[i] && any(c[i], over: w);",
        "let s = c[i] || ballot(c[i]) > 1;",
        "let s = sum(x[i]);",
        "let s = sum(x[i], over: n);",
        "let s = sum(x[i], over: x);",
        "let s = sum(x[i], over: 3);",
        "let s = sum(x[i], over: grid);",
        "let s = shuffle_up(x[i], 32);",
        "let s = shuffle_xor(x[i], -1);",
    ] {
        assert_eq!(errors(statements), ["wrong-exchange"], "{statements}");
    }
    assert_eq!(errors("let s = sum(c[i], over: w);"), ["type-mismatch"]);
    assert_eq!(errors("let s = any(x[i], over: w);"), ["type-mismatch"]);
    assert_eq!(errors("let s = sum(x[i], 1, over: w);"), ["argument-count"]);
    assert_eq!(errors("let s = sum(x[i], per: w);"), ["unknown-argument"]);
    assert_eq!(errors("let s = shuffle(x[i]);"), ["argument-count"]);
}

#[test]
fn collectives_of_other_threads_are_refused() {
    let of = |block: i64, unit: &str, count: i64| {
        let text = format!(
            "kernel k(y: mut i64[1024]) grid(1) block({block}) {{
    for g in threads({count}, {unit}) {{
        let s = sum(g, over: g);
    }}
}}
"
        );
        check(&text).errors()
    };
    assert_eq!(of(64, "cuda_warp", 2), NONE);
    assert_eq!(of(256, "cuda_warpgroup", 2), NONE);
    assert_eq!(of(64, "12 * cuda_thread", 5), ["wrong-exchange"]);
    assert_eq!(of(96, "48 * cuda_thread", 2), ["wrong-exchange"]);
    assert_eq!(of(48, "cuda_thread", 48), ["wrong-exchange"]);
}

/// Two times four lanes, 16 apart.
#[test]
fn quadpairs_exchange_values() {
    let text = "kernel k(y: mut i64[8]) grid(1) block(64) {
    for w in threads(2, cuda_warp) {
        for q in threads(4, cuda_quadpair) {
            let s = sum(10 * w + q, over: q);
            with threads(0..1, 16 * cuda_thread) { with threads(0..1, cuda_thread) { y[4 * w + q] = s; } }
        }
    }
}
run k(y: zeros) expect y == [0, 8, 16, 24, 80, 88, 96, 104];
";
    assert_eq!(check(text).errors(), NONE);
}

#[test]
fn shapes_may_have_the_names_of_functions() {
    let text = "all : [8, 4];\nkernel k(y: mut i64[8]) grid(1) block(8) { for t in threads(8, cuda_thread) { y[t] = all(0) + all(1); } }\n";
    assert_eq!(check(text).errors(), NONE);
}
