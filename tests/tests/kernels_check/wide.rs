//! Random index arithmetic on a size that may be huge: where the launch is not refused, nothing leaves its tensor.

use std::collections::BTreeMap;

use kernel::{BoundsChecks, at_launch};

use super::{safe::safe, says};
use crate::support::check;
use crate::support::enumerate::{Fault, Launch, enumerate};
use seeds::Draw;
use testing::compare::interpreter_and_cpu;
use testing::thread_nests::arguments;

/// Sizes at which sums, products of two and products of three begin to leave 64 bits, and ordinary ones.
const SIZES: [i64; 9] = [4, 7, 1 << 20, 1 << 31, 3_037_000_500, 1 << 42, (1 << 62) - 1, 1 << 62, i64::MAX];

/// An integer expression over some words and the size.
fn integer(draw: &mut Draw, words: &[&'static str], depth: usize) -> String {
    if depth == 0 || draw.one_in(4) {
        return words[draw.index(words.len())].to_owned();
    }
    let left = integer(draw, words, depth - 1);
    match draw.index(8) {
        0..=2 => format!("({left} * S)"),
        3 => format!("({left} / S)"),
        4 => format!("({left} % {})", ["S", "8"][draw.index(2)]),
        5 => format!("({left} - {})", integer(draw, words, depth - 1)),
        6 => format!("min({left}, {})", integer(draw, words, depth - 1)),
        _ => format!("({left} + {})", integer(draw, words, depth - 1)),
    }
}

/// A kernel of one thread, so that no accesses race, with a guarded store in two loops.
fn kernel(draw: &mut Draw) -> String {
    let (outer, inner) = (["i", "n", "S", "2"], ["i", "j", "d", "n", "S", "1"]);
    let (value, end, index) = (integer(draw, &outer, 2), integer(draw, &outer, 1), integer(draw, &inner, 2));
    let end = if draw.one_in(3) { format!("min({end}, 4)") } else { "4".to_owned() };
    let guarded = match draw.index(4) {
        0 => index.clone(),
        1 => format!("{index} * S"),
        2 => format!("S * ({index} + 1)"),
        _ => integer(draw, &inner, 2),
    };
    let low = if draw.one_in(2) { format!("{guarded} >= 0") } else { format!("{index} >= 0") };
    format!(
        "dim S where S >= 4;
kernel k(n: i64, y: mut f32[8]) grid(1) block(1) {{
    for i in 0..5 {{
        let d = {value};
        for j in 0..{end} {{ if {low} && {guarded} < {} {{ y[{index}] = 1.0; }} }}
    }}
}}
",
        ["4", "8", "S", "8 * S"][draw.index(4)]
    )
}

#[test]
fn what_a_launch_lets_through_stays_inside_for_huge_sizes() {
    let (mut passed, mut refused) = (0, 0);
    for seed in seeds::range(400) {
        let mut draw = Draw::new(seed);
        let text = kernel(&mut draw);
        let Some(typed) = check(&text).kernel() else { continue };
        for size in SIZES {
            let sizes: BTreeMap<_, _> = typed.symbols.iter().map(|symbol| (symbol.clone(), size)).collect();
            let guarded = match at_launch(&typed, &sizes) {
                Ok(bounds) => bounds == BoundsChecks::Guarded,
                Err(_) => {
                    refused += 1;
                    continue;
                }
            };
            passed += 1;
            for scalar in [0, 3, -1, i64::MAX, i64::MIN, 1 << 40] {
                let scalars = [scalar, 0];
                let launch = Launch { kernel: &typed, sizes: &sizes, scalars: &scalars, data: seed, guarded };
                match enumerate(&launch) {
                    Ok(_) | Err(Fault::GaveUp(_)) => {}
                    Err(fault) => panic!("seed {seed}, S = {size}, n = {scalar}: {fault:?}\n{text}"),
                }
            }
        }
    }
    println!("{passed} launches passed, {refused} were refused");
    assert!(passed > 500 && refused > 100, "{passed} launches passed, {refused} were refused");
}

/// The checks take a remainder of data for a small number, so what it makes with a size must fit at the launch.
#[test]
fn a_remainder_of_data_times_a_huge_size_is_refused() {
    let checked = check(
        "dim S where S >= 4; kernel k(n: i64, y: mut f32[8]) grid(1) block(1) {
            for i in 0..5 { let d = (n * S) % 8; if d * S >= 0 { y[(d * S) % S] = 1.0; } } }",
    );
    let typed = checked.kernel().unwrap();
    let launched = |size: i64| {
        let sizes = typed.symbols.iter().map(|symbol| (symbol.clone(), size)).collect();
        at_launch(&typed, &sizes).is_ok()
    };
    assert!(launched(7) && launched(1 << 40));
    assert!(!launched((1 << 62) - 1));
}

/// Views of a few elements by maps whose lengths may be huge.
fn view_kernel(draw: &mut Draw) -> String {
    let length = |draw: &mut Draw| match draw.index(4) {
        0 => draw.between(1, 70),
        1 => 1 << draw.between(5, 62),
        2 => i64::MAX - draw.between(0, 40),
        _ => i64::MAX / draw.between(2, 70),
    };
    let map = |draw: &mut Draw, threads: i64| match draw.index(3) {
        0 => format!("continuous_linear({})", length(draw)),
        1 => format!("reshape_map([{}] | [{threads}] => layout: [t0, i0])", length(draw)),
        _ => format!("reshape_map([{}] | [{threads}] => layout: [i0, t0])", length(draw)),
    };
    let elements = draw.pick(&[1, 2, 128]);
    let (of_warp, of_thread) = (map(draw, 4), map(draw, 32));
    let masked = ["", " masked"][draw.index(2)];
    format!(
        "kernel k(y: mut f32[{elements}]) grid(1) block(128) {{
    view w = y via {of_warp} per warp{masked};
    view s = w via {of_thread}{masked};
    for i in 0..2 {{ s[i] = 1.0; }}
}}
"
    )
}

#[test]
fn views_with_huge_lengths_reach_no_element_that_does_not_exist() {
    let (mut accepted, mut overflows) = (0, 0);
    for seed in seeds::range(300) {
        let text = view_kernel(&mut Draw::new(seed));
        let checked = check(&text);
        overflows += usize::from(checked.errors().contains(&"overflow"));
        accepted += safe(&checked, &text);
    }
    println!("{accepted} launches, {overflows} refused since a number does not fit in 64 bits");
    assert!(accepted > 20 && overflows > 0, "{accepted} launches, {overflows} refused");
}

#[test]
fn a_view_that_compares_a_number_beyond_64_bits_is_refused() {
    let checked = check(
        "kernel k(y: mut f32[128]) grid(1) block(64) {
    view w = y via continuous_linear(9223372036854775807) per warp masked;
    view s = w via reshape_map([2] | [32] => layout: [t0, i0]);
    for i in 0..2 { s[i] = 1.0; }
}
",
    );
    assert_eq!(checked.errors(), ["overflow"], "{}", checked.report());
    says(&checked, "overflow", &["an element of `y`", "does not fit in 64 bits"]);
}

/// The launch lets through what overflows because of its constants, which wraps, so no device may take it for exact.
#[test]
fn what_overflows_because_of_its_constants_wraps_on_every_device() {
    for value in ["2147483647 * (S + k) % 8", "(2147483647 * (S + k)) / 3", "min(2147483647 * (S + k), 5)"] {
        let text = format!(
            "dim S;
kernel k(y: mut i64[2]) grid(1) block(1) {{
    for k in 4294967294..4294967296 {{ y[k - 4294967294] = {value}; }}
}}
"
        );
        let kernel = check(&text).kernel().unwrap();
        for size in [1, 1 << 31, 1 << 32] {
            let sizes = kernel.symbols.iter().map(|symbol| (symbol.clone(), size)).collect();
            at_launch(&kernel, &sizes).unwrap();
            let mut arguments = arguments(&kernel, 1).unwrap();
            if let Err(problem) = interpreter_and_cpu(&kernel, &sizes, &mut arguments, BoundsChecks::Proven) {
                panic!("{value}, S = {size}: {problem}");
            }
        }
    }
}
