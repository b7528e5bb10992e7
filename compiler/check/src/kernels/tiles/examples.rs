//! The kernels around the calls that definitions show.

/// A kernel that stores a tile of 2 × 2 floats; the tile's expression is given.
macro_rules! stores {
    ($tile:expr) => {
        concat!(
            "kernel k(x: f32[4, 4], y: mut f32[4, 4]) {\n    view px = partition(x, [2, 2]);\n    view py = partition(y, [2, \
             2]);\n    for (i, j) in grid(px.index_space) { py.store(",
            $tile,
            ", i, j); }\n}"
        )
    };
}

/// A kernel that scatters tiles of 1 × 4.
macro_rules! scatters {
    ($scatter:literal) => {
        concat!(
            "kernel k(x: i32[8, 4], y: mut i32[8, 4]) {\n    view px = partition(x, [1, 4]);\n    for i in grid(8) { ",
            $scatter,
            " }\n}"
        )
    };
}

/// A kernel that changes a tile of `y` atomically.
macro_rules! changes {
    ($access:expr) => {
        concat!(
            "kernel k(x: i32[8, 4], y: mut i32[2, 4]) {\n    view px = partition(x, [2, 4]);\n    view py = partition(y, [2, 4]);\n    \
             for i in grid(4) { ",
            $access,
            " }\n}"
        )
    };
}

pub(super) use {changes, scatters, stores};
