//! The words that parameters take: what lies beyond the edge of a tensor, how atomic accesses are ordered, `true`.

use kernel::functions::Choice;

/// What `load_masked` gives beyond the edge.
pub(super) const PADDINGS: &[Choice] = &[
    Choice::new("zero", "0, the default"),
    Choice::new("negative_zero", "-0.0, which changes no sum; of floats only"),
    Choice::new("positive_inf", "infinity, which changes no minimum; of floats only"),
    Choice::new("negative_inf", "-infinity, which changes no maximum; of floats only"),
    Choice::new("nan", "not a number; of floats only"),
];

/// Truth values.
pub(super) const TRUTHS: &[Choice] = &[Choice::new("true", ""), Choice::new("false", "")];

/// Which other accesses an atomic access orders.
pub(super) const ORDERS: &[Choice] = &[
    Choice::new("relaxed", "no other access, the default"),
    Choice::new("acquire", "the accesses behind it stay behind it"),
    Choice::new("release", "the accesses before it stay before it"),
    Choice::new("acq_rel", "the accesses before it stay before it, and those behind it stay behind it"),
];

/// The threads among which an atomic access is one step.
pub(super) const SCOPES: &[Choice] = &[
    Choice::new("device", "all threads of the launch, the default"),
    Choice::new("block", "the threads of a block"),
    Choice::new("system", "all threads of all GPUs and processors"),
];

/// The threads over which values become one, besides those of loops around.
pub(super) const THREADS: &[Choice] =
    &[Choice::new("warp", "the threads of a warp"), Choice::new("block", "the threads of the block")];

/// How elements that are scattered meet in one place.
pub(super) const MEETINGS: &[Choice] = &[
    Choice::new("add", "the sum of all"),
    Choice::new("min", "the least of all"),
    Choice::new("max", "the greatest of all"),
    Choice::new("and", "the bits that all have"),
    Choice::new("or", "the bits that any has"),
    Choice::new("xor", "the bits that an odd number of them has"),
    Choice::new("store", "one of them, whichever it is"),
];
