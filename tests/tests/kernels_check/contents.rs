//! What is known of the elements of tiles of integers: that they are inside, and that they are all different.

use kernel::at_launch;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Element, Tensor};
use testing::compare::interpreter_and_cpu;

use crate::support::check;

/// The kernel is accepted, and computes the same wherever it runs, with sizes of 5 and these tensors of 10 rows of 8.
#[track_caller]
fn run(text: &str, mut arguments: Vec<Argument>) -> Vec<Argument> {
    let checked = check(text);
    assert!(checked.errors().is_empty(), "{text}\n{}", checked.report());
    let kernel = checked.kernel().expect("a kernel without errors");
    let sizes = kernel.symbols.iter().map(|symbol| (symbol.clone(), 5)).collect();
    let bounds = at_launch(&kernel, &sizes).unwrap_or_else(|problem| panic!("{problem:?}\n{text}"));
    interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    arguments
}

fn tensor<T: Element>(extents: &[u64], elements: &[T]) -> Argument {
    Argument::Tensor(Tensor::from_slice(extents, elements).unwrap())
}

/// A right program of those that gather: it stores what lies at the indices.
#[track_caller]
fn accepted(text: &str) {
    let extent = text.split("w: f32[").nth(1).and_then(|rest| rest.split(']').next()).expect("the extent of w");
    let length: usize = extent.parse().unwrap_or(5);
    let x: Vec<i64> =
        (0..40).map(|place| [0, 1, 3, 7, 100, -1, i64::MAX, i64::MIN][place % 8] ^ (place as i64 / 8)).collect();
    let w: Vec<f32> = (0..length).map(|place| place as f32).collect();
    run(text, vec![tensor(&[5, 8], &x), tensor(&[length as u64], &w), tensor(&[5, 8], &[0.0f32; 40])]);
}

/// A kernel that gathers at a tile `p` of 8 indices, made of the tile `t` of any integers, from `w` of so many elements.
fn gathering(extent: &str, statements: &str) -> String {
    format!(
        "dim M, V where V <= 1000;\nkernel k(x: i64[M, 8], w: f32[{extent}], y: mut f32[M, 8]) {{
            view px = partition(x, [1, 8]); view py = partition(y, [1, 8]);
            for i in grid(M) {{ let t = px.load(i, 0); {statements} py.store(gather(w, p), i, 0); }} }}"
    )
}

#[track_caller]
fn refused(text: &str, code: &str) {
    let found = check(text);
    assert_eq!(found.errors(), [code], "{text}\n{}", found.report());
}

#[test]
fn a_variable_keeps_the_bounds_of_what_it_was_assigned() {
    for p in [
        "let mut p = clamp(t, 0, V - 1);",
        "let mut p = t; p = clamp(p, 0, V - 1);",
        "let mut p = clamp(t, 0, V - 1); p = V - 1 - p;",
        "let mut p = clamp(t, 0, V - 1); if i > 3 { p = zeros(i64[1, 8]); }",
        "let mut p = t; if i > 3 { p = zeros(i64[1, 8]); } else { p = clamp(t, 0, V - 1); }",
        "let mut p = t; for j in 0..3 { p = clamp(p + j, 0, V - 1); p = V - 1 - p; } p = clamp(p, 0, V - 1);",
    ] {
        accepted(&gathering("V", p));
    }
    for p in [
        "let mut p = clamp(t, 0, V);",
        "let mut p = clamp(t, 0, V - 1); p = t;",
        "let mut p = clamp(t, 0, V - 1); p += 1;",
        "let mut p = clamp(t, 0, V - 1); if i > 3 { p = t; }",
        "let mut p = clamp(t, 0, V - 1); if i > 3 { p = zeros(i64[1, 8]) + V; } else { p = zeros(i64[1, 8]); }",
        // What an iteration reads was assigned by the one before.
        "let mut p = clamp(t, 0, V - 1); for j in 0..3 { let q = p; p = t; } ",
        "let mut p = clamp(t, 0, V - 1); for j in 0..3 { p += 1; }",
    ] {
        refused(&gathering("V", p), "out-of-bounds");
    }
    // A number that was taken before an assignment is what it was.
    accepted(&gathering("8", "let mut p = clamp(t, 0, 7); let m = p.max(); p = p * 0 + m;"));
    refused(&gathering("8", "let mut p = t; let m = p.max(); p = zeros(i64[1, 8]); p = p + m;"), "out-of-bounds");
}

#[test]
fn parts_sums_and_quotients_have_bounds() {
    for (extent, p) in [
        ("12", "let a = clamp(t[0..1, 0..4], 0, 7); let p = cat([a, a + 4], 1);"),
        ("9", "let p = clamp(t, 0, 1).cumsum(1);"),
        ("8", "let p = 7 / clamp(t, 1, 100);"),
        ("57", "let p = zeros(i64[1, 8]) + clamp(t, 0, 7).sum();"),
        ("8", "let p = zeros(i64[1, 8]) + clamp(t, 0, 7).min();"),
    ] {
        accepted(&gathering(extent, p));
    }
    for (extent, p) in [
        ("11", "let a = clamp(t[0..1, 0..4], 0, 7); let p = cat([a, a + 4], 1);"),
        ("8", "let p = clamp(t, 0, 1).cumsum(1);"),
        ("9", "let p = clamp(t, -1, 1).cumsum(1);"),
        ("8", "let p = 8 / clamp(t, 1, 100);"),
        ("56", "let p = zeros(i64[1, 8]) + clamp(t, 0, 7).sum();"),
    ] {
        refused(&gathering(extent, p), "out-of-bounds");
    }
}

/// A kernel that scatters a tile of `[2, 8]` numbers of each block.
fn scattering(statements: &str) -> String {
    format!(
        "dim M;\nkernel k(x: f32[2 * M, 8], y: mut f32[2 * M, 8], z: mut f32[16 * M]) {{
            view px = partition(x, [2, 8]);
            for i in grid(M) {{ let t = px.load(i, 0); let row = iota(i64[2, 1]) + 2 * i; {statements} }} }}"
    )
}

#[test]
fn the_places_of_a_sort_are_all_different() {
    let x: Vec<f32> = (0..80).map(|place| [3.0, -1.0, 7.5, 0.0, f32::NAN, -0.0, 2.0][place * place % 7]).collect();
    let zeros = [0.0f32; 80];
    let accepted = |statements: &str| {
        run(&scattering(statements), vec![tensor(&[10, 8], &x), tensor(&[10, 8], &zeros), tensor(&[80], &zeros)])
    };
    // As many elements as there are places are stored to a row, so all of the row are.
    let stored = accepted("scatter(y, t * 0.0 + 1.0 - t * 0.0, row, t.argsort(1));");
    assert!(
        matches!(&stored[1], Argument::Tensor(y) if y.as_slice::<f32>().unwrap().iter().all(|element| *element != 0.0))
    );
    for statements in [
        "scatter(y, t, row, t.argsort(1));",
        "let p = t.argsort(1, descending: true); scatter(y, t, row, p);",
        "scatter(y, t.top(3, 1), row, t.argtop(3, 1));",
        "let p = t.argtop(3, 1); let q = p; scatter(y, t.top(3, 1), row, q);",
        "scatter(y, t, row, 7 - t.argsort(1));",
        "let mut p = t.argsort(1); p = 7 - p; scatter(y, t, row, p);",
        "let p = t.argsort(1); for k in 0..2 { scatter(y, t, row, p); }",
        "scatter(z, t, i64(t.argsort(1)) + 8 * row);",
        "let p = t.argsort(0); scatter(y, t, 2 * i + i64(p), iota(i64[1, 8]));",
        "let u = t.reshape([16]); scatter(z, u, 16 * i + i64(u.argsort(0)));",
    ] {
        accepted(statements);
    }
    for statements in [
        // An iteration sorts something else, and no barrier keeps it from the one before.
        "for k in 0..2 { let p = t.argsort(1); scatter(y, t, row, p); }",
        // Each row has these places.
        "scatter(y, t, iota(i64[2, 1]) * 0 + 2 * i, t.argsort(1));",
        "scatter(y, t, row, t.argsort(0));",
        "scatter(y, t, row, t.argsort(1) / 2);",
        "scatter(y, t, row, (t.argsort(1) + 1) % 4);",
        "scatter(y, t, row - 2 * i, t.argsort(1));",
        "scatter(z, t, i64(t.argsort(1)) + 7 * row);",
        "let p = t.argmax(1, keep: true); scatter(y, t, row, p);",
        "let mut p = t.argsort(1); if i > 2 { p = p * 0; } scatter(y, t, row, p);",
        "let mut p = t.argsort(1); for k in 0..2 { scatter_masked(y, t, row, p); p = p * 0; }",
        "let p = cat([t[0..2, 0..4].argsort(1), t[0..2, 4..8].argsort(1)], 1); scatter(y, t, row, p);",
    ] {
        refused(&scattering(statements), "race");
    }
}

#[test]
fn a_view_to_which_is_scattered_reaches_each_element_once() {
    let through = |strides: &str| {
        format!(
            "kernel k(y: mut i32[64]) {{ for i in grid(1) {{
                scatter(y via row_major([64]) |> {{ 0: embed((4, 4), {strides}) }},
                    iota(i32[4, 4]), iota(i64[4, 1]), iota(i64[1, 4])); }} }}"
        )
    };
    refused(&through("(1, 1)"), "race");
    assert!(check(&through("(4, 1)")).errors().is_empty());
}
