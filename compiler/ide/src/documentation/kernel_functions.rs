//! Functions in kernels: what the table of functions says of each.

use std::sync::LazyLock;

use kernel::functions::{FUNCTIONS, Function, Parameter};

use super::entry::Subject::KernelFunction;
use super::entry::{Entry, call};

pub(super) static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entry = |function: &&'static Function| {
        call(KernelFunction, function.name, function.parameters, function.text, function.example)
    };
    FUNCTIONS.iter().map(entry).chain([bit_cast()]).collect()
});

const BIT_CAST: &[Parameter] = &[
    Parameter::new("type", "an element type with as many bits as the value has"),
    Parameter::new("value", "a number, or a tile of them"),
];

/// The only function that takes a type.
fn bit_cast() -> Entry {
    call(
        KernelFunction,
        "bitcast",
        BIT_CAST,
        "The bits of `value` taken for a number of another type of the same size: `bitcast(u32, 1.0)` is `0x3f800000`. The bits \
         of a NaN stay as they are.",
        "kernel k(x: f32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = bitcast(u32, x[i]); }\n}",
    )
}
