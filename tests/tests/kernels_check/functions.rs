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
        ("i32", "popcount(n) + clz(n) - ctz(n) + ffs(n)"),
        ("i32", "mulhi(brev(n), n)"),
        ("f32", "atan2(a, 1) + hypot(a, 2.0) + copysign(1, a)"),
        ("f32", "atan(a) + tan(a) + log10(a) + cbrt(a)"),
        ("f16", "atan(f16(a))"),
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
        ("f32", "popcount(a)"),
        ("i32", "atan(n)"),
        ("i32", "mulhi(n, 1.5)"),
        ("bool", "popcount(n > 0)"),
    ] {
        gives(&kernel(element, value), &["type-mismatch"]);
    }
}

/// A constant has no type of its own, and neither has the smallest of several.
#[test]
fn calls_of_constants_take_the_type_that_their_place_wants() {
    for (element, value) in [
        ("f32", "min(1.0, 2.0)"),
        ("f64", "min(1.0, 2.0)"),
        ("f16", "max(1, 2.5)"),
        ("f64", "a64 + min(1.0, 2, 3.5)"),
        ("f64", "min(1.0 + 2.0, 4.0)"),
        ("f64", "clamp(2.0, 0.0, 1)"),
        ("f32", "max(-inf, nan)"),
        ("i32", "clamp(7, 0, 3)"),
        ("i32", "min(1, 2) + max(3, 4)"),
        ("f32", "min(1, 2)"),
        ("i32", "abs(-3)"),
        ("f64", "abs(-3.0)"),
        ("u64", "min(18446744073709551615, 9)"),
        ("u64", "max(18446744073709551615, 9)"),
        ("u64", "bit_and(18446744073709551615, 9)"),
        ("f32", "pow(2, 3)"),
        ("f32", "pow(2.0, 3)"),
        ("f32", "a + pow(2, 0.5)"),
    ] {
        let text = format!(
            "const c = min(1.5, 2);\nkernel k(a: f32, a64: f64, y: mut {element}[1]) grid(1) block(1) {{ y[0] = {value}; }}\n"
        );
        gives(&text, &[]);
    }
    gives(&kernel("i32", "min(1.0, 2.0)"), &["type-mismatch"]);
    gives(&kernel("f32", "a + min(1.0, true)"), &["operands"]);
}

/// A choice between constants has no type of its own either.
#[test]
fn choices_between_constants_take_the_type_that_their_place_wants() {
    for (element, value) in [
        ("f64", "if n > 0 { 0.1 } else { 2.0 }"),
        ("i32", "if n > 0 { 1 } else { 2 }"),
        ("i32", "n + if n > 0 { 1 } else if n < 0 { -1 } else { 0 }"),
        ("f32", "if n > 0 { 1 } else { 2.5 }"),
        ("f32", "if n > 0 { a } else { if n < 0 { 1 } else { 0 } }"),
        ("f32", "sqrt(if n > 0 { 4 } else { 9 })"),
        ("f16", "f16(if n > 0 { 0.5 } else { 1 })"),
        ("u64", "if n > 0 { 18446744073709551615 } else { 0 }"),
    ] {
        gives(&kernel(element, value), &[]);
    }
    for (element, value) in [("i32", "if n > 0 { 1.5 } else { 2 }"), ("bool", "if n > 0 { 1 } else { 2 }")] {
        gives(&kernel(element, value), &["type-mismatch"]);
    }
}

#[test]
fn calls_of_constants_have_the_value_that_kernels_compute() {
    let text = "kernel k(y: mut f64[4]) grid(1) block(1) {\n    y[0] = min(1.5, 2, 1.25);\n    y[1] = clamp(9, 0.5, 4);\n    \
                y[2] = max(nan, 3.0);\n    y[3] = abs(min(-1.0, -2));\n}\n\
                const largest = max(0.5, 1);\nassert min(1.5, 2, 1.25) == 1.25 && largest == 1.0;\n\
                assert min([4, 9], [6, 7], 8) == [4, 7];\n";
    let checked = gives(text, &[]);
    let values = ["1.25", "4", "3", "2"];
    let schedule = checked.kernel().unwrap().schedule_text();
    for (position, value) in values.iter().enumerate() {
        assert!(schedule.contains(&format!("[{position}] = {value}")), "{schedule}");
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
        ("__popc", "popcount"),
        ("__clzll", "clz"),
        ("__ffs", "ffs"),
        ("__brev", "brev"),
        ("__mulhi", "mulhi"),
        ("atan2f", "atan2"),
        ("log10f", "log10"),
        ("copysignf", "copysign"),
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

/// How many bits there are is known, so that counts of them are indices.
#[test]
fn counts_of_bits_are_within_the_bits_of_their_type() {
    let kernel = |value: &str, extent: u32| {
        format!(
            "kernel k(u: u32[8], n: i8[8], table: f32[{extent}], y: mut f32[8]) {{
                for i in grid(8) {{ y[i] = table[{value}]; }} }}\n"
        )
    };
    for (value, extent) in [
        ("popcount(u[i])", 33),
        ("clz(u[i])", 33),
        ("ctz(u[i])", 33),
        ("ffs(u[i])", 33),
        ("popcount(n[i])", 9),
        ("clz(n[i])", 9),
        ("ctz(n[i])", 9),
        ("ffs(n[i])", 9),
        ("popcount(u[i] & 15)", 5),
        ("ffs(u[i] & 15)", 5),
        ("ctz(u[i] | 1)", 32),
        ("31 - clz(u[i] | 1)", 32),
        ("clz(u[i] | 1)", 32),
        ("mulhi(u[i], 7)", 7),
        ("brev(u[i]) >> 29", 8),
    ] {
        let checked = check(&kernel(value, extent));
        assert!(checked.errors().is_empty(), "{value}\n{}", checked.report());
        super::safe(&checked, value);
        gives(&kernel(value, extent - 1), &["out-of-bounds"]);
    }
}

/// Constants outside of kernels have the functions of floats, too.
#[test]
fn functions_of_floats_stand_in_constants() {
    let text =
        "assert atan2(0.0, -1.0) > 3.14 && hypot(3.0, 4.0) == 5.0 && log10(1000.0) == 3.0 && cbrt(27.0) == 3.0;\n";
    let checked = check(text);
    assert!(checked.errors().is_empty(), "{}", checked.report());
    assert_eq!(check("assert copysign(2.0, -0.0) > 0.0;\n").errors(), ["assertion-failed"]);
}
