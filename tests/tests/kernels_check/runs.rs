//! Runs: what their arguments say, and what they save.

use ide::CompilerDatabase;

use crate::support::check;

const REVERSE: &str = "dim N;
kernel reverse(x: f32[N], y: mut f32[N]) { for i in grid(N) { y[i] = x[N - 1 - i]; } }
";

#[test]
fn a_literal_says_how_large_a_size_is() {
    let codes = |run: &str| check(&format!("{REVERSE}{run}\n")).codes();
    assert!(codes("run reverse(x: [1, 2, 3], y: zeros);").is_empty());
    assert!(codes("run reverse(x: npy(\"x.npy\"), y: zeros);").is_empty());
    assert!(codes("run reverse(x: arange, y: zeros) with N = 3;").is_empty());
    assert_eq!(codes("run reverse(x: arange, y: zeros);"), ["run-unbound-symbol"].into());
}

#[test]
fn only_what_the_kernel_writes_is_saved() {
    let errors =
        |name: &str| check(&format!("{REVERSE}run reverse(x: [1], y: zeros) save {name}: \"a.npy\";\n")).errors();
    assert!(errors("y").is_empty());
    assert_eq!(errors("x"), ["save-target"]);
    assert_eq!(errors("z"), ["save-target"]);
}

/// What is said of an unknown name in an `expect`: never to declare a size, which a tensor is not.
#[test]
fn an_unknown_tensor_is_answered_with_those_that_there_are() {
    let found = |condition: &str| {
        let checked = check(&format!("{REVERSE}run reverse(x: [1, 2], y: zeros) expect {condition};\n"));
        assert_eq!(checked.errors(), ["unknown-name"], "{condition}");
        checked.findings[0].help.join("; ")
    };
    for condition in ["other == x", "x == other + 1.0", "other.sum() == 3.0", "other[0] == 1.0"] {
        let help = found(condition);
        assert!(help.contains("the kernel's parameters are `x` and `y`"), "{condition}: {help}");
        assert!(!help.contains("dim other"), "{condition}: {help}");
    }
    assert!(check(&format!("{REVERSE}run reverse(x: [1, 2], y: zeros) expect y[N-1] == 1.0;\n")).errors().is_empty());
    let text = "kernel k(input: f32[1], out: mut f32[1]) { for i in grid(1) { out[i] = input[i]; } }
        run k(input: ones, out: zeros) expect out == inputs;\n";
    assert!(check(text).findings[0].help.contains(&"did you mean `input`?".to_owned()));
}

/// A number that rounds to infinity is none that its author wrote.
#[test]
fn a_number_fits_its_type() {
    let kernel = |element: &str, value: &str| {
        check(&format!("kernel k(y: mut {element}[1]) {{ for i in grid(1) {{ y[i] = {value}; }} }}\n"))
    };
    let run = |element: &str, value: &str| {
        check(&format!(
            "kernel k(y: mut {element}[1]) {{ for i in grid(1) {{ y[i] = y[i]; }} }} run k(y: [{value}]);\n"
        ))
    };
    for (element, fits, range, beyond) in [
        ("f16", ["65504", "65519.9", "-65519.9"], "-65504 to 65504", ["65520", "65520.0", "-70000.0"]),
        ("bf16", ["3.39e38", "1", "3.396e38"], "-3.3895314e38 to 3.3895314e38", ["3.397e38", "1e39", "-1e300"]),
        (
            "f32",
            ["3.4028235e38", "-3.4028235e38", "1e-300"],
            "-3.4028235e38 to 3.4028235e38",
            ["3.5e38", "1e39", "-1e39"],
        ),
        ("f64", ["1e308", "-1e-300", "5e-324"], "", [""; 3]),
        ("i8", ["-128", "127", "0"], "-128 to 127", ["128", "-129", "300"]),
    ] {
        for value in fits {
            assert_eq!(kernel(element, value).errors(), [""; 0], "{value} is an {element}");
            assert_eq!(run(element, value).errors(), [""; 0], "{value} is an {element}");
        }
        for value in beyond.into_iter().filter(|value| !value.is_empty()) {
            for (checked, code) in [(kernel(element, value), "type-mismatch"), (run(element, value), "run-argument")] {
                assert_eq!(checked.errors(), [code], "{value} is no {element}");
                assert!(checked.findings[0].message.contains(range), "{}", checked.findings[0].message);
            }
        }
    }
}

#[test]
fn an_unknown_kernel_is_answered_with_those_that_there_are() {
    let kernel = |name: &str| format!("kernel {name}(y: mut f32[1]) grid(1) block(1) {{ y[0] = 1.0; }}\n");
    let said = |kernels: &[&str], run: &str| {
        let kernels: String = kernels.iter().map(|name| kernel(name)).collect();
        let checked = check(&format!("{kernels}run {run}(y: zeros);\n"));
        assert_eq!(checked.errors(), ["unknown-kernel"], "{}", checked.report());
        checked.findings[0].help.join("; ")
    };
    assert_eq!(said(&[], "fill"), "this file and the files it uses declare no kernel");
    assert_eq!(said(&["fill"], "fil"), "did you mean `fill`?");
    assert_eq!(said(&["fill"], "saxpy"), "the only kernel here is `fill`");
    assert_eq!(said(&["scale", "fill"], "fil"), "did you mean `fill`?; the kernels here are `fill` and `scale`");
    let many: Vec<String> = (10..19).map(|number| format!("kernel_{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(said(&many, "saxpy"), "");
}

/// The list of kernels follows an edit that leaves every name as it is.
#[test]
fn an_unknown_kernel_notices_what_becomes_a_kernel() {
    let mut db = CompilerDatabase::default();
    let text = |item: &str| format!("{item}\nkernel scale(y: mut f32[1]) {{ y[0] = 1.0; }}\nrun nothing(y: zeros);\n");
    let file = db.set_text("main.shape", &text("const fill = 1;"));
    let help = |db: &CompilerDatabase| ide::diagnostics(db, file)[0].help.clone();
    assert_eq!(help(&db), ["the only kernel here is `scale`"]);
    db.set_text("main.shape", &text("kernel fill(y: mut f32[1]) { y[0] = 1.0; }"));
    assert_eq!(help(&db), ["the kernels here are `fill` and `scale`"]);
}

#[test]
fn initial_values_of_other_libraries_are_answered_with_ours() {
    for (written, meant) in [("zeros(N)", "zeros"), ("arange(4)", "arange"), ("random", "random(1)")] {
        let checked = check(&format!("{REVERSE}run reverse(x: {written}, y: zeros) with N = 4;\n"));
        assert_eq!(checked.errors(), ["run-argument"], "{}", checked.report());
        assert_eq!(checked.findings[0].fixes[0].edits[0].text, meant);
    }
    let declared = check(&format!("const random = 3;\n{REVERSE}run reverse(x: random, y: zeros) with N = 4;\n"));
    assert!(declared.errors().is_empty(), "{}", declared.report());
}

/// What the grammar says once is not said again by what reads its tree.
#[test]
fn what_is_missing_is_reported_once() {
    assert_eq!(check("kernel k(float* x) { }\n").errors(), ["syntax-error"]);
    assert_eq!(check("map m = reshape_map([4] | [8] => layout: i0);\n").errors(), ["syntax-error"]);
    assert_eq!(check(&format!("{REVERSE}run reverse(x = ones, y: zeros) with N = 4;\n")).errors(), ["syntax-error"]);
}

#[test]
fn a_tensor_is_compared_with_a_list() {
    let said = |run: &str| -> Vec<String> {
        check(&format!("{REVERSE}{run}\n")).findings.into_iter().map(|finding| finding.message).collect()
    };
    for run in [
        "run reverse(x: [1, 2, 3], y: zeros) expect y == [3, 2, 1];",
        "run reverse(x: [1, 2, 3], y: zeros) expect y == [3.0, x[1], -(-1)] && x.sum() == 6.0;",
        "run reverse(x: arange, y: zeros) with N = 2 expect y == [N - 1, 0];",
        "run reverse(x: arange, y: zeros) with N = 4 expect y.reshape(2, 2) == [[3, 2], [1, 0]];",
        "const wanted = [1, 0]; run reverse(x: arange, y: zeros) with N = 2 expect y == wanted;",
        "run reverse(x: [1, 2, 3], y: zeros) expect y == [3, 2, 1] && (x[0..2] == [1, 2] && y.sum() > 0.0);",
    ] {
        assert_eq!(said(run), [""; 0], "{run}");
    }
    let misfit = "shapes [N] and [2] do not go together element by element";
    for (run, expected) in [
        ("run reverse(x: [1, 2, 3], y: zeros) expect y == [3, 2];", misfit),
        ("run reverse(x: npy(\"x.npy\"), y: zeros) expect y == [3, 2];", misfit),
        (
            "run reverse(x: ones, y: ones) with N = 1 expect y == [[1], [1, 2]];",
            "the rows of a list must all be equally long",
        ),
        ("run reverse(x: ones, y: ones) with N = 1 expect y == [];", "a list needs at least one number"),
        ("run reverse(x: ones, y: ones) with N = 1 expect y == [x, y];", "a list holds numbers, and no tensors"),
        (
            "run reverse(x: ones, y: ones) with N = 1 expect [1, 2];",
            "`expect` takes a comparison of tensors, such as `y == 2.0 * x`",
        ),
    ] {
        assert_eq!(said(run), [expected], "{run}");
    }
    let unsaid = check(&format!("{REVERSE}run reverse(x: npy(\"x.npy\"), y: zeros) expect y == [3, 2];\n"));
    assert_eq!(unsaid.findings[0].help, ["say which `N` this run has: `with N = …`"]);
}

/// The words of tiles mean the same in an `expect`.
#[test]
fn a_reference_is_written_as_with_tiles() {
    const SQUARE: &str = "dim M, N;\nkernel square(x: f32[M, N], y: mut f32[M, M]) {
    for (i, j) in grid(M, M) { y[i, j] = x[i, 0] + x[j, N - 1]; }
}\n";
    let findings = |condition: &str| -> Vec<String> {
        let text = format!("{SQUARE}run square(x: ones, y: zeros) with M = 3, N = 2 expect {condition};\n");
        check(&text).findings.into_iter().map(|finding| finding.message).collect()
    };
    for condition in [
        "y == x.matmul(x.permute(1, 0))",
        "y == matmul(x, x.permute(1, 0))",
        "x.reshape(3, 1, 2).matmul(x.reshape(3, 2, 1)) == 2.0",
        "y / y.sum(1, keep: true) <= y.max(0, keep: true) && y.min() == 2.0",
        "y - y.max(keep: true) == exp(y.sum(0, keep: true) - y)",
        "if y.min(1, keep: true) > 0.0 { y } else { 0.0 } == y",
        "max(x, x[0].insert(0)) == x",
        "y.mean() == 2.0 && x.mean(1) == 1.0 && x.mean(0, keep: true) <= x",
        "(y > 1.0).all() && !(y > 2.0).any(0) && (x == 1.0).all([0, 1]) && x.sum([1, 0], keep: true) == 6.0",
        "select(y > 1.0, y, 0.0) == y",
        "y == npy(\"y.npy\") && y - npy(\"y.npy\") == 0.0",
    ] {
        assert_eq!(findings(condition), [""; 0], "{condition}");
    }
    for (condition, message) in [
        (
            "y == x.matmul(x)",
            "`matmul` multiplies matrices [M, K] and [K, N], or batches of them, but these are [M, N] and [M, N]",
        ),
        (
            "y == x[0].matmul(x)",
            "`matmul` multiplies matrices [M, K] and [K, N], or batches of them, but these are [N] and [M, N]",
        ),
        ("y == y / y.sum(1)", "shapes [M, M] and [M] do not go together element by element"),
        ("y == y.sum(1, keep: 1)", "`keep` is `true` or `false`"),
        ("y == x.matmul()", "`matmul` takes 1 argument"),
        ("y == matmul(x)", "`matmul` takes 2 arguments"),
        (
            "y.argsort() == 1.0",
            "a tensor has no `.argsort`; it has `permute`, `reshape`, `reverse`, `insert`, `sum`, `mean`, `max`, `min`, `any`, `all` and `matmul`",
        ),
        (
            "y == npy(\"y.npy\").permute(1, 0)",
            "a file has the shape of what it is compared with, so it stands by itself: `y == npy(\"y.npy\")`",
        ),
        ("y == npy(y)", "`npy` takes the path of a file, as in `npy(\"x.npy\")`"),
        ("y.sum(0, axis: 1) == 1.0", "`sum` has no parameter `axis`"),
        ("maximum(y, keepdims: true) == 1.0", "`maximum` has no parameter `keepdims`"),
        ("max(y, other: 3.0) == y", "`max` has no parameter `other`"),
    ] {
        assert_eq!(findings(condition), [message], "{condition}");
    }
}

/// A bias of one number for each column.
#[test]
fn shapes_of_different_ranks_are_told_what_is_missing() {
    let help = |condition: &str| -> Vec<String> {
        let text = format!(
            "dim M, N; kernel k(x: f32[M, N], b: f32[N], c: f32[M], y: mut f32[M, N]) {{
                for (i, j) in grid(M, N) {{ y[i, j] = x[i, j] + b[j] + c[i]; }} }}
            run k(x: ones, b: ones, c: ones, y: zeros) with M = 3, N = 2 expect {condition};\n"
        );
        check(&text).findings.into_iter().flat_map(|finding| finding.help).collect()
    };
    assert_eq!(help("y == x + b.insert(0) + c.insert(1)"), [""; 0]);
    let says = |dimension: usize, shape: &str| {
        [format!("`.insert({dimension})` gives {shape} a dimension of extent 1, along which its elements are repeated")]
    };
    assert_eq!(help("y == x + b"), says(0, "[N]"));
    assert_eq!(help("y == c + x"), says(1, "[M]"));
}

/// What does not depend on the error in the kernel is not reported because of it.
#[test]
fn the_sizes_of_a_run_are_known_though_its_kernel_has_an_error() {
    let text = "dim M; kernel k(x: f32[M], y: mut f32[M]) { for i in grid(M) { y[i] = x[i] + foo(1); } }
        run k(x: arange, y: zeros) with M = 3 expect y == [1.0, 2.0, 3.0] && y[1..3] == 1.0;\n";
    assert_eq!(check(text).errors(), ["unknown-function"]);
}

#[test]
fn conditions_on_several_tensors_are_joined() {
    let errors = |condition: &str| {
        check(&format!("{REVERSE}run reverse(x: arange, y: zeros) with N = 4 expect {condition};\n")).errors()
    };
    assert!(errors("y == x.reverse() && y[0..2] == x[2..4].reverse() && y.sum() == 6.0").is_empty());
    // As a part of something else it stays an operator on elements.
    assert_eq!(errors("!(y > 0.0 && y[0..2] > 0.0)"), ["expect-shape"]);
    assert_eq!(errors("y == x && y[0..2] + x == y"), ["expect-shape"]);
}

#[test]
fn what_a_run_says_is_said_once() {
    for clause in ["with N = 3, N = 4", "with N = 3 save y: \"a.npy\", y: \"b.npy\""] {
        let checked = check(&format!("{REVERSE}run reverse(x: arange, y: zeros) {clause};\n"));
        assert_eq!(checked.errors(), ["run-argument"], "{clause}");
        assert!(checked.findings[0].message.contains("is given twice"), "{clause}");
    }
}

#[test]
fn a_size_that_makes_no_difference_may_be_given() {
    let kernel = "dim N where N <= 32;
kernel k(x: f32[64], y: mut f32[64]) { for i in grid(64) { for j in 0..cdiv(N, 32) { y[i] += x[i]; } } }
";
    let codes = |name: &str| check(&format!("{kernel}dim M;\nrun k(x: arange, y: zeros) with {name} = 8;\n")).codes();
    assert!(codes("N").is_empty());
    assert_eq!(codes("M"), ["run-argument"].into());
}

/// A matrix is copied; `z` is exact, and `y` is not.
const COPIES: &str = "dim M, N;
kernel copies(x: f32[M, N], y: mut f32[M, N], z: mut f32[M, N]) {
    for (i, j) in grid(M, N) { y[i, j] = 2.0 * x[i, j]; z[i, j] = x[i, j]; }
}
";

fn copies(clauses: &str) -> String {
    format!("{COPIES}run copies(x: arange, y: zeros, z: zeros) with M = 3, N = 4 {clauses};\n")
}

#[test]
fn each_expectation_has_a_tolerance_of_its_own() {
    for (clauses, tolerances) in [
        ("expect y == 2.0 * x within 1e-3 && z == x", &[Some(1e-3), None][..]),
        ("expect y == 2.0 * x within 1e-3 expect z == x", &[Some(1e-3), None]),
        ("expect y == 2.0 * x within 1e-3, expect z == x within 0", &[Some(1e-3), Some(0.0)]),
        ("expect y == 2.0 * x expect z == x within 1e-3", &[None, Some(1e-3)]),
        ("expect y == 2.0 * x within 1e-3 && z == x && y.sum() == 132 within 1e-4", &[Some(1e-3), Some(1e-4)]),
        ("expect y == 2.0 * x && z == x within 1e-3", &[Some(1e-3)]),
        ("within 1e-3 expect y == 2.0 * x && z == x", &[Some(1e-3)]),
        ("within 1e-3 expect y == 2.0 * x save y: \"y.npy\" expect z == x", &[Some(1e-3), None]),
    ] {
        let checked = check(&copies(clauses));
        assert!(checked.codes().is_empty(), "{clauses}\n{}", checked.report());
        let run = checked.run().unwrap();
        let found: Vec<_> =
            run.expect.as_ref().unwrap().conditions.iter().map(|condition| condition.tolerance).collect();
        assert_eq!(found, tolerances, "{clauses}");
    }
    for clauses in [
        "expect z == x within 1e-3 within 1e-4",
        "within 1e-3 within 1e-4 expect z == x",
        "within 1e-3",
        "expect y == 2.0 * x within 1e-3 && z",
        "expect y == 2.0 * x within 1e-3 || z == x",
    ] {
        assert!(!check(&copies(clauses)).errors().is_empty(), "{clauses}");
    }
}

#[test]
fn a_part_of_a_tensor_has_places_and_ranges() {
    for condition in [
        "y[0, 1..3].sum() == 6",
        "y[0..2, 1] == 2 * x[0..2, 1]",
        "y[1..3, 1..3] == 2 * x[1..3, 1..3]",
        "y[1, 2] == 12",
        "y[0..M, 1..N].max() == 22",
        "y[1..3, 2] == [12, 20]",
        "y[1..3, 1..3] == [[10, 12], [18, 20]]",
    ] {
        let checked = check(&copies(&format!("expect {condition}")));
        assert!(checked.codes().is_empty(), "{condition}\n{}", checked.report());
    }
    let said = |condition: &str| {
        let checked = check(&copies(&format!("expect {condition}")));
        assert_eq!(checked.errors(), ["expect-shape"], "{condition}\n{}", checked.report());
        checked.findings[0].message.clone()
    };
    assert!(said("y[0, 1..5].sum() == 6").contains("1..5 goes beyond the dimension"));
    assert!(said("y[0, 1, 2] == 6").contains("more indices than dimensions"));
    assert!(said("y[1..3, 2] == x[1, 1..4]").contains("shapes [2] and [3]"));
    let checked = check(&copies("expect y[:, 1] == 2 * x[0..M, 1]"));
    assert_eq!(checked.errors(), ["expect-shape"], "{}", checked.report());
    assert_eq!(checked.applied(&checked.findings[0].fixes[0]), copies("expect y[0..M, 1] == 2 * x[0..M, 1]"));
}
