//! Initial values of a run, and functions of expectations.

use super::entry::Subject::{ExpectFunction, Initial};
use super::entry::{Entry, call, entry};
use kernel::functions::Parameter;

/// A run of a kernel that copies `x` to `y`; the text after its parenthesis is given.
macro_rules! copy {
    ($run:literal) => {
        concat!("kernel copy(x: f32[4], y: mut f32[4]) {\n    for i in grid(4) { y[i] = x[i]; }\n}\nrun copy(", $run)
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(Initial, "zeros", "NAME: zeros", "Every element is 0.", copy!("x: zeros, y: ones) expect y == 0.0;")),
    entry(Initial, "ones", "NAME: ones", "Every element is 1.", copy!("x: ones, y: zeros) expect y == 1.0;")),
    entry(
        Initial,
        "arange",
        "NAME: arange",
        "Element k in row-major order is k.",
        copy!("x: arange, y: zeros) expect y.sum() == 6.0;"),
    ),
    call(
        Initial,
        "random",
        &[Parameter::new("seed", "an integer")],
        "Elements that depend on the seed, the element type and the position only: the same on every machine.",
        copy!("x: random(1), y: zeros) expect y == x;"),
    ),
    call(
        Initial,
        "npy",
        &[Parameter::new("\"x.npy\"", "the path of the file, relative to the folder of this file")],
        "The elements of a file that `numpy.save` wrote. Its shape gives the sizes.",
        copy!("x: npy(\"x.npy\"), y: zeros) expect y == x;"),
    ),
    call(
        ExpectFunction,
        "initial",
        &[Parameter::new("y", "a parameter of the kernel")],
        "The tensor before the run.",
        "kernel twice(y: mut f32[4]) {\n    for i in grid(4) { y[i] *= 2.0; }\n}\nrun twice(y: arange) expect y == 2.0 \
         * initial(y);",
    ),
    call(
        ExpectFunction,
        "sum",
        &[Parameter::new("x", "a tensor")],
        "The sum over all elements, or along a dimension, which disappears; also written `x.sum()`.",
        copy!("x: ones, y: zeros) expect sum(y) == sum(x);"),
    ),
    call(
        ExpectFunction,
        "maximum",
        &[Parameter::new("x", "a tensor")],
        "The largest of all elements, or along a dimension, which disappears.",
        copy!("x: ones, y: zeros) expect maximum(y) == maximum(x);"),
    ),
    call(
        ExpectFunction,
        "minimum",
        &[Parameter::new("x", "a tensor")],
        "The smallest of all elements, or along a dimension, which disappears.",
        copy!("x: ones, y: zeros) expect minimum(y) == minimum(x);"),
    ),
    call(
        ExpectFunction,
        "matmul",
        &[Parameter::new("a", "the left factor"), Parameter::new("b", "the right factor")],
        "The product of matrices `[M, K]` and `[K, N]`, or of as many of them as the leading dimension says; also written \
         `a.matmul(b)`.",
        "kernel twice(x: f32[4, 4], y: mut f32[4, 4]) {\n    for (i, j) in grid(4, 4) { y[i, j] = 4.0 * x[0, 0]; }\n}\nrun \
         twice(x: ones, y: zeros) expect y == matmul(x, x);",
    ),
    call(
        ExpectFunction,
        "select",
        &[
            Parameter::new("condition", "a condition for each element"),
            Parameter::new("then", "the value where it holds"),
            Parameter::new("otherwise", "the value elsewhere"),
        ],
        "One of two values for each element.",
        copy!("x: ones, y: zeros) expect y == select(x > 0.0, x, 0.0);"),
    ),
    call(
        ExpectFunction,
        "npy",
        &[Parameter::new("\"y.npy\"", "the path of the file, relative to the folder of this file")],
        "The elements of a file that `numpy.save` wrote. It has the shape of what it is compared with.",
        copy!("x: ones, y: zeros) expect y == npy(\"y.npy\");"),
    ),
];
