//! An argument of a function that does not fit its parameter.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `function-argument`.
pub static PAGE: Page = Page {
    code: "function-argument",
    severity: Severity::Error,
    title: "an argument of a function does not fit its parameter",
    explanation: "A parameter with a type takes arguments of that type: `x: f32` a number, or a tile of such numbers, `t: f32[8, 8]` a tile of
these extents. A generic parameter stands for whatever the arguments have: in `fn row[T, N](t: T[1, N])` the type `T` and the
extent `N` follow from the tile. A parameter without a type takes anything that the body can use.",
    wrong: "fn first_row(t: f32[4, 8]) -> f32[1, 8] = t[0..1, 0..8];

kernel k(x: f32[8, 8], y: mut f32[8, 8]) {
    view px = partition(x, [8, 8]);
    view py = partition(y, [8, 8]);
    for (i, j) in grid(px.index_space) { py.store(px.load(i, j) + first_row(px.load(i, j)), i, j); }
}
",
    right: "fn first_row[N](t: f32[N, 8]) -> f32[1, 8] = t[0..1, 0..8];

kernel k(x: f32[8, 8], y: mut f32[8, 8]) {
    view px = partition(x, [8, 8]);
    view py = partition(y, [8, 8]);
    for (i, j) in grid(px.index_space) { py.store(px.load(i, j) + first_row(px.load(i, j)), i, j); }
}
",
};

/// A tile of `found` extents is given, or computed, where a type says `expected`.
pub(crate) fn tile_argument(span: Span, expected: &[i64], found: &[i64]) -> Diagnostic {
    let found = match found {
        [] => "one number".to_owned(),
        found => format!("a tile of [{}]", words::numbers(found)),
    };
    PAGE.at(span, format!("expected a tile of [{}], found {found}", words::numbers(expected))).label(found).help(
        "leave out the extents in the function's type, or give them generic parameters: `fn f[M, N](t: f32[M, N])`",
    )
}

/// The generic parameter `name` of a function follows from none of its arguments.
pub(crate) fn open_generic(span: Span, function: &str, name: &str) -> Diagnostic {
    PAGE.at(span, format!("what `{name}` of `{function}` stands for follows from no argument"))
        .label(format!("`{name}` is open"))
        .help(format!("use `{name}` in the type of a parameter, or make it a parameter"))
}
