//! Functions in kernels: those of the table of functions, and the conversions.

use std::sync::LazyLock;

use super::Subject::KernelFunction;
use super::{Entry, call};
use kernel::functions::{FUNCTIONS, Function};

/// A conversion to an element type.
macro_rules! conversion {
    ($word:literal, $how:literal) => {
        call(
            KernelFunction,
            $word,
            concat!($word, "(value)"),
            &[("value", "a number or a truth value")],
            concat!("To `", $word, "`", $how),
            concat!(
                "kernel convert(x: i32[8], y: mut ",
                $word,
                "[8]) {\n    for i in grid(8) { y[i] = ",
                $word,
                "(x[i]); }\n}"
            ),
        )
    };
}

macro_rules! to_integer {
    ($word:literal) => {
        conversion!($word, ". A float is truncated toward zero and saturates, NaN becomes 0; a wider integer wraps.")
    };
}

macro_rules! to_float {
    ($word:literal) => {
        conversion!($word, ", rounded to nearest even.")
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    conversion!("bool", ": `!= 0`."),
    to_integer!("i8"),
    to_integer!("i16"),
    to_integer!("i32"),
    to_integer!("i64"),
    to_integer!("u8"),
    to_integer!("u16"),
    to_integer!("u32"),
    to_integer!("u64"),
    to_float!("f16"),
    to_float!("bf16"),
    to_float!("f32"),
    to_float!("f64"),
];

/// What the table of functions says of each.
pub(super) static FUNCTION_ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entry = |function: &&'static Function| {
        call(KernelFunction, function.name, function.signature, function.parameters, function.text, function.example)
    };
    FUNCTIONS.iter().map(entry).collect()
});
