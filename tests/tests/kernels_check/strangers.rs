//! Right programs in the form that comes first to mind to people who know CUDA and numpy, and which was refused once; each beside the
//! wrong program that looks like it.

use super::{gives, says};
use crate::support::check;

/// A search by halves that begins with these ends, goes on under a condition, and moves them by so much.
fn search([low, high]: [&str; 2], condition: &str, middle: &str, [up, down]: [&str; 2]) -> String {
    format!(
        "dim N, Q;
kernel k(a: f32[N], v: f32[Q], at: mut i64[Q]) {{
    for q in grid(Q) {{
        let mut lo = {low}; let mut hi = {high};
        while {condition} max 64 {{
            let mid = {middle};
            if a[mid] < v[q] {{ lo = mid{up}; }} else {{ hi = mid{down}; }}
        }}
        at[q] = hi;
    }}
}}\n"
    )
}

#[test]
fn a_search_by_halves_asks_how_far_its_ends_are_apart() {
    const SUM: &str = "(lo + hi) / 2";
    const DISTANCE: &str = "lo + (hi - lo) / 2";
    let outside = ["-1", "N"];
    for condition in ["hi - lo > 1", "hi > lo + 1", "lo + 1 < hi", "lo < hi - 1", "hi - lo >= 2", "1 < hi - lo"] {
        for middle in [SUM, DISTANCE, "(lo + hi) >> 1"] {
            gives(&search(outside, condition, middle, ["", ""]), &[]);
        }
    }
    for condition in ["lo < hi", "hi - lo > 0", "hi - lo >= 1", "0 < hi - lo"] {
        for middle in [SUM, DISTANCE] {
            gives(&search(["0", "N"], condition, middle, [" + 1", ""]), &[]);
        }
    }
    for condition in ["lo <= hi", "hi - lo >= 0"] {
        gives(&search(["0", "N - 1"], condition, SUM, [" + 1", " - 1"]), &[]);
    }
    // The ends may meet, or pass each other.
    for (ends, condition, moves) in [
        (outside, "hi - lo >= 0", ["", ""]),
        (outside, "hi - lo > -1", ["", ""]),
        (["0", "N"], "hi - lo >= 0", [" + 1", ""]),
        (["0", "N"], "lo <= hi", [" + 1", " - 1"]),
        (["-1", "N + 1"], "hi - lo > 1", ["", ""]),
        (["-2", "N"], "hi - lo > 1", ["", ""]),
    ] {
        let checked = check(&search(ends, condition, SUM, moves));
        assert_eq!(checked.errors(), ["out-of-bounds"], "{condition}\n{}", checked.report());
    }
}

#[test]
fn a_difference_that_may_wrap_says_nothing() {
    // `hi - lo` of any two numbers may be 2 for numbers that are far apart.
    let kernel = |guard: &str| {
        format!(
            "kernel k(ends: i64[2], x: f32[64], y: mut f32[1]) {{ for i in grid(1) {{
    let lo = ends[0]; let hi = ends[1]; if {guard} {{ y[i] = x[lo]; }} }} }}\n"
        )
    };
    gives(&kernel("lo >= 0 && hi <= 64 && hi - lo > 0"), &["out-of-bounds"]);
    gives(&kernel("lo >= 0 && hi >= 0 && hi <= 64 && hi - lo > 0"), &[]);
    gives(&kernel("lo >= 0 && lo < 1000 && hi <= 64 && lo + 1 <= hi"), &[]);
    gives(&kernel("lo >= 0 && hi <= 64 && lo + 1 <= hi"), &["out-of-bounds"]);
    gives(&kernel("lo >= 0 && hi >= 0 && hi <= 64 && hi - lo > -1"), &["out-of-bounds"]);
}

/// Threads with four neighbours each, at `first`, under a fact.
fn fours(fact: &str, first: &str, guard: &str, last: &str) -> String {
    format!(
        "dim N{fact};
kernel k(x: f32[N], y: mut f32[N]) block(64) {{
    for b in grid(cdiv(N, 256)) {{ for t in threads(64, cuda_thread) {{
        let i = {first};
        if {guard} {{ for u in 0..4 {{ y[i + u] = x[i + {last}]; }} }}
    }} }}
}}\n"
    )
}

#[test]
fn four_neighbours_are_inside_where_the_first_one_is_and_the_size_is_a_multiple() {
    for first in ["b * 256 + t * 4", "(b * 64 + t) * 4", "4 * t + 256 * b"] {
        for fact in [" where N % 4 == 0", " where N % 8 == 0"] {
            gives(&fours(fact, first, "i < N", "u"), &[]);
            gives(&fours(fact, first, "i <= N - 4", "u"), &[]);
        }
    }
    for (fact, first, guard, last) in [
        ("", "b * 256 + t * 4", "i < N", "u"),
        (" where N % 2 == 0", "b * 256 + t * 4", "i < N", "u"),
        (" where N % 4 == 1", "b * 256 + t * 4", "i < N", "u"),
        (" where N % 4 == 0", "b * 256 + t * 4", "i <= N", "u"),
        (" where N % 4 == 0", "b * 256 + t * 4 + 1", "i < N", "u"),
        (" where N % 4 == 0", "b * 256 + t * 4", "i < N", "u + 1"),
    ] {
        let checked = check(&fours(fact, first, guard, last));
        let found = checked.codes();
        let is_said = found.contains("out-of-bounds") || found.contains("bounds-open");
        assert!(is_said, "{fact} {first} {guard} {last}\n{}", checked.report());
    }
    // From below: multiples of 4 above 1 are 4 or more.
    let below = |low: &str, by: i64| {
        format!(
            "kernel k(x: f32[64], y: mut f32[16]) grid(1) block(16) {{ for t in threads(16, cuda_thread) {{
    let i = 4 * t; if i > {low} {{ y[t] = x[i - {by}]; }} }} }}\n"
        )
    };
    gives(&below("0", 4), &["not-fully-written", "uncoalesced"]);
    gives(&below("0", 5), &["out-of-bounds"]);
}

#[test]
fn neighbours_of_a_thread_are_one_access() {
    let kernel = |count: i64| {
        format!(
            "dim N where N % 1024 == 0;
kernel k(x: f32[N], y: mut f32[N]) block(32) {{
    for b in grid(N / ({count} * 32)) {{ for t in threads(32, cuda_thread) {{
        for u in 0..{count} {{ let i = (b * 32 + t) * {count} + u; y[i] = x[i]; }} }} }}
}}\n"
        )
    };
    gives(&kernel(4), &[]);
    gives(&kernel(8), &["uncoalesced"]);
}

#[test]
fn a_float_has_a_name_before_it_is_an_index() {
    let kernel = |before: &str, index: &str| {
        format!(
            "dim N where N >= 2; fn low(v) = max(v, 0.0);
kernel k(q: f32[N], h: f16[N], x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ {before} y[i] = x[{index}]; }} }}\n"
        )
    };
    for (before, index) in [
        ("let p = clamp(q[i], 0.0, f32(N - 1));", "min(i64(p), N - 2)"),
        ("let p = max(q[i], 0.0); let r = floor(p);", "min(i64(r), N - 1)"),
        ("let p = if q[i] > 0.5 { abs(q[i]) } else { 0.0 };", "min(i64(p), N - 1)"),
        ("let mut p = 0.0; if q[i] > 0.5 { p = abs(q[i]); } else { p = 1.5; }", "min(i64(p), N - 1)"),
        ("let p = low(q[i]); let r = p;", "min(i64(r), N - 1)"),
        ("let p = clamp(q[i], 0.0, 1.0);", "i64(p)"),
        ("let p = max(f32(i), q[i]);", "min(i64(p), N - 1)"),
        ("let p = min(max(f32(i), 0.0), 1.0);", "i64(p)"),
        ("let p = max(h[i], f16(i));", "min(i64(p), N - 1)"),
    ] {
        gives(&kernel(before, index), &[]);
    }
    for (before, index) in [
        ("let p = q[i];", "min(i64(p), N - 1)"),
        ("let p = min(q[i], f32(N - 1));", "min(i64(p), N - 2)"),
        ("let p = clamp(q[i], 0.0, f32(N - 1));", "i64(p)"),
        ("let p = clamp(q[i], 0.0, 2.0);", "i64(p)"),
        ("let mut p = max(q[i], 0.0); p = q[i];", "min(i64(p), N - 1)"),
        ("let mut p = 0.0; if q[i] > 0.5 { p = q[i]; }", "min(i64(p), N - 1)"),
        ("let mut p = 0.0; for j in 0..3 { p = p - 1.0; }", "min(i64(p), N - 1)"),
        ("let p = max(f32(i) - 1.0, -1.0);", "min(i64(p), N - 1)"),
        ("let p = max(f32(i - 1), q[i]);", "min(i64(p), N - 1)"),
    ] {
        let checked = check(&kernel(before, index));
        assert_eq!(checked.errors(), ["out-of-bounds"], "{before} {index}\n{}", checked.report());
    }
}

#[test]
fn loops_over_threads_say_how_many_a_block_has() {
    let threads = |text: &str| {
        let checked = check(text);
        assert!(checked.errors().is_empty(), "{text}\n{}", checked.report());
        checked.kernel().unwrap().launch.threads.as_constant()
    };
    let one = |domain: &str| {
        threads(&format!(
            "kernel k(y: mut f32[512]) {{ for b in grid(1) {{ for t in {domain} {{ y[t] = 1.0; }} }} }}\n"
        ))
    };
    assert_eq!(one("threads(256, cuda_thread)"), Some(256));
    assert_eq!(one("threads(1, cuda_thread)"), Some(1));
    let nested = "kernel k(y: mut f32[8, 32]) { for w in threads(8, cuda_warp) {
        for t in threads(32, cuda_thread) { y[w, t] = 1.0; } } }\n";
    assert_eq!(threads(nested), Some(256));
    let several = "kernel k(y: mut f32[96], z: mut f32[16, 4]) {
        const W = 16;
        for t in threads(96, cuda_thread) { y[t] = 1.0; }
        for r in threads(W, 4 * cuda_thread) { for c in threads(4, cuda_thread) { z[r, c] = 1.0; } } }\n";
    assert_eq!(threads(several), Some(96));
    // What views and tiles need counts as before, and what is written is what is meant.
    let written = "kernel k(y: mut f32[32]) block(64) { for t in threads(32, cuda_thread) { y[t] = 1.0; } }\n";
    assert_eq!(threads(written), Some(64));
    gives(
        "kernel k(y: mut f32[64]) block(32) { for t in threads(64, cuda_thread) { y[t] = 1.0; } }\n",
        &["not-enough-threads"],
    );
    gives("kernel k(y: mut f32[2048]) { for t in threads(2048, cuda_thread) { y[t] = 1.0; } }\n", &["launch-limit"]);
}

#[test]
fn what_makes_an_index_doubtful_is_named() {
    let kernel = |statements: &str| {
        format!(
            "dim N, B, V;
kernel k(x: f32[N], at: i32[B], long: i64[B], table: f32[V], y: mut f32[B, 8]) {{ for b in grid(B) {{ {statements} }} }}\n"
        )
    };
    let said = |statements: &str, parts: &[&str]| {
        let checked = check(&kernel(statements));
        assert_eq!(checked.errors(), ["out-of-bounds"], "{statements}\n{}", checked.report());
        says(&checked, "out-of-bounds", parts);
    };
    let narrow =
        "let start = at[b]; if start >= 0 && start + 8 <= N { for s in 0..8 { y[b, s] = x[i64(start) + s]; } }";
    said(narrow, &["wraps where it is not in -2147483648 to 2147483647", "`i64(start) + n <= N`"]);
    gives(&kernel(&narrow.replace("start + 8 <= N", "i64(start) + 8 <= N")), &[]);
    let wide = "let start = long[b]; let n = long[0];
        if start >= 0 && n >= 0 && start + n <= N { for s in 0..n { y[b, 0] += x[start + s]; } }";
    said(wide, &["a condition compares a sum", "`n <= N - start`"]);
    gives(&kernel(&wide.replace("start + n <= N", "start <= N && n <= N - start")), &[]);
    let clamped = "y[b, 0] = table[clamp(at[b], 0, V - 1)];";
    gives(&kernel(clamped), &["not-fully-written"]);
    let converted = "y[b, 0] = table[clamp(at[b], 0, i32(V - 1))];";
    said(converted, &["from `i64` to `i32`", "leave the conversion to `i32` away"]);
    gives(&kernel("y[b, 0] = table[clamp(i64(at[b]), 0, V - 1)];"), &["not-fully-written"]);
    // What comes from data is not found by searching longer.
    let checked = check(&kernel("for k in at[b]..at[0] { y[b, 0] += x[at[b]]; }"));
    let said = checked.report();
    assert!(said.contains("it depends on data") && !said.contains("cut short"), "{said}");
}

#[test]
fn two_types_are_converted_to_the_one_that_holds_more() {
    let kernel = |statement: &str| {
        format!(
            "dim N;
kernel k(n: i32[N], h: f16[N], x: f32[N], y: mut f32[N], m: mut i32[N]) {{ for i in grid(N) {{ {statement} }} }}\n"
        )
    };
    for (wrong, right) in [
        ("if n[i] < x[i] { y[i] = 1.0; }", "if f32(n[i]) < x[i] { y[i] = 1.0; }"),
        ("if x[i] < n[i] { y[i] = 1.0; }", "if x[i] < f32(n[i]) { y[i] = 1.0; }"),
        ("y[i] = i * x[i];", "y[i] = f32(i) * x[i];"),
        ("y[i] = x[i] * i;", "y[i] = x[i] * f32(i);"),
        ("y[i] = h[i] + x[i];", "y[i] = f32(h[i]) + x[i];"),
        // What is assigned to keeps its type.
        ("m[i] += i;", "m[i] += i32(i);"),
        ("y[i] *= i;", "y[i] *= f32(i);"),
    ] {
        let checked = check(&kernel(wrong));
        assert_eq!(checked.errors(), ["type-mismatch"], "{wrong}\n{}", checked.report());
        let fixes: Vec<_> = checked.findings.iter().flat_map(|finding| &finding.fixes).collect();
        assert_eq!(checked.applied(fixes[0]), kernel(right));
        assert_eq!(check(&kernel(right)).errors(), [""; 0], "{right}");
    }
}

#[test]
fn a_tile_of_one_element_is_a_number_by_its_place() {
    let kernel = |value: &str| {
        format!(
            "dim M; kernel k(x: f32[M, 32], y: mut i32[M]) {{ view px = partition(x, [1, 32]);
    for i in grid(M) {{ y[i] = {value}; }} }}\n"
        )
    };
    let checked = gives(&kernel("px.load(i, 0).argmax(1)"), &["tile-shape"]);
    says(&checked, "tile-shape", &["take its only element: `t[0]`"]);
    gives(&kernel("px.load(i, 0).argmax(1)[0]"), &[]);
}

#[test]
fn the_words_of_numpy_for_initial_values() {
    let kernel = "dim N;\nkernel f(x: f32[N], y: mut f32[N]) { for i in grid(N) { y[i] = x[i]; } }\n";
    for (theirs, ours) in [
        ("load(\"data/x.npy\")", "npy(\"data/x.npy\")"),
        ("np.load(\"x.npy\")", "npy(\"x.npy\")"),
        ("np.arange(3)", "arange"),
        ("rand(3)", "random(1)"),
        ("np.random.rand(3)", "random(1)"),
        ("empty", "zeros"),
        ("zeros(3)", "zeros"),
    ] {
        let run = |value: &str| format!("{kernel}run f(x: {value}, y: zeros) with N = 3;\n");
        let checked = check(&run(theirs));
        assert_eq!(checked.errors(), ["run-argument"], "{theirs}\n{}", checked.report());
        let finding = checked.findings.iter().find(|finding| finding.code == "run-argument").unwrap();
        assert_eq!(checked.applied(&finding.fixes[0]), run(ours));
    }
    // A name of the file is what it says.
    let checked = check(&format!("{kernel}const empty = 2.0;\nrun f(x: empty, y: zeros) with N = 3;\n"));
    assert!(checked.errors().is_empty(), "{}", checked.report());
    let checked = check(&format!("{kernel}run f(x: ones, y: zeros) with N = 3 expect y == load(\"y.npy\");\n"));
    says(&checked, "unknown-name", &["npy(\"x.npy\")"]);
}

#[test]
fn a_function_with_a_fixed_number_of_parameters_says_it() {
    let said = |text: &str, part: &str| {
        let checked = check(text);
        assert_eq!(checked.errors(), ["argument-count"], "{text}\n{}", checked.report());
        says(&checked, "argument-count", &[part]);
    };
    said("use \"std/activations.shape\";\nconst a = relu(1.0, 2.0);\n", "`relu` takes 1 argument, found 2");
    said("fn f(a, b) = a + b;\nconst a = f(1);\n", "`f` takes 2 arguments, found only 1");
    said("const a = cdiv(1);\n", "`cdiv` takes 2 arguments, found only 1");
    said("map m = linear(1, 2, 3);\n", "`linear` takes at most 2 arguments, found 3");
}

#[test]
fn words_of_triton_and_pytorch_for_tiles_are_answered() {
    let kernel = |value: &str| {
        format!(
            "kernel k(x: f32[8, 32], y: mut f32[8, 32]) {{ view px = partition(x, [1, 32]); view py = partition(y, [1, 32]);
    for i in grid(8) {{ let row = px.load(i, 0); py.store({value}, i, 0); }} }}\n"
        )
    };
    for (value, code, part) in [
        ("row - row.max(axis: 1)", "unknown-argument", "the dimension stands first, without a name"),
        ("row - row.max(1, keepdims: true)", "unknown-argument", "did you mean `keep`?"),
        ("px.load_masked(i, 0, other: 0.0)", "unknown-argument", "did you mean `pad`?"),
        ("dot(row, row)", "unknown-function", "`matmul(a, b)`"),
        ("row @ row", "syntax-error", "`matmul(a, b)`"),
        ("concatenate([row, row])", "unknown-function", "`cat([a, b], 0)`"),
        ("row.astype(f32)", "unknown-member", "`f16(t)`"),
        ("row.shape", "unknown-member", "`px.tile`"),
        ("gelu(row)", "unknown-function", "`use \"std/activations.shape\";`"),
        ("softmax(row, 1)", "unknown-function", "`use \"std/reductions.shape\";`"),
        ("f32(arange(0, 32))", "unknown-function", "`iota(i64[128])`"),
    ] {
        let checked = check(&kernel(value));
        assert_eq!(checked.errors(), [code], "{value}\n{}", checked.report());
        says(&checked, code, &[part]);
    }
    let checked = check("kernel k(y: mut f32[4, 4]) { for i, j in grid(4, 4) { y[i, j] = 1.0; } }\n");
    says(&checked, "syntax-error", &["`for (i, j) in grid(n, m) { … }`"]);
}

#[test]
fn words_of_cute_for_layouts_are_answered() {
    let maps = "map tile = row_major([2, 5]);\nmap tiler = col_major([3, 4]);\n";
    for (value, code, part) in [
        ("blocked_product(tile, tiler)", "unknown-name", "a product has tiles above one number of memory"),
        ("local_partition(tile, tiler)", "unknown-name", "`view v = x via m`"),
        ("rearrange(tile)", "unknown-name", "`merge` joins several"),
        ("tile.reshape(5, 2)", "unknown-member", "`unmerge` makes several dimensions of one"),
    ] {
        let checked = check(&format!("{maps}map m = {value};\n"));
        assert_eq!(checked.errors(), [code], "{value}\n{}", checked.report());
        says(&checked, code, &[part]);
    }
    let checked = check("map m = row_major([_4, 8]);\n");
    assert_eq!(checked.errors(), ["unknown-name"]);
    assert_eq!(checked.applied(&checked.findings[0].fixes[0]), "map m = row_major([4, 8]);\n");
}

/// Each step doubles what the condition is made of, but it is made of one comparison.
#[test]
fn a_condition_that_is_used_twice_in_each_step_is_looked_at_once() {
    for (op, negation) in [("&&", ""), ("||", "!"), ("||", ""), ("&&", "!")] {
        let steps: String = (1..40).map(|step| format!("let c{step} = c{0} {op} c{0}; ", step - 1)).collect();
        let body = format!("let c0 = t < 9; {steps}if {negation}c39 {{ y[t] = 1.0; }} else {{ y[t] = 2.0; }}");
        let checked = check(&of_threads(&body));
        assert!(checked.errors().is_empty(), "{body}\n{}", checked.report());
        super::safe(&checked, &body);
    }
}

/// Checks which errors a text has.
fn refuses(text: &str, errors: &[&str]) {
    let checked = check(text);
    assert_eq!(checked.errors(), errors, "\n{text}\n{}", checked.report());
}

/// A kernel of 64 threads over `x: f32[512]`, `y: mut f32[512]` and `d: i64[64]`.
fn of_threads(body: &str) -> String {
    format!(
        "kernel k(x: f32[512], d: i64[64], y: mut f32[512]) grid(1) block(64) {{\n    for t in threads(64, cuda_thread) {{ {body} }}\n}}\n"
    )
}

#[test]
fn a_running_index_is_known_in_every_iteration_and_behind_the_loop() {
    for (body, found) in [
        ("let mut p = t; while p < 512 max 8 { y[p] = 1.0; p += 64; }", &[][..]),
        ("let mut p = t; while p < 512 max 8 { y[p] = 1.0; p += 63; }", &["race"]),
        ("let mut p = t; for q in 0..8 { if x[p] > 1.0 { break; } y[p] = 1.0; p += 64; }", &[]),
        ("let mut p = t; for q in 0..9 { if x[p % 512] > 1.0 { break; } y[p] = 1.0; p += 64; }", &["out-of-bounds"]),
        ("let mut p = t * 8; for q in 0..8 { y[p] = 1.0; p += 1; }", &[]),
        ("let mut p = t * 8; for q in 0..8 { p += 1; y[p] = 1.0; }", &["out-of-bounds"]),
        ("let mut p = t * 8; for q in 0..8 { p += 1; y[p - 1] = 1.0; }", &[]),
        ("let mut p = t * 4; for q in 0..8 { y[p] = 1.0; p += 1; }", &["race"]),
        ("let mut p = t; for a in 0..4 { for b in 0..2 { y[p] = 1.0; p += 64; } }", &[]),
        ("let mut p = t; for a in 0..4 { for b in 0..3 { y[p] = 1.0; p += 64; } }", &["out-of-bounds"]),
        ("let mut p = t; for a in 0..7 { p += 64; } y[p] = 1.0;", &[]),
        ("let mut p = t; for a in 0..8 { p += 64; } y[p] = 1.0;", &["out-of-bounds"]),
        // What a loop that was left has not reached is not known behind it.
        ("let mut p = t; for a in 0..8 { if x[t] > 1.0 { break; } p += 64; } y[p] = 1.0;", &["out-of-bounds"]),
        ("let mut p = t; for a in 0..7 { if x[t] > 1.0 { continue; } p += 63; } y[p] = 1.0;", &["race"]),
        ("let mut p = d[t]; for q in 0..8 { if p >= 0 && p < 512 { y[p] = 1.0; } p += 64; }", &["race"]),
    ] {
        refuses(&of_threads(body), found);
    }
}

#[test]
fn a_guard_bounds_what_its_index_is_divided_into() {
    let kernel = |scales: &str, guard: &str, index: &str| {
        format!(
            "dim N;\nkernel k(x: f32[N], s: f32[{scales}], y: mut f32[N]) block(128) {{\n    for b in grid(cdiv(N, 128)) {{ for t in threads(128, cuda_thread) {{\n        let i = b * 128 + t; if {guard} {{ y[i] = x[i] * s[{index}]; }} }} }}\n}}\n"
        )
    };
    refuses(&kernel("cdiv(N, 4)", "i < N", "i / 4"), &[]);
    refuses(&kernel("cdiv(N, 4)", "i < N", "b * 32 + t / 4"), &[]);
    refuses(&kernel("N / 4 + 1", "i < N", "i / 4"), &[]);
    refuses(&kernel("N / 4", "i < N", "i / 4"), &["out-of-bounds"]);
    refuses(&kernel("cdiv(N, 8)", "i < N", "i / 4"), &["out-of-bounds"]);
    refuses(&kernel("cdiv(N, 4)", "i < N", "i / 4 + 1"), &["out-of-bounds"]);
}

#[test]
fn a_guard_that_excludes_a_thread_keeps_what_is_its_own_from_the_others() {
    for (body, found) in [
        ("if t != 3 { y[t] += y[3]; }", &[][..]),
        ("if t != 3 { y[t] += y[4]; }", &["race-read"]),
        ("if t != 3 || x[t] > 0.0 { y[t] += y[3]; }", &["race-read"]),
        ("if t == 3 { y[t] = 1.0; } else { y[t] += y[3]; }", &["race-read"]),
    ] {
        refuses(&of_threads(body), found);
    }
    let shared = |body: &str| {
        format!(
            "kernel k(y: mut f32[64]) grid(1) block(64) {{\n    shared s : f32[64];\n    for t in threads(64, cuda_thread) {{ s[t] = f32(t); }}\n    for t in threads(64, cuda_thread) {{ {body} }}\n    for t in threads(64, cuda_thread) {{ y[t] = s[t]; }}\n}}\n"
        )
    };
    refuses(&shared("if t != 3 { s[t] += s[3]; }"), &[]);
    refuses(&shared("if t != 3 { s[t] += s[5]; }"), &["shared-race"]);
    refuses(&shared("for k in 1..1 { s[0] = 1.0; }"), &[]);
    refuses(&shared("for k in 1..2 { s[0] = 1.0; }"), &["shared-race"]);
}

#[test]
fn parts_of_a_size_that_only_a_run_knows_are_apart() {
    let kernel = |range: &str| {
        format!(
            "dim N, P;\nkernel k(y: mut f32[N]) {{ for b in grid(cdiv(N, P)) {{ for i in {range} {{ y[i] = 1.0; }} }} }}\n"
        )
    };
    refuses(&kernel("b * P..min(b * P + P, N)"), &[]);
    refuses(&kernel("b * P..min((b + 1) * P, N)"), &[]);
    refuses(&kernel("b * P..min(b * P + P + 1, N)"), &["race"]);
    refuses(&kernel("b * P..b * P + P"), &["out-of-bounds"]);
}

#[test]
fn a_comparison_without_a_sign_says_that_an_index_is_not_negative() {
    for (body, found) in [
        ("let i = t * 9 - 7; if u64(i) < 512 { y[t] = x[i]; }", &[][..]),
        ("let i = t * 9 - 55; if u64(i) < 513 { y[t] = x[i]; }", &["out-of-bounds"]),
        ("let i = d[t]; if u64(i) < 512 { y[t] = x[i]; }", &[]),
        ("let i = i32(t) * 9 - 7; if u32(i) < 512 { y[t] = x[i]; }", &[]),
        // The upper half of the number is lost.
        ("let i = d[t]; if u32(i) < 512 { y[t] = x[i]; }", &["out-of-bounds"]),
    ] {
        refuses(&of_threads(body), found);
    }
}

/// What is known of `S` holds where the loop begins, though the text names it only at the end of the body.
#[test]
fn a_size_that_a_loop_names_late_is_known_in_all_of_it() {
    let text = |least: u32| {
        format!(
            "dim S where S >= {least};
kernel k(y: mut f32[8, 2]) {{
    for b in grid(8) {{ let mut i = b; for k in 0..8 {{ if i < 4 {{ y[b, k] = 1.0; }} i += S; }} }}
}}\n"
        )
    };
    assert!(check(&text(4)).kernel().is_some(), "{}", check(&text(4)).report());
    says(&check(&text(1)), "out-of-bounds", &["becomes 2"]);
}

/// What comes before 0 without a sign is a very large number, of which no guard holds.
#[test]
fn a_guard_excludes_a_difference_that_wraps() {
    let kernel = |dims: &str, extent: &str, body: &str| {
        format!("{dims}kernel k(x: f32[{extent}], y: mut f32[{extent}]) {{ for i in grid({extent}) {{ {body} }} }}\n")
    };
    let before = "let j = u32(i) - 1; if j <";
    for (dims, extent, guard) in [
        ("dim N;\n", "N", "u32(N)"),
        ("dim N where N <= 1000;\n", "N", "N"),
        ("dim N where N <= 1000;\n", "N", "u32(N)"),
        ("", "64", "64"),
    ] {
        refuses(&kernel(dims, extent, &format!("{before} {guard} {{ y[i] = x[j]; }}")), &[]);
    }
    for (body, found) in [
        ("let j = u8(i) + 254; if j > 253 { y[i] = x[255 - j]; }", &[][..]),
        ("let j = u8(i) + 254; if j > 253 { y[i] = x[j - 254]; }", &[]),
        ("let j = u8(i) + 254; if j > 253 { y[i] = x[j - 191]; }", &["out-of-bounds"]),
        ("let j = (u32(i) - 8) + 5; if j < 64 { y[i] = x[j]; }", &[]),
        ("let j = u32(i - 1); if j < 64 { y[j] = x[i]; }", &[]),
        ("let j = u32(i) - 1; if j < 64 { y[j] = x[i]; }", &[]),
        ("let j = u32(i) - 1; if j < 64 { y[j / 2] = x[i]; }", &["race"]),
        ("let j = u32(i) - 1; if j < 64 { y[i] = x[j + 2]; }", &["out-of-bounds"]),
        ("let j = u32(i) - 1; if j > 62 { y[i] = x[j]; }", &["out-of-bounds"]),
        ("let j = u32(i) + 1; if j < 65 { y[i] = x[j]; }", &["out-of-bounds"]),
        ("let j = i32(i) - 1; if j < 64 { y[i] = x[j]; }", &["out-of-bounds"]),
    ] {
        refuses(&kernel("", "64", body), found);
    }
}

#[test]
fn a_loop_by_steps_may_end_at_a_product_of_differences() {
    let kernel = |dims: &str, extent: &str, step: u32| {
        format!(
            "dim {dims};\nkernel k(y: mut f32[{extent}]) block(128) grid(1) {{\n    for t in threads(128, cuda_thread) {{ for p in t..{extent} step {step} {{ y[p] = 1.0; }} }}\n}}\n"
        )
    };
    const INNER: &str = "H, W where H >= 3, W >= 3";
    for (dims, extent) in [
        (INNER, "(H - 2) * (W - 2)"),
        (INNER, "(H - 2) * W"),
        (INNER, "H - 2"),
        (INNER, "(H + 2) * (W + 2)"),
        ("H, W where H >= W", "H * H - W * W"),
    ] {
        refuses(&kernel(dims, extent, 128), &[]);
        refuses(&kernel(dims, extent, 127), &["race"]);
    }
    let beyond = kernel(INNER, "(H - 2) * (W - 2)", 128).replace("y[p]", "y[p + 1]");
    refuses(&beyond, &["out-of-bounds"]);
}

#[test]
fn bits_in_the_opposite_order_are_moves_of_bits() {
    let kernel = |body: &str| {
        format!(
            "kernel k(x: mut f32[64], y: mut f32[64]) block(64) grid(1) {{ for t in threads(64, cuda_thread) {{ {body} }} }}\n"
        )
    };
    let swap =
        |index: &str| kernel(&format!("let j = i64({index}); if t < j {{ let a = x[t]; x[t] = x[j]; x[j] = a; }}"));
    refuses(&swap("brev(u32(t)) >> 26"), &[]);
    // The order of the lowest five bits; above 31 there is nothing to swap.
    refuses(&swap("brev(u32(t)) >> 27"), &[]);
    // An order that is not its own opposite.
    refuses(&swap("brev(u32(t) ^ 1) >> 26"), &["race"]);
    for (index, found) in [
        ("brev(u32(t)) >> 26", &[][..]),
        ("brev(u32(t) ^ 5) >> 26", &[]),
        ("brev(u8(t)) >> 2", &[]),
        ("brev(u16(t)) >> 10", &[]),
        ("brev(u32(t) << 26)", &[]),
        ("brev(u32(t)) >> 27", &["race"]),
        ("brev(u32(t / 2)) >> 26", &["race"]),
        ("brev(u8(t)) >> 3", &["race"]),
        ("brev(u32(t)) >> 25", &["out-of-bounds"]),
        // The highest bit is the sign.
        ("brev(i32(t)) >> 26", &["out-of-bounds"]),
        ("(brev(i32(t)) >> 26) + 32", &[]),
    ] {
        refuses(&kernel(&format!("y[{index}] = x[t];")), found);
    }
}

#[test]
fn a_guard_says_which_operand_an_extreme_is() {
    let kernel = |body: &str| format!("dim N, M;\nkernel k(y: mut f32[N]) {{ for i in grid(N) {{ {body} }} }}\n");
    for (body, found) in [
        ("if i >= M { y[max(i - M, 0)] = 1.0; }", &[][..]),
        ("if i >= M { let j = max(0, i - M); y[j] = 1.0; }", &[]),
        ("let j = max(i - M, 0); if i >= M { y[j] = 1.0; }", &[]),
        ("if i > M { y[max(i - M, 0)] += 1.0; }", &[]),
        ("if i >= 3 { y[max(i - 3, 0)] = 1.0; }", &[]),
        ("if i < N - 4 { y[min(i + 4, N - 1)] = 1.0; }", &[]),
        ("if i + 4 < N { y[min(i + 4, N - 1)] = 1.0; }", &[]),
        ("y[max(i - M, 0)] = 1.0;", &["race"]),
        ("if i >= M - 1 { y[max(i - M, 0)] = 1.0; }", &["race"]),
        ("if i >= 2 { y[max(i - 3, 0)] = 1.0; }", &["race"]),
        ("if i < M { y[max(i - M, 0)] = 1.0; }", &["race"]),
        ("if i < N - 3 { y[min(i + 4, N - 1)] = 1.0; }", &["race"]),
        ("if i >= M { y[min(i - M, 0)] = 1.0; }", &["race"]),
    ] {
        refuses(&kernel(body), found);
    }
}
