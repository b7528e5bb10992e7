//! The floats of 8 bits, `e4m3` and `e5m2`: what kernels do with them, and what is said where they are computed with.

use super::{Checked, check, gives, says};

const BOTH: [&str; 2] = ["e4m3", "e5m2"];

/// A kernel of two tensors of a type, and one of `f32`.
fn of_elements(element: &str, statement: &str) -> String {
    format!(
        "kernel k(x: {element}[8], y: mut {element}[8], z: mut f32[8], s: {element}) {{ for i in grid(8) {{ y[i] = x[i]; \
         z[i] = 0.0; {statement} }} }}"
    )
}

/// A kernel of tiles of a type.
fn of_tiles(element: &str, statement: &str) -> String {
    format!(
        "kernel k(x: {element}[8, 8], y: mut {element}[8, 8], z: mut f32[8, 8]) {{
            view px = partition(x, [4, 4]); view py = partition(y, [4, 4]); view pz = partition(z, [4, 4]);
            for (i, j) in grid(px.index_space) {{ let t = px.load(i, j); py.store(t, i, j);
                pz.store(zeros(f32[4, 4]), i, j); {statement} }}
        }}"
    )
}

#[test]
fn they_are_stored_converted_and_chosen() {
    for element in BOTH {
        for statement in [
            "z[i] = f32(x[i]);",
            "y[i] = ELEMENT(f32(x[i]) * f32(s));",
            "y[i] = if i < 4 { s } else { 1.5 };",
            "y[i] = bitcast(ELEMENT, bitcast(u8, x[i]));",
            "y[i] = bitcast(ELEMENT, 0x7f);",
            "let a: ELEMENT = nan; y[i] = a;",
            "let mut a = x[i]; for k in 0..3 { a = ELEMENT(f32(a) + 1.0); } y[i] = a;",
            "y[i] = ELEMENT(i64(x[i]));",
            "if bool(x[i]) { z[i] = f32(f16(x[i])); }",
            "z[i] = f32(e5m2(e4m3(f64(x[i]))));",
        ] {
            gives(&of_elements(element, &statement.replace("ELEMENT", element)), &[]);
        }
        for statement in [
            "pz.store(f32(t), i, j);",
            // Each of its values is one of the wider type.
            "pz.store(t, i, j);",
            "pz.store(mma(t, t, zeros(f32[4, 4])), i, j);",
            "pz.store(f32(mma(t, t, zeros(f16[4, 4]))), i, j);",
            "pz.store(matmul(t, e4m3(f32(t))), i, j);",
            "pz.store(matmul(e5m2(f32(t)), t.permute(1, 0)), i, j);",
            "py.store(select(iota(i32[4, 4]) > 3, t, px.load(i, j).permute(1, 0)), i, j);",
            "py.store(cat([t[0..2, 0..4], t[2..4, 0..4]], 0).reshape([4, 4]), i, j);",
            "py.store(bitcast(ELEMENT, bitcast(u8, t)), i, j);",
            "py.store(zeros(ELEMENT[4, 4]), i, j); py.store(full(ELEMENT[4, 4], -2.5), i, j);",
            "py.store_masked(px.load_masked(i, j, pad: nan), i, j);",
        ] {
            gives(&of_tiles(element, &statement.replace("ELEMENT", element)), &[]);
        }
    }
}

fn is_stored_only(checked: &Checked, element: &str) {
    says(checked, "type-mismatch", &[&format!("`{element}` has no operators and functions: it is stored"), "f32("]);
}

#[test]
fn computing_with_them_is_one_error_with_a_fix() {
    for element in BOTH {
        for value in [
            "x[i] + x[i]",
            "x[i] * 2.0",
            "2.0 / s",
            "-x[i]",
            "abs(x[i])",
            "max(x[i], s)",
            "fma(s, s, s)",
            "exp(x[i])",
            "x[i] * f32(2.0)",
            "if x[i] < s { 1.0 } else { 2.0 }",
            "if x[i] == s { 1.0 } else { 2.0 }",
            "if isnan(x[i]) { 1.0 } else { 2.0 }",
        ] {
            let found = gives(&of_elements(element, &format!("let v = {value};")), &["type-mismatch"]);
            is_stored_only(&found, element);
            assert!(found.findings.iter().all(|finding| finding.fixes.len() == 1), "{value}");
        }
        for statement in ["y[i] += 1.0;", "let mut v = s; v *= s;"] {
            let found = gives(&of_elements(element, statement), &["type-mismatch"]);
            is_stored_only(&found, element);
            says(&found, "type-mismatch", &[&format!("`y[i] = {element}(f32(y[i])")]);
        }
        for value in
            ["t + t", "t * 2.0", "-t", "t.sum(1)", "t.max(0)", "t.argmax(1)", "t.cumsum(0)", "t.mean()", "exp(t)"]
        {
            is_stored_only(&gives(&of_tiles(element, &format!("let v = {value};")), &["type-mismatch"]), element);
        }
        let assigned = gives(&of_tiles(element, "let mut v = t; v += t;"), &["type-mismatch"]);
        is_stored_only(&assigned, element);
        let atomic = gives(&of_elements(element, "atomic_add(y[i], 1.0);"), &["wrong-atomic"]);
        says(&atomic, "wrong-atomic", &[&format!("`atomic_add` of `{element}`"), "collect into an `f32` tensor"]);
    }
}

#[test]
fn types_are_not_mixed_on_their_own() {
    gives(&of_elements("e4m3", "z[i] = x[i];"), &["type-mismatch"]);
    gives(&of_elements("e4m3", "y[i] = e5m2(s);"), &["type-mismatch"]);
    gives(&of_elements("e5m2", "y[i] = 1.0; y[i] = f16(s);"), &["type-mismatch"]);
    // As CUDA Tile has it, a store converts only where every value is kept.
    gives(&of_tiles("e4m3", "py.store(e5m2(f32(t)), i, j);"), &["type-mismatch"]);
    gives(&of_tiles("e4m3", "py.store(f16(t), i, j);"), &["type-mismatch"]);
}

#[test]
fn constants_are_those_that_the_type_holds() {
    for (element, value, found) in [
        ("e4m3", "448.0", &[][..]),
        ("e4m3", "464", &[]),
        ("e4m3", "465", &["type-mismatch"]),
        ("e4m3", "-500.0", &["type-mismatch"]),
        ("e4m3", "inf", &["type-mismatch"]),
        ("e4m3", "nan", &[]),
        ("e5m2", "57344", &[]),
        ("e5m2", "61441.0", &["type-mismatch"]),
        ("e5m2", "inf", &[]),
        ("e5m2", "-inf", &[]),
    ] {
        for written in [value.to_owned(), format!("{element}({value})")] {
            let checked = gives(&of_elements(element, &format!("y[i] = {written};")), found);
            if !found.is_empty() {
                let range = if element == "e4m3" { "-448 to 448 without infinities" } else { "-57344 to 57344" };
                says(&checked, "type-mismatch", &[range]);
            }
        }
    }
    let padded = |element: &str| of_tiles(element, "py.store(px.load_masked(i, j, pad: negative_inf), i, j);");
    gives(&padded("e5m2"), &[]);
    says(
        &gives(&padded("e4m3"), &["tile-padding"]),
        "tile-padding",
        &["is an infinity", "-448 to 448 without infinities"],
    );
}

#[test]
fn products_accumulate_in_floats_of_16_or_32_bits() {
    for statement in [
        "let v = mma(t, t, zeros(f64[4, 4]));",
        "let v = mma(t, t, zeros(bf16[4, 4]));",
        "let v = mma(t, t, zeros(ELEMENT[4, 4]));",
        "let v = mma(t, t, zeros(i32[4, 4]));",
        "let v = matmul(t, f16(t));",
        "let v = matmul(bitcast(u8, t), t);",
    ] {
        for element in BOTH {
            let found = gives(&of_tiles(element, &statement.replace("ELEMENT", element)), &["type-mismatch"]);
            says(
                &found,
                "type-mismatch",
                &["there is no product", "`f16`, `e4m3` and `e5m2` accumulate in `f16` or `f32`"],
            );
        }
    }
}

#[test]
fn arguments_of_runs_are_held_too() {
    let run = |arguments: &str| {
        let kernel = "kernel k(x: e4m3[3], y: mut e5m2[3], s: e4m3) { for i in grid(3) { y[i] = e5m2(x[i]); } }\n";
        check(&format!("{kernel}run k({arguments});\n"))
    };
    assert_eq!(run("x: [1.0, 464, nan], y: [inf, 0.1, 57344], s: 3").errors(), [""; 0]);
    assert_eq!(run("x: random(1), y: ones, s: 3.0").errors(), [""; 0]);
    for wrong in ["x: [1.0, 465, 1.0], y: zeros, s: 1.0", "x: zeros, y: zeros, s: inf", "x: zeros, y: zeros, s: 1e9"] {
        let found = run(wrong);
        assert_eq!(found.errors(), ["run-argument"], "{wrong}");
        says(&found, "run-argument", &["-448 to 448 without infinities"]);
    }
}

#[test]
fn names_of_other_languages_lead_to_them() {
    for (name, meant) in [
        ("float8_e4m3fn", "e4m3"),
        ("__nv_fp8_e4m3", "e4m3"),
        ("float8e5", "e5m2"),
        ("__nv_fp8_e5m2", "e5m2"),
        ("fp8", "e4m3"),
        ("e5m1", "e5m2"),
    ] {
        let found = gives(&of_elements(name, ""), &["unknown-element-type"]);
        says(&found, "unknown-element-type", &[&format!("did you mean `{meant}`?")]);
    }
}

/// Every value and every instance of a generic kernel may have them.
#[test]
fn a_type_parameter_may_be_one_of_them() {
    gives(
        "kernel k[T: f16 | e4m3 | e5m2 = e4m3](x: f32[8], y: mut T[8]) { for i in grid(8) { y[i] = T(x[i]); } }",
        &[],
    );
    let found = gives(
        "kernel k[T: f16 | e4m3 = f16](x: T[8], y: mut T[8]) { for i in grid(8) { y[i] = x[i] + x[i]; } }",
        &["type-mismatch"],
    );
    is_stored_only(&found, "e4m3");
}
