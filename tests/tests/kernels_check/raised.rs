//! What the checks know of index expressions: chains of variables, variables that change, conditions, parameters.

use super::safe::safe;
use super::says;
use crate::support::{Checked, check};

/// Checks a kernel and compares its errors; what is accepted is gone through.
#[track_caller]
fn gives(text: &str, errors: &[&str]) -> Checked {
    let checked = check(text);
    assert_eq!(checked.errors(), errors, "\n{text}\n{}", checked.report());
    safe(&checked, text);
    checked
}

/// A kernel of one block of 64 threads.
fn block(params: &str, body: &str) -> String {
    format!("kernel k({params}) grid(1) block(64) {{ for t in threads(64, cuda_thread) {{ {body} }} }}\n")
}

/// `let a1 = …; let a2 = …;`, each made of those before it.
fn chain(count: usize, next: impl Fn(usize) -> String) -> String {
    (1..=count).map(|number| format!("let a{number} = {};\n", next(number))).collect()
}

/// Each expression is raised once. Twice for each variable would be 2⁴⁰ times for forty.
#[test]
fn a_chain_of_variables_costs_what_it_says() {
    let squares = chain(40, |n| format!("a{} * a{} + a{}", n - 1, n - 1, n - 1));
    gives(&block("a0: i64, y: mut f32[64]", &format!("{squares} if a40 == 0 {{ y[t] = 1.0; }}")), &[]);
    let sums = chain(40, |n| format!("a{} + a{} % 7", n - 1, n.saturating_sub(2)));
    gives(&block("y: mut f32[64]", &format!("let a0 = t; {sums} y[t] = f32(a40);")), &[]);
    let ones = chain(2000, |n| format!("a{} + 1", n - 1));
    gives(&block("y: mut f32[64]", &format!("let a0 = t; {ones} y[a2000 - 2000] = 1.0;")), &[]);
}

#[test]
fn an_index_that_overflows_at_every_step_has_an_end() {
    let products = chain(500, |n| format!("a{} * 9223372036854775807", n - 1));
    gives(&block("y: mut f32[64]", &format!("let a0 = t; {products} y[a500] = 1.0;")), &["out-of-bounds"]);
}

#[test]
fn thousands_of_conditions_and_of_accesses_have_an_end() {
    let conditions: Vec<String> = (0..1000).map(|n| format!("p + {n} * t < {}", n + 7)).collect();
    let conditions =
        check(&block("p: i64, y: mut f32[64]", &format!("if {} {{ y[t] = 1.0; }}", conditions.join(" && "))));
    assert_eq!(conditions.errors(), [""; 0], "{}", conditions.report());
    let reads: String = (0..1000).map(|n| format!("sum += x[(t + {n}) % 64];\n")).collect();
    gives(&block("x: f32[64], y: mut f32[64]", &format!("let mut sum = 0.0; {reads} y[t] = sum;")), &[]);
    let ifs: String = (0..300).map(|n| format!("if s + p > {n} {{ s = s + {n}; }}\n")).collect();
    gives(&block("p: i64, y: mut f32[64]", &format!("let mut s = 0; {ifs} if s == 3 {{ y[t] = 1.0; }}")), &[]);
}

#[test]
fn a_condition_holds_for_a_variable_until_it_is_assigned() {
    let kernel =
        |body: &str| block("at: i32[64], x: f32[64], y: mut f32[64]", &format!("let mut i = i64(at[t]); {body}"));
    gives(&kernel("if i >= 0 && i < 64 { y[t] = x[i]; }"), &[]);
    gives(&kernel("if i >= 0 && i < 64 { i = i + 1; y[t] = x[i]; }"), &["out-of-bounds"]);
    gives(&kernel("if i >= 0 && i < 64 { } y[t] = x[i];"), &["out-of-bounds"]);
    gives(&kernel("if i < 0 { i = 0; } if i > 63 { i = 63; } y[t] = x[i];"), &[]);
    gives(&kernel("if i < 0 { i = 0; } if i > 64 { i = 64; } y[t] = x[i];"), &["out-of-bounds"]);
}

/// The end of a loop is evaluated before its body assigns anything, and an iteration may have assigned what the next reads.
#[test]
fn a_loop_forgets_what_its_body_assigns() {
    let kernel =
        |body: &str| block("x: f32[64], y: mut f32[64], n: i64", &format!("let mut sum = 0.0; {body} y[t] = sum;"));
    gives(&kernel("let mut i = 0; for j in 0..n { sum += x[i]; i = i + 1; }"), &["out-of-bounds"]);
    gives(&kernel("let mut i = 0; for j in 0..n { if i >= 0 && i < 64 { sum += x[i]; i = i + 1; } }"), &[]);
    gives(&kernel("let mut m = 64; for j in 0..m { sum += x[j]; m = 100; }"), &[]);
    gives(&kernel("let mut m = 64; for j in 0..n { if j < m { sum += x[j]; } m = 100; }"), &["out-of-bounds"]);
}

#[test]
fn a_product_that_is_checked_is_the_product_that_is_used() {
    let kernel = |index: &str| {
        block(
            "p: i32, q: i32, x: f32[64], y: mut f32[64]",
            &format!("if p * q >= 0 && p * q < 64 {{ y[t] = x[{index}]; }}"),
        )
    };
    gives(&kernel("p * q"), &[]);
    gives(&kernel("p * q + 1"), &["out-of-bounds"]);
}

#[test]
fn an_xor_with_a_constant_stays_among_its_power_of_two() {
    let kernel = |index: &str| block("x: f32[64], y: mut f32[64]", &format!("y[t] = x[{index}];"));
    gives(&kernel("bit_xor(t, 1)"), &[]);
    gives(&kernel("bit_xor(t, t / 8)"), &[]);
    let checked = gives(&kernel("bit_xor(t, 64)"), &["out-of-bounds"]);
    says(&checked, "out-of-bounds", &["below 64"]);
}

#[test]
fn bits_are_digits() {
    let kernel = |index: &str| block("x: f32[64], y: mut f32[64]", &format!("y[t] = x[{index}];"));
    gives(&kernel("bit_and(t + 1, 63)"), &[]);
    gives(&kernel("bit_or(shift_left(shift_right(t, 3), 3), bit_and(t, 7))"), &[]);
    gives(&kernel("bit_or(shift_left(t, 1), 1)"), &["out-of-bounds"]);
}

#[test]
fn threads_see_one_value_of_a_parameter() {
    let kernel = |index: &str| {
        block("p: i32, q: i32, y: mut f32[256]", &format!("let i = {index}; if i >= 0 && i < 256 {{ y[i] = 1.0; }}"))
    };
    gives(&kernel("i64(p) + t"), &[]);
    gives(&kernel("i64(p) * 3 - 2 * t"), &[]);
    gives(&kernel("i64(p) + t / 2"), &["race"]);
    // Each thread has its own.
    let own = block("at: i32[64], y: mut f32[256]", "let i = i64(at[t]) + t; if i >= 0 && i < 256 { y[i] = 1.0; }");
    gives(&own, &["race"]);
    // Two stores move by different distances.
    let two = "let i = i64(p) + t; let j = i64(q) + t; if i >= 0 && i < 256 { y[i] = 1.0; }
        if j >= 0 && j < 256 { y[j] = 2.0; }";
    gives(&block("p: i32, q: i32, y: mut f32[256]", two), &["race"]);
    let moved = "let mut s = i64(p); let i = s + t; if i >= 0 && i < 256 { y[i] = 1.0; }
        s = i64(q); let j = s + t; if j >= 0 && j < 256 { y[j] = 2.0; }";
    gives(&block("p: i32, q: i32, y: mut f32[256]", moved), &["race"]);
}

#[test]
fn stores_at_different_offsets_share_their_guard() {
    let kernel = |guard: &str| block("y: mut f32[2, 50]", &format!("if {guard} {{ y[0, t] = 1.0; y[1, t] = 2.0; }}"));
    gives(&kernel("t < 50"), &[]);
    let rows = |offset: &str| {
        format!(
            "dim S, H;\nkernel k(y: mut f32[S, 3 * H]) block(64) {{ for s in grid(S) {{
                for t in threads(64, cuda_thread) {{ if t < H {{ y[s, t] = 1.0; y[s, t + {offset}] = 2.0; }} }} }} }}\n"
        )
    };
    gives(&rows("H"), &[]);
    gives(&rows("2 * H"), &[]);
    let overlapping = check(&rows("1"));
    assert_eq!(overlapping.errors(), ["race"], "{}", overlapping.report());
}

#[test]
fn a_loop_over_rounded_up_parts_fits_what_is_padded() {
    let kernel = |shape: &str| {
        let body = "for j in 0..cdiv(N, 128) { p[j * 128 + t] = 1.0; }";
        format!(
            "dim N;\nkernel k(p: mut f32[{shape}]) grid(1) block(128) {{ for t in threads(128, cuda_thread) {{ {body} }} }}\n"
        )
    };
    gives(&kernel("cdiv(N, 128) * 128"), &[]);
    let checked = gives(&kernel("N"), &["out-of-bounds"]);
    says(&checked, "out-of-bounds", &["becomes 127", "below N"]);
}

#[test]
fn a_bound_at_the_end_of_a_type_is_no_overflow() {
    for op in ["!=", "<=", ">=", "<", ">", "=="] {
        let body = format!("if s {op} 9223372036854775807 {{ y[t] = x[t]; }} else {{ y[t] = 0.0; }}");
        gives(&block("s: i64, x: f32[64], y: mut f32[64]", &body), &[]);
    }
}

/// Whatever else is known of a value, one that differs from an end of its range is inside, in either order of the conditions.
#[test]
fn a_value_that_is_not_an_end_of_its_range_lies_inside() {
    let kernel = |element: &str, condition: &str, inner: &str, index: &str| {
        let body = format!("let v = st[t]; if {condition} {{ if {inner} {{ y[t] = x[{index}]; }} }}");
        block(&format!("st: {element}[64], x: f32[64], y: mut f32[64]"), &body)
    };
    for (element, last) in [("i32", "2147483647"), ("i64", "9223372036854775807")] {
        for right in [format!("v >= 0 && v != {last}"), format!("v != {last} && v >= 0")] {
            gives(&kernel(element, &right, "v + 1 < 64", "v"), &[]);
        }
        gives(&kernel(element, &format!("v != {last}"), "v + 1 > 0 && v + 1 < 64", "v + 1"), &[]);
        let nearly = format!("{}6", &last[..last.len() - 1]);
        gives(&kernel(element, &format!("v >= 0 && v != {nearly}"), "v + 1 < 64", "v"), &["out-of-bounds"]);
    }
    gives(&kernel("i32", "v <= 0 && v != -2147483648", "v - 1 > -64", "-v"), &[]);
    for (condition, index) in [("v >= 0 && v <= 64 && v != 64", "v"), ("v != 0 && v >= 0 && v <= 64", "v - 1")] {
        gives(&kernel("i32", condition, "true", index), &[]);
    }
    gives(&kernel("i32", "v != 64 && v >= 0 && v <= 64", "true", "v"), &[]);
    gives(&kernel("i32", "v != 63 && v >= 0 && v <= 64", "true", "v"), &["out-of-bounds"]);
}

/// `j < t + 1` and `t < S` make `j < S`.
#[test]
fn a_loop_up_to_an_index_stays_where_the_index_does() {
    let kernel = |guard: &str, low: &str, high: &str, index: &str| {
        let body =
            format!("let mut sum = 0.0; if {guard} {{ for j in {low}..{high} {{ sum += x[{index}]; }} y[t] = sum; }}");
        format!("dim S;\n{}", block("x: f32[S], y: mut f32[64]", &body))
    };
    gives(&kernel("t < S", "0", "t + 1", "j"), &[]);
    gives(&kernel("t < S", "0", "t", "t - j - 1"), &[]);
    gives(&kernel("t < S", "t", "S", "j"), &[]);
    gives(&kernel("t < S && n < t", "0", "n + 1", "j").replace("y: mut", "n: i64, y: mut"), &[]);
    let checked = check(&kernel("t < S", "0", "t + 2", "j"));
    assert_eq!(checked.errors(), ["out-of-bounds"], "{}", checked.report());
    let checked = check(&kernel("t <= S", "0", "t + 1", "j"));
    assert_eq!(checked.errors(), ["out-of-bounds"], "{}", checked.report());
}

#[test]
fn a_loop_up_to_an_index_made_of_block_and_thread_stays_where_it_does() {
    let kernel = |end: &str| {
        format!(
            "dim H, S, D;\nkernel k(x: f32[H, S, D], y: mut f32[H, S]) block(64) {{
    for (h, b) in grid(H, cdiv(S, 64)) {{ for t in threads(64, cuda_thread) {{
        let i = b * 64 + t; let mut sum = 0.0;
        if i < S {{ for j in 0..{end} {{ for d in 0..D {{ sum += x[h, j, d]; }} }} y[h, i] = sum; }} }} }} }}\n"
        )
    };
    let causal = check(&kernel("i + 1"));
    assert!(!causal.codes().contains("bounds-open"), "{}", causal.report());
    let beyond = check(&kernel("i + 2"));
    assert_eq!(beyond.errors(), ["out-of-bounds"], "{}", beyond.report());
}

/// Indices inside their dimensions imply that the element is inside the tensor, so nothing is proven about its
/// row-major index.
#[test]
fn an_element_whose_indices_are_inside_is_inside() {
    let text = "dim C, H, W;\nkernel im2col(x: f32[C, H, W], y: mut f32[C * 9, H * W]) block(64) {
    for b in grid(cdiv(H * W, 64)) { for t in threads(64, cuda_thread) {
        let p = b * 64 + t;
        if p < H * W {
            let h = p / W; let w = p % W;
            for c in 0..C { for i in 0..3 { for j in 0..3 {
                let r = h + i - 1; let q = w + j - 1;
                y[c * 9 + i * 3 + j, p] = if r >= 0 && r < H && q >= 0 && q < W { x[c, r, q] } else { 0.0 };
            } } } } } } }\n";
    let checked = gives(text, &[]);
    assert!(!checked.codes().contains("bounds-open"), "{}", checked.report());
}
