//! Functions outside kernels.

use super::Subject::Function;
use super::{Entry, call};

pub(super) const ENTRIES: &[Entry] = &[
    call(
        Function,
        "cdiv",
        "cdiv(a, b)",
        &[("a", "what is divided: an integer or a shape"), ("b", "the divisor: an integer or a shape")],
        "`a / b` rounded up; per dimension for shapes.",
        "dim N;\ntiles : [cdiv(N, 64)];\nassert tiles(0) * 64 >= N;",
    ),
    call(
        Function,
        "min",
        "min(a, b, …)",
        &[("a", "an integer or a shape"), ("b", "another one")],
        "The smallest; per dimension for two shapes.",
        "assert min(3, 7, 5) == 3;",
    ),
    call(
        Function,
        "max",
        "max(a, b, …)",
        &[("a", "an integer or a shape"), ("b", "another one")],
        "The largest; per dimension for two shapes.",
        "assert max([3, 8], [7, 5]) == [7, 8];",
    ),
    call(
        Function,
        "rank",
        "rank(shape)",
        &[("shape", "a shape")],
        "The number of dimensions.",
        "image : [3, 224, 224];\nassert rank(image) == 3;",
    ),
    call(
        Function,
        "size",
        "size(shape)",
        &[("shape", "a shape")],
        "The product of the dimensions; also written `|shape|`.",
        "image : [3, 4];\nassert size(image) == 12 && |image| == 12;",
    ),
];
