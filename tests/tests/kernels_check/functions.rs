//! Calls of functions in kernels and expectations: what they take, and what is said where they do not fit.

use super::{gives, says};
use crate::support::check;

fn kernel(element: &str, value: &str) -> String {
    format!("kernel k(a: f32, n: i32, y: mut {element}[1]) grid(1) block(1) {{ y[0] = {value}; }}\n")
}

#[test]
fn functions_take_operands_of_their_kind_in_one_type() {
    for (element, value) in [
        ("f32", "clamp(a, 0.0, 1.0)"),
        ("f32", "clamp(a, 0, 1)"),
        ("i32", "clamp(n, 0, 255)"),
        ("f32", "min(a, 1.0, 2.0, 3)"),
        ("i32", "max(n, 1, 2)"),
        ("bool", "isnan(a)"),
        ("f32", "if isnan(a) { 0.0 } else { a }"),
        ("f16", "f16(fma(a, 2, 1))"),
        ("i32", "shift_left(n, 3)"),
    ] {
        gives(&kernel(element, value), &[]);
    }
    for (element, value) in [
        ("i32", "isnan(n)"),
        ("f32", "clamp(a, n, 1.0)"),
        ("f32", "exp(n)"),
        ("f32", "bit_and(a, 1)"),
        ("bool", "max(a > 0.0, true)"),
        ("i32", "cdiv(n, 2)"),
    ] {
        gives(&kernel(element, value), &["type-mismatch"]);
    }
}

#[test]
fn a_call_with_too_few_or_too_many_arguments_names_the_parameters() {
    for (value, parameters) in [
        ("fma(a, a)", "`a`, `b` and `c`"),
        ("max(a)", "`a` and `b`"),
        ("clamp(a, 1.0)", "`x`, `low` and `high`"),
        ("exp(a, a)", "`x`"),
        ("f32(n, n)", "`value`"),
    ] {
        let checked = gives(&kernel("f32", value), &["argument-count"]);
        let help = &checked.findings[0].help;
        assert!(help.iter().any(|help| help.contains(parameters)), "{value}: {help:?}");
    }
}

#[test]
fn words_of_other_tools_lead_to_the_function_that_is_meant() {
    for (written, meant) in [
        ("fmaxf", "max"),
        ("__expf", "exp"),
        ("erff", "erf"),
        ("clip", "clamp"),
        ("ceil_div", "cdiv"),
        ("float", "f32"),
    ] {
        let checked = gives(&kernel("f32", &format!("{written}(a)")), &["unknown-function"]);
        let fixes: Vec<&str> = checked.findings[0].fixes.iter().map(|fix| fix.title.as_str()).collect();
        assert!(fixes.iter().any(|fix| fix.contains(&format!("`{meant}`"))), "{written}: {fixes:?}");
    }
}

#[test]
fn infinity_and_nan_are_floats_of_any_type_unless_something_has_their_name() {
    for (element, value) in [("f32", "-inf"), ("f64", "nan"), ("f16", "inf"), ("f32", "max(a, -inf)")] {
        gives(&kernel(element, value), &[]);
    }
    gives(&kernel("i32", "inf"), &["type-mismatch"]);
    gives(&format!("const inf = 4;\n{}", kernel("i32", "inf")), &[]);
    let checked = gives("kernel k(nan: i32, y: mut i32[1]) grid(1) block(1) { y[0] = nan; }\n", &[]);
    assert!(checked.errors().is_empty());
}

#[test]
fn expectations_apply_the_same_functions_to_tensors() {
    let text = "kernel k(x: f32[4], y: mut f32[4]) { for i in grid(4) { y[i] = clamp(x[i], 0.0, 2.0); } }\n\
                run k(x: arange, y: zeros) expect y == clamp(x, 0.0, 2.0) && y == max(min(x, 2.0, inf), 0.0);\n";
    gives(text, &[]);
    let checked = check(&text.replace("== clamp(x, 0.0, 2.0)", "== clamp(x, 0.0)"));
    assert_eq!(checked.errors(), ["expect-shape"], "{}", checked.report());
    says(&checked, "expect-shape", &["`clamp` takes 3 arguments"]);
}
