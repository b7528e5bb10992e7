//! Several paths through a kernel: what one of them settles is not settled on the others.

use super::{checked, waits};

const VIEWS: &str = "
    shared s : f32[128];
    shared u : f32[128];
    view own = s via reshape_map([1] | [128] => layout: [i0, t0]);
    view other = s via reshape_map([1] | [128] => layout: [i0, -t0]);
    view own_u = u via reshape_map([1] | [128] => layout: [i0, t0]);
    view other_u = u via reshape_map([1] | [128] => layout: [i0, -t0]);
    view xs = x via reshape_map([1] | [128] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [128] => layout: [i0, t0]);
    view zs = z via reshape_map([1] | [128] => layout: [i0, t0]);
    let mut id = 0;
    for t in threads(128, cuda_thread) { id = t; }
";

/// What is found in a kernel of one block, and its barriers where it is accepted.
fn found(body: &str) -> Result<Vec<String>, Vec<&'static str>> {
    let head = "kernel k(x: f32[128], n: i64, y: mut f32[128], z: mut f32[128]) grid(1) block(128)";
    let checked = checked(&format!("{head} {{\n{VIEWS}\n{body}\n}}\n"));
    match &checked.kernel {
        Some(kernel) => Ok(waits(kernel)),
        None => Err(checked.diagnostics.iter().map(|found| found.page.code).collect()),
    }
}

const EXCHANGE: &str = "own[0] = xs[0]; ys[0] = other[0];";

#[track_caller]
fn unreached(body: &str) {
    let found = found(body);
    assert!(found.as_ref().is_err_and(|codes| codes.contains(&"unreached-barrier")), "{found:?}");
}

#[test]
fn a_variable_that_differs_after_one_side_of_a_branch_differs() {
    unreached(&format!("let mut a = 0; if n > 0 {{ a = id; }} else {{ a = 1; }} if a > 5 {{ {EXCHANGE} }}"));
    unreached(&format!("let mut a = 0; if n > 0 {{ a = 1; }} else {{ a = id; }} if a > 5 {{ {EXCHANGE} }}"));
    let uniform = format!("let mut a = 0; if n > 0 {{ a = 1; }} else {{ a = n; }} if a > 5 {{ {EXCHANGE} }}");
    assert_eq!(found(&uniform).unwrap(), ["block"]);
}

#[test]
fn a_variable_that_some_rounds_of_a_loop_make_differ_differs() {
    unreached(&format!(
        "let mut a = 0; let mut b = 0; let mut c = 0;
        for k in 0..n {{ if c > 0 {{ {EXCHANGE} }} c = b; b = a; a = id; }}"
    ));
}

#[test]
fn a_loop_that_may_not_run_makes_no_variable_uniform() {
    unreached(&format!("let mut a = id; for k in 0..n {{ a = 0; }} if a > 5 {{ {EXCHANGE} }}"));
}

#[test]
fn a_barrier_on_one_side_of_a_branch_orders_nothing_of_the_other_side() {
    let body = |then: &str, otherwise: &str| {
        found(&format!("own_u[0] = xs[0]; if n > 0 {{ {then} }} else {{ {otherwise} }} zs[0] = other[0];")).unwrap()
    };
    assert_eq!(body("own[0] = xs[0];", "ys[0] = other_u[0];"), ["block", "block"]);
    assert_eq!(body("ys[0] = other_u[0];", "own[0] = xs[0];"), ["block", "block"]);
}

#[test]
fn a_barrier_of_one_iteration_stands_in_the_way_of_all() {
    unreached(&format!("for k in 0..2 {{ if id < 128 - 64 * k {{ {EXCHANGE} }} }}"));
    unreached(&format!("for k in 0..2 {{ for j in 0..1 + k * (id / 64) {{ {EXCHANGE} }} }}"));
}

#[test]
fn a_loop_that_ends_has_not_waited_for_its_last_round() {
    let text = "kernel k(x: f32[128], n: i64, y: mut f32[128], z: mut f32[128]) grid(1) block(128) {
        shared s : f32[2, 128];
        shared u : f32[128];
        for t in threads(128, cuda_thread) { s[0, t] = x[t]; s[1, t] = x[t]; }
        for k in 0..n {
            for t in threads(128, cuda_thread) { u[t] = x[t]; }
            for t in threads(128, cuda_thread) { y[t] = u[127 - t] + s[k % 2, 127 - t]; }
        }
        for t in threads(128, cuda_thread) { s[0, t] = 1.0; }
        for t in threads(128, cuda_thread) { z[t] = s[0, t]; }
    }\n";
    assert_eq!(waits(&checked(text).kernel.unwrap()), ["block", "block", "block"]);
}

#[test]
fn every_number_but_zero_is_true() {
    for condition in ["bool(id) == true", "!(bool(id) == false)", "!!bool(id)"] {
        let found = found(&format!("if {condition} {{ for t in threads(128, cuda_thread) {{ s[0] = 1.0; }} }}"));
        assert!(found.as_ref().is_err_and(|codes| codes.contains(&"shared-race")), "{condition}: {found:?}");
    }
}

/// Each loop in a loop is gone through some rounds at a time.
#[test]
fn many_loops_of_unknown_length_in_each_other_come_to_an_end() {
    let depth = 12;
    let open: String = (0..depth).map(|level| format!("for k{level} in 0..n {{ ")).collect();
    let body = format!("{open}s[k0 % 2 + k5 % 5 + k7 % 7] = 1.0; {}", "}".repeat(depth));
    assert_eq!(found(&body), Err(vec!["shared-race"]));
}

/// What is named was found: an index that is not known may lead to that element, and that is another thing to say.
#[test]
fn an_element_is_named_only_where_both_threads_are_known_to_reach_it() {
    let checked = checked(
        "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
            shared s : f32[64];
            for t in threads(64, cuda_thread) {
                let place = i64(x[t]);
                let v = if place >= 0 && place < 64 { s[place] } else { 0.0 };
                s[63 - t] = v;
            }
            for t in threads(64, cuda_thread) { y[t] = s[t]; }
        }\n",
    );
    let messages: Vec<&str> = checked.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert!(checked.kernel.is_none(), "{:#?}", checked.kernel);
    assert_eq!(checked.diagnostics[0].page.code, "shared-race");
    assert!(
        messages[0].starts_with("nothing shows that a thread reads and another one writes different"),
        "{messages:?}"
    );
}

#[test]
fn the_blocks_of_the_only_cluster_are_known() {
    let text = "kernel k(x: f32[64], y: mut f32[2, 32]) cluster(2) block(32) {
        for i in grid(1) {
            shared s : f32[32];
            view v = s via reshape_map([1] | [64] => layout: [i0, -t0]) masked;
            for c in threads(2, cuda_cta_in_cluster) {
                for t in threads(32, cuda_thread) { s[t] = x[t]; }
                for t in threads(32, cuda_thread) { y[c, t] = s[31 - t]; }
            }
            let last = v[0];
        }
    }\n";
    let codes: Vec<&str> = checked(text).diagnostics.iter().map(|found| found.page.code).collect();
    assert!(!codes.contains(&"shared-race"), "{codes:?}");
}

/// A view `per cluster` needs as many clusters as its map has threads, and so a multiple of that in blocks.
#[test]
fn a_view_for_each_cluster_launches_whole_clusters() {
    let text = "map shares = reshape_map([256] | [4] => layout: [i0, t0]);
    kernel k(y: mut f32[1024]) cluster(2) block(64) {
        view share = y via shares per cluster;
        view ys = share via linear(2);
        for i in 0..2 { ys[i] = 1.0; }
    }\n";
    let checked = checked(text);
    let messages: Vec<&str> = checked.diagnostics.iter().map(|found| found.message.as_str()).collect();
    let kernel = checked.kernel.unwrap_or_else(|| panic!("{messages:?}"));
    assert_eq!((kernel.launch.blocks.as_constant(), kernel.launch.cluster), (Some(8), 2));
}
