//! The shape of a tile does not fit.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use proofs::Verdict;
use syntax::span::Span;

/// The documentation of `tile-shape`.
pub static PAGE: Page = Page {
    code: "tile-shape",
    severity: Severity::Error,
    title: "the shape of a tile does not fit",
    explanation: "A tile has a shape of constant extents. Operations from element to element take tiles of one rank, whose extents are the
same in each dimension or 1; numbers go with all of them. Ranks are never made equal silently: `[4]` beside `[4, 4]` could be a
row or a column. `t.insert(0)` makes it a row, `t.insert(1)` a column.

A product needs `[m, k]` and `[k, n]`, a store the shape of the partition. `permute`, `reshape`, `sum` and their like count
dimensions from 0.",
    wrong: "kernel add(x: f32[8], y: mut f32[8, 8]) {
    view px = partition(x, [8]);
    view py = partition(y, [8, 8]);
    for i in grid(1) { py.store(py.load(0, 0) + px.load(0), 0, 0); }
}
",
    right: "kernel add(x: f32[8], y: mut f32[8, 8]) {
    view px = partition(x, [8]);
    view py = partition(y, [8, 8]);
    for i in grid(1) { py.store(py.load(0, 0) + px.load(0).insert(0), 0, 0); }
}
",
};

/// Why the shape of a tile does not fit.
pub(crate) enum WrongTile<'t> {
    /// The second argument of `partition` is no list.
    NoList,
    /// No type such as `f32[4, 4]`.
    NoType,
    /// A tensor of another rank than the tile.
    Partition { tensor: &'t str, rank: usize, tile: &'t [i64] },
    /// More elements than a tile may have.
    TooMany { tile: &'t [i64], most: i64 },
    /// Two operands of different ranks.
    Ranks { left: &'t [i64], right: &'t [i64] },
    /// Two operands of different extents.
    Extents { dimension: usize, left: i64, right: i64 },
    /// A dimension that is not there.
    NoDimension { dimension: String, rank: usize },
    /// A reduction without a dimension, or a scan with several.
    NoDimensions { operation: &'t str, rank: usize },
    /// Something else than an order of all dimensions.
    Permutation { rank: usize, found: &'t [usize] },
    /// Another number of elements.
    Elements { tile: &'t [i64], shape: &'t [i64] },
    /// A part with another number of ranges than the tile has dimensions.
    Slice { tile: &'t [i64], found: usize },
    /// A part that is no range.
    NoRange,
    /// A place that is not inside.
    Place { place: String, extent: i64 },
    /// A range that is not inside.
    Part { low: String, high: String, extent: i64 },
    /// More elements than there are along a dimension.
    Count { wanted: i64, extent: i64 },
    /// Factors that do not fit.
    Product { left: &'t [i64], right: &'t [i64] },
    /// An accumulator of another shape than the product.
    Accumulator { product: &'t [i64], acc: &'t [i64] },
    /// A stored tile of another shape than the partition.
    Stored { tile: &'t [i64], view: &'t [i64] },
    /// An assigned tile of another shape than the variable.
    Assigned { tile: &'t [i64], variable: &'t [i64] },
    /// `cat` of something else than a list of tiles.
    NoTiles,
    /// Tiles that are joined along a dimension and differ in another one.
    Joined { tile: &'t [i64], first: &'t [i64], along: usize },
    /// A tile where a number is needed.
    NoNumber { tile: &'t [i64] },
}

/// A tile at `span` does not fit.
pub(crate) fn tile_shape(span: Span, why: &WrongTile<'_>) -> Diagnostic {
    let diagnostic = PAGE.at(span, why.to_string());
    match why.help() {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The dimensions `found` at `span` are no order of all dimensions; `meant` is the nearest one.
pub(crate) fn tile_order(span: Span, found: &[String], meant: &[usize]) -> Diagnostic {
    let listed = |numbers: &[String]| match numbers {
        [one] => format!("({one},)"),
        several => format!("({})", several.join(", ")),
    };
    let count = words::count(meant.len(), "dimension");
    let meant = listed(&meant.iter().map(ToString::to_string).collect::<Vec<_>>());
    PAGE.at(span, format!("{} is no order of {count}", listed(found)))
        .label("each dimension stands in it once, from 0")
        .fix(format!("write `{meant}`"), span, meant)
}

/// A written tensor `name` is divided into tiles of two shapes.
pub(crate) fn tile_shapes_of_one(span: Span, name: &str, first: Span, tiles: [&Vec<i64>; 2]) -> Diagnostic {
    let [before, here] = tiles.map(|tile| format!("[{}]", words::numbers(tile)));
    PAGE.at(span, format!("`{name}` is written, and accessed in tiles of {before} and of {here}"))
        .label(format!("in tiles of {here}"))
        .related(first, format!("in tiles of {before} here"))
        .help("use one partition of it: then each of its elements belongs to one tile")
}

/// A written tensor `name` is accessed in tiles of two views.
pub(crate) fn tile_views_of_one(span: Span, name: &str, first: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is written, and accessed in tiles of two views"))
        .label("through one view")
        .related(first, "through another one here")
        .help("use one partition of it: then each of its elements belongs to one tile")
}

/// A store through a partition of `view`, whose map is not known to be injective.
pub(crate) fn tile_view_not_injective(span: Span, view: &str, injective: &Verdict) -> Diagnostic {
    let message = match injective {
        Verdict::Refuted { counterexample, .. } => {
            format!("two elements of `{view}` are one element of its tensor: {counterexample}")
        }
        Verdict::Open { reason, .. } => {
            format!("it is not proven that the elements of `{view}` are all different ones of its tensor: {reason}")
        }
        Verdict::Proven { .. } => format!("the elements of `{view}` are all different ones of its tensor"),
    };
    PAGE.at(span, message).label("a store of a tile writes each element once")
}

/// There is no product of these types.
pub(crate) fn tile_types(span: Span, left: ElementType, right: ElementType, acc: Option<ElementType>) -> Diagnostic {
    let into = acc.map_or_else(String::new, |acc| format!(" into `{acc}`"));
    super::type_mismatch::PAGE
        .at(span, format!("there is no product of `{left}` and `{right}`{into}"))
        .help("`f16`, `e4m3` and `e5m2` accumulate in `f16` or `f32`; `bf16` and `f32` in `f32`; `f64` in `f64`; `i8` and `u8` in `i32`")
}

impl WrongTile<'_> {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoList => "write the extents of a tile in brackets: `partition(x, [64, 64])`".to_owned(),
            Self::NoType => "write the type with its extents: `f32[64, 64]`".to_owned(),
            Self::Ranks { .. } => "`t.insert(0)` adds a dimension of extent 1 before the first one".to_owned(),
            Self::NoDimensions { operation, .. } => format!("name the dimension: `.{operation}(0)`"),
            Self::Permutation { .. } => "name each dimension once: `t.permute(1, 0)`".to_owned(),
            Self::NoRange => "write a range of constants for each dimension: `t[0..32, 0..8]`".to_owned(),
            Self::NoTiles => "write the tiles in brackets: `cat([a, b], 0)`".to_owned(),
            Self::NoNumber { .. } => "an element by itself has no name; reduce the tile, as with `.sum(0)`".to_owned(),
            Self::Stored { tile: [], view } => {
                format!("make it a tile: `full(f32[{}], …)`", words::numbers(view))
            }
            _ => return None,
        })
    }
}

impl fmt::Display for WrongTile<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = |tile: &[i64]| format!("[{}]", words::numbers(tile));
        match self {
            Self::NoList => formatter.write_str("the shape of a tile is a list of its extents"),
            Self::NoType => formatter.write_str("a tile is made from a type with extents"),
            Self::Partition { tensor, rank, tile } => {
                let extents = words::count(tile.len(), "extent");
                write!(formatter, "`{tensor}` has {}, but this tile {extents}", words::count(*rank, "dimension"))
            }
            Self::TooMany { tile, most } => {
                write!(formatter, "a tile of {} has more than {most} elements", shape(tile))
            }
            Self::Ranks { left, right } => {
                write!(formatter, "tiles of {} and {} have different ranks", shape(left), shape(right))
            }
            Self::Extents { dimension, left, right } => {
                write!(formatter, "dimension {dimension} of these tiles has {left} and {right} elements")
            }
            Self::NoDimension { dimension, rank } => {
                write!(formatter, "there is no dimension {dimension} among {}", words::count(*rank, "dimension"))
            }
            Self::NoDimensions { operation, rank } => {
                write!(formatter, "`{operation}` has to know along which of {}", words::count(*rank, "dimension"))
            }
            Self::Permutation { rank, found } => {
                let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                let given = found.join(", ");
                write!(formatter, "({given}) is no order of {}", words::count(*rank, "dimension"))
            }
            Self::Elements { tile, shape: other } => {
                let count = |tile: &[i64]| tile.iter().product::<i64>();
                let (here, there) = (count(tile), count(other));
                write!(formatter, "{} has {here} elements, {} has {there}", shape(tile), shape(other))
            }
            Self::Slice { tile, found } => {
                write!(formatter, "a part of {} needs {} ranges, found {found}", shape(tile), tile.len())
            }
            Self::NoRange => formatter.write_str("a part of a tile is given by ranges"),
            Self::Place { place, extent } => write!(formatter, "`{place}` is none of the constants `0..{extent}`"),
            Self::Part { low, high, extent } => {
                write!(formatter, "`{low}..{high}` is no part of the constants `0..{extent}`")
            }
            Self::Count { wanted, extent } => {
                write!(formatter, "there are {extent} elements along this dimension, fewer than {wanted}")
            }
            Self::Product { left, right } => {
                write!(formatter, "there is no product of {} and {}", shape(left), shape(right))
            }
            Self::Accumulator { product, acc } => {
                write!(
                    formatter,
                    "the product has the shape {}, but what it is added to {}",
                    shape(product),
                    shape(acc)
                )
            }
            Self::NoTiles => formatter.write_str("`cat` takes a list of tiles"),
            Self::Joined { tile, first, along } => {
                write!(
                    formatter,
                    "a tile of {} is joined to one of {} along dimension {along}",
                    shape(tile),
                    shape(first)
                )
            }
            Self::Stored { tile: [], .. } => formatter.write_str("a number is stored in a tile"),
            Self::Stored { tile, view } => {
                write!(formatter, "a tile of {} is stored in a partition into tiles of {}", shape(tile), shape(view))
            }
            Self::Assigned { tile, variable } => {
                write!(formatter, "a tile of {} is assigned to a variable of {}", shape(tile), shape(variable))
            }
            Self::NoNumber { tile } => write!(formatter, "a number is needed, but this is a tile of {}", shape(tile)),
        }
    }
}
