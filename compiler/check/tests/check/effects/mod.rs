//! Where barriers come to stand, and what is refused.

mod collectives;
mod indices;
mod loops;
mod paths;

use check::kernels::{CheckedKernel, checked_kernel};
use ide::CompilerDatabase;
use kernel::typed::{Kernel, SharedId, Statement, StatementKind, Waiting};

fn checked(text: &str) -> CheckedKernel {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("barriers.shape", text);
    let item = file.items(&db).iter().copied().find(|item| item.declared_kernel(&db).is_some()).unwrap();
    assert_eq!(item.tree(&db).errors, [], "{text}");
    CheckedKernel::clone(checked_kernel(&db, item))
}

/// The lines of the accesses that wait, with how they do, from the first line of the body on.
fn barriers(body: &str) -> Vec<String> {
    let text = format!("kernel k(x: f32[1024], y: mut f32[1024]) grid(1) block(128) {{\n{body}\n}}\n");
    let checked = checked(&text);
    let codes: Vec<&str> = checked.diagnostics.iter().map(|found| found.page.code).collect();
    let Some(kernel) = checked.kernel else { panic!("{codes:?}") };
    waits(&kernel)
}

fn waits(kernel: &Kernel) -> Vec<String> {
    let mut found = Vec::new();
    Statement::walk(&kernel.body, &mut |statement| {
        if let StatementKind::Barrier(barrier) = &statement.kind {
            found.push(match &barrier.waiting {
                Waiting::Block => "block".to_owned(),
                Waiting::Warp { lanes, .. } => format!("{} lanes", lanes.count_ones()),
                Waiting::Warps { threads, .. } => format!("{threads} threads"),
            });
        }
    });
    found
}

fn refused(body: &str) -> Vec<&'static str> {
    let text = format!("dim N;\nkernel k(x: f32[1024], n: i64, y: mut f32[1024]) grid(1) block(128) {{\n{body}\n}}\n");
    checked(&text).diagnostics.iter().map(|found| found.page.code).collect()
}

#[test]
fn a_thread_that_reads_what_it_wrote_itself_waits_for_nobody() {
    let body = "shared s : f32[128];
        for t in threads(128, cuda_thread) { s[t] = x[t]; }
        for t in threads(128, cuda_thread) { y[t] = s[t]; }";
    assert_eq!(barriers(body), [""; 0]);
}

#[test]
fn a_thread_that_reads_what_another_wrote_waits_for_the_block() {
    let body = "shared s : f32[128];
        for t in threads(128, cuda_thread) { s[t] = x[t]; }
        for t in threads(128, cuda_thread) { y[t] = s[127 - t]; }";
    assert_eq!(barriers(body), ["block"]);
}

#[test]
fn writing_again_waits_for_those_that_read() {
    let body = "shared s : f32[128];
        for k in 0..4 {
            for t in threads(128, cuda_thread) { s[t] = x[128 * k + t]; }
            for t in threads(128, cuda_thread) { y[128 * k + t] = s[127 - t]; }
        }";
    assert_eq!(barriers(body), ["block", "block"]);
}

#[test]
fn two_stages_in_turn_need_one_wait_an_iteration() {
    let body = "shared s : f32[2, 128];
        for k in 0..8 {
            for t in threads(128, cuda_thread) { s[k % 2, t] = x[128 * k + t]; }
            for t in threads(128, cuda_thread) { y[128 * k + t] = s[k % 2, 127 - t]; }
        }";
    assert_eq!(barriers(body), ["block"]);
}

/// The consumers are a stage behind the producers, so that one wait for each step keeps them apart in both directions.
#[test]
fn a_barrier_that_another_one_makes_superfluous_is_left_out() {
    let body = "shared ring : f32[2, 64];
        for k in 0..5 {
            with threads(0..2, cuda_warp) {
                for t in threads(64, cuda_thread) { if k < 4 { ring[k % 2, t] = x[64 * k + t]; } }
            }
            with threads(2..4, cuda_warp) {
                for t in threads(64, cuda_thread) {
                    if k > 0 { y[64 * (k - 1) + t] = ring[(k - 1) % 2, 63 - t]; }
                }
            }
        }";
    assert_eq!(barriers(body), ["block"]);
}

#[test]
fn stages_are_told_apart_also_where_the_number_of_iterations_is_not_known() {
    let text = "dim K where K % 128 == 0;
        kernel k(x: f32[K], y: mut f32[K]) grid(1) block(128) {
            shared s : f32[2, 128];
            for k in 0..K / 128 {
                for t in threads(128, cuda_thread) { s[k % 2, t] = x[128 * k + t]; }
                for t in threads(128, cuda_thread) { y[128 * k + t] = s[k % 2, 127 - t]; }
            }
        }\n";
    let checked = checked(text);
    let codes: Vec<&str> = checked.diagnostics.iter().map(|found| found.page.code).collect();
    assert_eq!(codes, [""; 0]);
    assert_eq!(waits(&checked.kernel.unwrap()), ["block"]);
}

#[test]
fn lanes_of_a_warp_wait_for_themselves_only() {
    let of = |size: i64| {
        let count = 128 / size;
        barriers(&format!(
            "shared s : f32[128];
            for g in threads({count}, {size} * cuda_thread) {{
                for t in threads({size}, cuda_thread) {{ s[{size} * g + t] = x[{size} * g + t]; }}
                for t in threads({size}, cuda_thread) {{ y[{size} * g + t] = s[{size} * g + {size} - 1 - t]; }}
            }}"
        ))
    };
    assert_eq!(of(8), ["8 lanes"]);
    assert_eq!(of(32), ["32 lanes"]);
    assert_eq!(of(64), ["64 threads"]);
    assert_eq!(of(128), ["block"]);
}

#[test]
fn producers_and_consumers_wait_for_each_other_and_each_among_themselves() {
    let body = "shared raw : f32[64];
        shared done : f32[64];
        with threads(0..2, cuda_warp) {
            for t in threads(64, cuda_thread) { raw[t] = x[t]; }
            for t in threads(64, cuda_thread) { done[t] = 2.0 * raw[63 - t]; }
        }
        with threads(2..4, cuda_warp) {
            for t in threads(64, cuda_thread) { y[t] = done[t]; }
        }";
    assert_eq!(barriers(body), ["64 threads", "block"]);
}

#[test]
fn a_barrier_in_a_loop_that_may_not_run_helps_nobody_after_it() {
    let text = "kernel k(x: f32[128], n: i64, y: mut f32[128], z: mut f32[128]) grid(1) block(128) {
            shared s : f32[128];
            shared u : f32[128];
            for t in threads(128, cuda_thread) { u[t] = x[t]; }
            for k in 0..n {
                for t in threads(128, cuda_thread) { s[t] = x[t]; }
                for t in threads(128, cuda_thread) { y[t] = s[127 - t]; }
            }
            for t in threads(128, cuda_thread) { z[t] = u[127 - t]; }
        }\n";
    let checked = checked(text);
    assert_eq!(waits(&checked.kernel.unwrap()), ["block", "block", "block"]);
}

/// What is written before a loop and read in it is waited for once, before the loop.
#[test]
fn a_barrier_stands_outside_of_the_loops_that_do_not_need_it() {
    let body = "shared s : f32[128];
        for t in threads(128, cuda_thread) { s[t] = x[t]; }
        for k in 0..8 { for t in threads(128, cuda_thread) { y[128 * k + t] = s[127 - t]; } }";
    let kernel = checked(&format!("kernel k(x: f32[1024], y: mut f32[1024]) grid(1) block(128) {{\n{body}\n}}\n"))
        .kernel
        .unwrap();
    assert_eq!(waits(&kernel), ["block"]);
    assert!(
        kernel.body.iter().any(|statement| matches!(statement.kind, StatementKind::Barrier(_))),
        "{:#?}",
        kernel.body
    );
}

#[test]
fn one_statement_is_no_place_for_a_barrier() {
    let body = "shared s : f32[129];
        for t in threads(128, cuda_thread) { s[t] = x[t]; }
        for t in threads(128, cuda_thread) { s[t] = s[t + 1]; }";
    assert!(refused(body).contains(&"shared-race"));
    let views = "shared s : f32[128];
        view own = s via reshape_map([1] | [128] => layout: [i0, t0]);
        view other = s via reshape_map([1] | [128] => layout: [i0, -t0]);
        view xs = x via reshape_map([1] | [128] => layout: [i0, t0]);
        own[0] = xs[0];";
    let ends = "view ys = y via reshape_map([1] | [128] => layout: [i0, t0]); ys[0] = own[0];";
    assert!(refused(&format!("{views} own[0] = other[0]; {ends}")).contains(&"shared-race"));
    assert_eq!(barriers(&format!("{views} let v = other[0]; own[0] = v; {ends}")), ["block", "block"]);
}

#[test]
fn collectives_that_run_at_the_same_time_cannot_wait_for_each_other() {
    let body = "shared s : f32[128];
        for w in threads(4, cuda_warp) {
            for t in threads(32, cuda_thread) { s[32 * w + t] = x[t]; }
            for t in threads(32, cuda_thread) { y[32 * w + t] = s[127 - 32 * w - t]; }
        }";
    assert!(refused(body).contains(&"shared-race"));
}

#[test]
fn a_condition_that_threads_see_differently_is_no_place_for_a_barrier() {
    let body = |condition: &str| {
        format!(
            "shared s : f32[128];
            view own = s via reshape_map([1] | [128] => layout: [i0, t0]);
            view other = s via reshape_map([1] | [128] => layout: [i0, -t0]);
            view xs = x via reshape_map([1] | [128] => layout: [i0, t0]);
            view ys = y via reshape_map([1] | [128] => layout: [i0, t0]);
            if {condition} {{
                own[0] = xs[0];
                ys[0] = other[0];
            }}"
        )
    };
    assert_eq!(refused(&body("xs[0] > 0.0")), ["unreached-barrier"]);
    assert!(!refused(&body("x[3] > 0.0")).contains(&"unreached-barrier"));
    assert!(!refused(&body("n > 0")).contains(&"unreached-barrier"));
}

#[test]
fn an_index_that_depends_on_data_may_be_any() {
    let body = "shared s : f32[128];
        for t in threads(128, cuda_thread) {
            let place = i64(x[t]);
            if place >= 0 && place < 128 { s[place] = 1.0; }
        }";
    assert!(refused(body).contains(&"shared-race"));
}

#[test]
fn sixteen_groups_are_more_than_a_block_has_barriers_for() {
    let kernel = |groups: i64| {
        let threads = groups * 64;
        checked(&format!(
            "kernel k(y: mut f32[{threads}]) grid(1) block({threads}) {{
                shared s : f32[{threads}];
                for g in threads({groups}, 2 * cuda_warp) {{
                    for t in threads(64, cuda_thread) {{ s[64 * g + t] = 1.0; }}
                    for t in threads(64, cuda_thread) {{ y[64 * g + t] = s[64 * g + 63 - t]; }}
                }}
            }}\n"
        ))
    };
    assert!(kernel(15).kernel.is_some());
    let codes: Vec<&str> = kernel(16).diagnostics.iter().map(|found| found.page.code).collect();
    assert_eq!(codes, ["too-many-barriers"]);
}

#[test]
fn arrays_are_cleared_only_where_something_unwritten_may_be_read() {
    let of = |last: &str| {
        let text = format!(
            "kernel k(x: f32[128], y: mut f32[128]) grid(1) block(128) {{
                shared s : f32[128];
                for t in threads({last}, cuda_thread) {{ s[t] = x[t]; }}
                for t in threads(128, cuda_thread) {{ y[t] = s[127 - t]; }}
            }}\n"
        );
        checked(&text).kernel.unwrap().shared[SharedId(0)].cleared
    };
    assert!(!of("128"));
    assert!(of("127"));
}

/// What threads read of a padded array lies where they have written, whatever a size or a scalar decides.
#[test]
fn a_guard_by_sizes_leaves_a_padded_array_written() {
    let is_cleared = |guard: &str, read: &str| {
        let text = format!(
            "dim N;
            kernel k(n: i64, y: mut f32[128]) grid(1) block(128) {{
                shared s : f32[130];
                for t in threads(128, cuda_thread) {{ s[t] = 1.0; }}
                for t in threads(128, cuda_thread) {{ if {guard} {{ y[t] = s[{read}]; }} }}
            }}\n"
        );
        checked(&text).kernel.unwrap().shared[SharedId(0)].cleared
    };
    for guard in ["t < N", "t < n", "t > 0 && t < N && n > 5", "!(t >= N)", "n * t < N * N"] {
        assert!(!is_cleared(guard, "127 - t"), "{guard}");
        assert!(is_cleared(guard, "129 - t"), "{guard}");
    }
    assert!(!is_cleared("t < N && t > 1", "129 - t"));
}

#[test]
fn a_block_that_no_device_has_is_one_error() {
    for threads in ["1025", "100000000", "2147483648"] {
        let head = format!("kernel f(y: mut f32[64]) grid(1) block({threads})");
        let checked = checked(&format!("{head} {{ shared s : f32[64]; s[0] = 1.0; }}\n"));
        let errors = checked.diagnostics.iter().filter(|found| found.severity() == check::diagnostics::Severity::Error);
        assert_eq!(errors.map(|found| found.page.code).collect::<Vec<_>>(), ["launch-limit"], "{threads}");
    }
}
