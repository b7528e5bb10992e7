//! The shape of a tile does not fit.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use dims::Sym;
use elements::ElementType;
use proofs::Verdict;
use smol_str::SmolStr;
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
    NoType { function: &'t str },
    /// A tensor of another rank than the tile.
    Partition { tensor: &'t str, rank: usize, tile: &'t [i64] },
    /// More elements than a tile may have.
    TooMany { tile: &'t [i64], most: i64 },
    /// Two operands of different extents.
    Extents { dimension: usize, left: i64, right: i64, tiles: [&'t [i64]; 2] },
    /// A reduction without a dimension, or a scan with several.
    NoDimensions { operation: &'t str, rank: usize },
    /// A dimension that is named twice.
    Twice { operation: &'t str, dimension: usize },
    /// Several extents of `reshape` that are to be found.
    SeveralOpen { tile: &'t [i64] },
    /// An extent that is to be found, beside others that do not divide the number of elements.
    NoneFits { tile: &'t [i64], others: i64 },
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

/// A number at `span` is no dimension of a tile of `rank`.
pub(crate) fn tile_dimension(span: Span, number: &Sym, rank: usize) -> Diagnostic {
    let dimensions = words::count(rank, "dimension");
    let diagnostic = PAGE.at(span, format!("there is no dimension {number} among {dimensions}"));
    let numbered = match rank {
        0 => "a number has no dimensions".to_owned(),
        1 => "the only one is 0".to_owned(),
        _ => format!("they are numbered {}", words::positions(rank)),
    };
    let from_behind = number.as_constant().and_then(|number| number.checked_add(i64::try_from(rank).ok()?));
    let from_behind = from_behind.and_then(|meant| usize::try_from(meant).ok());
    match from_behind.filter(|meant| *meant < rank) {
        Some(meant) => diagnostic.help("dimensions are counted from the first one, which is 0").fix(
            format!("write `{meant}`"),
            span,
            meant.to_string(),
        ),
        None => diagnostic.help(numbered),
    }
}

/// A name is declared with extents, those at `span`, but its value has others; none if it is a number.
pub(crate) fn tile_declared(span: Span, name: &str, declared: &[i64], found: &[i64]) -> Diagnostic {
    let (said, given) = (words::numbers(declared), words::numbers(found));
    match found {
        [] => PAGE
            .at(span, format!("`{name}` is declared as a tile of [{said}], but its value is a number"))
            .label("the extents of a tile")
            .help(format!(
                "`full(f32[{said}], 0.0)` is a tile with one number everywhere; an array of each thread is declared in a loop over `threads`"
            )),
        _ => PAGE
            .at(span, format!("`{name}` is declared as a tile of [{said}], but its value is a tile of [{given}]"))
            .label("the extents of another tile")
            .fix(format!("write `[{given}]`"), span, given),
    }
}

/// Whole dimensions of a tile are said by `sign`, as in `t[:, 1]`; the first one is at `span`.
pub(crate) fn tile_whole(span: Span, sign: &str, tile: &[i64], edits: Vec<(Span, SmolStr)>) -> Diagnostic {
    let text = edits.first().map_or_else(String::new, |(_, text)| text.to_string());
    PAGE.at(span, format!("a part of a tile is said by ranges with both ends, and `{sign}` has none"))
        .label(format!("a dimension of a tile of [{}]", words::numbers(tile)))
        .fix_at(format!("write `{text}`"), edits)
}

/// A part of a tile whose place is known only when the kernel runs.
pub(crate) struct VaryingPart<'p> {
    /// What is known only then.
    pub(crate) name: &'p str,
    pub(crate) dimension: usize,
    /// The text of the place; `None` for a range.
    pub(crate) place: Option<&'p str>,
    /// The text of the tile.
    pub(crate) tile: &'p str,
}

/// The part at `span` is at no constant place.
pub(crate) fn tile_varying_part(span: Span, part: &VaryingPart<'_>, element: ElementType, tile: &[i64]) -> Diagnostic {
    let name = part.name;
    let diagnostic = PAGE
        .at(span, format!("parts of a tile are at constant places, and `{name}` is known only when the kernel runs"))
        .label("not a constant");
    let along: Vec<i64> =
        tile.iter().enumerate().map(|(at, extent)| if at == part.dimension { *extent } else { 1 }).collect();
    let otherwise = match element {
        ElementType::Bool => "false",
        element if element.is_float() => "0.0",
        _ => "0",
    };
    let diagnostic = match part.place {
        Some(place) if element != ElementType::Bool => diagnostic.help(format!(
            "take all of the dimension, leave one element of it, and sum: `select(iota(i64[{}]) == {place}, {}, {otherwise}).sum({})`",
            words::numbers(&along),
            part.tile,
            part.dimension
        )),
        _ => diagnostic,
    };
    diagnostic.help("or store the tile in a `shared` array, of which elements are read at any place")
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

/// `mma(acc, a, b)`. The edits bring the arguments into order.
pub(crate) fn accumulator_first(span: Span, edits: Vec<(Span, SmolStr)>) -> Diagnostic {
    let found = PAGE
        .at(span, "the tile that the product is added to is the last argument: `mma(a, b, acc)`")
        .label("the factors come first");
    if edits.is_empty() { found } else { found.fix_at("write the factors first", edits) }
}

impl WrongTile<'_> {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoList => "write the extents of a tile in brackets: `partition(x, [64, 64])`".to_owned(),
            Self::NoType { function: "iota" } => {
                "write the type with its extents: `iota(i32[64])` is the numbers from 0 to 63".to_owned()
            }
            Self::NoType { .. } => "write the type with its extents: `f32[64, 64]`".to_owned(),
            Self::NoDimensions { operation, .. } => format!("name the dimension: `.{operation}(0)`"),
            Self::Twice { .. } => "name each dimension once".to_owned(),
            Self::SeveralOpen { tile } => {
                format!("write all extents but one: `t.reshape([{}, -1])`", tile.first().copied().unwrap_or(1))
            }
            Self::Product { left: [.., _, inner], right: [.., rows, columns] } if inner == columns && inner != rows => {
                format!("the transpose fits: `.permute(1, 0)` makes the right one [{columns}, {rows}]")
            }
            Self::Product { left, right } if left.len() != right.len() => ranks_of_product(left, right),
            Self::Permutation { .. } => "name each dimension once: `t.permute(1, 0)`".to_owned(),
            Self::Slice { tile, .. } => {
                let part = |extent: &i64| if *extent == 1 { "0".to_owned() } else { format!("0..{extent}") };
                format!(
                    "write a range or a number for each dimension: `t[{}]`",
                    tile.iter().map(part).collect::<Vec<String>>().join(", ")
                )
            }
            Self::NoRange => "write a range of constants for each dimension: `t[0..32, 0..8]`".to_owned(),
            Self::NoTiles => "write the tiles in brackets: `cat([a, b], 0)`".to_owned(),
            Self::NoNumber { tile } if tile.iter().all(|extent| *extent == 1) => {
                format!("take its only element: `t[{}]`", words::numbers(&vec![0; tile.len()]))
            }
            Self::NoNumber { tile } => {
                let places = words::numbers(&vec![0; tile.len()]);
                format!("reduce the tile to a number, as with `.sum()`, or take an element: `t[{places}]`")
            }
            Self::Stored { tile: [], view } => {
                format!("make it a tile: `full(f32[{}], …)`", words::numbers(view))
            }
            _ => return None,
        })
    }
}

/// What to do where the factors of a product have different ranks.
fn ranks_of_product(left: &[i64], right: &[i64]) -> String {
    let shape = |tile: &[i64]| format!("[{}]", words::numbers(tile));
    let batch = |which: &str, tile: &[i64]| {
        format!(
            "a batch of matrices is multiplied by a batch, of which one of 1 goes with all: `.insert(0)` makes the {which} factor {}",
            shape(&[&[1], tile].concat())
        )
    };
    match (left.len(), right.len()) {
        (2, 3) => batch("first", left),
        (3, 2) => batch("second", right),
        (_, 1) => format!("a column is a matrix, too: `.insert(1)` makes the second factor {}", shape(&[right, &[1]].concat())),
        (1, _) => format!("a row is a matrix, too: `.insert(0)` makes the first factor {}", shape(&[&[1], left].concat())),
        _ => "the factors are two matrices, [m, k] and [k, n], or a batch of each, [b, m, k] and [b, k, n]: `.reshape([…])` makes one \
              dimension of several"
            .to_owned(),
    }
}

impl fmt::Display for WrongTile<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = |tile: &[i64]| format!("[{}]", words::numbers(tile));
        match self {
            Self::NoList => formatter.write_str("the shape of a tile is a list of its extents"),
            Self::NoType { .. } => formatter.write_str("a tile is made from a type with extents"),
            Self::Partition { tensor, rank, tile } => {
                let extents = words::count(tile.len(), "extent");
                write!(formatter, "`{tensor}` has {}, but this tile {extents}", words::count(*rank, "dimension"))
            }
            Self::TooMany { tile, most } => {
                write!(formatter, "a tile of {} has more than {most} elements", shape(tile))
            }
            Self::Extents { dimension, left, right, tiles: [one, other] } => {
                let (one, other) = (shape(one), shape(other));
                write!(
                    formatter,
                    "tiles of {one} and {other} do not go together: dimension {dimension} has {left} and {right} elements"
                )
            }
            Self::NoDimensions { operation, rank } => {
                write!(formatter, "`{operation}` has to know along which of {}", words::count(*rank, "dimension"))
            }
            Self::Twice { operation, dimension } => {
                write!(formatter, "`{operation}` is told dimension {dimension} twice")
            }
            Self::SeveralOpen { .. } => {
                formatter.write_str("one extent may be -1, which stands for the one that fits, and here are several")
            }
            Self::NoneFits { tile, others } => {
                let elements: i64 = tile.iter().product();
                write!(
                    formatter,
                    "no extent fits in place of -1: the other ones make {others}, which does not divide the {elements} elements of {}",
                    shape(tile)
                )
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
                write!(
                    formatter,
                    "a part of {} needs {}, found {found}",
                    shape(tile),
                    words::count(tile.len(), "range")
                )
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
                write!(formatter, "there is no product of {} and {}", shape(left), shape(right))?;
                match (left, right) {
                    ([.., _, inner], [.., rows, _]) if inner != rows => {
                        write!(formatter, ": a row of the first has {inner} elements, a column of the second {rows}")
                    }
                    _ => Ok(()),
                }
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
