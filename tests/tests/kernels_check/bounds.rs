//! Bounds, and the conditions that keep them.

use super::{gives, says};
use crate::support::{Checked, check};

#[test]
fn a_store_outside_names_the_index_and_the_bound() {
    let checked =
        gives("kernel k(y: mut f32[4]) grid(1) block(1) { for i in 0..5 { y[i] = 1.0; } }\n", &["out-of-bounds"]);
    says(&checked, "out-of-bounds", &["becomes 4", "below 4", "[4]"]);
}

#[test]
fn an_iterator_has_its_own_value_in_a_message() {
    let checked =
        gives("kernel k(y: mut f32[6]) grid(1) block(1) { for j in 3..8 { y[j] = 1.0; } }\n", &["out-of-bounds"]);
    says(&checked, "out-of-bounds", &["becomes 7", "at j = 7"]);
    let checked = gives(
        "dim N;\nkernel k(y: mut f32[N]) grid(1) block(1) { for j in N..N + 2 { y[j] = 1.0; } }\n",
        &["out-of-bounds"],
    );
    says(&checked, "out-of-bounds", &["becomes 2", "at j = 2", "for N = 1"]);
}

#[test]
fn an_index_below_zero_is_outside() {
    let checked = gives(
        "kernel k(x: f32[4], y: mut f32[4]) grid(1) block(1) { for i in 0..4 { y[i] = x[i - 1]; } }\n",
        &["out-of-bounds"],
    );
    says(&checked, "out-of-bounds", &["becomes -1"]);
}

#[test]
fn each_index_stays_below_its_own_dimension() {
    gives(
        "kernel k(x: f32[2, 8], y: mut f32[4]) grid(1) block(1) { for i in 0..4 { y[i] = x[i, 0]; } }\n",
        &["out-of-bounds"],
    );
}

#[test]
fn a_view_that_is_longer_than_its_tensor_is_outside_unless_masked() {
    let view = |masked: &str| {
        format!(
            "kernel k(y: mut f32[10]) {{ view ys = y via reshape_map([3] | [4] => layout: [i0, t0]){masked};
             for i in 0..3 {{ ys[i] = 1.0; }} }}\n"
        )
    };
    gives(&view(""), &["out-of-bounds"]);
    gives(&view(" masked"), &[]);
}

#[test]
fn a_masked_tail_of_any_size() {
    gives(
        "dim N;\nkernel k(x: f32[N], y: mut f32[N]) {
            view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
            view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
            for i in 0..4 { ys[i] = xs[i]; }
        }\n",
        &[],
    );
}

#[test]
fn sizes_that_divide_need_no_mask_and_sizes_that_may_not_do() {
    let kernel = |facts: &str| {
        format!(
            "dim N{facts};\nkernel k(y: mut f32[N]) {{
                view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]);
                for i in 0..4 {{ ys[i] = 1.0; }}
            }}\n"
        )
    };
    gives(&kernel(" where N % 4 == 0"), &[]);
    let found = check(&kernel(""));
    assert_eq!(found.errors(), ["out-of-bounds"], "{}", found.report());
}

#[test]
fn a_bound_between_two_symbols_needs_the_fact() {
    let kernel = |facts: &str| {
        format!(
            "dim M, N{facts};\nkernel k(x: f32[M], y: mut f32[N]) grid(1) block(1) {{ for i in 0..N {{ y[i] = x[i]; }} }}\n"
        )
    };
    gives(&kernel(" where N <= M"), &[]);
    let checked = gives(&kernel(""), &["out-of-bounds"]);
    says(&checked, "out-of-bounds", &["below M"]);
}

#[test]
fn a_guard_is_as_good_as_a_fact() {
    gives(
        "dim M, N;\nkernel k(x: f32[M], y: mut f32[N]) grid(1) block(1) {
            for i in 0..N { if i < M { y[i] = x[i]; } else { y[i] = 0.0; } }
        }\n",
        &[],
    );
}

#[test]
fn the_other_branch_knows_the_opposite() {
    gives(
        "kernel k(x: f32[4], y: mut f32[8]) grid(1) block(1) {
            for i in 0..8 { if i >= 4 { y[i] = 0.0; } else { y[i] = x[i]; } }
        }\n",
        &[],
    );
    gives(
        "kernel k(x: f32[4], y: mut f32[8]) grid(1) block(1) {
            for i in 0..8 { if i < 4 { y[i] = 0.0; } else { y[i] = x[i]; } }
        }\n",
        &["out-of-bounds"],
    );
}

#[test]
fn an_or_says_nothing_of_either_side() {
    gives(
        "kernel k(n: i64, y: mut f32[4]) grid(1) block(1) { if n >= 0 || n < 4 { y[n] = 1.0; } }\n",
        &["out-of-bounds"],
    );
}

#[test]
fn a_condition_on_a_variable_that_changes_says_nothing() {
    gives(
        "kernel k(y: mut f32[4]) grid(1) block(1) {
            let mut n = 0;
            if n < 4 { n = 100; y[n] = 1.0; }
        }\n",
        &["out-of-bounds"],
    );
}

#[test]
fn an_index_from_data_needs_a_guard() {
    let kernel = |open: &str, close: &str| {
        format!(
            "kernel k(at: i32[4], x: f32[8], y: mut f32[4]) grid(1) block(1) {{
                for i in 0..4 {{ let n = i64(at[i]); {open} y[i] = x[n]; {close} }}
            }}\n"
        )
    };
    gives(&kernel("", ""), &["out-of-bounds"]);
    gives(&kernel("if n >= 0 && n < 8 {", "}"), &[]);
    gives(&kernel("if n < 8 {", "}"), &["out-of-bounds"]);
    gives(&kernel("if n >= 0 {", "}"), &["out-of-bounds"]);
    gives(&kernel("if n >= 0 && n <= 8 {", "}"), &["out-of-bounds"]);
}

/// Read-only memory does not change, so a condition on an element holds wherever it is read again. Memory that the
/// kernel writes may have changed by the next statement.
#[test]
fn two_reads_of_one_element_are_one_value_where_nobody_writes_it() {
    let kernel = |mutable: &str, body: &str| {
        format!("kernel k(at: {mutable}i64[4], y: mut f32[4]) grid(1) block(1) {{ {body} }}\n")
    };
    let guarded = "if at[0] >= 0 && at[0] < 4 { y[at[0]] = 1.0; }";
    gives(&kernel("", guarded), &[]);
    gives(&kernel("mut ", &format!("at[0] = 7; {guarded}")), &["out-of-bounds"]);
    gives(&kernel("", "if at[0] >= 0 && at[0] < 4 { y[at[1]] = 1.0; }"), &["out-of-bounds"]);
}

#[test]
fn an_unsigned_index_needs_only_the_upper_guard() {
    gives("kernel k(n: u32, y: mut f32[4]) grid(1) block(1) { let at = i64(n); if at < 4 { y[at] = 1.0; } }\n", &[]);
}

/// The help of the finding with a code.
fn help(checked: &Checked, code: &str) -> String {
    let finding = checked.findings.iter().find(|finding| finding.code == code);
    finding.unwrap_or_else(|| panic!("no {code}: {}", checked.report())).help.join("; ")
}

/// What a view has already is not advised, nor what only a view can have.
#[test]
fn the_advice_fits_the_access() {
    let view = |masked: &str, end: &str| {
        check(&format!(
            "dim N, K;
            kernel k(y: mut f32[N]) {{
                view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]){masked};
                for i in 0..{end} {{ ys[i] = 1.0; }}
            }}\n"
        ))
    };
    let advice = help(&view("", "4"), "out-of-bounds");
    assert!(advice.contains("mark the view as `masked`"), "{advice}");
    for end in ["5", "K"] {
        let advice = help(&view(" masked", end), "out-of-bounds");
        assert!(advice.contains("let the loop end where the view does") && !advice.contains("masked"), "{advice}");
    }
    let direct = check("dim N;\nkernel k(x: f32[1]) grid(1) block(1) { let a = x[N * N % 3 / 2]; }\n");
    let advice = help(&direct, "bounds-open");
    assert!(!advice.contains("masked") && !advice.contains("loop"), "{advice}");
}

#[test]
fn the_facts_of_a_size_hold_where_it_occurs_first() {
    let kernel = |index: &str| {
        format!(
            "dim N where N <= 16;\nkernel k(x: f32[16], y: mut f32[8]) block(8) {{ for b in grid(1) {{
            for t in threads(8, cuda_thread) {{ y[t] = x[{index}]; }} }} }}\n"
        )
    };
    for right in ["N - 1", "N / 4", "N - 1 - t * 0", "min(N, 15)"] {
        assert_eq!(check(&kernel(right)).errors(), [""; 0], "{right}");
    }
    for wrong in ["N", "N / 4 + 12", "N - 2"] {
        assert_eq!(check(&kernel(wrong)).errors(), ["out-of-bounds"], "{wrong}");
    }
}

/// A block loads a tile with fewer threads than elements. The number of blocks does not matter for an index into the tile.
#[test]
fn the_guard_of_a_tile_holds_for_any_number_of_blocks() {
    let kernel = |blocks: &str, guard: i64| {
        let text = format!(
            "dim N;
kernel k(y: mut f32[{blocks}]) block(32) {{
    for b in grid({blocks}) {{
        shared s : f32[7, 8];
        for t in threads(32, cuda_thread) {{
            for j in 0..2 {{ if t + 32 * j < {guard} {{ s[(t + 32 * j) / 8, (t + 32 * j) % 8] = 1.0; }} }}
        }}
        for t in threads(1, cuda_thread) {{ y[b] = s[6, 7]; }}
    }}
}}
"
        );
        check(&text).errors()
    };
    for blocks in ["5", "N", "cdiv(N, 7)"] {
        assert_eq!(kernel(blocks, 56), [""; 0], "{blocks} blocks");
        assert_eq!(kernel(blocks, 57), ["out-of-bounds"], "{blocks} blocks");
    }
}

/// The least number of a type has no opposite: `abs(-128)` of an `i8` is -128.
#[test]
fn the_absolute_value_of_the_least_number_is_negative() {
    let kernel = |element: &str, index: &str| {
        format!(
            "dim N;\nkernel k(x: {element}[N], y: f32[40000], z: mut f32[N]) {{
                for i in grid(N) {{ let a = {index}; z[i] = y[i64(a)]; }}
            }}\n"
        )
    };
    for element in ["i8", "i16"] {
        gives(&kernel(element, "abs(x[i])"), &["out-of-bounds"]);
        gives(&kernel(element, "abs(i64(x[i]))"), &[]);
        gives(&kernel(element, "max(abs(x[i]), 0)"), &[]);
    }
    gives(&kernel("i32", "min(abs(max(x[i], -2147483648)), 39999)"), &["out-of-bounds"]);
    gives(&kernel("i32", "min(abs(max(x[i], -2147483647)), 39999)"), &[]);
}

/// What holds of an index as it is written holds of it under a name.
#[test]
fn a_name_changes_nothing_of_an_index() {
    let indices = [
        "i64(m[i]) % N",
        "max(i, 0) % N",
        "bit_and(k[i], 1023) % N",
        "shift_right((i64(m[i]) + 16) % N, 3)",
        "max(shift_right(min(i / 2 * 2, N - 1), 3), 0)",
        "abs(i64(m[i])) % N",
        "abs(min(i, 63)) % N",
    ];
    for index in indices {
        for body in [format!("y[i] = x[{index}];"), format!("let h = {index}; y[i] = x[h];")] {
            gives(
                &format!(
                    "dim N, M;\nkernel k(m: u8[N], k: i64[N], x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ {body} }} }}
                     kernel other(z: mut f32[M]) {{ for i in grid(M) {{ z[i] = 0.0; }} }}\n"
                ),
                &[],
            );
        }
    }
}

/// An arm of a long ladder knows that what its `if`s compared differs from many numbers, and still its bound.
#[test]
fn a_hundred_arms_forget_no_bound() {
    let arms: String = (0..100).map(|arm| format!("if m[t] == {arm} {{ y[t] = {arm}.0; }} else ")).collect();
    gives(
        &format!(
            "dim N;\nkernel k(m: i64[N], x: f32[N], y: mut f32[N]) block(256) {{
                for b in grid(cdiv(N, 256)) {{ for q in threads(256, cuda_thread) {{
                    let t = b * 256 + q;
                    if t < N {{ {arms} {{ y[t] = x[t]; }} }}
                }} }}
            }}\n"
        ),
        &[],
    );
}

/// Whatever the divisor is, a remainder is no further from zero than its dividend, and has its sign; by zero, it is 0.
#[test]
fn a_remainder_is_never_beyond_its_dividend() {
    let text = |index: &str| {
        format!("dim N;\nkernel k(d: i64[4], x: f32[4], y: mut f32[4]) {{ for i in grid(4) {{ y[i] = x[{index}]; }} }}")
    };
    for index in ["i % (N - 5)", "i % d[i]", "(3 - i) % (N - 9)", "i / (1 + bit_and(d[i], 7))"] {
        gives(&text(index), &[]);
    }
    for index in ["(i - 1) % d[i]", "(i + 1) % d[i]", "i / d[i]", "d[i] % 4"] {
        gives(&text(index), &["out-of-bounds"]);
    }
}

/// A remainder of `u64` is below the size that divides, and a remainder plus its divisor is never negative.
#[test]
fn a_remainder_by_a_size_is_an_index() {
    let text = |index: &str| {
        format!(
            "dim N;\nkernel k(m: u64[N], d: i64[N], x: f32[N], y: mut f32[N]) {{
                for i in grid(N) {{ let k = d[i]; let u = m[i]; let j = {index}; y[i] = x[j]; }} }}"
        )
    };
    for index in ["u % u64(N)", "m[i] % u64(N)", "(k % N + N) % N", "(d[i] % N + N) % N"] {
        gives(&text(index), &[]);
    }
    for index in ["u % u64(N + 1)", "u % u64(N - 1) + 1", "(k % N + N - 2) % N", "(k % (N + 2) + N) % N", "k % N"] {
        gives(&text(index), &["out-of-bounds"]);
    }
}

/// A fact that is offered has been tried: with it, the same text has no error, and with one less it has.
#[test]
fn a_fact_that_is_offered_settles_every_case() {
    let kernel = |facts: &str, body: &str| {
        format!("dim M{facts};\nkernel k(x: i64[M], y: mut i64[8]) {{ for i in grid(8) {{ y[i] = 0; {body} }} }}\n")
    };
    for (body, least) in [
        ("for j in 0..8 { if j <= i { y[i] = x[j * j]; } }", 50),
        ("for j in 0..8 step 2 { y[i] = x[j * j]; }", 37),
        ("for j in 0..i + 1 { y[i] = x[j * j]; }", 50),
        ("for j in 0..8 { y[i] = x[(7 - j) * (7 - j)]; }", 50),
        ("for j in 0..8 { y[i] = x[shift_left(1, j)]; }", 129),
        ("for j in 0..3 { y[i] = x[i + j]; }", 10),
    ] {
        let checked = gives(&kernel("", body), &["out-of-bounds"]);
        says(&checked, "out-of-bounds", &[&format!("stays inside for every size with `M >= {least}`")]);
        let with = |least: i64| kernel(&format!(" where M >= {least}"), body);
        gives(&with(least), &[]);
        gives(&with(least - 1), &["out-of-bounds"]);
    }
}

#[test]
fn a_formula_that_no_map_states_is_not_called_data() {
    let read = |index: &str| {
        let text = format!(
            "dim M;\nkernel k(d: i64[8], x: i64[M], y: mut i64[8]) {{ for i in grid(8) {{ y[i] = x[{index}]; }} }}\n"
        );
        gives(&text, &["out-of-bounds"])
    };
    says(&read("i * i"), "out-of-bounds", &["only its least and its greatest value are known", "M >= 50"]);
    says(&read("d[i]"), "out-of-bounds", &["depends on data"]);
    says(&read("d[i] * i"), "out-of-bounds", &["depends on data"]);
    let store = |index: &str| {
        gives(&format!("dim M;\nkernel k(y: mut i64[M * M]) {{ for i in grid(M) {{ y[{index}] = 1; }} }}\n"), &["race"])
    };
    says(&store("i * i"), "race", &["no sum of multiples"]);
}

/// What bounds an index on one side is not told to write it again.
#[test]
fn the_side_is_named_on_which_alone_an_index_leaves() {
    let of = |statement: &str| {
        check(&format!(
            "dim N;\nkernel k(k: i32, n: i64, c: i32[N], x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ {statement} }} }}\n"
        ))
    };
    for (statement, words) in [
        ("y[i] = x[(i + n) % N];", ["it may be negative", "`((i % n) + n) % n`"]),
        ("if i64(k) < N { y[i] = x[k]; }", ["it may be negative", "guard"]),
        ("let j = i64(c[i]); if j < N { y[i] = x[j]; }", ["it may be negative", "guard"]),
        ("let j = i64(c[i]); if j >= 0 { y[i] = x[j]; }", ["it may be N or more", "guard"]),
        ("y[i] = x[c[i]];", ["nothing bounds it", "guard"]),
    ] {
        says(&of(statement), "out-of-bounds", &words);
    }
    // What is said to be never negative is.
    assert!(of("y[i] = x[((i + n) % N + N) % N];").errors().is_empty());
    assert!(of("if k >= 0 && i64(k) < N { y[i] = x[k]; }").errors().is_empty());
}
