//! Functions by which threads exchange values.

use super::choices;
use super::entry::Subject::KernelFunction;
use super::entry::{Entry, call};

use check::kernels;
use kernel::functions::{Given, Parameter};

/// A kernel in which each thread of a warp has a number `v`.
macro_rules! in_warp {
    ($value:literal) => {
        concat!(
            "kernel k(x: f32[32], y: mut f32[32]) grid(1) block(32) {\n    for t in threads(32, cuda_thread) {\n        let v = x[t];\n        \
             y[t] = ",
            $value,
            ";\n    }\n}"
        )
    };
}

const VALUE: Parameter = Parameter::new("value", "what the thread gives");
const LANE: Parameter = Parameter::new("lane", "the number of a lane, 0 to 31");
const DISTANCE: Parameter = Parameter::new("distance", "how many lanes away, 0 to 31");
const MASK: Parameter = Parameter::new("mask", "the bits by which the numbers of both lanes differ, 0 to 31");
const CONDITION: Parameter = Parameter::new("condition", "a truth value of the thread");
pub(super) const OVER: Parameter = Parameter::new(
    kernels::OVER,
    "the threads: `warp`, `block`, or the iterator of a loop over threads around, for those of one iteration",
)
.written("over: threads")
.given(Given::ByName)
.choices(choices::THREADS);

const OF_LANE: &[Parameter] = &[VALUE, LANE];
const AT_DISTANCE: &[Parameter] = &[VALUE, DISTANCE];
const BY_MASK: &[Parameter] = &[VALUE, MASK];
const OF_NUMBERS: &[Parameter] = &[VALUE, OVER];
const OF_TRUTHS: &[Parameter] = &[CONDITION, OVER];

pub(super) const ENTRIES: &[Entry] = &[
    call(
        KernelFunction,
        "shuffle",
        OF_LANE,
        "The value that a lane of the warp gives. All threads of the warp do it together.",
        in_warp!("shuffle(v, 0)"),
    ),
    call(
        KernelFunction,
        "shuffle_up",
        AT_DISTANCE,
        "The value of the lane so many places before the own one; where there is none, the own value. All threads of the warp do it \
         together.",
        in_warp!("v - shuffle_up(v, 1)"),
    ),
    call(
        KernelFunction,
        "shuffle_down",
        AT_DISTANCE,
        "The value of the lane so many places behind the own one; where there is none, the own value. All threads of the warp do it \
         together.",
        in_warp!("v + shuffle_down(v, 16)"),
    ),
    call(
        KernelFunction,
        "shuffle_xor",
        BY_MASK,
        "The value of the lane whose number differs from the own one in the bits of `mask`. All threads of the warp do it together.",
        in_warp!("v + shuffle_xor(v, 1)"),
    ),
    call(
        KernelFunction,
        "ballot",
        &[CONDITION],
        "A `u32` with a bit for each lane of the warp: whether its condition holds. All threads of the warp do it together.",
        in_warp!("f32(ballot(v > 0.0) & 255)"),
    ),
    call(
        KernelFunction,
        "sum",
        OF_NUMBERS,
        "The sum of the values of all threads of a warp, a block or a collective, which each of them gets. They do it together. \
         Neighbouring lanes are added first, then warps in their order, so floats have the same bits everywhere.",
        in_warp!("v / sum(v, over: warp)"),
    ),
    call(
        KernelFunction,
        "prod",
        OF_NUMBERS,
        "The product of the values of all threads of a warp, a block or a collective, which each of them gets. They do it together.",
        in_warp!("prod(v, over: warp)"),
    ),
    call(
        KernelFunction,
        "any",
        OF_TRUTHS,
        "Whether the condition holds for any thread of a warp, a block or a collective. They do it together.",
        in_warp!("if any(v > 1.0, over: warp) { v } else { 0.0 }"),
    ),
    call(
        KernelFunction,
        "all",
        OF_TRUTHS,
        "Whether the condition holds for all threads of a warp, a block or a collective. They do it together.",
        in_warp!("if all(v > 1.0, over: warp) { v } else { 0.0 }"),
    ),
    call(
        KernelFunction,
        "cumsum",
        OF_NUMBERS,
        "The own value added to those of the threads before it in a warp, a block or a collective. They do it together; the last one \
         gets the `sum`.",
        in_warp!("cumsum(v, over: warp)"),
    ),
    call(
        KernelFunction,
        "cumprod",
        OF_NUMBERS,
        "The own value multiplied by those of the threads before it in a warp, a block or a collective. They do it together.",
        in_warp!("cumprod(v, over: warp)"),
    ),
];
