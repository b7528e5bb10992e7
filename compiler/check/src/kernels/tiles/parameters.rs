//! The parameters that several functions of tiles have, with the words that they take.

use kernel::functions::{Choice, Given, Parameter};

pub(super) const TENSOR: Parameter = Parameter::new("tensor", "a tensor or a view").written("x");
pub(super) const TYPE: Parameter = Parameter::new("type", "an element type with constant extents, `f32[64, 64]`");
pub(super) const TILE: Parameter = Parameter::new("tile", "a tile of the partition's shape");
pub(super) const INDEX: Parameter =
    Parameter::new("index", "the number of the tile along each dimension").written("i").repeated();
pub(super) const INDICES: Parameter =
    Parameter::new("index", "a tile of integers, or one, for each dimension").written("i").repeated();
pub(super) const DIMENSIONS: Parameter =
    Parameter::new("dimension", "the dimension, from 0, or a list of several; all of them where left out").optional();
pub(super) const DIMENSION: Parameter = Parameter::new("dimension", "the dimension, from 0");
pub(super) const KEEP: Parameter = Parameter::new("keep", "whether the dimension stays, with extent 1")
    .given(Given::ByName)
    .choices(TRUTHS)
    .optional();
pub(super) const LATENCY: Parameter =
    Parameter::new("latency", "how heavy the traffic of memory is expected to be, from 1 to 10; it changes no result")
        .given(Given::ByName)
        .optional();
pub(super) const ALLOW_TMA: Parameter =
    Parameter::new("allow_tma", "whether a GPU may use its copy engine, `true` or `false`; it changes no result")
        .given(Given::ByName)
        .choices(TRUTHS)
        .optional();
/// What a masked load gives beyond the edge.
pub const PAD: Parameter = Parameter::new(
    "pad",
    "what lies beyond the edge: `zero`, `negative_zero`, `positive_inf`, `negative_inf` or `nan`",
)
.given(Given::ByName)
.choices(PADDINGS)
.optional();
/// How elements that are scattered meet in one place.
pub const ATOMIC: Parameter =
    Parameter::new("atomic", "how elements meet in one place: `add`, `min`, `max`, `and`, `or`, `xor` or `store`")
        .given(Given::ByName)
        .choices(MEETINGS)
        .optional();
/// Which other accesses an atomic access orders.
pub const ORDER: Parameter =
    Parameter::new("order", "which other accesses it orders: `relaxed`, none, `acquire`, `release` or `acq_rel`")
        .given(Given::ByName)
        .choices(ORDERS)
        .optional();
/// The threads among which an atomic access is one step.
pub const SCOPE: Parameter =
    Parameter::new("scope", "the threads among which it is one step: `device`, all of the launch, `block` or `system`")
        .given(Given::ByName)
        .choices(SCOPES)
        .optional();

/// Truth values.
pub const TRUTHS: &[Choice] = &[Choice::new("true", ""), Choice::new("false", "")];

const PADDINGS: &[Choice] = &[
    Choice::new("zero", "0, the default"),
    Choice::new("negative_zero", "-0.0, which changes no sum; of floats only"),
    Choice::new("positive_inf", "infinity, which changes no minimum; of floats only"),
    Choice::new("negative_inf", "-infinity, which changes no maximum; of floats only"),
    Choice::new("nan", "not a number; of floats only"),
];

const ORDERS: &[Choice] = &[
    Choice::new("relaxed", "no other access, the default"),
    Choice::new("acquire", "the accesses behind it stay behind it"),
    Choice::new("release", "the accesses before it stay before it"),
    Choice::new("acq_rel", "the accesses before it stay before it, and those behind it stay behind it"),
];

const SCOPES: &[Choice] = &[
    Choice::new("device", "all threads of the launch, the default"),
    Choice::new("block", "the threads of a block"),
    Choice::new("system", "all threads of all GPUs and processors"),
];

const MEETINGS: &[Choice] = &[
    Choice::new("add", "the sum of all"),
    Choice::new("min", "the least of all"),
    Choice::new("max", "the greatest of all"),
    Choice::new("and", "the bits that all have"),
    Choice::new("or", "the bits that any has"),
    Choice::new("xor", "the bits that an odd number of them has"),
    Choice::new("store", "one of them, whichever it is"),
];
