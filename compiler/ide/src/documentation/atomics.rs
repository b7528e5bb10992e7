//! Atomic accesses of elements.

use super::entry::Subject::KernelFunction;
use super::entry::{Entry, call};
use check::kernels::parameters::{ORDER, SCOPE};
use kernel::functions::Parameter;

/// A kernel that changes an element of `h` atomically.
macro_rules! changes {
    ($access:literal) => {
        concat!("kernel k(x: i32[64], h: mut i32[8]) {\n    for i in grid(64) { ", $access, " }\n}")
    };
}

const ELEMENT: Parameter =
    Parameter::new("element", "an element of a tensor or of a shared array, `h[i]`").written("h[i]");
const VALUE: Parameter = Parameter::new("value", "a number");
const EXPECTED: Parameter = Parameter::new("expected", "the number that the element is compared with");

const LOAD: &[Parameter] = &[ELEMENT, ORDER, SCOPE];
const CHANGE: &[Parameter] = &[ELEMENT, VALUE, ORDER, SCOPE];
const COMPARE: &[Parameter] = &[ELEMENT, EXPECTED, VALUE, ORDER, SCOPE];

pub(super) const ENTRIES: &[Entry] = &[
    call(
        KernelFunction,
        "atomic_load",
        LOAD,
        "The element, read in one step while other threads change it atomically: `let v = atomic_load(h[i]);`.",
        changes!("atomic_add(h[i % 8], 1); let v = atomic_load(h[0]); if v > 3 { atomic_add(h[1], 1); }"),
    ),
    call(
        KernelFunction,
        "atomic_store",
        CHANGE,
        "Writes the element in one step. Of several threads one is the last.",
        changes!("atomic_store(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_add",
        CHANGE,
        "Adds to the element in one step, so that threads may meet there. With `let` it gives the element from before. The order of \
         threads is open, and with it the last digits of a sum of floats.",
        changes!("atomic_add(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_min",
        CHANGE,
        "Makes the element the smaller one of both in one step.",
        changes!("atomic_min(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_max",
        CHANGE,
        "Makes the element the greater one of both in one step.",
        changes!("atomic_max(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_and",
        CHANGE,
        "Keeps the bits of the element that the value has too, in one step.",
        changes!("atomic_and(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_or",
        CHANGE,
        "Sets the bits of the value in the element, in one step.",
        changes!("atomic_or(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_xor",
        CHANGE,
        "Flips the bits of the value in the element, in one step.",
        changes!("atomic_xor(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_exchange",
        CHANGE,
        "Writes the element, and gives the one from before, in one step.",
        changes!("let before = atomic_exchange(h[0], x[i]); atomic_add(h[1], before);"),
    ),
    call(
        KernelFunction,
        "atomic_compare_exchange",
        COMPARE,
        "Writes the element if it equals `expected`, and gives the one from before, in one step.",
        changes!("let before = atomic_compare_exchange(h[0], 0, x[i]); if before == 0 { atomic_add(h[1], 1); }"),
    ),
];
