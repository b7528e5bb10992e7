//! Kernels whose neighbouring elements are vectors, and those whose are not.

use emit::cuda;

use super::check::Case;
use super::source;

/// The accesses of vectors that each kernel is to have, in the order of its text: its bytes, whether it is loaded or
/// stored, and the tensor.
const EXPECTED: &[(&str, &[&str])] = &[
    ("f32_by_4", &["16 load x", "16 load y", "16 store y"]),
    ("f32_by_8", &["16 load x", "16 load y", "16 store y"]),
    ("f16_by_4", &["8 load x", "8 load y", "8 store y"]),
    ("f16_by_8", &["16 load x", "16 load y", "16 store y"]),
    ("i8_by_4", &["4 load x", "4 load y", "4 store y"]),
    ("i8_by_8", &["8 load x", "8 load y", "8 store y"]),
    ("i8_by_2", &["2 load x", "2 store y"]),
    ("f64_by_4", &["16 load x", "16 load y", "16 store y"]),
    ("f64_by_8", &["16 load x", "16 load y", "16 store y"]),
    ("mixed_widths", &["8 load x", "16 load n", "16 load n", "16 store y", "16 store y", "16 store y", "16 store y"]),
    ("masked_fact", &["16 load x", "16 load y", "16 store y"]),
    ("masked_no_fact", &["16 load x", "16 load y", "16 store y"]),
    ("masked_reread", &["16 load y", "16 store y", "16 store z"]),
    ("masked_mixed", &["16 store y"]),
    ("backwards", &[]),
    ("backwards_load", &["16 store y"]),
    ("two_maps", &[]),
    ("recurrence", &[]),
    ("two_maps_read", &["16 load x", "16 store y"]),
    ("carried", &["16 load x"]),
    ("scan", &["16 load x", "16 load y", "16 store y", "16 store z"]),
    ("nested", &["16 load x", "16 store y"]),
    ("all_of_a_row", &["16 load x", "16 store y"]),
    ("sometimes", &["4 load c", "16 store y"]),
    ("gather", &["16 load at", "16 store y"]),
    ("rows", &["16 load x", "16 store y"]),
    ("odd_strides", &["16 store y"]),
    ("odd_rows", &[]),
    ("shifted", &["16 store y"]),
    ("strided_by_threads", &["16 store y"]),
    ("clamped_row", &["16 store y"]),
];

/// Every `run` of the file beside this one.
pub fn cases() -> Vec<Case> {
    source::runs("vectors.shape", include_str!("vectors.shape"))
}

/// Panics where a kernel of the file has other vectors than it should have.
pub fn are_where_expected() {
    let cases = cases();
    let named: Vec<&str> = EXPECTED.iter().map(|(name, _)| *name).collect();
    let found: Vec<&str> = cases.iter().map(|case| case.kernel.name.as_str()).collect();
    assert_eq!(found, named);
    for (case, (name, expected)) in cases.iter().zip(EXPECTED) {
        let source = cuda(&case.kernel).source;
        assert_eq!(accesses(&source), *expected, "{name}\n{source}");
        let is_said = source.contains("The address of every tensor is a multiple of 16 bytes");
        assert_eq!(is_said, !expected.is_empty(), "{name}\n{source}");
    }
}

/// The accesses of vectors in a kernel's text.
pub fn accesses(source: &str) -> Vec<String> {
    let calls = source.lines().filter_map(|line| line.trim().strip_prefix("copy_vector<"));
    let described = calls.map(|call| {
        let (bytes, arguments) = call.split_once(">(").unwrap();
        let way = if arguments.starts_with('&') { "store" } else { "load" };
        let (_, memory) = arguments.split_once('&').unwrap();
        let (tensor, _) = memory.split_once('[').unwrap();
        format!("{bytes} {way} {tensor}")
    });
    described.collect()
}

/// Panics where PTX has no access of the width that the kernel's text asks for.
pub fn check_accesses(source: &str, ptx: &str) {
    for access in accesses(source) {
        let (bytes, rest) = access.split_once(' ').unwrap();
        let instruction = if rest.starts_with("load") { "ld.global" } else { "st.global" };
        let wanted: u32 = bytes.parse().unwrap();
        let is_there = ptx.lines().any(|line| bytes_of(line, instruction) == Some(wanted));
        assert!(is_there, "no {access}\n{source}\n{ptx}");
    }
}

/// The bytes that a line of PTX accesses: `ld.global.nc.v4.f32` has 16.
fn bytes_of(line: &str, instruction: &str) -> Option<u32> {
    let (_, suffixes) = line.split_whitespace().next()?.split_once(instruction)?;
    let mut bytes = 1;
    for suffix in suffixes.split('.').filter(|suffix| !matches!(*suffix, "" | "nc")) {
        let (kind, number) = suffix.split_at(1);
        let number: u32 = number.parse().ok()?;
        bytes *= if kind == "v" { number } else { number / 8 };
    }
    Some(bytes)
}
