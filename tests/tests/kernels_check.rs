//! What the checker says about kernels, and that what it accepts is safe.
//!
//! The first half is a table: a small kernel and the diagnostics that it must give. The second half makes kernels at
//! random and enumerates every thread of those that were accepted: no race, no access outside. A wrong acceptance is the
//! worst bug that this project can have.

mod support;

use std::collections::BTreeMap;

use shapewright_compiler::dims::Symbol;
use shapewright_compiler::kernels::typed::{Kernel, ParamKind};
use shapewright_compiler::kernels::{LaunchBounds, at_launch};
use shapewright_compiler::syntax::tree::ItemKind;

use support::enumerate::{Fault, Launch, enumerate};
use support::{Checked, Rng, check};

/// Checks a kernel and compares all its codes, in any order; `show`s do not occur.
#[track_caller]
fn gives(text: &str, codes: &[&str]) -> Checked {
    let checked = check(text);
    let found: Vec<&str> = checked.codes().into_iter().collect();
    assert_eq!(found, codes, "\n{text}\n{}", checked.report());
    let accepted = checked.kernel().is_some();
    assert_eq!(accepted, checked.errors().is_empty(), "a kernel exists exactly where there is no error:\n{text}");
    if accepted {
        safe(&checked, text);
    }
    checked
}

/// The message of the one finding with this code must contain each part.
#[track_caller]
fn says(checked: &Checked, code: &str, parts: &[&str]) {
    let finding = checked.findings.iter().find(|finding| finding.code == code).expect("the finding");
    let whole = std::iter::once(&finding.message).chain(&finding.help).cloned().collect::<Vec<String>>().join("\n");
    for part in parts {
        assert!(whole.contains(part), "`{part}` does not occur in:\n{whole}");
    }
}

// ------------------------------------------------------------------------------------------------ races

#[test]
fn a_race_names_two_threads_and_the_element() {
    let checked = gives("kernel k(y: mut f32[3]) grid(1) block(4) { for i in 0..3 { y[i] = 1.0; } }\n", &["race"]);
    says(&checked, "race", &["thread 0", "thread 1", "element 0", "`y`"]);
}

#[test]
fn a_race_between_blocks_names_the_blocks() {
    let text = "kernel k(y: mut f32[4]) { for i in grid(8) { y[i / 2] = 1.0; } }\n";
    says(&gives(text, &["race"]), "race", &["block 1"]);
}

#[test]
fn the_element_of_a_race_is_named_in_its_own_shape() {
    let text = "kernel k(y: mut f32[2, 3]) grid(1) block(2) { for i in 0..2 { for j in 0..3 { y[i, j] = 1.0; } } }\n";
    says(&gives(text, &["race"]), "race", &["[0, 0]"]);
}

#[test]
fn a_symbolic_race_names_the_sizes() {
    let text = "dim N;\nkernel k(y: mut f32[N]) { for i in grid(N) { y[i / 2] = 1.0; } }\n";
    says(&gives(text, &["race"]), "race", &["N = 2"]);
}

#[test]
fn reshape_maps_never_race() {
    for layout in ["i0, t0", "t0, i0", "-i0, t0", "-t0, -i0"] {
        gives(
            &format!(
                "kernel k(y: mut f32[12]) {{ view ys = y via reshape_map([3] | [4] => layout: [{layout}]);
                 for i in 0..3 {{ ys[i] = 1.0; }} }}\n"
            ),
            &[],
        );
    }
}

#[test]
fn every_thread_may_read_and_write_its_own_elements_in_any_order() {
    gives(
        "kernel k(y: mut f32[12]) grid(1) block(4) {
            view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
            for i in 0..3 { ys[i] = ys[2 - i] + ys[0]; ys[1] += 1.0; }
        }\n",
        &[],
    );
}

#[test]
fn two_views_with_one_map_give_one_owner() {
    gives(
        "kernel k(y: mut f32[12]) grid(1) block(4) {
            view a = y via reshape_map([3] | [4] => layout: [t0, i0]);
            view b = y via reshape_map([3] | [4] => layout: [t0, i0]);
            for i in 0..3 { a[i] = b[2 - i]; }
        }\n",
        &[],
    );
}

#[test]
fn two_views_with_different_owners_race() {
    gives(
        "kernel k(y: mut f32[12]) grid(1) block(4) {
            view a = y via reshape_map([3] | [4] => layout: [t0, i0]);
            view b = y via reshape_map([3] | [4] => layout: [i0, t0]);
            for i in 0..3 { a[i] = b[i]; }
        }\n",
        &["race-read"],
    );
}

#[test]
fn reading_a_written_tensor_by_its_own_index_races() {
    gives(
        "kernel k(y: mut f32[4]) grid(1) block(4) {
            view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
            ys[0] = y[0];
        }\n",
        &["race-read"],
    );
}

#[test]
fn one_thread_races_with_nobody() {
    gives("kernel k(y: mut f32[4]) grid(1) block(1) { for i in 0..4 { y[i] = y[3 - i]; } }\n", &[]);
}

#[test]
fn a_place_that_depends_on_data_may_race() {
    gives(
        "kernel k(at: i32[4], y: mut f32[4]) grid(1) block(4) {
            view mine = at via reshape_map([1] | [4] => layout: [i0, t0]);
            let n = i64(mine[0]);
            if n >= 0 && n < 4 { y[n] = 1.0; }
        }\n",
        &["race"],
    );
}

#[test]
fn a_thread_that_writes_only_where_the_data_says_its_own_place_does_not_race() {
    gives(
        "kernel k(at: i32[8], y: mut f32[8]) {
            for b in grid(8) { let n = i64(at[b]); if n == b { y[b] = 1.0; } }
        }\n",
        &[],
    );
}

// ------------------------------------------------------------------------------------------------ bounds

#[test]
fn a_store_outside_names_the_index_and_the_bound() {
    let checked =
        gives("kernel k(y: mut f32[4]) grid(1) block(1) { for i in 0..5 { y[i] = 1.0; } }\n", &["out-of-bounds"]);
    says(&checked, "out-of-bounds", &["becomes 4", "below 4", "[4]"]);
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

#[test]
fn two_reads_of_one_element_are_two_values() {
    gives(
        "kernel k(at: i64[4], y: mut f32[4]) grid(1) block(1) {
            if at[0] >= 0 && at[0] < 4 { y[at[0]] = 1.0; }
        }\n",
        &["out-of-bounds"],
    );
}

#[test]
fn an_unsigned_index_needs_only_the_upper_guard() {
    gives("kernel k(n: u32, y: mut f32[4]) grid(1) block(1) { let at = i64(n); if at < 4 { y[at] = 1.0; } }\n", &[]);
}

// ------------------------------------------------------------------------------------------------ types and roles

#[test]
fn a_store_into_an_input_is_refused() {
    gives("kernel k(x: f32[4], y: mut f32[4]) grid(1) block(1) { for i in 0..4 { x[i] = y[i]; } }\n", &["read-only"]);
}

#[test]
fn types_are_never_converted_silently() {
    for (value, fine) in [
        ("1", true),
        ("1.5", true),
        ("n", false),
        ("f32(n)", true),
        ("d", false),
        ("f32(d)", true),
        ("n > 3", false),
        ("if n > 3 { 1.0 } else { 2.0 }", true),
    ] {
        let text = format!("kernel k(n: i32, d: f64, y: mut f32[1]) grid(1) block(1) {{ y[0] = {value}; }}\n");
        gives(&text, if fine { &[] } else { &["type-mismatch"] });
    }
}

#[test]
fn an_index_is_an_integer() {
    gives("kernel k(a: f32, y: mut f32[1]) grid(1) block(1) { y[a] = 1.0; }\n", &["type-mismatch"]);
}

#[test]
fn an_output_that_is_partly_written_gets_a_warning_that_names_an_element() {
    let checked =
        gives("kernel k(y: mut f32[6]) grid(1) block(1) { for i in 0..4 { y[i] = 1.0; } }\n", &["not-fully-written"]);
    says(&checked, "not-fully-written", &["element 4"]);
    gives("kernel k(y: mut f32[6]) grid(1) block(1) { }\n", &["not-fully-written"]);
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
    let direct = check("dim N;\nkernel k(x: f32[1]) grid(1) block(1) { let a = x[N * (N + 1) % 2]; }\n");
    let advice = help(&direct, "bounds-open");
    assert!(!advice.contains("masked") && !advice.contains("loop"), "{advice}");
}

/// Each thread takes as many steps as its data say; there is no end only where there is none in the text.
#[test]
fn the_end_of_a_loop_may_be_data() {
    let checked = gives(
        "dim N;
        kernel count(x: i32[N], y: mut f32[N]) {
            view xs = x via reshape_map([1] | [N] => layout: [i0, t0]);
            view ys = y via reshape_map([1] | [N] => layout: [i0, t0]);
            let mut total = 0.0;
            for i in 0..xs[0] { total += 1.0; }
            ys[0] = total;
        }\n",
        &[],
    );
    assert!(checked.kernel().is_some());
}

#[test]
fn loops_are_bounded() {
    gives("kernel k(y: mut f32[1]) grid(1) block(1) { for i in 4 { y[0] = 1.0; } }\n", &["bounded-loop"]);
}

#[test]
fn a_loop_whose_end_is_a_scalar_needs_a_guard_for_the_tensor() {
    gives(
        "dim N;\nkernel k(n: i64, y: mut f32[N]) grid(1) block(1) { for i in 0..n { if i < N { y[i] = 1.0; } } }\n",
        &[],
    );
    gives(
        "dim N;\nkernel k(n: i64, y: mut f32[N]) grid(1) block(1) { for i in 0..n { y[i] = 1.0; } }\n",
        &["out-of-bounds"],
    );
}

// ------------------------------------------------------------------------------------------------ the grid, chains of views

#[test]
fn a_grid_loop_over_two_dimensions() {
    gives("dim M, N;\nkernel k(y: mut f32[M, N]) { for (i, j) in grid(M, N) { y[i, j] = 1.0; } }\n", &[]);
    gives("dim M, N;\nkernel k(y: mut f32[N, M]) { for (i, j) in grid(M, N) { y[j, i] = 1.0; } }\n", &[]);
    let swapped = check("dim M, N;\nkernel k(y: mut f32[M, N]) { for (i, j) in grid(M, N) { y[j, i] = 1.0; } }\n");
    assert_eq!(swapped.errors(), ["out-of-bounds"]);
}

#[test]
fn a_share_per_block_and_then_per_thread() {
    gives(
        "kernel k(y: mut f32[64]) grid(4) block(8) {
            view mine = y via reshape_map([16] | [4] => layout: [i0, t0]) per block;
            view ys = mine via reshape_map([2] | [8] => layout: [t0, i0]);
            for i in 0..2 { ys[i] = 1.0; }
        }\n",
        &[],
    );
}

#[test]
fn a_share_per_warp_and_then_per_thread() {
    gives(
        "kernel k(y: mut f32[256]) grid(2) block(64) {
            view mine = y via reshape_map([64] | [4] => layout: [i0, t0]) per warp;
            view ys = mine via reshape_map([2] | [32] => layout: [t0, i0]);
            for i in 0..2 { ys[i] = 1.0; }
        }\n",
        &[],
    );
}

#[test]
fn blocks_of_broken_warps_race() {
    let checked = check(
        "kernel k(y: mut f32[64]) grid(2) block(48) {
            view mine = y via reshape_map([32] | [2] => layout: [i0, t0]) per warp;
            view ys = mine via reshape_map([1] | [32] => layout: [i0, t0]);
            ys[0] = 1.0;
        }\n",
    );
    assert_eq!(checked.errors(), ["race"], "{}", checked.report());
}

#[test]
fn a_view_inside_a_grid_loop_belongs_to_the_block() {
    let text = "kernel k(y: mut f32[8]) block(8) {
        for b in grid(2) { view ys = y via reshape_map([1] | [8] => layout: [i0, t0]); ys[0] = 1.0; }
    }\n";
    says(&gives(text, &["race"]), "race", &["block 1"]);
}

#[test]
fn a_view_of_a_matrix_goes_through_its_elements_in_order() {
    gives(
        "dim M, N;\nkernel k(x: f32[M, N], y: mut f32[M, N]) {
            view xs = x via reshape_map([1] | [M * N] => layout: [i0, t0]);
            view ys = y via reshape_map([1] | [M * N] => layout: [i0, t0]);
            ys[0] = xs[0];
        }\n",
        &[],
    );
}

#[test]
fn padded_rows_do_not_touch() {
    gives(
        "dim M, N, LD where N <= LD;\nkernel k(y: mut f32[M, N] strided [LD, 1]) {
            view ys = y via reshape_map([1] | [M * N] => layout: [i0, t0]);
            ys[0] = 1.0;
        }\n",
        &[],
    );
}

#[test]
fn more_threads_than_elements_get_a_hint() {
    gives(
        "kernel k(y: mut f32[4]) grid(1) block(8) {
            view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
            ys[0] = 1.0;
        }\n",
        &["surplus-threads"],
    );
}

// ------------------------------------------------------------------------------------------------ accepted means safe

/// Values for the symbols of a kernel: small ones, all that fit its facts.
fn sizes(kernel: &Kernel, rng: &mut Rng) -> Vec<BTreeMap<Symbol, i64>> {
    if kernel.symbols.is_empty() {
        return vec![BTreeMap::new()];
    }
    let mut found = Vec::new();
    for _ in 0..40 {
        let value = |rng: &mut Rng| if rng.one_in(4) { rng.between(1, 5) * 8 } else { rng.between(1, 12) };
        let sizes: BTreeMap<Symbol, i64> = kernel.symbols.iter().map(|symbol| (symbol.clone(), value(rng))).collect();
        if kernel.facts.check(&sizes).is_ok() && !found.contains(&sizes) {
            found.push(sizes);
        }
        if found.len() == 4 {
            break;
        }
    }
    found
}

/// Enumerates an accepted kernel for some sizes, scalars and data; the number of launches that were.
#[track_caller]
fn safe(checked: &Checked, text: &str) -> usize {
    let Some(kernel) = checked.kernel() else { return 0 };
    let mut rng = Rng::new(text.len() as u64);
    let mut launches = 0;
    for sizes in sizes(&kernel, &mut rng) {
        let guarded = match at_launch(&kernel, &sizes) {
            Ok(LaunchBounds::Proven) => false,
            Ok(LaunchBounds::Guarded) => true,
            Err(_) => continue,
        };
        for round in 0..3 {
            const VALUES: &[i64] = &[0, 1, 3, 4, 7, -1, -3, 100, i64::MIN, i64::MAX, 1 << 62, i32::MAX as i64 + 1];
            let scalars: Vec<i64> = kernel
                .params
                .iter()
                .map(|param| match param.kind {
                    ParamKind::Scalar => *rng.pick(VALUES),
                    ParamKind::Tensor { .. } => 0,
                })
                .collect();
            let launch =
                Launch { kernel: &kernel, sizes: &sizes, scalars: &scalars, data: rng.bits() ^ round, guarded };
            match enumerate(&launch) {
                Ok(_) => launches += 1,
                Err(Fault::GaveUp(_)) => {}
                Err(fault) => panic!("{fault:?}\nsizes {sizes:?}, scalars {scalars:?}\n{text}\n{}", checked.report()),
            }
        }
    }
    launches
}

/// A kernel made of pieces that often fit each other.
struct Maker {
    rng: Rng,
    /// Names of integers in scope.
    integers: Vec<String>,
    /// Those of them that run through `0..extent`.
    ranged: Vec<(String, String)>,
    /// Names that can be indexed, with the number of indices and a likely extent for each, and whether they are written.
    places: Vec<(String, Vec<String>, bool)>,
    symbolic: bool,
    names: usize,
}

impl Maker {
    fn kernel(seed: u64) -> String {
        let mut maker = Maker {
            rng: Rng::new(seed),
            integers: Vec::new(),
            ranged: Vec::new(),
            places: Vec::new(),
            symbolic: false,
            names: 0,
        };
        maker.symbolic = maker.rng.one_in(4);
        maker.whole()
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn extent(&mut self) -> String {
        if self.symbolic && self.rng.one_in(2) {
            (*self.rng.pick(&["N", "M", "2 * N", "N + 3", "4 * M"])).to_owned()
        } else {
            self.rng.between(1, 9).to_string()
        }
    }

    fn whole(&mut self) -> String {
        let facts = *self.rng.pick(&["", " where N <= M", " where N % 4 == 0", " where M <= N, M % 2 == 0"]);
        let (threads, blocks) = (self.rng.between(1, 5), self.rng.between(1, 3));
        let mut head = if self.symbolic { format!("dim M, N{facts};\n") } else { String::new() };
        let mut params = vec!["n: i64".to_owned(), "k: i32".to_owned(), "at: i32[16]".to_owned()];
        self.integers.extend(["n".to_owned(), "i64(k)".to_owned()]);
        let mut body = String::new();
        let grid = self.rng.one_in(3);
        for (name, mutable) in [("x", false), ("y", true), ("z", true)] {
            let chunk = self.rng.between(1, 4);
            let rank = self.rng.between(1, 2);
            let share = self.extent();
            let total = threads * blocks;
            let view = self.rng.one_in(2) && !grid;
            let shape: Vec<String> = if view {
                vec![if self.rng.one_in(4) { share.clone() } else { (chunk * total).to_string() }]
            } else {
                (0..rank).map(|_| self.extent()).collect()
            };
            let strided = match (shape.as_slice(), self.rng.one_in(6)) {
                ([_, columns], true) => format!(" strided [{columns} + 2, 1]"),
                _ => String::new(),
            };
            let word = if mutable { "mut " } else { "" };
            params.push(format!("{name}: {word}f32[{}]{strided}", shape.join(", ")));
            if view {
                let count = if self.rng.one_in(3) { self.rng.between(1, total) } else { total };
                let tensor_chunk = if self.rng.one_in(4) { self.rng.between(1, 5) } else { chunk };
                let layout = *self.rng.pick(&["i0, t0", "t0, i0", "-i0, t0", "t0, -i0", "-t0, i0"]);
                let offset = if self.rng.one_in(6) { ", offset: 1" } else { "" };
                let masked = if self.rng.one_in(3) { " masked" } else { "" };
                body += &format!(
                    "view {name}s = {name} via reshape_map([({chunk}, {tensor_chunk})] | [{count}] => layout: [{layout}]{offset}){masked};\n"
                );
                self.places.push((format!("{name}s"), vec![chunk.to_string()], mutable));
                if self.rng.one_in(5) {
                    self.places.push((name.to_owned(), shape, mutable));
                }
            } else {
                self.places.push((name.to_owned(), shape, mutable));
            }
        }
        if grid {
            let written = self.rng.between(1, 2) as usize;
            let extents = self.places[written].1.clone();
            let names: Vec<String> = extents.iter().map(|_| self.fresh("b")).collect();
            self.integers.extend(names.clone());
            self.ranged.extend(names.iter().cloned().zip(extents.iter().cloned()));
            let iterators = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
            body += &format!("for {iterators} in grid({}) {{\n{}}}\n", extents.join(", "), self.block(3));
            head += &format!("kernel k({}) block({})", params.join(", "), if self.rng.one_in(3) { threads } else { 1 });
        } else {
            body += &self.block(3);
            head += &format!("kernel k({}) grid({blocks}) block({threads})", params.join(", "));
        }
        format!("{head} {{\n{body}}}\n")
    }

    fn block(&mut self, depth: usize) -> String {
        let (integers, ranged) = (self.integers.len(), self.ranged.len());
        let count = if self.rng.one_in(4) { 2 } else { 1 };
        let text = (0..count).map(|_| self.statement(depth)).collect();
        self.integers.truncate(integers);
        self.ranged.truncate(ranged);
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 2 } else { 8 }) {
            0 | 1 => self.store(),
            2 | 3 => {
                let name = self.fresh("i");
                let place = self.rng.below(self.places.len());
                let extents = self.places[place].1.clone();
                let high = if self.rng.one_in(8) { self.integer(1) } else { self.rng.pick(&extents).clone() };
                let low = if self.rng.one_in(4) { self.rng.between(0, 2).to_string() } else { "0".to_owned() };
                self.integers.push(name.clone());
                if low == "0" {
                    self.ranged.push((name.clone(), high.clone()));
                }
                format!("for {name} in {low}..{high} {{\n{}}}\n", self.block(depth - 1))
            }
            4 => {
                let name = self.fresh("v");
                let value =
                    if self.rng.one_in(3) { format!("i64(at[{}])", self.rng.below(16)) } else { self.integer(2) };
                self.integers.extend([name.clone(), name.clone()]);
                format!("let {name} = {value};\n{}", self.statement(depth - 1))
            }
            5 => {
                let name = self.fresh("m");
                let (first, later) = (self.integer(1), self.integer(1));
                self.integers.push(name.clone());
                let body = self.block(depth - 1);
                format!("let mut {name} = {first} + 0;\n{body}{name} = {later};\n{}", self.block(depth - 1))
            }
            _ => {
                let condition = self.condition();
                let then = self.block(depth - 1);
                let otherwise =
                    if self.rng.one_in(3) { format!(" else {{\n{}}}", self.block(depth - 1)) } else { String::new() };
                format!("if {condition} {{\n{then}}}{otherwise}\n")
            }
        }
    }

    fn condition(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            let (left, op) = (self.integer(1), *self.rng.pick(&["<", "<=", ">", ">=", "==", "!=", "<", ">="]));
            let right = if self.rng.one_in(3) { self.integer(1) } else { self.extent() };
            parts.push(format!("{left} {op} {right}"));
        }
        if self.rng.one_in(3) {
            let place = self.rng.below(self.places.len());
            let extents = self.places[place].1.clone();
            let (name, extent) = (self.rng.pick(&self.integers.clone()).clone(), self.rng.pick(&extents).clone());
            parts = vec![format!("{name} >= 0"), format!("{name} < {extent}")];
        }
        // Sizes alone, whose difference may be negative.
        if self.rng.one_in(4) {
            let (left, other, by) = (self.extent(), self.extent(), self.rng.between(1, 3));
            let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
            let right = self.rng.between(-2, 6);
            parts.push(match self.rng.below(3) {
                0 => format!("{left} {op} {right}"),
                1 => format!("({left} - {other}) / {by} {op} {right}"),
                _ => format!("({left} - {other}) % {by} {op} {right}"),
            });
        }
        let negated = self.rng.one_in(8);
        let joined = parts.join(if self.rng.one_in(6) { " || " } else { " && " });
        if negated { format!("!({joined})") } else { joined }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.one_in(2) {
            let named = !self.rng.one_in(5);
            return if named { self.rng.pick(&self.integers.clone()).clone() } else { self.extent() };
        }
        let left = self.integer(depth - 1);
        match self.rng.below(9) {
            0 | 1 => format!("({left} + {})", self.integer(depth - 1)),
            2 => format!("({left} - {})", self.integer(depth - 1)),
            3 => format!("({left} * {})", self.rng.between(1, 4)),
            4 => format!("({left} / {})", self.rng.between(1, 4)),
            5 => format!("({left} % {})", self.rng.between(1, 6)),
            6 => format!("({} - 1 - {left})", self.extent()),
            7 => format!("-{left}"),
            _ => format!("i64(i32({left}))"),
        }
    }

    fn element(&mut self, place: usize) -> String {
        let (name, extents, _) = self.places[place].clone();
        let indices: Vec<String> = extents
            .iter()
            .map(|extent| {
                let fits: Vec<String> =
                    self.ranged.iter().filter(|(_, known)| known == extent).map(|(name, _)| name.clone()).collect();
                if !fits.is_empty() && !self.rng.one_in(5) {
                    let name = self.rng.pick(&fits).clone();
                    return if self.rng.one_in(4) { format!("{extent} - 1 - {name}") } else { name };
                }
                if self.rng.one_in(3) {
                    let low = self.rng.pick(&self.integers.clone()).clone();
                    return if self.rng.one_in(2) { low } else { format!("{low} % {extent}") };
                }
                if self.rng.one_in(3) { "0".to_owned() } else { self.integer(1) }
            })
            .collect();
        format!("{name}[{}]", indices.join(", "))
    }

    fn store(&mut self) -> String {
        let written: Vec<usize> = (0..self.places.len()).filter(|place| self.places[*place].2).collect();
        let target = *self.rng.pick(&written);
        let target = self.element(target);
        let op = *self.rng.pick(&["=", "=", "=", " +="]);
        let value = match self.rng.below(4) {
            0 => {
                let place = self.rng.below(self.places.len());
                self.element(place)
            }
            _ => "1.0".to_owned(),
        };
        format!("{target} {op} {value};\n")
    }
}

/// How many random kernels are tried; more with `SHAPEWRIGHT_RANDOM_KERNELS`.
fn count() -> u64 {
    std::env::var("SHAPEWRIGHT_RANDOM_KERNELS").ok().and_then(|count| count.parse().ok()).unwrap_or(150)
}

#[test]
fn random_kernels_that_are_accepted_are_safe() {
    let (mut accepted, mut launches, mut malformed) = (0, 0, 0);
    for seed in 0..count() {
        let text = Maker::kernel(seed);
        let checked = check(&text);
        malformed += usize::from(checked.errors().contains(&"syntax-error"));
        accepted += usize::from(checked.kernel().is_some());
        launches += safe(&checked, &text);
    }
    println!("{accepted} accepted, {launches} launches, {malformed} malformed");
    assert_eq!(malformed, 0);
    assert!(accepted as u64 >= count() / 20, "only {accepted} of {} kernels were accepted", count());
    assert!(launches >= accepted);
}

/// The kernels of the examples are safe too.
#[test]
fn the_kernels_of_the_examples_are_safe() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let mut kernels = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "shape") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let checked = check(&text);
        assert!(checked.errors().is_empty(), "{}\n{}", path.display(), checked.report());
        let db = &checked.db;
        for item in checked.file.items(db) {
            let parsed = &item.tree(db).item;
            kernels += usize::from(parsed.as_ref().is_some_and(|item| matches!(item.kind, ItemKind::Kernel(_))));
        }
        safe(&checked, &text);
    }
    assert!(kernels >= 8);
}
