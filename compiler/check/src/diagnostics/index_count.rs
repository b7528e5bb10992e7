//! An access with too many or too few indices.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `index-count`.
pub static PAGE: Page = Page {
    code: "index-count",
    severity: Severity::Error,
    title: "an access has too many or too few indices",
    explanation: "A view takes one index for each local coordinate of its map, and a tensor one for each dimension. The thread id is not
among them: a view supplies it.

For `view xs = x via reshape_map([2, 3] | [4] …)` an element is `xs[i, j]`.",
    wrong: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    let element = xs[0, 0];
}
",
    right: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    let element = xs[0];
}
",
};

/// `name` takes `expected` indices, and was given `found`.
pub(crate) fn wrong_index_count(span: Span, name: &str, expected: usize, found: usize) -> Diagnostic {
    PAGE.at(span, format!("`{name}` takes {}, found {found}", words::count(expected, "index")))
        .label(format!("expected {}", words::count(expected, "index")))
        .help("a view has one index for each local dimension of its map, a tensor one for each of its dimensions")
}

/// A tile of the partition `name` was given `found` indices in place of one for each of its `rank` dimensions.
/// The `member` is what is done with the tile, and `tile` what stands before the indices.
pub(crate) fn wrong_tile_index_count(
    span: Span,
    (name, member, tile): (&str, &str, Option<&str>),
    rank: usize,
    found: usize,
) -> Diagnostic {
    let names: Vec<String> = match rank {
        1 => vec!["i".to_owned()],
        2 => vec!["i".to_owned(), "j".to_owned()],
        _ => (0..rank).map(|number| format!("i{number}")).collect(),
    };
    let names: Vec<String> = tile.map(str::to_owned).into_iter().chain(names).collect();
    let indices = words::count(rank, "index");
    PAGE.at(span, format!("a tile of `{name}` has {indices}, found {found}")).label(format!("expected {indices}")).help(
        format!(
            "a tile has an index for each dimension of `{name}.index_space`: `{name}.{member}({})`",
            names.join(", ")
        ),
    )
}

/// `x[:, 1]` of a tensor: the `sign` at `span` is no index.
pub(crate) fn whole_dimension(span: Span, name: &str, sign: &str) -> Diagnostic {
    PAGE.at(span, format!("an element of `{name}` has a number for each index, and `{sign}` is none"))
        .label("not a number")
        .help("a loop goes over all of a dimension, and a `partition` divides it into tiles")
}

/// `for i in grid(m, n)`: a grid gives one number for each of its sizes.
pub(crate) fn grid_iterators(span: Span, sizes: usize, iterators: usize) -> Diagnostic {
    let needed = match sizes {
        1 => {
            "write `for i in grid(n)`, and take `i` apart with `/` and `%`, or give a size for each iterator".to_owned()
        }
        _ => {
            let names: Vec<String> = (0..sizes).map(|number| format!("i{number}")).collect();
            format!("write `for ({}) in grid(…)`", names.join(", "))
        }
    };
    let found = words::count(iterators, "iterator");
    PAGE.at(span, format!("this grid has {}, found {found}", words::count(sizes, "size")))
        .label("one iterator for each size")
        .help(needed)
}

/// `y[i][j]` instead of `y[i, j]`. `gaps` are the `][`s.
pub(crate) fn several_brackets(span: Span, gaps: Vec<Span>) -> Diagnostic {
    let edits = gaps.into_iter().map(|gap| (gap, SmolStr::new_static(", "))).collect();
    PAGE.at(span, "the indices of an element stand in one pair of brackets")
        .label("several pairs of brackets")
        .help("write `y[i, j]`")
        .fix_at("write them in one pair", edits)
}

/// `y(i)` instead of `y[i]`, with the parentheses at both ends of `brackets`.
pub(crate) fn called_tensor(span: Span, name: &str, brackets: Span) -> Diagnostic {
    let (first, last) = (Span::new(brackets.start, brackets.start + 1), Span::new(brackets.end - 1, brackets.end));
    PAGE.at(span, "the indices of an element stand in square brackets")
        .label(format!("`{name}` is no function"))
        .help(format!("write `{name}[…]`"))
        .fix_at("write square brackets", vec![(first, SmolStr::new_static("[")), (last, SmolStr::new_static("]"))])
}

/// `for (i, j) in threads(…)`, although the loop has one iterator; the product of `extents` is its count, if they are
/// known.
pub(crate) fn threads_iterators(span: Span, iterators: &[&str], extents: &[i64]) -> Diagnostic {
    let count = extents.iter().try_fold(1i64, |count, extent| count.checked_mul(*extent));
    let count = count.filter(|_| extents.len() > 1).map_or_else(|| "n".to_owned(), |count| count.to_string());
    let diagnostic = PAGE
        .at(span, format!("`threads` gives one number, found {} iterators", iterators.len()))
        .label("gives one number");
    match iterators {
        [row, column] => {
            let columns = extents.get(1).map_or_else(|| "m".to_owned(), i64::to_string);
            diagnostic.help(format!(
                "write `for t in threads({count}, cuda_thread) {{ let {row} = t / {columns}; let {column} = t % {columns}; … }}`"
            ))
        }
        _ => diagnostic.help("write `for t in threads(n, cuda_thread)`, and take `t` apart with `/` and `%`"),
    }
}
