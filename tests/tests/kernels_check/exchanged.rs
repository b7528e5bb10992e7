//! Tensors that the threads of one block use as they use a shared array: barriers order their accesses, where a barrier can stand
//! and where no other block reaches the same elements.

use kernel::typed::{Kernel, StatementKind};

use super::{gives, says};
use crate::support::check;

/// A kernel of one block, or of one for each row, that reads one element in each thread and then writes another one.
fn moved(head: &str, read: &str, write: &str) -> String {
    let [x, y] = ["x", "y"].map(|name| if write.starts_with(name) { "mut " } else { "" });
    format!(
        "dim M;
kernel k(x: {x}f32[M, 64], y: {y}f32[64], p: i32[64]) block(64) {{
    for m in grid({head}) {{
        let mut v = 0.0;
        for t in threads(64, cuda_thread) {{ v = {read}; }}
        for t in threads(64, cuda_thread) {{ {write} = v; }}
    }}
}}\n"
    )
}

fn barriers(kernel: &Kernel) -> usize {
    let mut count = 0;
    kernel::typed::Statement::walk(&kernel.body, &mut |statement| {
        count += usize::from(matches!(statement.kind, StatementKind::Barrier(_)));
    });
    count
}

#[test]
fn a_block_may_move_elements_of_its_row() {
    for (read, write) in [
        ("x[m, 63 - t]", "x[m, t]"),
        ("x[m, t]", "x[m, 63 - t]"),
        ("x[m, t]", "x[m, t ^ 1]"),
        ("x[m, (t + 1) % 64]", "x[m, t]"),
        ("x[m, t / 2]", "x[m, t]"),
    ] {
        let checked = gives(&moved("M", read, write), &[]);
        assert_eq!(barriers(&checked.kernel().unwrap()), 1, "{read} {write}");
    }
}

#[test]
fn one_block_may_move_elements_of_the_whole_tensor() {
    for (read, write) in
        [("y[63 - t]", "y[t]"), ("y[t / 2]", "y[t]"), ("if p[t] >= 0 && p[t] < 64 { y[p[t]] } else { 0.0 }", "y[t]")]
    {
        let checked = gives(&moved("1", read, write), &[]);
        assert_eq!(barriers(&checked.kernel().unwrap()), 1, "{read} {write}");
    }
}

/// What each thread has for itself needs no barrier.
#[test]
fn a_barrier_stands_only_where_threads_meet() {
    for (read, write) in [("x[m, t]", "x[m, t]"), ("x[m, t ^ 1]", "x[m, t ^ 1]"), ("f32(p[63 - t])", "x[m, t]")] {
        let checked = gives(&moved("M", read, write), &[]);
        assert_eq!(barriers(&checked.kernel().unwrap()), 0, "{read} {write}");
    }
}

/// Blocks cannot wait for each other.
#[test]
fn elements_of_another_block_are_a_race() {
    for (read, write) in [
        ("x[(m + 1) % M, t]", "x[m, t]"),
        ("x[M - 1 - m, t]", "x[m, t]"),
        ("x[0, t]", "x[m, t]"),
        ("y[63 - t]", "y[t]"),
    ] {
        let checked = check(&moved("M", read, write));
        assert!(checked.kernel().is_none(), "{read} {write}");
        assert!(["race", "race-read"].contains(&checked.errors()[0]), "{}", checked.report());
    }
}

#[test]
fn a_barrier_needs_a_place() {
    let in_one_loop = "kernel k(x: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) { x[t] = x[63 - t]; }
}\n";
    let checked = gives(in_one_loop, &["race-read"]);
    says(
        &checked,
        "race-read",
        &["threads of one block meet", "end the loop over collectives between the two accesses"],
    );
    // Not all threads come to the place between the two loops.
    let divergent = "kernel k(x: mut f32[64], y: mut f32[64]) grid(1) block(64) {
    view own = y via reshape_map([1] | [64] => layout: [i0, t0]);
    view mirrored = y via reshape_map([1] | [64] => layout: [i0, -t0]);
    if own[0] > 0.0 { let v = mirrored[0]; own[0] = v; }
}\n";
    let checked = check(divergent);
    assert_eq!(checked.errors(), ["unreached-barrier"], "{}", checked.report());
}

/// What all threads read at one place is the same for all of them.
#[test]
fn a_block_goes_on_until_its_tensor_says_so() {
    let of = |condition: &str| {
        format!(
            "kernel k(x: mut i32[64]) grid(1) block(64) {{
    let mut v: i32 = 0;
    for k in 0..10 {{
        for t in threads(64, cuda_thread) {{ v = x[63 - t]; }}
        for t in threads(64, cuda_thread) {{ x[t] = v + 1; }}
        {condition}
    }}
}}\n"
        )
    };
    for condition in ["if x[0] > 5 { break; }", "let q = x[3]; if q > 5 { break; }"] {
        let checked = check(&of(condition));
        assert!(checked.errors().is_empty(), "{condition}\n{}", checked.report());
    }
    // Threads see elements of their own.
    let own = "view own = x via reshape_map([1] | [64] => layout: [i0, t0]);\n        if own[0] > 5 { break; }";
    assert!(!check(&of(own)).errors().is_empty());
}

/// Only the pair that no barrier can order is named, with its threads and its element.
#[test]
fn what_a_barrier_orders_is_no_race() {
    let of = |body: &str| {
        check(&format!(
            "kernel k(x: mut f32[2, 64]) grid(1) block(64) {{\n    for t in threads(64, cuda_thread) {{ x[1, t] = 1.0; }}\n    {body}\n}}\n"
        ))
    };
    let checked = of("for t in threads(64, cuda_thread) { x[1, t / 2] = 2.0; }");
    assert_eq!(checked.errors(), ["race"], "{}", checked.report());
    says(&checked, "race", &["thread 0", "thread 1", "element [1, 0] of `x`", "at the same time"]);
    let checked = of("for t in threads(64, cuda_thread) { x[1, 63 - t] = x[1, (t + 1) % 64]; }");
    assert_eq!(checked.errors(), ["race-read"], "{}", checked.report());
    says(&checked, "race-read", &["reads and thread", "end the loop over collectives between the two accesses"]);
    assert!(of("for t in threads(64, cuda_thread) { x[1, 63 - t] = 2.0; }").errors().is_empty());
}

/// What one statement does in different iterations of a loop, a barrier orders.
#[test]
fn iterations_of_one_statement_are_ordered() {
    for index in ["(t + p) % 128", "t ^ p", "t + p", "127 - t - p % 2 + 1"] {
        let text = format!(
            "kernel k(c: mut i32[256]) grid(1) block(128) {{
    for p in 0..4 {{ for t in threads(128, cuda_thread) {{ let i = {index}; c[i] += i32(t); }} }}
}}\n"
        );
        let checked = check(&text);
        let kernel = checked.kernel().unwrap_or_else(|| panic!("{text}\n{}", checked.report()));
        assert_eq!(barriers(&kernel), 1, "{text}");
    }
    // Within an iteration there is no place for one, nor between blocks.
    for (grid, index) in [("1", "t / 2 + p"), ("1", "p"), ("2", "(t + p) % 128")] {
        let text = format!(
            "kernel k(c: mut i32[256]) grid({grid}) block(128) {{
    for p in 0..4 {{ for t in threads(128, cuda_thread) {{ let i = {index}; c[i] += i32(t); }} }}
}}\n"
        );
        assert_eq!(check(&text).errors(), ["race"], "{text}");
    }
}

/// The race of a statement with itself is told as it is where no barrier would help.
#[test]
fn a_store_that_meets_itself_is_a_race() {
    let checked = gives(
        "kernel k(y: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) { y[t / 2] = 1.0; }
}\n",
        &["race"],
    );
    says(&checked, "race", &["thread 0", "thread 1"]);
}

/// The cost depends on no trip count.
#[test]
fn a_loop_with_a_barrier_orders_each_iteration_after_the_one_before() {
    let text = "kernel k(x: mut f32[256]) grid(1) block(256) {
    for k in 0..1000000 {
        let mut v = 0.0;
        for t in threads(256, cuda_thread) { if t > 0 { v = x[t - 1]; } }
        for t in threads(256, cuda_thread) { x[t] = v; }
    }
}\n";
    let checked = check(text);
    assert_eq!(barriers(&checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()))), 2);
}

/// Hundreds of statements are ordered one after the other.
#[test]
fn many_steps_of_one_block_are_ordered() {
    let mut text = "kernel k(x: mut i32[64]) grid(1) block(64) {\n".to_owned();
    for step in 0..60 {
        text += &format!("    for t in threads(64, cuda_thread) {{ x[t ^ {}] = {step}; }}\n", step + 1);
    }
    text.push_str("}\n");
    let checked = check(&text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()));
    assert_eq!(barriers(&kernel), 59);
}

/// Whether a barrier could stand is not known while something else is wrong, so nothing is said of a race.
#[test]
fn another_error_is_the_only_one() {
    let text = moved("M", "x[m, 63 - t]", "x[m, t]").replace("let mut v = 0.0", "let mut v: i32 = 0.0");
    assert_eq!(check(&text).errors(), ["type-mismatch"]);
}
