//! Integers of different types: what is compared are their values, and distances of shifts may be of any type.

use std::collections::BTreeMap;

use elements::ElementType;
use kernel::typed::Kernel;
use shapewright_runtime::execute::{Argument, BoundsChecks};
use shapewright_runtime::tensors::{Scalar, Tensor};
use testing::compare::interpreter_and_cpu;

use super::{gives, safe, says};
use crate::support::check;

/// A kernel of two tensors of integers, and arguments with all pairs of the values at the edges of their types.
pub struct Mixed {
    /// The types.
    pub what: String,
    pub kernel: Kernel,
    pub arguments: Vec<Argument>,
}

fn integers() -> impl Iterator<Item = ElementType> {
    ElementType::ALL.into_iter().filter(|element| element.is_integer())
}

/// The values at the edges of all types that a type holds.
fn edges(element: ElementType) -> Vec<i128> {
    let (least, greatest) = element.integer_range().unwrap();
    let ends = integers().flat_map(|other| <[i128; 2]>::from(other.integer_range().unwrap()));
    let mut found: Vec<i128> = ends.flat_map(|end| [end - 1, end, end + 1]).chain([-7, 5]).collect();
    found.retain(|value| (least..=greatest).contains(value));
    found.sort_unstable();
    found.dedup();
    found
}

fn tensor(element: ElementType, values: &[i128]) -> Argument {
    let mut tensor = Tensor::zeros(element, &[values.len() as u64]).unwrap();
    for (place, value) in values.iter().enumerate() {
        tensor.set_at(place, Scalar::from_i128(element, *value).unwrap()).unwrap();
    }
    Argument::Tensor(tensor)
}

/// The kernel that stores `stored` of `a` and `b` in rows of `y`.
fn mixed(one: ElementType, other: ElementType, result: ElementType, stored: &[&str]) -> Mixed {
    let pairs: Vec<(i128, i128)> =
        edges(one).into_iter().flat_map(|a| edges(other).into_iter().map(move |b| (a, b))).collect();
    let (count, rows) = (pairs.len(), stored.len());
    let stores: String = stored.iter().enumerate().map(|(row, value)| format!("y[{row}, i] = {value};\n")).collect();
    let text = format!(
        "kernel k(x: {one}[{count}], z: {other}[{count}], y: mut {result}[{rows}, {count}]) {{
            for i in grid({count}) {{ let a = x[i]; let b = z[i];\n{stores} }}
        }}\n"
    );
    let checked = check(&text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{text}\n{}", checked.report()));
    let (first, second): (Vec<i128>, Vec<i128>) = pairs.into_iter().unzip();
    let stored = Tensor::zeros(result, &[rows as u64, count as u64]).unwrap();
    let arguments = vec![tensor(one, &first), tensor(other, &second), Argument::Tensor(stored)];
    Mixed { what: format!("{one} with {other}"), kernel: (*kernel).clone(), arguments }
}

const COMPARISONS: [&str; 6] = ["a < b", "a <= b", "a > b", "a >= b", "a == b", "a != b"];

fn comparisons(one: ElementType, other: ElementType) -> Mixed {
    let choices = COMPARISONS.map(|comparison| format!("if {comparison} {{ 1 }} else {{ 0 }}"));
    mixed(one, other, ElementType::U8, &choices.each_ref().map(String::as_str))
}

const SHIFTS: [&str; 2] = ["a << b", "a >> b"];

fn shifts(one: ElementType, other: ElementType) -> Mixed {
    mixed(one, other, one, &SHIFTS)
}

const COMBINED: [&str; 7] =
    ["a + b", "b - a", "a * b", "min(a, b)", "a & b", "mulhi(a, b)", "if a < b { a } else { b }"];

/// Whether a type holds every value of another one.
fn holds_all(most: ElementType, other: ElementType) -> bool {
    let ((low, high), (least, greatest)) = (most.integer_range().unwrap(), other.integer_range().unwrap());
    low <= least && greatest <= high
}

/// Pairs of types that are combined in the first one, in both orders.
fn promoted() -> impl Iterator<Item = (ElementType, [ElementType; 2])> {
    let pairs = integers().flat_map(|most| integers().map(move |other| (most, other)));
    let pairs = pairs.filter(|(most, other)| most != other && holds_all(*most, *other));
    pairs.flat_map(|(most, other)| [(most, [most, other]), (most, [other, most])])
}

fn combined(most: ElementType, [one, other]: [ElementType; 2]) -> Mixed {
    mixed(one, other, most, &COMBINED)
}

/// Each pair of types.
pub fn kernels() -> Vec<Mixed> {
    let pairs = integers().flat_map(|one| integers().map(move |other| (one, other)));
    let each = pairs.flat_map(|(one, other)| [comparisons(one, other), shifts(one, other)]);
    each.chain(promoted().map(|(most, types)| combined(most, types))).collect()
}

/// Runs a kernel, and holds each number that it stores against what the values mean.
fn holds(mixed: Mixed, meant: impl Fn(usize, i128, i128) -> i128) {
    let Mixed { what, kernel, mut arguments } = mixed;
    interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven)
        .unwrap_or_else(|problem| panic!("{what}: {problem}"));
    let [Argument::Tensor(first), Argument::Tensor(second), Argument::Tensor(stored)] = arguments.as_slice() else {
        panic!("three tensors")
    };
    let number = |tensor: &Tensor, place| tensor.get_at(place).and_then(Scalar::to_i128).unwrap();
    for place in 0..first.len() {
        let (a, b) = (number(first, place), number(second, place));
        for row in 0..stored.shape()[0] as usize {
            let found = number(stored, row * first.len() + place);
            assert_eq!(found, meant(row, a, b), "{what}: row {row} of {a} and {b}");
        }
    }
}

#[test]
fn integers_of_all_types_are_compared_by_their_values() {
    for one in integers() {
        for other in integers() {
            holds(comparisons(one, other), |row, a, b| {
                let all = [a < b, a <= b, a > b, a >= b, a == b, a != b];
                i128::from(all[row])
            });
        }
    }
}

#[test]
fn distances_of_shifts_are_of_any_integer_type() {
    for one in integers() {
        let bits = i128::from(one.bits());
        let (least, greatest) = one.integer_range().unwrap();
        for other in integers() {
            holds(shifts(one, other), |row, a, b| {
                let places = b.rem_euclid(bits) as u32;
                let moved = if row == 0 { a << places } else { a >> places };
                let wrapped = moved.rem_euclid(1 << bits);
                if wrapped > greatest { wrapped + 2 * least } else { wrapped }
            });
        }
    }
}

/// A number of a type that wraps.
fn wrapped(element: ElementType, number: i128) -> i128 {
    let (least, greatest) = element.integer_range().unwrap();
    (number - least).rem_euclid(greatest - least + 1) + least
}

#[test]
fn integers_are_combined_in_the_type_that_holds_both() {
    for (most, types) in promoted() {
        holds(combined(most, types), |row, a, b| {
            // Of two `u64` no product fits; there is no pair of them.
            let all = [a + b, b - a, a.wrapping_mul(b), a.min(b), a & b, a.wrapping_mul(b) >> most.bits(), a.min(b)];
            wrapped(most, all[row])
        });
    }
}

#[test]
fn indices_of_two_integer_types_are_as_if_they_were_converted() {
    for text in [
        "dim N;\nkernel k(p: i32[N], x: f32[N], y: mut f32[N]) { for i in grid(N) {
            let at = p[i] + i; if at >= 0 && at < N { y[i] = x[at]; } else { y[i] = 0.0; } } }\n",
        "dim N;\nkernel k(p: u8[N], x: f32[N + 256], y: mut f32[N]) { for i in grid(N) { y[i] = x[i + p[i]]; } }\n",
        "dim N, B;\nkernel k(start: i32[B], x: f32[N], y: mut f32[B, 4]) { for (b, t) in grid(B, 4) {
            let at = start[b] + t; y[b, t] = if at >= 0 && at < N { x[at] } else { 0.0 }; } }\n",
        "kernel k(x: u8[8], y: mut i32[8]) { for i in grid(8) { let mut s: i32 = 0; s += x[i]; y[i] = s - x[i] * s; } }\n",
        "kernel k(x: i32[8], n: i64, y: mut i64[8]) { for i in grid(8) { let c = if n > 0 { x[i] } else { n }; y[i] = c; } }\n",
        "kernel k(x: i32[8], n: i64, y: mut i64[8]) { for i in grid(8) { y[i] = select(n > 0, x[i], n) + clamp(x[i], 0, n); } }\n",
    ] {
        let checked = check(text);
        assert!(checked.errors().is_empty(), "{text}\n{}", checked.report());
        safe(&checked, text);
    }
    gives(
        "dim N;\nkernel k(p: u8[N], x: f32[N + 254], y: mut f32[N]) { for i in grid(N) { y[i] = x[i + p[i]]; } }\n",
        &["out-of-bounds"],
    );
}

/// Where no type of the two holds all numbers of the other, the message says which conversions there are.
#[test]
fn integers_without_a_common_type_say_what_to_write() {
    let kernel = |one: &str, other: &str, value: &str| {
        format!("kernel k(a: {one}, b: {other}, y: mut i64[1]) grid(1) block(1) {{ y[0] = i64({value}); }}\n")
    };
    for (one, other, both) in [("u32", "i32", "i64"), ("i16", "u16", "i32"), ("u8", "i8", "i16")] {
        for value in ["a + b", "b % a", "max(a, b)", "a | b"] {
            let checked = gives(&kernel(one, other, value), &["type-mismatch"]);
            says(
                &checked,
                "type-mismatch",
                &["neither type holds all numbers of the other", &format!("`{both}` holds")],
            );
            let mended = checked.applied(&checked.findings[0].fixes[0]);
            assert!(check(&mended).errors().is_empty(), "{mended}");
        }
    }
    let checked = gives(&kernel("u64", "i64", "a + b"), &["type-mismatch"]);
    for fix in &checked.findings[0].fixes {
        let mended = checked.applied(fix);
        assert!(check(&mended).errors().is_empty(), "{mended}");
    }
    assert_eq!(checked.findings[0].fixes.len(), 2);
    // What is assigned to keeps its type.
    gives("kernel k(a: i64, y: mut i32[1]) grid(1) block(1) { y[0] += a; }\n", &["type-mismatch"]);
}

#[test]
fn what_is_compared_with_data_of_another_type() {
    // Right programs, with what proofs know of such comparisons.
    for text in [
        "dim N, B;\nkernel k(len: i32[B], x: f32[B, N], y: mut f32[B]) { for b in grid(B) {
            let mut s = 0.0; for t in 0..N { if t < len[b] { s += x[b, t]; } } y[b] = s; } }\n",
        "dim N;\nkernel k(at: i32[N], x: f32[N], y: mut f32[N]) { for i in grid(N) {
            let n = i64(N); if at[i] >= 0 && at[i] < n { y[i] = x[at[i]]; } else { y[i] = 0.0; } } }\n",
        "dim N;\nkernel k(n: u32, y: mut f32[N]) { for i in grid(N) { if i >= n { y[i] = 1.0; } else { y[i] = 0.0; } } }\n",
        "dim N;\nkernel k(p: i32, q: i64, y: mut f32[N]) grid(1) block(1) {
            for i in p..q { if i >= 0 && i < N { y[i] = 1.0; } } }\n",
    ] {
        let checked = check(text);
        assert!(checked.errors().is_empty(), "{text}\n{}", checked.report());
    }
    // Their wrong twins.
    gives(
        "dim N;\nkernel k(at: i32[N], x: f32[N], y: mut f32[N]) { for i in grid(N) {
            let n = i64(N); if at[i] < n { y[i] = x[at[i]]; } else { y[i] = 0.0; } } }\n",
        &["out-of-bounds"],
    );
    gives(
        "dim N;\nkernel k(at: i32[N], x: f32[N], y: mut f32[N]) { for i in grid(N) {
            let n = i64(N); if at[i] >= 0 && at[i] <= n { y[i] = x[at[i]]; } else { y[i] = 0.0; } } }\n",
        &["out-of-bounds"],
    );
    // Integers and floats have no common type.
    for value in ["if f > b { 1 } else { 2 }", "a + f", "a & f", "max(f, b)"] {
        let text = format!("kernel k(a: i32, b: i64, f: f32, y: mut i64[1]) grid(1) block(1) {{ y[0] = {value}; }}\n");
        gives(&text, &["type-mismatch"]);
    }
}

/// A number that is shifted has the type of its place, whatever the type of the distance.
#[test]
fn a_number_that_is_shifted_takes_the_type_of_its_place() {
    let kernel = |element: &str, statements: &str| {
        format!("kernel k(x: {element}[8], y: mut {element}[8]) {{ for i in grid(8) {{ {statements} }} }}\n")
    };
    for element in ["u8", "i16", "u32", "i32", "u64", "i64"] {
        for statements in [
            "let mut m = x[i]; for j in 0..3 { m |= 1 << j; } y[i] = m;",
            "let mut m = 0; for j in 0..3 { m |= 1 << j; } y[i] = m;",
            "y[i] = x[i] & ((1 << i) - 1);",
            "y[i] = x[i] & ~(1 << i);",
            "y[i] = 1 << i | 1;",
            "let one = 1 << i; y[i] = one;",
            "y[i] = x[i] >> (2 * i) & 1;",
            "y[i] = shift_left(1, i);",
            "if x[i] & 1 << i != 0 { y[i] = 1; } else { y[i] = 0; }",
        ] {
            gives(&kernel(element, statements), &[]);
        }
    }
    // A number that does not fit is refused, as it is alone.
    let checked = gives(&kernel("u8", "y[i] = 300 << i;"), &["type-mismatch"]);
    says(&checked, "type-mismatch", &["which holds 0 to 255"]);
    gives(&kernel("f32", "y[i] = 1 << i;"), &["type-mismatch"]);
    gives(&kernel("i32", "y[i] = x[i] << 1.5;"), &["type-mismatch"]);
    gives(&kernel("i32", "y[i] = i << x[i];"), &["type-mismatch"]);
}
