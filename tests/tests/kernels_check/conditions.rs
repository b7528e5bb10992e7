//! Conditions inside expressions, sums that cannot wrap, and indices that `min` and `max` bound.

use super::{gives, says};
use crate::support::check;

/// A kernel of one thread on `x: f32[N]` and `y: mut f32[4]`, with numbers that only the data knows.
fn one_thread(statements: &str) -> String {
    format!(
        "dim N;\nkernel k(a: i64, b: i32, u: u64, x: f32[N], y: mut f32[4]) grid(1) block(1) {{\n\
         for i in 0..4 {{ y[i] = 0.0; }}\n{statements}\n}}\n"
    )
}

#[track_caller]
fn accepted(statements: &str) {
    gives(&one_thread(statements), &[]);
}

#[track_caller]
fn outside(statements: &str) {
    gives(&one_thread(statements), &["out-of-bounds"]);
}

// ------------------------------------------------------------------------------------------------ `if`, `&&` and `||` in expressions

#[test]
fn the_condition_of_an_expression_guards_its_branch() {
    accepted("for i in 0..9 { y[0] = if i < N { x[i] } else { 0.0 }; }");
    accepted("for i in 0..9 { y[0] = if i >= N { 0.0 } else { x[i] }; }");
    accepted("y[0] = if a >= 0 && a < N { x[a] } else { 0.0 };");
    accepted("y[0] = if a < 0 || a >= N { 0.0 } else { x[a] };");
    accepted("y[0] = if !(a >= 0 && a < 4) { 0.0 } else { y[a] };");
}

/// The cost of a chain grows with its length, not with the square of it: only the first operands are assumed.
#[test]
fn a_long_chain_is_guarded_by_its_first_operands() {
    let some: String = (0..500).map(|number| format!(" || b > {number}")).collect();
    accepted(&format!("y[0] = if a < 0 || a >= N{some} || x[a] > 1.0 {{ 0.0 }} else {{ 1.0 }};"));
    accepted(&format!("y[0] = if b > 3{some} {{ 0.0 }} else {{ f32(b) }};"));
    outside(&format!("y[0] = if x[a] > 1.0 || a < 0 || a >= N{some} {{ 0.0 }} else {{ 1.0 }};"));
}

#[test]
fn a_condition_with_a_name_guards_as_the_condition_does() {
    accepted("for i in 0..9 { let inside = i < N; if inside { y[0] = x[i]; } }");
    accepted("for i in 0..9 { let outside = i >= N || i == 3; if !outside { y[0] = x[i]; } }");
    accepted("for i in 0..9 { let inside = i >= 2 && i < N + 2; y[0] = if inside { x[i - 2] } else { 0.0 }; }");
    outside("for i in 0..9 { let inside = i < N; if !inside { y[0] = x[i]; } }");
    outside("for i in 0..9 { let mut inside = i < N; inside = i < 9; if inside { y[0] = x[i]; } }");
    outside("for i in 0..9 { let inside = i < N || i == 3; if inside { y[0] = x[i]; } }");
}

#[test]
fn a_comparison_of_a_choice_is_the_condition_that_decides_it() {
    accepted("for i in 0..9 { if (if i >= N || i < 0 { 1 } else { 0 }) == 0 { y[0] = x[i]; } }");
    accepted("for i in 0..9 { if (if i < N && i < 4 * N { 0 } else { 63 }) <= 3 { y[0] = x[i]; } }");
    accepted(
        "for i in 0..9 { let out = if i >= N || i == 3 { 1 } else { 0 }; if out != 1 && out >= 0 && out < 1 { y[0] = x[i]; } }",
    );
    accepted(
        "let mut out = 0; for i in 0..9 { out = 0; if i >= N || i == 3 { out = 1; } if out == 0 { y[0] = x[i]; } }",
    );
    accepted(
        "for i in 0..9 { let a = if i < N && b > 3 { 1 } else { 0 }; let c = if a == 1 { 5 } else { 2 }; if c > 3 { y[0] = x[i]; } }",
    );
    outside("for i in 0..9 { if (if i >= N || i < 0 { 1 } else { 0 }) == 1 { y[0] = x[i]; } }");
    outside("for i in 0..9 { if (if i < N || i > 3 { 1 } else { 0 }) == 1 { y[0] = x[i]; } }");
}

/// A condition that is no comparison decides which alternative is left, so no sizes and no thread are named.
#[test]
fn what_decides_a_choice_is_not_forgotten_in_a_counterexample() {
    for condition in ["(if b > 3 || i < N { 1 } else { 0 }) == 1", "(if x[0] > 1.0 { 1 } else { 0 }) == 1"] {
        let text = one_thread(&format!("for i in 0..9 {{ if {condition} {{ y[0] = x[i]; }} }}"));
        let checked = gives(&text, &["out-of-bounds"]);
        says(&checked, "out-of-bounds", &["nothing shows"]);
    }
}

#[test]
fn a_guard_of_an_unsigned_number_guards_its_index() {
    accepted("if u < 4 { y[u] = 1.0; }");
    accepted("if u64(N) > u { y[0] = x[u]; }");
    accepted("if u >= u64(N) { y[0] = 0.0; } else { y[0] = x[u]; }");
    accepted("let at = u; let inside = at < u64(N); y[0] = if inside { x[at] } else { 0.0 };");
    accepted("if u == 3 { y[u] = 1.0; }");
    accepted("if b >= 0 && b < 4 && u < u64(b) { y[u] = 1.0; }");
    // Beyond 2^63 - 1, an index is negative.
    outside("if u >= 2 && a < 4 { y[u] = 1.0; }");
    outside("if a < 4 && u < u64(a) { y[u] = 1.0; }");
    outside("if u < 18446744073709551615 { y[u] = 1.0; }");
    outside("if u <= 4 { y[u] = 1.0; }");
    outside("if u != 3 { y[u] = 1.0; }");
}

#[test]
fn a_choice_of_a_condition_guards_as_the_condition_does() {
    accepted("let ok = if a >= 0 && a < 4 { b > 0 } else { false }; if ok { y[a] = 1.0; }");
    accepted("let ok = if a < 0 || a >= 4 { false } else { b > 0 }; if ok { y[a] = 1.0; }");
    accepted("let bad = if a >= 0 && a < 4 { b > 0 } else { true }; if !bad { y[a] = 1.0; }");
    accepted("let bad = if b > 0 { true } else { a < 0 || a >= 4 }; if bad { y[0] = 1.0; } else { y[a] = 1.0; }");
    outside("let ok = if a >= 0 && a < 4 { b > 0 } else { true }; if ok { y[a] = 1.0; }");
    outside("let ok = if a >= 0 && a < 4 { b > 0 } else { false }; if !ok { y[a] = 1.0; }");
    outside("let ok = if a >= 0 && a < 4 { b > 0 } else { b > 1 }; if ok { y[a] = 1.0; }");
}

#[test]
fn a_loop_that_never_runs_reaches_nothing() {
    accepted("for i in 0..0 { y[0] = x[100 + N]; }");
    accepted("for i in N..N { y[0] = x[100 + N]; }");
    outside("for i in 0..1 { y[0] = x[100 + N]; }");
    outside("for i in 0..N { y[0] = x[100 + N]; }");
}

#[test]
fn the_condition_of_an_expression_guards_nothing_else() {
    outside("for i in 0..9 { y[0] = if i < N { 0.0 } else { x[i] }; }");
    outside("for i in 0..9 { y[0] = (if i < N { 0.0 } else { 1.0 }) + x[i]; }");
    outside("for i in 0..9 { y[0] = if x[i] > 0.0 && i < N { 1.0 } else { 0.0 }; }");
    outside("for i in 0..9 { y[0] = if i <= N { x[i] } else { 0.0 }; }");
    outside("y[0] = if a < N { x[a] } else { 0.0 };");
    outside("y[0] = if a >= 0 || a < N { x[a] } else { 0.0 };");
    // What an unsigned number is below says nothing about the index that a large one becomes.
    outside("y[0] = if u >= 2 && i64(u) < 4 { y[i64(u)] } else { 0.0 };");
}

/// The end that is missing is named, and a fact is offered for the index that it keeps inside, not for the others.
#[test]
fn the_end_at_which_an_index_leaves_is_named() {
    let text = one_thread("y[0] = if a < N { x[a] } else { 0.0 };");
    says(&gives(&text, &["out-of-bounds"]), "out-of-bounds", &["must be at least 0 and below N"]);
    let text = one_thread("for i in 0..4 { y[i - 1] = 1.0; }");
    says(&gives(&text, &["out-of-bounds"]), "out-of-bounds", &["becomes -1, but must be at least 0"]);
    let text =
        "dim M, N;\nkernel t(x: f32[M, N], y: mut f32[N, M]) { for (i, j) in grid(M, N) { y[i, j] = x[i, j]; } }\n";
    says(&gives(text, &["out-of-bounds"]), "out-of-bounds", &["the indices look swapped"]);
}

#[test]
fn a_branch_that_is_wrong_by_one_has_a_counterexample() {
    let text = one_thread("for i in 0..9 { y[0] = if i <= N { x[i] } else { 0.0 }; }");
    says(&gives(&text, &["out-of-bounds"]), "out-of-bounds", &["becomes 1, but must be below N", "i = 1", "N = 1"]);
    let text = one_thread("for i in 0..9 { y[0] = if i > 1 && i < 6 { y[i] } else { 0.0 }; }");
    says(&gives(&text, &["out-of-bounds"]), "out-of-bounds", &["becomes 5, but must be below 4", "i = 5"]);
}

#[test]
fn the_sides_of_and_and_or_know_what_stands_before_them() {
    accepted("for i in 0..9 { if i < N && x[i] > 0.0 { y[0] = 1.0; } }");
    accepted("for i in 0..9 { if i >= N || x[i] > 0.0 { y[0] = 1.0; } }");
    accepted("for i in 0..9 { if i < N && i >= 0 && x[i] > 0.0 { y[0] = x[i]; } }");
    outside("for i in 0..9 { if i < N || x[i] > 0.0 { y[0] = 1.0; } }");
    outside("for i in 0..9 { if i >= N && x[i] > 0.0 { y[0] = 1.0; } }");
}

/// Reading what the statement writes, under a condition of its own, is no other way to the tensor.
#[test]
fn a_conditional_read_of_the_element_that_is_written_is_no_race() {
    gives("dim M;\nkernel k(y: mut f32[M]) { for i in grid(M) { y[i] = if i > 2 { y[i] } else { 0.0 }; } }\n", &[]);
    let text = "kernel k(y: mut f32[8]) { for i in grid(8) { y[i] = if i > 2 { y[i - 1] } else { 0.0 }; } }\n";
    assert_eq!(check(text).errors(), ["race-read"]);
}

/// Where the condition is not known, an index that it bounds may be negative: how it is computed must not depend on that.
#[test]
fn an_index_from_data_that_a_condition_of_the_expression_bounds() {
    for element in ["f32", "i64", "i32", "u8"] {
        let text = format!(
            "kernel k(at: {element}[64], x: f32[64], y: mut f32[64]) grid(1) block(64) {{
                shared s : f32[64];
                for t in threads(64, cuda_thread) {{ s[t] = x[t]; }}
                for t in threads(64, cuda_thread) {{
                    let place = i64(at[t]);
                    let v = if place >= 0 && place < 64 {{ s[place] + x[place] }} else {{ 0.0 }};
                    y[t] = v;
                }}
            }}\n"
        );
        gives(&text, &[]);
    }
}

// ------------------------------------------------------------------------------------------------ sums of data

#[test]
fn a_sum_that_cannot_wrap_is_a_guard() {
    accepted("if a >= 0 && a < N { if a + 1 < N { y[0] = x[a + 1]; } }");
    accepted("if a >= 0 && a < 1000 && a * 3 + 2 < N { y[0] = x[a * 3 + 2]; }");
    accepted("if a > 0 && a <= N { y[0] = x[a - 1]; }");
    accepted("if b >= 0 && i64(b) + 1 < N { y[0] = x[i64(b) + 1]; }");
    accepted("if b >= 0 && b < 3 { y[b + 1] = 1.0; }");
    accepted("if a >= 0 && a < 4 { y[3 - a] = 1.0; }");
    accepted("if a >= 0 && a < 8 { y[a / 2] = 1.0; }");
}

#[test]
fn a_sum_that_may_wrap_is_none() {
    // The largest integer and one is the smallest.
    outside("if a >= 0 && a + 1 < 4 { y[a] = 1.0; }");
    outside("if a > -9000000000000000000 && a * 3 < 4 && a * 3 >= 0 { y[a] = 1.0; }");
    outside("if b >= 0 && b + 1 < 4 { y[b] = 1.0; }");
    outside("if b >= 0 && b * 65536 < 4 { y[b] = 1.0; }");
    outside("if a < 4 && 0 - a <= 0 { y[a] = 1.0; }");
    // No wrap, and still one too far.
    outside("if a >= 0 && a < 4 { y[a + 1] = 1.0; }");
    outside("if b >= 0 && b < 4 { y[b + 1] = 1.0; }");
    outside("if a >= 0 && a < 10 { y[a / 2] = 1.0; }");
}

// ------------------------------------------------------------------------------------------------ min, max, masks of bits

#[test]
fn min_and_max_bound_an_index() {
    accepted("for i in 0..9 { y[min(i, 3)] = 1.0; }");
    accepted("y[max(min(a, 3), 0)] = 1.0;");
    accepted("y[min(max(a, 0), 3)] = 1.0;");
    accepted("y[0] = x[max(min(a, N - 1), 0)];");
    accepted("y[min(max(b, 0), 3)] = 1.0;");
    accepted("let j = min(max(a, 0), 3); y[j] = 1.0; y[3 - j] = 2.0;");
    accepted("for i in 0..9 { y[0] = x[min(i, N - 1)]; }");
    accepted("if a >= 0 { y[min(a, 3)] = 1.0; }");
    accepted("y[max(min(a, 7), 0) / 2] = 1.0;");
    accepted("y[bit_and(a, 3)] = 1.0;");
}

#[test]
fn min_and_max_that_do_not_bound_enough() {
    outside("for i in 0..9 { y[min(i, 4)] = 1.0; }");
    outside("for i in -1..9 { y[min(i, 3)] = 1.0; }");
    outside("y[min(a, 3)] = 1.0;");
    outside("y[max(a, 0)] = 1.0;");
    outside("y[0] = x[max(min(a, N), 0)];");
    outside("y[0] = x[min(max(a, 1), N - 1)];\ny[1] = x[max(min(a, N - 1), 1)];");
    outside("if a >= 0 { y[min(a, 3) + 1] = 1.0; }");
    outside("y[max(min(a, 9), 0) / 2] = 1.0;");
    outside("y[bit_and(a, 4)] = 1.0;");
    outside("y[bit_and(a, -4)] = 1.0;");
    outside("y[i64(min(u, 3)) + 1] = 1.0;");
}

#[test]
fn threads_that_a_bound_puts_together_race() {
    gives("kernel k(y: mut f32[4]) { for i in grid(9) { y[min(i, 3)] = 1.0; } }\n", &["race"]);
}

/// A condition on sizes is known where it holds, and nowhere else.
#[test]
fn a_condition_on_sizes_is_known_in_its_branch() {
    let kernel =
        |body: &str| format!("dim N;\nkernel k(x: f32[N], n: i64, y: mut f32[1]) grid(1) block(1) {{ {body} }}\n");
    for body in [
        "y[0] = 1.0; if N >= 12 { let a = x[11]; }",
        "y[0] = 1.0; if n > 0 && N > 11 { let a = x[11]; }",
        "y[0] = 1.0; if N < 12 { } else { let a = x[11]; }",
    ] {
        assert!(gives(&kernel(body), &[]).kernel().is_some_and(|kernel| kernel.obligations.is_empty()), "{body}");
    }
    for body in [
        "y[0] = 1.0; if N >= 12 { } let a = x[11];",
        "y[0] = 1.0; if N >= 12 { } else { let a = x[11]; }",
        "y[0] = 1.0; if N >= 11 { let a = x[11]; }",
    ] {
        gives(&kernel(body), &["out-of-bounds"]);
    }
}

#[test]
fn a_value_that_differs_from_another_one_than_the_end_of_its_range_is_not_inside() {
    let kernel = |body: &str| {
        format!(
            "dim H where H >= 2;\nkernel k(x: f32[H], y: mut f32[H]) block(1) {{ for i in grid(H) {{ {body} }} }}\n"
        )
    };
    for wrong in [
        "if i != 1 { y[i] = x[i - 1]; }",
        "if i != H - 2 { y[i] = x[i + 1]; }",
        "if i != 0 { y[i] = x[i - 2]; }",
        "let l = if i > 0 { i - 2 } else { 0 }; y[i] = x[l];",
        "let l = if i >= 0 { i - 1 } else { 0 }; y[i] = x[l];",
        "let l = if i != 1 { i - 1 } else { 0 }; y[i] = x[l];",
        "let r = if i < H { i + 1 } else { 0 }; y[i] = x[r];",
        "let r = if i == H - 1 { i + 1 } else { 0 }; y[i] = x[r];",
    ] {
        let errors = check(&kernel(wrong)).errors();
        assert!(errors.iter().all(|code| *code == "out-of-bounds") && errors.len() == 1, "{wrong}: {errors:?}");
    }
}

/// `i < N - s` says that `i + s` is inside and does not wrap, which `i + s < N` does not say of a large `s`.
#[test]
fn a_difference_bounds_a_sum() {
    let with = |condition: &str| {
        format!(
            "dim N; kernel k(s: i64, x: f32[N], y: mut f32[N]) {{
                for i in grid(N) {{ if {condition} {{ y[i] = x[i + s]; }} else {{ y[i] = 0.0; }} }} }}"
        )
    };
    gives(&with("s >= 0 && i < N - s"), &[]);
    gives(&with("s >= 0 && s < N - i"), &[]);
    gives(&with("s >= 0 && i + s < N"), &["out-of-bounds"]);
    gives(&with("i < N - s"), &["out-of-bounds"]);
    let mirrored = |facts: &str| {
        format!("dim N{facts}; kernel k(x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ y[i] = x[abs(i - 1)]; }} }}")
    };
    gives(&mirrored(" where N > 1"), &[]);
    gives(&mirrored(""), &["out-of-bounds"]);
}

/// A number of pages that data gives, rounded up and limited by a size.
#[test]
fn a_quotient_of_a_limited_number_is_limited() {
    let with = |pages: &str| {
        format!(
            "dim B, L; kernel k(len: i32[B], table: f32[B, L], y: mut f32[B]) {{
                for b in grid(B) {{
                    let mut s = 0.0;
                    for p in 0..{pages} {{ s += table[b, p]; }}
                    y[b] = s; }} }}"
        )
    };
    gives(&with("(min(i64(len[b]), 16 * L) + 15) / 16"), &[]);
    gives(&with("max(min(i64(len[b]), 16 * L), 0) / 16"), &[]);
    gives(&with("(min(i64(len[b]), 16 * L) + 16) / 16"), &["out-of-bounds"]);
    gives(&with("(i64(len[b]) + 15) / 16"), &["out-of-bounds"]);
}

/// The heads of a query share those of the keys, whatever loop is around.
#[test]
fn a_quotient_of_what_a_fact_divides_is_inside() {
    gives(
        "dim Q, K, S where Q % K == 0; kernel k(x: f32[K, S], y: mut f32[Q, S]) {
            view px = partition(x, [1, 16]); view py = partition(y, [1, 16]);
            for (h, i) in grid(Q, cdiv(S, 16)) {
                let mut a = zeros(f32[1, 16]);
                for j in max(0, i - 2)..i + 1 { a += px.load_masked(h / (Q / K), j); }
                py.store_masked(a, h, i); } }",
        &[],
    );
}

/// Each side of a choice knows the conditions of all choices around it, as the branches of an `if` statement do.
#[test]
fn a_number_is_clamped_by_choices() {
    let kernel = |j: &str, choice: &str| {
        format!(
            "dim H;\nkernel k(x: f32[H], u: i64[H], y: mut f32[H]) {{
                for i in grid(H) {{ let j = {j}; let c = {choice}; y[i] = x[c]; }}
            }}\n"
        )
    };
    let clamped = "if j < 0 { 0 } else if j >= H { H - 1 } else { j }";
    for j in ["i - 2", "2 * i", "u[i]"] {
        gives(&kernel(j, clamped), &[]);
        gives(&kernel(j, "if j >= 0 { if j < H { j } else { H - 1 } } else { 0 }"), &[]);
    }
    for wrong in [
        "if j < 0 { 0 } else if j > H { H - 1 } else { j }",
        "if j < -1 { 0 } else if j >= H { H - 1 } else { j }",
        "if j < 0 { 0 } else if j >= H { H } else { j }",
        "if j >= H { H - 1 } else if j < 0 { j } else { 0 }",
    ] {
        gives(&kernel("u[i]", wrong), &["out-of-bounds"]);
    }
}

/// What stands late in such a kernel is judged by less, and the reader is told so.
#[test]
fn a_variable_that_hundreds_of_conditions_change_is_followed_up_to_a_limit() {
    let text = |count: usize| {
        let update = |number: usize| {
            format!("if a < {number} && b > {number} {{ a = a + i64(n[t]); }} else {{ b = b - {number}; }}\n")
        };
        let updates: String = (0..count).map(update).collect();
        format!(
            "kernel k(n: i32[64], x: f32[64], y: mut f32[64]) {{
    for t in grid(64) {{ let mut a = 0; let mut b = i64(n[t]);\n{updates}if a >= 0 && a < 64 {{ y[t] = x[a]; }} }}\n}}\n"
        )
    };
    assert!(!check(&text(8)).codes().contains("checks-cut-short"));
    says(&check(&text(800)), "checks-cut-short", &["what its conditions choose"]);
}
