//! What people write of tiles who know numpy, Triton or PyTorch: one error for each mistake, and what to write here.

use super::{gives, says};
use crate::support::{Checked, check};

/// A kernel of tiles with a statement.
fn kernel(statement: &str) -> String {
    format!(
        "dim M, N;
kernel k(x: f32[M, N], y: mut f32[M, N], n: mut i32[1], s: f32[64]) {{
    view px = partition(x, [8, 16]); view py = partition(y, [8, 16]); view pn = partition(n, [1]);
    for (i, j) in grid(px.index_space) {{
        let mut t = px.load_masked(i, j); pn.atomic_add(full(i32[1], 1), 0); {statement} py.store_masked(t, i, j);
    }}
}}
"
    )
}

/// One mistake in a statement.
#[track_caller]
fn one(statement: &str, code: &str, parts: &[&str]) -> Checked {
    let checked = check(&kernel(statement));
    assert_eq!(checked.errors(), [code], "{statement}\n{}", checked.report());
    says(&checked, code, parts);
    checked
}

/// One mistake in a statement, and what its fix makes of it, in which there is none.
#[track_caller]
fn mended(theirs: &str, code: &str, parts: &[&str], ours: &str) {
    let checked = one(theirs, code, parts);
    let finding = checked.findings.iter().find(|finding| finding.code == code).expect("the finding");
    let [fix] = finding.fixes.as_slice() else { panic!("not one fix for {theirs}") };
    assert_eq!(checked.applied(fix), kernel(ours));
    accepted(ours);
}

#[track_caller]
fn accepted(statement: &str) {
    gives(&kernel(statement), &[]);
}

#[test]
fn operands_of_different_ranks_are_told_which_dimension_fits() {
    let ranks = "tiles of [8, 16] and [8] have different ranks";
    let keep = "`keep: true` leaves dimension 1 with extent 1: [8, 1]";
    mended("t = t / t.sum(1);", "tile-shape", &[ranks, keep], "t = t / t.sum(1, keep: true);");
    mended("t = t - t.sum(0);", "tile-shape", &["[1, 16]"], "t = t - t.sum(0, keep: true);");
    let insert = "`m.insert(1)` makes it [8, 1]";
    let parts = [ranks, insert];
    mended("let m = t.sum(1); t = t / m;", "tile-shape", &parts, "let m = t.sum(1); t = t / m.insert(1);");
    one("t = t * (t.sum(1) + 1.0);", "tile-shape", &["`t.insert(1)` makes it [8, 1]"]);
    one("t = t * ones(f32[4]);", "tile-shape", &["with no further dimension of extent 1"]);
    let square = "let q = t.reshape([2, 8, 8])[0, 0..8, 0..8]; let z = q + ones(f32[8]); t[0, 0] = z.sum();";
    let checked = check(&kernel(square));
    says(&checked, "tile-shape", &["`t.insert(0)` makes it [1, 8], `t.insert(1)` makes it [8, 1]"]);
    let both = ["tiles of [8, 16] and [1, 8] do not go together", "dimension 1 has 16 and 8 elements"];
    one("t = t * t.sum(1).insert(0);", "tile-shape", &both);
}

#[test]
fn a_tile_may_be_declared_with_its_extents() {
    accepted("let u: f32[8, 16] = t * 2.0; let mut v: f32[8, 16] = u; v += u; t = v;");
    gives(
        "kernel k(x: f32[8], y: mut f32[8]) { view px = partition(x, [8]); view py = partition(y, [8]);
            for i in grid(1) { let t: f32[8] = px.load(i); let mut u: f32[px.tile] = px.load(i); u += t; py.store(u, i); } }",
        &[],
    );
    let other = "`u` is declared as a tile of [8, 8], but its value is a tile of [8, 16]";
    mended("let u: f32[8, 8] = t; t = u;", "tile-shape", &[other], "let u: f32[8, 16] = t; t = u;");
    one("let u: i32[8, 16] = t; t = f32(u);", "type-mismatch", &["expected `i32`, found `f32`"]);
    one("let u: f32[8] = 0.0; t += u.sum();", "tile-shape", &["its value is a number", "`full(f32[8], 0.0)`"]);
    one("let u: f32[8] = t.sum(); t += u.sum();", "tile-shape", &["its value is a number"]);
    one("let u: f32[8]; t += u.sum();", "syntax-error", &["begins with one number or a list", "zeros(f32[4])"]);
    one("let u: f32[i] = t; t = u;", "wrong-kind", &["`i` is an iterator"]);
}

#[test]
fn a_tile_is_a_value_without_places() {
    let select = "t = select(iota(i64[8, 16]) == 17, 1.0, t);";
    one("t[1, 1] = 1.0;", "not-a-tensor", &["`t` is a tile", select]);
    accepted(select);
    let computed = "t = select(iota(i64[8, 16]) == i * 16 + (j + 1), t + 2.0, t);";
    one("t[i, (j + 1)] += 2.0;", "not-a-tensor", &["`t` is a tile", computed]);
    accepted(computed);
    one("t[0, j] = 1.0;", "not-a-tensor", &["select(iota(i64[8, 16]) == j, 1.0, t);"]);
    let parts =
        ["`t` is a tile, and `gather` takes elements of a tensor", "`shared s : f32[8, 16];`", "`ps.store(t, 0, 0);`"];
    one("t = t + gather(t, iota(i64[8]), iota(i64[8])).sum();", "not-a-tensor", &parts);
    one("view p = partition(t, [4, 4]);", "not-a-tensor", &["`t` is a tile, expected a tensor"]);
    one("let p = partition(t, [4, 4]);", "tile-place", &["a partition is no value", "`view px = partition"]);
}

#[test]
fn parts_of_tiles_are_at_constant_places() {
    let select = "`select(iota(i64[1, 16]) == j, t, 0.0).sum(1)`";
    one("t = t + t[0, j];", "tile-shape", &["`j` is known only when the kernel runs", select, "`shared`"]);
    accepted("t = t + select(iota(i64[1, 16]) == j, t, 0.0).sum(1).insert(1);");
    one("t = t + t[0, j..j + 1];", "tile-shape", &["`j` is known only when the kernel runs", "`shared`"]);
    for sign in ["..", ":"] {
        let whole = format!("`{sign}` has none");
        mended(&format!("t = t + t[{sign}, 1].insert(1);"), "tile-shape", &[&whole], "t = t + t[0..8, 1].insert(1);");
    }
    mended("t = t + t[:, :];", "tile-shape", &["both ends"], "t = t + t[0..8, 0..16];");
    mended("t = t + t[0:1, 0..16];", "syntax-error", &["a range is not written with `:`"], "t = t + t[0..1, 0..16];");
    one("t = t + t[:1, 1];", "syntax-error", &["both ends of a range are written"]);
    one("t = t + x[.., 1];", "index-count", &["`..` is none", "`partition`"]);
}

#[test]
fn members_of_other_languages_are_named_here() {
    mended("t = t.exp();", "unknown-member", &["`exp` is a function"], "t = exp(t);");
    mended("t = px.load_masked(i, j).sqrt();", "unknown-member", &[], "t = sqrt(px.load_masked(i, j));");
    mended("t = t.pow(2.0);", "unknown-member", &[], "t = pow(t, 2.0);");
    for transposed in ["T", "T.permute(1, 0)", "t()", "transpose()", "transpose(0, 1)"] {
        let theirs = format!("let u = t.{transposed}; t += u.sum();");
        let checked = one(&theirs, "unknown-member", &["a tile has no"]);
        let fix = checked.findings[0].fixes.first().expect("a fix");
        assert!(checked.applied(fix).contains("let u = t.permute(1, 0)"), "{theirs}");
    }
    one("t += t.insert(0).T.sum();", "unknown-member", &["`t.permute(0, 2, 1)`"]);
    mended("t += t.sum(-1, keep: true);", "tile-shape", &["counted from the first"], "t += t.sum(1, keep: true);");
    one("t += t.sum(-3, keep: true);", "tile-shape", &["there is no dimension -3"]);
    one("t = t.cumsum(0, keep: true);", "unknown-argument", &["no parameter `keep`", "leave it out"]);
    one("t = px.load_masked(i, j, pad: );", "syntax-error", &["expected an expression"]);
    let paddings = [
        ("-inf", "negative_inf"),
        ("-INFINITY", "negative_inf"),
        ("inf", "positive_inf"),
        ("0.0", "zero"),
        ("-0.0", "negative_zero"),
    ];
    for (theirs, ours) in paddings {
        let load = |pad: &str| format!("t = px.load_masked(i, j, pad: {pad});");
        mended(&load(theirs), "tile-padding", &[&format!("found `{theirs}`")], &load(ours));
    }
}

#[test]
fn a_block_of_tiles_adds_a_tile_of_one_element() {
    let form = "pn.atomic_add(full(i32[1], i32(t.sum())), 0)";
    let theirs = "let before = atomic_add(n[0], i32(t.sum())); t += f32(before);";
    one(theirs, "wrong-atomic", &["`view pn = partition(n, [1]);`", form, "`.sum()`"]);
    accepted(&format!("let before = {form}; t += f32(before.sum());"));
}

#[test]
fn a_let_declares_one_name() {
    let parts = ["a `let` declares one name", "`let v = …; let w = …;`"];
    one("let (v, w) = (t, t); t = v + w;", "syntax-error", &parts);
    one("let (mut v, w) = t.max(1); v += 1.0; t = v + w;", "syntax-error", &parts);
}

#[test]
fn one_matrix_goes_with_a_batch() {
    let product = |left: &str, right: &str| {
        format!(
            "kernel k(x: f32[8, 8], y: mut f32[8, 8]) {{ view px = partition(x, [8, 8]); view py = partition(y, [8, 8]);
                for i in grid(1) {{ let t = px.load(0, 0); let p = matmul(t.reshape({left}), t.reshape({right}));
                    py.store(t + p.sum(), 0, 0); }} }}"
        )
    };
    gives(&product("[1, 8, 8]", "[4, 8, 2]"), &[]);
    gives(&product("[4, 2, 8]", "[1, 8, 8]"), &[]);
    let found = gives(&product("[2, 4, 8]", "[4, 8, 2]"), &["tile-shape"]);
    says(&found, "tile-shape", &["no product of [2, 4, 8] and [4, 8, 2]"]);
}

#[test]
fn races_between_tiles_are_said_of_tiles() {
    let found = gives(
        "dim N; kernel k(y: mut f32[N]) { view py = partition(y, [8]);
            for i in grid(py.index_space) {
                if i + 1 < py.index_space(0) { py.store_masked(py.load_masked(i + 1), i); } } }",
        &["race-read"],
    );
    says(&found, "race-read", &["it is read in another tile", "each block reaches only elements of its own"]);
    let found = gives(
        "dim N; kernel k(x: f32[N], y: mut f32[N]) { view px = partition(x, [8]);
            for i in grid(px.index_space) { scatter_masked(y, px.load_masked(i), (iota(i64[8]) * 3) % 8 + i * 8); } }",
        &["race-open"],
    );
    says(&found, "race-open", &["neither two such threads nor a reason why there are none was found"]);
}

#[test]
fn an_element_beside_tiles_is_one_mistake() {
    let store = "kernel k(y: mut f32[64]) {
        view p = partition(y, [8]);
        for i in grid(8) { let t = p.load(i); y[i] = t.sum(0); }
    }\n";
    let checked = check(store);
    assert_eq!(checked.errors(), ["tile-place"], "{}", checked.report());
    says(&checked, "tile-place", &["accessed by its elements"]);
}

#[test]
fn the_accumulator_of_a_product_comes_last() {
    let product = |element: &str, shape: &str, call: &str| {
        format!(
            "kernel k(a: {element}[64, 32], b: {element}[32, {shape}], c: mut f32[64, {shape}]) {{
    view pa = partition(a, [64, 16]); view pb = partition(b, [16, {shape}]); view pc = partition(c, [64, {shape}]);
    for (i, j) in grid(1, 1) {{
        let mut acc = zeros(f32[64, {shape}]);
        for k in 0..2 {{ acc = mma({call}); }}
        pc.store(acc, i, j);
    }}
}}\n"
        )
    };
    let (theirs, ours) = ("acc, pa.load(i, k), pb.load(k, j)", "pa.load(i, k), pb.load(k, j), acc");
    for (element, shape) in [("f32", "32"), ("f16", "32"), ("f32", "64"), ("f16", "64")] {
        let checked = check(&product(element, shape, theirs));
        assert_eq!(checked.errors(), ["tile-shape"], "{}", checked.report());
        says(&checked, "tile-shape", &["`mma(a, b, acc)`"]);
        let fixed = checked.applied(&checked.findings[0].fixes[0]);
        assert_eq!(fixed, product(element, shape, ours));
        assert_eq!(check(&fixed).errors(), [""; 0]);
    }
    // Neither order fits.
    let checked = check(&product("f32", "32", "acc, pb.load(k, j), pa.load(i, k)"));
    says(&checked, "tile-shape", &["no product of"]);
}

#[test]
fn tiles_are_loaded_without_async() {
    let hint = &["no copies with `async`", "the compiler decides"];
    mended("async t = px.load_masked(i, j);", "wrong-async", hint, " t = px.load_masked(i, j);");
    let checked = one("async u = px.load_masked(i, j); t = t + u;", "wrong-async", &["`let t = p.load(i, k);`"]);
    let fixed = checked.applied(&checked.findings[0].fixes[0]);
    assert!(fixed.contains("let u = px"), "{fixed}");
    assert_eq!(check(&fixed).errors(), [""; 0]);
}
