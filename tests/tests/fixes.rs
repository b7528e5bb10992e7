//! Fixes mend: applied to the text and checked again, each removes what it was offered for and breaks nothing else.

use std::path::Path;

use crate::support::{Checked, check, check_files};
use check::diagnostics::PAGES;
use ide::{Finding, Repair};

fn count(checked: &Checked, code: &str) -> usize {
    checked.findings.iter().filter(|found| found.code == code).count()
}

/// Applies every fix of every finding, and says how many there were.
#[track_caller]
fn mends(text: &str) -> usize {
    let checked = check(text);
    let fixes: Vec<(&Finding, &Repair)> =
        checked.findings.iter().flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix))).collect();
    for (finding, fix) in &fixes {
        let mended = checked.applied(fix);
        let after = check(&mended);
        let fewer = count(&after, finding.code) < count(&checked, finding.code);
        let parses = count(&after, "syntax-error") <= count(&checked, "syntax-error");
        let no_worse = after.errors().len() <= checked.errors().len();
        assert!(
            fewer && parses && no_worse,
            "[{}] `{}`: fewer {fewer}, parses {parses}, no worse {no_worse}\n{text}\nbecomes\n{mended}\n{}",
            finding.code,
            fix.title,
            after.report()
        );
    }
    fixes.len()
}

#[test]
fn the_fixes_of_every_page() {
    let fixes: usize = PAGES.iter().map(|page| mends(page.wrong) + mends(page.right)).sum();
    assert!(fixes >= 15, "only {fixes} fixes");
}

/// The texts of a folder's files with a suffix.
fn texts(folder: &str, suffix: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let wanted = paths.iter().filter(|path| path.to_string_lossy().ends_with(suffix));
    wanted.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// The `shape` blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let blocks = page.split("```shape\n").skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

/// The examples and the reference, without what makes them right: their facts, their masks, their word `mut`.
#[test]
fn the_fixes_of_damaged_examples() {
    let mut files = texts("examples", ".shape");
    files.extend(texts("docs", "language.md").iter().flat_map(|page| blocks(page)));
    let mut fixes = 0;
    for file in &files {
        fixes += mends(file);
        fixes += mends(&file.replace(" masked", ""));
        let without_facts: Vec<String> = file
            .lines()
            .map(|line| match (line.starts_with("dim "), line.split_once(" where ")) {
                (true, Some((names, _))) => format!("{names};\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        fixes += mends(&without_facts.concat());
    }
    assert!(files.len() > 15 && fixes >= 15, "only {fixes} fixes in {} files", files.len());
}

/// The fix of the only finding that has one, and the text that it makes.
#[track_caller]
fn mended(text: &str, code: &str) -> String {
    assert!(mends(text) > 0, "no fix for\n{text}\n{}", check(text).report());
    let checked = check(text);
    let finding = checked.findings.iter().find(|finding| finding.code == code && !finding.fixes.is_empty());
    let finding = finding.unwrap_or_else(|| panic!("no fix for {code} in\n{text}\n{}", checked.report()));
    checked.applied(&finding.fixes[0])
}

#[test]
fn an_assertion_about_sizes_asks_for_its_fact() {
    let text = mended("dim N;\nassert N % 4 == 0;\n", "assertion-failed");
    assert_eq!(text, "dim N where N % 4 == 0;\nassert N % 4 == 0;\n");
    let text = mended("dim M, n where n <= 100\nassert 4 * n <= M\n", "assertion-failed");
    assert_eq!(text, "dim M, n where n <= 100, 4 * n <= M\nassert 4 * n <= M\n");
    let text = mended("dim N; // rows\nassert N * N % 3 <= 1;\n", "assertion-open");
    assert_eq!(text, "dim N where N * N % 3 == 0; // rows\nassert N * N % 3 <= 1;\n");
}

#[test]
fn a_conjunction_asks_for_the_facts_of_all_its_parts() {
    let text = mended("dim N;\ndim M where M <= 9;\nassert N % 4 == 0 && M != 3;\n", "assertion-failed");
    assert_eq!(text, "dim N where N % 4 == 0;\ndim M where M <= 9, M != 3;\nassert N % 4 == 0 && M != 3;\n");
}

#[test]
fn a_question_to_a_map_asks_for_the_weakest_division() {
    let map = "map rows = reshape_map([4] | [cdiv(cdiv(N, 4), 8) * 8] => layout: [i0, t0]);\n";
    let text = mended(&format!("dim N;\n{map}assert rows.in_bounds(N);\n"), "assertion-failed");
    assert!(text.starts_with("dim N where N % 32 == 0;\n"), "{text}");
}

#[test]
fn a_bound_asks_for_a_size_that_is_large_enough() {
    let kernel = "kernel first(x: f32[N], y: mut f32[1]) grid(1) block(1) { y[0] = x[11]; }\n";
    assert_eq!(mended(&format!("dim N;\n{kernel}"), "out-of-bounds"), format!("dim N where N >= 12;\n{kernel}"));
}

#[test]
fn a_forgotten_tail_asks_for_a_multiple() {
    let kernel = "kernel copy(x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]);
    view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    for i in 0..4 { ys[i] = xs[i]; }
}\n";
    let text = mended(&format!("dim N;\n{kernel}"), "out-of-bounds");
    assert_eq!(text, format!("dim N where N % 4 == 0;\n{kernel}"));
}

#[test]
fn strides_ask_for_rows_that_are_apart() {
    let text = mended(
        "dim M, N, LD;\nkernel f(y: mut f32[M, N] strided [LD, 1]) grid(1) block(1) { y[0, 0] = 1.0; }\n",
        "overlapping-strides",
    );
    assert!(text.starts_with("dim M, N, LD where N <= LD;\n"), "{text}");
}

#[test]
fn a_tensor_that_is_only_read_needs_no_mut() {
    let text = mended("kernel f(x: mut f32[4]) grid(1) block(1) { let a = x[0]; }\n", "not-fully-written");
    assert_eq!(text, "kernel f(x: f32[4]) grid(1) block(1) { let a = x[0]; }\n");
}

/// Nothing is offered where no fact helps, or where it would be the opposite of what was claimed.
#[test]
fn no_fact_is_offered_that_settles_nothing() {
    for text in [
        "dim N;\nassert N + 1 <= N;\n",
        "dim N where N % 4 == 0;\nassert N % 4 == 1;\n",
        "dim N;\nassert !(N >= 1);\n",
        "s : [?];\nassert s(0) == 4;\n",
    ] {
        let checked = check(text);
        assert_eq!(checked.errors(), ["assertion-failed"], "{text}");
        assert!(checked.findings.iter().all(|finding| finding.fixes.is_empty()), "{text}");
    }
}

/// The fact goes where the symbols are declared, also into another file, and where it makes no circle of items.
#[test]
fn a_fact_is_stated_where_all_of_its_symbols_are_seen() {
    let files = [
        ("main.shape", "use \"sizes.shape\";\ndim M;\nassert N % 4 == 0;\n"),
        ("sizes.shape", "dim N where N <= 64;\n"),
    ];
    let checked = check_files(&files);
    let edit = &checked.findings[0].fixes[0].edits[0];
    assert_eq!((edit.location.file.path(&checked.db), edit.text.as_str()), ("sizes.shape", ", N % 4 == 0"));
    assert_eq!(edit.location.range, 19..19);

    // `sizes.shape` knows no `M`.
    let files = [("main.shape", "use \"sizes.shape\";\ndim M;\nassert N <= M;\n"), ("sizes.shape", "dim N;\n")];
    let checked = check_files(&files);
    let edit = &checked.findings[0].fixes[0].edits[0];
    assert_eq!((edit.location.file.path(&checked.db), edit.text.as_str()), ("main.shape", " where N <= M"));

    // The facts of `M` need those of `N` already.
    let text = mended("dim N;\ndim M where M >= N;\nassert M % N == 0;\n", "assertion-failed");
    assert_eq!(text, "dim N;\ndim M where M >= N, M % N == 0;\nassert M % N == 0;\n");
}

#[test]
fn an_operand_of_another_type_is_converted() {
    for body in ["y[i] = x[i];", "y[i] = y[i] * n;", "y[i] = 2.0 * (x[i] + x[0]);", "let a: f32 = x[i]; y[i] = a;"] {
        let text = format!("kernel k(n: i32, x: f16[4], y: mut f32[4]) {{ for i in grid(4) {{ {body} }} }}\n");
        assert_eq!(mends(&text), 1, "{body}");
        // Whether digits may be lost is the author's to say.
        let checked = check(&text);
        assert!(ide::fix_all(&checked.db, checked.file).is_none());
    }
    // What is stored only is converted, on both sides where both are.
    for value in ["x[i] * 2.0", "x[i] + x[i]", "-x[i]", "max(x[i], s)", "exp(x[i])", "f32(s) * x[i]"] {
        let text =
            format!("kernel k(x: e4m3[4], s: e4m3, y: mut f32[4]) {{ for i in grid(4) {{ y[i] = {value}; }} }}\n");
        assert_eq!(mends(&text), 1, "{text}");
    }
    // A fraction is not cut off unasked.
    let kernel =
        |body: &str| format!("kernel k(n: i32, y: mut f32[4], m: mut i32[4]) {{ for i in grid(4) {{ {body} }} }}\n");
    assert_eq!(mended(&kernel("y[i] = n * y[i];"), "type-mismatch"), kernel("y[i] = f32(n) * y[i];"));
    assert_eq!(mends(&kernel("m[i] += y[i];")), 0);
}

#[test]
fn what_is_written_for_the_signs_of_a_reshape_map_becomes_the_sign() {
    for (bar, arrow) in
        [("", " =>"), (",", " =>"), (" ||", " =>"), (" |", ""), (" |", ","), (" |", " ="), (" |", " ->")]
    {
        let text = format!("map m = reshape_map([3]{bar} [4]{arrow} layout: [i0, t0]);\n");
        assert_eq!(mended(&text, "syntax-error"), "map m = reshape_map([3] | [4] => layout: [i0, t0]);\n");
    }
}

#[test]
fn a_step_of_c_is_one_mistake_and_becomes_an_assignment() {
    let kernel = |step: &str| format!("kernel count(y: mut i64[1]) {{ let mut i = 0; i{step}; y[0] = i; }}\n");
    for (written, meant) in [("++", " += 1"), ("--", " -= 1")] {
        assert_eq!(check(&kernel(written)).errors(), ["syntax-error"]);
        assert_eq!(mended(&kernel(written), "syntax-error"), kernel(meant));
    }
}

#[test]
fn a_loop_of_c_is_one_mistake_and_becomes_a_range() {
    let kernel = |header: &str| format!("kernel fill(y: mut f32[4]) {{\n    for {header} {{ y[i] = 1.0; }}\n}}\n");
    for header in ["(int i = 0; i < 4; i++)", "(i = 0; i <= 3; i += 1)", "i = 0; i != 4; ++i"] {
        let text = kernel(header);
        assert_eq!(check(&text).errors(), ["syntax-error"], "{text}");
        let range = if header.contains("<=") { "0..3 + 1" } else { "0..4" };
        assert_eq!(mended(&text, "syntax-error"), kernel(&format!("i in {range}")));
    }
    assert_eq!(check(&kernel("(i in 0..4)")).errors(), ["syntax-error"]);
    let backwards = check(&kernel("(int i = 3; i >= 0; i--)"));
    assert_eq!((backwards.errors(), backwards.findings[0].fixes.len()), (vec!["syntax-error"], 0));
}

/// What other languages write becomes what is written here, and means what it should.
#[test]
fn what_other_languages_write_is_mended() {
    let kernel = |statement: &str| {
        format!(
            "kernel k(n: i32, x: f32[8], y: mut f32[8]) {{
                view xs = x via reshape_map([4] | [2] => layout: [i0, t0]);
                view ys = y via reshape_map([4] | [2] => layout: [i0, t0]);
                for i in 0..4 {{ {statement} }}
            }}\n"
        )
    };
    for (theirs, ours) in [
        ("if xs[i] > 0.0 and n < 3 { ys[i] = 1.0; }", "if xs[i] > 0.0 && n < 3 { ys[i] = 1.0; }"),
        ("if not xs[i] > 0.0 { ys[i] = 1.0; }", "if !(xs[i] > 0.0) { ys[i] = 1.0; }"),
        ("ys[i] = xs[i] > 0.0 ? xs[i] : 0.0;", "ys[i] = if xs[i] > 0.0 { xs[i] } else { 0.0 };"),
        ("ys[i] = (float)(n + 1) * 2.0;", "ys[i] = f32((n + 1)) * 2.0;"),
        ("ys[i] = (float)n / xs[i];", "ys[i] = f32(n) / xs[i];"),
        ("ys[i] = 2.0f * xs[i];", "ys[i] = 2.0 * xs[i];"),
        ("if (n < 3) ys[i] = 1.0;", "if (n < 3) { ys[i] = 1.0; }"),
        ("ys[i] = fmaxf(xs[i], 0.0);", "ys[i] = max(xs[i], 0.0);"),
        ("ys[i] = expf(xs[i]);", "ys[i] = exp(xs[i]);"),
        ("ys[i] = float(n);", "ys[i] = f32(n);"),
        ("for j in range(n) { ys[i] += xs[i]; }", "for j in 0..n { ys[i] += xs[i]; }"),
        ("for j in range(1, 4) { ys[i] += xs[j]; }", "for j in 1..4 { ys[i] += xs[j]; }"),
    ] {
        let checked = check(&kernel(theirs));
        let [error] = checked.findings.as_slice() else { panic!("{theirs}: {}", checked.report()) };
        let [fix] = error.fixes.as_slice() else { panic!("{theirs}: {} fixes", error.fixes.len()) };
        assert_eq!(checked.applied(fix), kernel(ours), "{theirs}");
        assert!(check(&kernel(ours)).errors().is_empty(), "{ours}: {}", check(&kernel(ours)).report());
    }
    // Of these the author has to decide; each is one error with an advice.
    for (theirs, advice) in [
        ("ys[i] = xs[i] ** 2;", "pow(x, y)"),
        ("while (n < 3) { ys[i] = 1.0; }", "`max n`"),
        ("if (n > 3) return;", "put the rest under an `if`"),
        ("__syncthreads();", "leave it out"),
        ("atomicSub(ys[i], 1.0);", "atomic_add(h[i], -v);"),
        ("for j in range(0, 8, 2) { ys[i] = 1.0; }", "`lo..hi step s`"),
    ] {
        let checked = check(&kernel(theirs));
        let [error] = checked.findings.as_slice() else { panic!("{theirs}: {}", checked.report()) };
        assert!(error.help.iter().any(|help| help.contains(advice)), "{theirs}: {:?}", error.help);
    }
}

/// Mistakes in pipelines whose fix must mend them.
#[test]
fn the_fixes_of_pipelines() {
    let cases = [
        "map m = row_major([8, 0]);",
        "map m = row_major([8, -1]);",
        "map m = partition([8, 8], [4, 0]);",
        "map m = row_major([4, 5, 6]) |> xor;",
        "map m = row_major([4, 5]) |> replicate(3);",
        "map m = row_major([8, 8]) |> pad(1, 1);",
        "map m = row_major([8, 8]) |> reshape_map([8] | [8]);",
        "map m = row_major([8, 8]) |> { 0: _ };",
        "map m = row_major([8]) |> unmege(2, 4);",
        "s : [4, 5];\nmap m = s |> merge;",
    ];
    for text in cases {
        assert_eq!(mends(&format!("{text}\n")), 1, "{text}");
    }
    // A fix for one of several sizes would replace them all; a group would need tiles of one dimension.
    for text in ["s : [4, 4];\nmap m = row_major(s - 4);", "map m = row_major([8, 8]) |> partition(4, 4);"] {
        assert_eq!(mends(&format!("{text}\n")), 0, "{text}");
    }
}
