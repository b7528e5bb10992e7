//! Who holds the arrays of tiles in the form of a kernel for GPUs: threads in registers, or the block in shared memory.

use dims::Sym;
use kernel::distributed;
use kernel::typed::{Constant, ExprKind, Kernel, Memory, Residence, Statement, StatementKind};

use crate::support::check;

/// The form of the kernel in a text.
fn form(text: &str) -> Kernel {
    let checked = check(text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{text}\n{}", checked.report()));
    let form = distributed(&kernel, &|| {}).into_owned();
    let mut loops_over_points = 0;
    Statement::walk(&form.body, &mut |statement| {
        loops_over_points += usize::from(matches!(statement.kind, StatementKind::Each(_)));
    });
    assert_eq!(loops_over_points, 0, "a form is a program of each thread");
    form
}

/// The arrays that are left: `shared NAME[elements]`, or `held NAME[elements of each thread]`.
fn arrays(form: &Kernel) -> Vec<String> {
    let described = |held: Residence| match held {
        Residence::Shared => "shared",
        Residence::Registers => "held",
    };
    form.shared.iter().map(|array| format!("{} {}[{}]", described(array.held), array.name, array.length)).collect()
}

fn barriers(form: &Kernel) -> usize {
    count(form, |kind| matches!(kind, StatementKind::Barrier(_)))
}

fn shuffles(form: &Kernel) -> usize {
    count(form, |kind| matches!(kind, StatementKind::Shuffle(_)))
}

/// The sequential loops: over rounds and of the program.
fn loops(form: &Kernel) -> usize {
    count(form, |kind| matches!(kind, StatementKind::For { .. }))
}

fn count(form: &Kernel, is_counted: impl Fn(&StatementKind) -> bool) -> usize {
    let mut found = 0;
    Statement::walk(&form.body, &mut |statement| found += usize::from(is_counted(&statement.kind)));
    found
}

/// A kernel that does this with the tile `t` of `x`, which has 256 elements for 64 threads, and with the tile `u` of `y`.
fn with_body(body: &str) -> Kernel {
    form(&format!(
        "dim N;
kernel k(x: f32[N], y: mut f32[N]) block(64) {{
    view px = partition(x, [256]);
    view py = partition(y, [256]);
    for i in grid(px.index_space) {{
        let t = px.load_masked(i);
        let u = py.load_masked(i);
        {body}
    }}
}}
"
    ))
}

#[test]
fn a_chain_of_elements_is_one_loop_without_arrays() {
    let form = with_body("let a = t + u; let b = a * a; let c = sqrt(b) - a; py.store_masked(c, i);");
    // `u` is loaded before `y` is stored: the tensor may not be written while other points are still read.
    assert_eq!(arrays(&form), ["held c[4]"]);
    assert_eq!((loops(&form), barriers(&form)), (2, 0));
}

#[test]
fn a_tile_that_is_read_at_another_point_stays_shared() {
    let form = with_body(
        "let a = t + u; let b = a.reshape([16, 16]).permute(1, 0).reshape([256]); py.store_masked(a - b, i);",
    );
    let left = arrays(&form);
    assert!(left.contains(&"shared a[256]".to_owned()), "{left:?}");
    assert!(barriers(&form) > 0, "another thread reads it");
}

#[test]
fn what_a_loop_carries_is_an_array_of_each_thread() {
    let form = with_body("let mut sum = t; for k in 0..8 { sum = sum * u + 1.0; } py.store_masked(sum, i);");
    assert_eq!(arrays(&form), ["held u[4]", "held sum[4]"]);
    assert_eq!(barriers(&form), 0);
}

#[test]
fn what_an_iteration_makes_anew_takes_no_registers_beyond_it() {
    let form = with_body("let mut sum = t; for k in 0..8 { let a = sum + u; sum = sum * a; } py.store_masked(sum, i);");
    assert_eq!(arrays(&form), ["held u[4]", "held sum[4]"]);
}

#[test]
fn one_element_of_a_thread_is_a_variable() {
    let form = form(
        "dim N;
kernel k(x: f32[N], y: mut f32[N]) block(64) {
    view px = partition(x, [64]);
    view py = partition(y, [64]);
    for i in grid(px.index_space) {
        let mut sum = px.load_masked(i);
        for k in 0..8 { sum = sum * sum + 1.0; }
        py.store_masked(sum, i);
    }
}
",
    );
    assert_eq!(arrays(&form), Vec::<String>::new());
    assert_eq!((loops(&form), barriers(&form)), (1, 0), "the loop of the program, and no rounds");
}

/// The accumulators of two products of so many rows, with 64 threads and 64 columns: as many rounds as rows.
fn two_sums(element: &str, rows: u32) -> Kernel {
    form(&format!(
        "dim M, N;
kernel k(x: {element}[M, N], y: mut {element}[M, N], z: mut {element}[M, N]) block(64) {{
    view px = partition(x, [{rows}, 64]);
    view py = partition(y, [{rows}, 64]);
    view pz = partition(z, [{rows}, 64]);
    for (i, j) in grid(px.index_space) {{
        let mut rare = px.load_masked(i, j);
        let mut often = rare * {element}(2.0);
        for k in 0..8 {{ often = often * often + {element}(1.0); }}
        if M > 100 {{ rare = rare + rare; }}
        py.store_masked(rare, i, j);
        pz.store_masked(often, i, j);
    }}
}}
"
    ))
}

#[test]
fn registers_go_to_what_is_accessed_most() {
    assert_eq!(arrays(&two_sums("f32", 32)), ["held rare[32]", "held often[32]"]);
    // 112 registers at a time: one of both.
    assert_eq!(arrays(&two_sums("f32", 64)), ["shared rare[4096]", "held often[64]"]);
    // An element of 64 bits takes two.
    assert_eq!(arrays(&two_sums("f64", 32)), ["shared rare[2048]", "held often[32]"]);
    assert_eq!(arrays(&two_sums("f32", 120)), ["shared rare[7680]", "shared often[7680]"]);
}

#[test]
fn the_sum_of_a_product_is_held_and_its_factors_are_shared() {
    let text = include_str!("../../examples/matmul.shape");
    let form = form(text);
    assert_eq!(arrays(&form), ["held acc[32]", "shared tile[2048]", "shared tile[2048]"]);
    assert_eq!(barriers(&form), 2, "before the factors are replaced, and before they are used");
}

/// The loops around the innermost loads of shared arrays, each by its number of iterations, the outermost first.
fn loops_around_loads(form: &Kernel) -> Vec<Vec<i64>> {
    fn visit(statements: &[Statement], around: &mut Vec<i64>, form: &Kernel, found: &mut Vec<Vec<i64>>) {
        for statement in statements {
            let mut loads = false;
            Statement::walk_expressions(std::slice::from_ref(statement), &mut |expr| {
                let ExprKind::Load(access) = &expr.kind else { return };
                loads |= matches!(access.memory, Memory::Shared(_)) && !form.is_held_by_thread(access.memory);
            });
            let count = match &statement.kind {
                StatementKind::For { low, high, .. } => match (&low.kind, &high.kind) {
                    (ExprKind::Constant(Constant::Int(low)), ExprKind::Constant(Constant::Int(high))) => high - low,
                    _ => -1,
                },
                _ if loads && statement.blocks().into_iter().all(<[_]>::is_empty) => {
                    found.push(around.clone());
                    continue;
                }
                _ => 0,
            };
            around.extend((count != 0).then_some(count));
            statement.blocks().into_iter().for_each(|block| visit(block, around, form, found));
            if count != 0 {
                around.pop();
            }
        }
    }
    let mut found = Vec::new();
    visit(&form.body, &mut Vec::new(), form, &mut found);
    found
}

/// A product of a 64 × 32 tile and a 32 × 64 tile for 128 threads, with whose result this is done.
fn product(right: &str, with: &str) -> Kernel {
    form(&format!(
        "dim M, N, K;
kernel k(a: f32[M, K], b: f32[K, N], d: f32[N, K], c: mut f32[M, N]) {{
    view pa = partition(a, [64, 32]);
    view pb = partition(b, [32, 64]);
    view pd = partition(d, [64, 32]);
    view pc = partition(c, [64, 64]);
    for (i, j) in grid(pc.index_space) {{
        let t = matmul(pa.load_masked(i, 0), {right});
        pc.store_masked({with}, i, j);
    }}
}}
"
    ))
}

#[test]
fn each_term_of_a_product_is_taken_for_all_points_of_a_thread() {
    let right = "pb.load_masked(0, j)";
    let form = product(right, "t + t");
    // Over the terms, then over 8 rows and 4 neighbours, for which one load of the right factor is enough.
    assert_eq!(loops_around_loads(&form), [[32, 8, 4]]);
    assert!(arrays(&form).contains(&"held t[32]".to_owned()), "{:?}", arrays(&form));
}

#[test]
fn neighbours_that_read_other_rows_are_no_vector() {
    // The tile has other numbers of points than the factors, so that no vector of theirs decides.
    let form = product("pd.load_masked(j, 0).permute(1, 0)", "t + t");
    assert_eq!(loops_around_loads(&form), [[32, 32]]);
}

#[test]
fn a_product_that_other_threads_read_is_summed_in_registers_all_the_same() {
    let form = product("pb.load_masked(0, j)", "t + t.permute(1, 0)");
    let found = arrays(&form);
    assert!(found.contains(&"held t[32]".to_owned()) && found.contains(&"shared t[4096]".to_owned()), "{found:?}");
    assert!(loops_around_loads(&form).contains(&vec![32, 8, 4]));
}

#[test]
fn a_thread_keeps_its_part_of_a_long_row_that_is_reduced() {
    for (rows, columns, threads) in [(1, 4096, 128), (1, 1024, 256), (4, 256, 128), (2, 1024, 64)] {
        let form = form(&format!(
            "dim M, N where N <= {columns};
kernel k(x: f32[M, N], y: mut f32[M, N]) block({threads}) {{
    view px = partition(x, [{rows}, {columns}]);
    view py = partition(y, [{rows}, {columns}]);
    for i in grid(px.index_space(0)) {{
        let row = px.load_masked(i, 0, pad: negative_inf);
        let e = exp(row - row.max(1, keep: true));
        py.store_masked(e / e.sum(1, keep: true), i, 0);
    }}
}}
"
        ));
        let rounds = rows * columns / threads;
        let found = arrays(&form);
        for name in ["row", "e"] {
            assert!(found.contains(&format!("held {name}[{rounds}]")), "{rows} × {columns}: {found:?}");
        }
        assert_eq!((shuffles(&form), barriers(&form)), (10, 4));
    }
}

#[test]
fn threads_that_also_exchange_values_in_warps_keep_their_arrays() {
    let text = "dim N;
kernel k(x: f32[N], y: mut f32[N], z: mut f32[N]) block(64) {
    view px = partition(x, [64]);
    view py = partition(y, [64]);
    shared s: f32[64];
    for i in grid(px.index_space) {
        let t = px.load_masked(i);
        let mut u = t * 2.0;
        for k in 0..2 { u = u + t; }
        py.store_masked(u, i);
        for w in threads(2, cuda_warp) {
            for l in threads(32, cuda_thread) { s[w * 32 + l] = 1.0; }
            for l in threads(32, cuda_thread) {
                if i * 64 + w * 32 + l < N { z[i * 64 + w * 32 + l] = s[w * 32 + 31 - l]; }
            }
        }
    }
}
";
    let checked = check(text);
    let Some(kernel) = checked.kernel() else { panic!("{}", checked.report()) };
    assert_eq!(*distributed(&kernel, &|| {}), *kernel.per_thread());
}

#[test]
fn a_tile_that_only_a_coordinate_reads_is_read_all_the_same() {
    // No offset depends on the slice of `t`, but its meaning does.
    let form = form(
        "kernel k(p: i32[256], x: i32[4], y: mut i32[256], z: mut i32[4]) {
            view pp = partition(p, [256]); view py = partition(y, [256]); view pz = partition(z, [4]);
            for i in grid(1) {
                let t = pp.load(0);
                let w = i32(iota(i32[64]).sum());
                py.store(t + w, 0);
                pz.store(gather(x, 0 * t[0..4]), 0);
            }
        }",
    );
    assert!(arrays(&form).contains(&"shared t[256]".to_string()), "{:?}", arrays(&form));
}

/// A block of so many threads reduces the rows of a tile of 4 × 96 numbers; `more` is done with the sums.
fn reduced(threads: u32, more: &str) -> Kernel {
    form(&format!(
        "dim M, N;
kernel k(x: f32[M, N], y: mut f32[M]) block({threads}) {{
    view px = partition(x, [4, 96]);
    view py = partition(y, [4]);
    for i in grid(px.index_space(0)) {{
        let mut s = px.load_masked(i, 0).sum(1);
        {more}
        py.store_masked(s, i);
    }}
}}
"
    ))
}

#[test]
fn the_chains_of_a_reduction_are_joined_by_shuffles() {
    for threads in [32, 64, 128, 1024] {
        let form = reduced(threads, "");
        // Of one warp, each thread has loaded what it adds.
        let (tile, waits) = if threads == 32 { ("held tile[12]", 1) } else { ("shared tile[384]", 2) };
        assert_eq!(arrays(&form), [tile, "shared s[4]"], "{threads} threads");
        assert_eq!((shuffles(&form), barriers(&form)), (5, waits), "{threads} threads");
    }
}

#[test]
fn a_reduction_in_a_loop_is_joined_by_shuffles_in_each_iteration() {
    let form = reduced(64, "for k in 1..px.index_space(1) { s = s + px.load_masked(i, k).sum(1); }");
    assert_eq!(shuffles(&form), 10);
    let form = reduced(64, "if M > 7 { s = s + px.load_masked(i, 0).max(1); }");
    assert_eq!(shuffles(&form), 10);
}

#[test]
fn threads_that_are_no_whole_warps_join_chains_through_memory() {
    let form = reduced(100, "");
    assert_eq!(arrays(&form), ["shared tile[384]", "shared tile[128]"]);
    assert_eq!((shuffles(&form), barriers(&form)), (0, 2));
}

#[test]
fn examples_wait_for_two_barriers_in_each_reduction() {
    for (text, reductions) in [
        (include_str!("../../examples/row_softmax.shape"), 2),
        (include_str!("../../examples/layernorm.shape"), 2),
        (include_str!("../../examples/rmsnorm.shape"), 1),
    ] {
        let form = form(text);
        assert_eq!((shuffles(&form), barriers(&form)), (5 * reductions, 2 * reductions), "{text}");
        let of_chains = |array: &kernel::typed::SharedArray| array.shape.last() == Some(&Sym::constant(32));
        assert!(!form.shared.iter().any(of_chains), "{text}");
    }
}
