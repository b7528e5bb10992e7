//! Arithmetic of narrow integers that wraps before its result is widened, divided or shifted: it is told, and the fix computes what was
//! meant.

use std::collections::BTreeMap;

use shapewright_runtime::execute::{Argument, BoundsChecks};
use shapewright_runtime::tensors::{Scalar, Tensor};
use testing::compare::interpreter_and_cpu;

use super::{gives, says};
use crate::support::{Checked, check};

/// How often a fix may lead to a further one.
const MOST_FIXES: usize = 4;

/// The kernel that does something with the elements of `a` and `b`, and stores it in `y`.
fn kernel(element: &str, result: &str, body: &str) -> String {
    format!("kernel k(a: {element}[4], b: {element}[4], y: mut {result}[4]) {{ for i in grid(4) {{ {body} }} }}\n")
}

/// The program after the first fix of each finding, one after the other, until there is none.
fn mended(text: &str) -> Checked {
    let mut checked = check(text);
    for _ in 0..MOST_FIXES {
        let Some(fix) = checked.findings.iter().find_map(|finding| finding.fixes.first()) else { break };
        checked = check(&checked.applied(fix));
    }
    checked
}

/// What a kernel stores first where all elements of `a` and `b` are these numbers.
#[track_caller]
fn stored(checked: &Checked, numbers: [f64; 2]) -> f64 {
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}\n{}", checked.text(), checked.report()));
    let tensor = |place: usize, number: f64| {
        let element = kernel.params.as_slice()[place].element;
        let mut tensor = Tensor::zeros(element, &[4]).unwrap();
        let scalar = match element.is_float() {
            true => Scalar::from_f64(element, number),
            false => Scalar::from_i128(element, number as i128),
        };
        for place in 0..4 {
            tensor.set_at(place, scalar.clone().unwrap()).unwrap();
        }
        Argument::Tensor(tensor)
    };
    let mut arguments = vec![tensor(0, numbers[0]), tensor(1, numbers[1]), tensor(2, 0.0)];
    interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven)
        .unwrap_or_else(|problem| panic!("{}\n{problem}", checked.text()));
    let Some(Argument::Tensor(stored)) = arguments.last() else { panic!("a tensor") };
    stored.get_at(0).unwrap().to_f64()
}

/// Each is the type of `a` and `b`, that of `y`, what is computed, the numbers, and what is meant.
const WRAPPING: &[(&str, &str, &str, [f64; 2], f64)] = &[
    ("u8", "u8", "y[i] = (a[i] + b[i] + 1) / 2;", [200.0, 120.0], 160.0),
    ("u8", "u8", "y[i] = (a[i] + b[i]) / 2;", [255.0, 255.0], 255.0),
    ("u8", "u8", "y[i] = (77 * a[i] + 150 * b[i] + 29 * a[i]) >> 8;", [200.0, 100.0], 141.0),
    ("u8", "u8", "y[i] = a[i] * 3 / 4;", [200.0, 0.0], 150.0),
    ("u8", "i32", "y[i] = i32(max(a[i] + b[i], b[i]));", [200.0, 120.0], 320.0),
    ("u8", "i32", "y[i] = i32(abs(a[i] - b[i]));", [100.0, 120.0], 20.0),
    ("u8", "u32", "y[i] = u32(abs(a[i] - b[i]));", [100.0, 120.0], 20.0),
    ("u8", "u32", "y[i] += abs(a[i] - b[i]);", [100.0, 120.0], 20.0),
    ("u8", "u32", "atomic_add(y[0], u32(abs(a[i] - b[i])));", [100.0, 120.0], 80.0),
    ("u8", "u16", "y[i] = u16(a[i] << 8 | b[i]);", [1.0, 2.0], 258.0),
    ("u8", "f32", "y[i] = f32(a[i] * b[i]);", [200.0, 120.0], 24000.0),
    ("u8", "i32", "y[i] = i32(select(a[i] > 3, a[i] + b[i], b[i] + b[i]));", [200.0, 120.0], 320.0),
    ("u8", "i32", "y[i] = i32((a[i] + b[i]) * a[i] - b[i]);", [200.0, 120.0], 63880.0),
    ("u8", "i32", "let v: i32 = 7; y[i] = v + a[i] * b[i];", [200.0, 120.0], 24007.0),
    ("u8", "i32", "let v: i32 = 7; y[i] = max(v, a[i] * b[i]);", [200.0, 120.0], 24000.0),
    ("u8", "i32", "let v: i32 = 7; y[i] = select(a[i] > 3, a[i] * b[i], v);", [200.0, 120.0], 24000.0),
    ("u8", "i32", "let v: i32 = 300; y[i] = if a[i] + b[i] > v { 1 } else { 0 };", [200.0, 120.0], 1.0),
    ("i8", "i32", "let mut s: i32 = 0; for k in 0..4 { s += a[k] * b[k]; } y[i] = s;", [100.0, -100.0], -40000.0),
    ("i8", "i32", "y[i] = i32(-(a[i] * b[i]));", [100.0, -100.0], 10000.0),
    ("i8", "u32", "y[i] = u32(a[i] * a[i]);", [100.0, 0.0], 10000.0),
    ("i16", "i64", "y[i] += a[i] * b[i];", [30000.0, -30000.0], -9e8),
    ("u16", "u16", "y[i] = a[i] * b[i] >> 16;", [60000.0, 60000.0], 54931.0),
    ("u16", "u16", "y[i] = (a[i] + b[i]) / 2;", [60000.0, 60000.0], 60000.0),
    ("i32", "i64", "let mut s: i64 = 0; for k in 0..4 { s += a[k] * a[k]; } y[i] = s;", [100000.0, 0.0], 4e10),
    ("i32", "i64", "y[i] = i64(a[i] * b[i] + a[i] * a[i]);", [100000.0, 100000.0], 2e10),
    ("i32", "f64", "y[i] = f64(a[i] * b[i]);", [100000.0, 100000.0], 1e10),
    ("u32", "u64", "y[i] = u64(a[i] * b[i]);", [100000.0, 100000.0], 1e10),
];

#[test]
fn what_wraps_before_it_is_widened_or_divided_is_told_and_the_fix_computes_it() {
    for (element, result, body, numbers, meant) in WRAPPING {
        let text = kernel(element, result, body);
        gives(&text, &["narrow-arithmetic"]);
        assert_ne!(stored(&check(&text), *numbers), *meant, "nothing wraps:\n{text}");
        let mended = mended(&text);
        assert_eq!(mended.codes().len(), 0, "{text}\nbecomes\n{}\n{}", mended.text(), mended.report());
        assert_eq!(stored(&mended, *numbers), *meant, "{text}\nbecomes\n{}", mended.text());
    }
}

/// Each is the type of `a` and `b`, that of `y`, and what is computed.
const INTENDED: &[(&str, &str, &str)] = &[
    // Nothing wraps.
    ("u8", "u8", "y[i] = ((a[i] & 15) + (b[i] & 15)) / 2;"),
    ("u8", "u8", "y[i] = (a[i] / 2 + b[i] / 2) / 2;"),
    ("u8", "i32", "y[i] = i32((a[i] >> 4) * (b[i] & 15));"),
    ("u8", "i32", "if a[i] < 100 && b[i] < 100 { y[i] = i32(a[i] + b[i]); }"),
    ("u8", "i32", "y[i] = i32(min(a[i], 100) + min(b[i], 100));"),
    ("u8", "u8", "y[i] = u8((i32(a[i]) + b[i] + 1) / 2);"),
    ("u8", "i32", "y[i] = i32(a[i]) * b[i];"),
    ("i8", "i32", "y[i] += i32(a[i]) * b[i];"),
    ("i32", "i64", "y[i] = i64(a[i] % 1000 * 1000);"),
    // What wraps is neither widened nor divided.
    ("u8", "u8", "y[i] = a[i] + b[i];"),
    ("u8", "u8", "y[i] += a[i] * b[i];"),
    ("u8", "u8", "y[i] = a[i] / (b[i] + 1);"),
    ("i32", "i32", "y[i] = (a[i] + b[i]) / 2;"),
    ("i32", "f32", "y[i] = f32(a[i] * b[i]);"),
    ("i32", "i64", "y[i] = i64(a[i] + b[i]);"),
    // Hashes and random numbers mean to wrap.
    ("u8", "u32", "y[i] = u32((a[i] ^ b[i]) * 31);"),
    ("u8", "u32", "y[i] = u32(a[i] << 3 | a[i] >> 5);"),
    (
        "u32",
        "u32",
        "let s = a[i] * 747796405 + 2891336453; let w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737; y[i] = (w >> 22) ^ w;",
    ),
    ("u32", "u32", "y[i] = a[i] * b[i] >> 16;"),
    ("u32", "f32", "y[i] = f32(a[i] * 1664525 + 1013904223) / 4294967296.0;"),
    ("u32", "u64", "y[i] = u64(a[i] * 747796405 + 2891336453);"),
    ("u32", "f64", "y[i] = f64(a[i] * b[i]) / 4294967296.0;"),
    (
        "u64",
        "u64",
        "let z = (a[i] ^ (a[i] >> 30)) * 0xbf58476d1ce4e5b9; y[i] = (z ^ (z >> 27)) * 0x94d049bb133111eb >> 32;",
    ),
    ("u64", "f64", "y[i] = f64(a[i] * 6364136223846793005 >> 11);"),
];

#[test]
fn what_fits_or_means_to_wrap_is_not() {
    for (element, result, body) in INTENDED {
        gives(&kernel(element, result, body), &[]);
    }
}

#[test]
fn the_message_names_the_type_and_what_happens_then() {
    for (element, result, body, parts) in [
        (
            "u8",
            "u8",
            "y[i] = (a[i] + b[i]) / 2;",
            ["the sum is computed in `u8`, which holds 0 to 255, and wraps before it is divided", "`i32(a) + b`"],
        ),
        ("u8", "u8", "y[i] = a[i] * b[i] >> 8;", ["the product is computed in `u8`", "before it is shifted right"]),
        ("i8", "i32", "y[i] += a[i] * b[i];", ["which holds -128 to 127", "before it is computed with in `i32`"]),
        ("i8", "f32", "y[i] = f32(a[i] - b[i]);", ["the difference is", "before it is converted to `f32`"]),
    ] {
        says(&check(&kernel(element, result, body)), "narrow-arithmetic", &parts);
    }
}

/// A type that the first use decides may be too narrow for the sum.
#[test]
fn a_variable_without_a_type_is_declared_with_the_type_that_is_needed() {
    for (element, result, body, numbers, meant) in [
        ("i8", "i32", "let mut s = 0; for k in 0..4 { s += a[k] * b[k]; } y[i] = s;", [100.0, -100.0], -40000.0),
        ("i8", "i32", "let mut s = 0; for k in 0..4 { s += a[k]; } y[i] = s;", [100.0, 0.0], 400.0),
        ("u8", "i64", "let mut s = 0; for k in 0..4 { s = s + a[k]; } y[i] = s;", [200.0, 0.0], 800.0),
        ("i32", "i64", "let mut s = 0; for k in 0..4 { s += a[k] * a[k]; } y[i] = s;", [100000.0, 0.0], 4e10),
        ("f16", "f32", "let mut s = 0.0; for k in 0..4 { s += a[k]; } y[i] = s;", [60000.0, 0.0], 240000.0),
        ("i8", "i32", "y[i] = a[i] * b[i];", [100.0, -100.0], -10000.0),
    ] {
        let text = kernel(element, result, body);
        let checked = gives(&text, &["type-mismatch"]);
        assert!(
            !checked.findings.iter().flat_map(|finding| &finding.fixes).any(|fix| fix.title.contains("convert it"))
        );
        let mended = mended(&text);
        assert_eq!(mended.codes().len(), 0, "{text}\nbecomes\n{}\n{}", mended.text(), mended.report());
        assert_eq!(stored(&mended, numbers), meant, "{text}\nbecomes\n{}", mended.text());
    }
}
