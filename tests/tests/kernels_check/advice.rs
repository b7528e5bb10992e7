//! Mistakes of people who know CUDA, Triton and numpy, and what the messages tell them to write.

use super::{gives, says};
use crate::support::{Checked, check};

/// Checks that a text has one error of this code, and that the first fix of it leaves none.
#[track_caller]
fn mends(text: &str, code: &str) -> String {
    let checked = refused(text, code);
    let mended = checked.applied(checked.findings[0].fixes.first().unwrap_or_else(|| panic!("no fix\n{text}")));
    let after = check(&mended);
    assert!(after.errors().is_empty(), "{mended}\n{}", after.report());
    mended
}

#[track_caller]
fn refused(text: &str, code: &str) -> Checked {
    let checked = check(text);
    assert_eq!(checked.errors(), [code], "\n{text}\n{}", checked.report());
    checked
}

/// A kernel of tiles of `[4, 64]`, of which `value` becomes the result.
fn of_tiles(iterators: &str, grid: &str, value: &str) -> String {
    format!(
        "dim M, N;
kernel k(x: f32[M, 64], w: f32[N], y: mut f32[M, 64]) {{
    view px = partition(x, [4, 64]);
    view pw = partition(w, [64]);
    view py = partition(y, [4, 64]);
    for {iterators} in grid({grid}) {{
        let t = px.load_masked(i, 0);
        py.store_masked({value}, i, 0);
    }}
}}\n"
    )
}

#[test]
fn a_partition_is_loaded_before_it_is_computed_with() {
    let by_row = |value: &str| of_tiles("i", "cdiv(M, 4)", value);
    let by_both = |value: &str| of_tiles("(i, j)", "py.index_space", value);
    for value in ["t + px", "px * 2.0", "exp(px)", "max(t, px)", "px"] {
        let checked = refused(&by_row(value), "tile-place");
        says(
            &checked,
            "tile-place",
            &["`px` is a partition, and a tile of it is needed here", "`px.load_masked(i, 0)`"],
        );
        let mended = mends(&by_both(value), "tile-place");
        assert_eq!(mended, by_both(&value.replace("px", "px.load_masked(i, j)")));
    }
    let checked = refused(&by_row("t + pw"), "tile-place");
    says(&checked, "tile-place", &["`pw.load_masked(i)`"]);
    let mended = mends(&by_both("t - px.max(1, keep: true)"), "unknown-member");
    assert_eq!(mended, by_both("t - px.load_masked(i, j).max(1, keep: true)"));
    says(&refused(&by_row("t * px.sum()"), "unknown-member"), "unknown-member", &["`px.load_masked(i, 0).sum(…)`"]);
}

#[test]
fn a_dimension_of_extent_1_is_inserted() {
    let kernel = |value: &str| of_tiles("i", "cdiv(M, 4)", value);
    for (theirs, ours) in [
        ("t - t.max(1)[:, None]", "t - t.max(1).insert(1)"),
        ("t - t.max(0)[None, :]", "t - t.max(0).insert(0)"),
        ("t - t.max(0)[None]", "t - t.max(0).insert(0)"),
        ("t - t.max(1)[:, np.newaxis]", "t - t.max(1).insert(1)"),
        ("t - t.max(1)[.., None]", "t - t.max(1).insert(1)"),
        ("t + t.max(1)[None, :, None].sum(0)", "t + t.max(1).insert(0).insert(2).sum(0)"),
    ] {
        assert_eq!(mends(&kernel(theirs), "tile-shape"), kernel(ours));
    }
    let of_function = |part: &str| format!("fn peak(t) = t.max(1){part};\n{}", kernel("t - peak(t)"));
    let checked = refused(&of_function("[:, None]"), "tile-shape");
    says(&checked, "tile-shape", &["`.insert(1)` makes the tile of [4] one of [4, 1]"]);
    gives(&of_function(".insert(1)"), &[]);
    let checked = refused(&kernel("t + t[0..1, None]"), "tile-shape");
    says(&checked, "tile-shape", &["take the part", "`.insert(1)`"]);
    assert!(checked.findings[0].fixes.is_empty());
}

#[test]
fn what_tiles_are_added_to_is_declared_as_a_tile() {
    let kernel = |declared: &str, step: &str| {
        format!(
            "dim M, N;
kernel k(x: f32[M, N], y: mut f32[M]) {{
    view px = partition(x, [1, 64]);
    for i in grid(M) {{
        let mut acc{declared};
        for j in 0..px.index_space(1) {{ {step} }}
        y[i] = acc.sum();
    }}
}}\n"
        )
    };
    for (declared, step, made) in [
        (" = 0.0", "acc += px.load_masked(i, j);", "zeros(f32[1, 64])"),
        (" = 0", "acc = acc + px.load_masked(i, j);", "zeros(f32[1, 64])"),
        (": f32 = 0.0", "let t = px.load_masked(i, j); acc += t;", "zeros(f32[1, 64])"),
        (" = 1.0", "acc *= px.load_masked(i, j);", "ones(f32[1, 64])"),
        (" = -inf", "acc = max(acc, px.load_masked(i, j));", "full(f32[1, 64], -inf)"),
    ] {
        let text = kernel(declared, step);
        // What becomes of the number afterwards is not reported again.
        let mended = mends(&text, "tile-shape");
        assert_eq!(mended, kernel(&format!(" = {made}"), step));
        says(&check(&text), "tile-shape", &["`acc` is a number, and a tile of [1, 64] is assigned to it", made]);
    }
    // What is not written as one number is not replaced.
    let checked = refused(&kernel(" = 1.0 + 2.0", "acc += px.load_masked(i, j);"), "tile-shape");
    assert!(checked.findings[0].fixes.is_empty());
    gives(&kernel(" = 0.0", "acc += px.load_masked(i, j).sum();").replace("acc.sum()", "acc"), &[]);
}

#[test]
fn what_a_run_computes_is_no_constant() {
    let kernel = |definition: &str| {
        format!("dim N;\nkernel k(x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ {definition} y[i] = c; }} }}\n")
    };
    for value in ["x[i]", "2.0 * x[i]", "f32(i)", "if i > 3 { 1.0 } else { x[0] }"] {
        let mended = mends(&kernel(&format!("const c = {value};")), "wrong-kind");
        assert_eq!(mended, kernel(&format!("let c = {value};")));
    }
    gives(&kernel("const K = N * 2; const c = 1.5 + 2.0;"), &[]);
}

#[test]
fn a_guard_by_a_number_names_the_extent() {
    let kernel = |guard: &str| {
        format!(
            "dim N;
kernel k(n: i32, x: f32[N], y: mut f32[N]) block(256) {{
    for b in grid(cdiv(N, 256)) {{ for t in threads(256, cuda_thread) {{
        let i = b * 256 + t;
        {guard}
    }} }}
}}\n"
        )
    };
    for (theirs, ours) in [
        ("if i < n { y[i] = 1.0; }", "if i < N { y[i] = 1.0; }"),
        ("if n > i { y[i] = 1.0; }", "if N > i { y[i] = 1.0; }"),
        ("if t < 9 && i < n { y[i] = 1.0; }", "if t < 9 && i < N { y[i] = 1.0; }"),
        ("if i < n { if t < 7 { y[i] += 1.0; } }", "if i < N { if t < 7 { y[i] += 1.0; } }"),
        (
            "let v = if i < n { x[i] } else { 0.0 }; if i < N { y[i] = v; }",
            "let v = if i < N { x[i] } else { 0.0 }; if i < N { y[i] = v; }",
        ),
    ] {
        let checked = check(&kernel(theirs));
        let first = &checked.findings[0];
        assert_eq!(first.code, "out-of-bounds", "{theirs}\n{}", checked.report());
        let help = first.help.join("\n");
        assert!(help.contains("nothing connects `n` with `N`, the extent of"), "{theirs}: {help}");
        assert!(help.contains("`dim n where n <= N;`"), "{theirs}: {help}");
        assert!(!help.contains("guard the access with an `if`"), "{theirs}: {help}");
        let mended = checked.applied(&first.fixes[0]);
        assert_eq!(mended, kernel(ours));
        assert_eq!(check(&mended).errors(), [""; 0], "{mended}\n{}", check(&mended).report());
    }
    // The guards that are proposed are enough; and one of another index is none.
    gives(&kernel("if i < n && i < N { y[i] = 1.0; }"), &[]);
    let declared = kernel("if i < n { y[i] = 1.0; }").replace("dim N;", "dim N; dim n where n <= N;");
    gives(&declared.replace("n: i32, ", ""), &["not-fully-written"]);
    let checked = check(&kernel("if t < n { y[i] = 1.0; }"));
    // That a size is a multiple has nothing to do with the parameter.
    assert!(!checked.findings[0].help.join("\n").contains("dim n"), "{}", checked.report());
    assert!(!checked.findings[0].help.join("\n").contains("nothing connects"), "{}", checked.report());
}

#[test]
fn an_index_that_may_be_negative_is_called_so() {
    let kernel = |guard: &str| {
        format!(
            "dim N;
kernel k(n: i64, d: i64[N], x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ if {guard} {{ y[i] = x[i + n]; }} }} }}\n"
        )
    };
    let checked = refused(&kernel("i + n < N"), "out-of-bounds");
    says(&checked, "out-of-bounds", &["but it may be negative", "`if at >= 0 && at < N { … }`"]);
    says(&refused(&kernel("i + n >= 0"), "out-of-bounds"), "out-of-bounds", &["but it may be N or more"]);
    gives(&kernel("i + n >= 0 && i + n < N"), &[]);
}

#[test]
fn the_number_of_threads_is_known_when_the_kernel_is_checked() {
    let kernel = |head: &str, count: &str| {
        format!(
            "dim K, N;
kernel k{head} {{ for b in grid(1) {{ for t in threads({count}, cuda_thread) {{ if t < N {{ y[t] = x[t]; }} }} }} }}\n"
        )
    };
    let params = "(x: f32[N], y: mut f32[N])";
    let checked = refused(&kernel(params, "K"), "not-constant");
    says(&checked, "not-constant", &["`K` is only known at launch", "generic parameter", "`const`"]);
    let checked = refused(&kernel(&format!("{params} block(K)"), "K"), "open-block");
    says(&checked, "open-block", &["generic parameter of the kernel", "a `const`"]);
    for count in ["n", "n / 2"] {
        let checked = refused(&kernel("(n: i32, x: f32[N], y: mut f32[N])", count), "not-constant");
        says(&checked, "not-constant", &["`n` is only known when the kernel runs", "generic parameter", "if t < n"]);
    }
    gives(&kernel("[B = 64](x: f32[N], y: mut f32[N]) block(B)", "B"), &["not-fully-written"]);
}

#[test]
fn factors_of_different_ranks_are_made_batches_or_matrices() {
    let kernel = |value: &str| {
        format!(
            "kernel k(a: f32[2, 16, 8], b: f32[8, 4], v: f32[8], y: mut f32[2, 16, 4]) {{
    view pa = partition(a, [2, 16, 8]);
    view pb = partition(b, [8, 4]);
    view pv = partition(v, [8]);
    view py = partition(y, [2, 16, 4]);
    for i in grid(1) {{
        let (a, b, v) = 0;
        py.store({value}, 0, 0, 0);
    }}
}}\n"
        )
        .replace("        let (a, b, v) = 0;\n", "")
    };
    let [a, b, v] = ["pa.load(0, 0, 0)", "pb.load(0, 0)", "pv.load(0)"];
    let said = |value: String, part: &str| says(&refused(&kernel(&value), "tile-shape"), "tile-shape", &[part]);
    said(format!("matmul({a}, {b})"), "`.insert(0)` makes the second factor [1, 8, 4]");
    said(format!("matmul({b}, {a})"), "`.insert(0)` makes the first factor [1, 8, 4]");
    said(format!("matmul({b}, {v})"), "`.insert(1)` makes the second factor [8, 1]");
    said(format!("matmul({v}, {b})"), "`.insert(0)` makes the first factor [1, 8]");
    gives(&kernel(&format!("matmul({a}, {b}.insert(0))")), &[]);
}

#[test]
fn one_index_of_a_matrix_is_taken_apart() {
    let kernel = |loops: &str, statement: &str| {
        format!("dim H, W;\nkernel k(x: f32[H, W], y: mut f32[H, W]) {{ for {loops} {{ {statement} }} }}\n")
    };
    let flat = |statement: &str| kernel("i in grid(H * W)", statement);
    let checked = check(&flat("y[i] = 2.0;"));
    says(&checked, "index-count", &["`y[i / W, i % W]`", "`view flat = y via row_major([H * W]);`"]);
    assert_eq!(mends(&flat("y[i] = 2.0;"), "index-count"), flat("y[i / W, i % W] = 2.0;"));
    gives(&flat("view flat = y via row_major([H * W]); flat[i] = 2.0;"), &[]);
    let rows = |statement: &str| kernel("(r, c) in grid(H, W)", statement);
    assert_eq!(mends(&rows("y[r, c] = x[r * W + c];"), "index-count"), rows("y[r, c] = x[r, c];"));
    let sum = rows("y[r, c] = x[r * W + c + 0];");
    assert_eq!(mends(&sum, "index-count"), rows("y[r, c] = x[(r * W + c + 0) / W, (r * W + c + 0) % W];"));
    let cube = |index: &str| format!("kernel k(y: mut f32[2, 3, 4]) {{ for i in grid(24) {{ y[{index}] = 1.0; }} }}\n");
    assert_eq!(mends(&cube("i"), "index-count"), cube("i / (3 * 4), i / 4 % 3, i % 4"));
    says(&check(&cube("i, i")), "index-count", &["takes 3 indices, found 2"]);
}

#[test]
fn a_float_is_converted_to_be_an_index() {
    let kernel = |index: &str| {
        format!(
            "dim N;\nkernel k(u: f32[N], x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ y[i] = x[{index}]; }} }}\n"
        )
    };
    let place = "min(max(floor(u[i] * 0.0), 0.0), 0.0)";
    assert_eq!(mends(&kernel(place), "type-mismatch"), kernel(&format!("i64({place})")));
    says(&refused(&kernel("u[i]"), "type-mismatch"), "type-mismatch", &["an index is an integer", "`i64(…)`"]);
}

#[test]
fn candidates_that_are_not_checked_say_why() {
    let page = check::diagnostics::PAGES.iter().find(|page| page.code == "unchecked-candidates").unwrap();
    let checked = check(page.wrong);
    says(
        &checked,
        "unchecked-candidates",
        &["as each takes as long as the kernel itself", "`shapewright tune`", "`where`"],
    );
}
