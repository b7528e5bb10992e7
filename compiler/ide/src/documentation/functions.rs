//! Functions outside kernels.

use super::entry::Subject::Function;
use super::entry::{Entry, call};
use kernel::functions::Parameter;

pub(super) const ENTRIES: &[Entry] = &[
    call(
        Function,
        "cdiv",
        &[
            Parameter::new("a", "what is divided: an integer or a shape"),
            Parameter::new("b", "the divisor: an integer or a shape"),
        ],
        "`a / b` rounded up; per dimension for shapes.",
        "dim N;\ntiles : [cdiv(N, 64)];\nassert tiles(0) * 64 >= N;",
    ),
    call(
        Function,
        "min",
        &[Parameter::new("a", "an integer or a shape"), Parameter::new("b", "another one").repeated()],
        "The smallest; per dimension for two shapes.",
        "assert min(3, 7, 5) == 3;",
    ),
    call(
        Function,
        "max",
        &[Parameter::new("a", "an integer or a shape"), Parameter::new("b", "another one").repeated()],
        "The largest; per dimension for two shapes.",
        "assert max([3, 8], [7, 5]) == [7, 8];",
    ),
    call(
        Function,
        "rank",
        &[Parameter::new("shape", "a shape")],
        "The number of dimensions.",
        "image : [3, 224, 224];\nassert rank(image) == 3;",
    ),
    call(
        Function,
        "size",
        &[Parameter::new("shape", "a shape")],
        "The product of the dimensions; also written `|shape|`.",
        "image : [3, 4];\nassert size(image) == 12 && |image| == 12;",
    ),
];
