//! A tile where there cannot be one.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::{foreign_members, words};
use crate::spelling;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `tile-place`.
pub static PAGE: Page = Page {
    code: "tile-place",
    severity: Severity::Error,
    title: "a tile is used where none can be",
    explanation: "A whole block works on a tile. So an operation on tiles stands in the body of `for … in grid(…)`, or in a kernel without
one, and not in a loop over threads. It stands in a `let`, an assignment or a store: a condition, the end of a range and an index
are numbers. `let total = t.sum(0);` gives such a number if it reduces all dimensions.

All threads of the block agree on it: on the conditions around it, on the index of the tile and on every number in it. A value of
each thread, such as an element of its view or what a loop over threads assigned, is none of these; load it as a tile.

A tensor that is written through a partition is not accessed by its elements in the same kernel, since it does not say which
thread writes which element of a tile.",
    wrong: "kernel twice(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    view px = partition(x, [64]);
    view py = partition(y, [64]);
    for t in threads(64, cuda_thread) { py.store(px.load(0) * 2.0, 0); }
}
",
    right: "kernel twice(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    view px = partition(x, [64]);
    view py = partition(y, [64]);
    py.store(px.load(0) * 2.0, 0);
}
",
};

/// A place where there is no tile.
#[derive(Clone, Copy)]
pub(crate) enum TilePlace {
    /// In a loop over threads.
    Threads,
    /// In a kernel whose blocks form clusters.
    Cluster,
    /// The index of a tile.
    Index,
    /// A partition that is used as a tensor.
    Partition,
    /// A partition of a view whose elements belong to threads.
    ViewOfThreads,
    /// A tensor that the kernel may write, of which single elements are loaded.
    GatherOfWritten,
    /// A partition within an expression.
    PartitionWithin,
    /// A scatter within an expression.
    ScatterWithin,
    /// All sizes of a partition, where one number is needed.
    Sizes,
    /// The map of a partition.
    Mapping,
    /// Any other.
    Here,
}

/// A tile is used at `span`.
pub(crate) fn tile_place(span: Span, place: TilePlace) -> Diagnostic {
    let (message, help) = match place {
        TilePlace::Threads => (
            "a whole block works on a tile, but only some of its threads are here",
            "move it out of the loop over threads",
        ),
        TilePlace::Cluster => ("one block works on a tile, but a cluster is here", "leave out `cluster(…)`"),
        TilePlace::Index => (
            "the index of a tile is a number, and not a tile",
            "in a store the tile stands before its index: `py.store(t, i);`",
        ),
        TilePlace::Partition => (
            "a partition has tiles, which are loaded and stored, and no elements",
            "`px.load(i, j)` loads a tile, `py.store(t, i, j);` stores one",
        ),
        TilePlace::ViewOfThreads => (
            "the threads have shared this view out, and a whole block works on a tile",
            "divide the tensor, or a view through a map without a thread coordinate",
        ),
        TilePlace::GatherOfWritten => (
            "the kernel may write this tensor, so which of its elements a tile of indices finds is not defined",
            "take a parameter without `mut`, or load its tiles through a partition",
        ),
        TilePlace::PartitionWithin => (
            "a partition is no value",
            "declare it as a view of a tensor: `view px = partition(x, [64, 64]);`; a part of a tile is `t[0..4, 0..8]`",
        ),
        TilePlace::ScatterWithin => {
            ("a scatter gives nothing, so it is no operand", "it is a statement of its own: `scatter(y, t, i);`")
        }
        TilePlace::Sizes => (
            "these are the sizes along all dimensions, but one number is needed here",
            "name the dimension: `px.index_space(0)`",
        ),
        TilePlace::Mapping => (
            "the mapping of a partition is a map, and no number",
            "use it in a view: `view v = x via px.mapping masked;`",
        ),
        TilePlace::Here => ("an operation on tiles cannot stand here", "give its result a name with `let` before"),
    };
    PAGE.at(span, message).help(help)
}

/// How a tile of a partition is loaded.
pub(crate) struct TileLoad {
    pub(crate) partition: SmolStr,
    /// The indices, as they are written.
    pub(crate) indices: String,
    /// Whether they are those of the loop over the grid, one for each dimension.
    pub(crate) is_exact: bool,
}

impl TileLoad {
    fn call(&self, member: &str) -> String {
        format!("{}.{member}({})", self.partition, self.indices)
    }
}

/// The partition `name` stands at `span`, where one of its tiles is meant.
pub(crate) fn whole_partition(span: Span, name: &str, load: &TileLoad) -> Diagnostic {
    let (masked, inside) = (load.call("load_masked"), load.call("load"));
    let diagnostic = PAGE
        .at(span, format!("`{name}` is a partition, and a tile of it is needed here"))
        .label("all of the partition")
        .help(format!("load a tile: `{masked}`, or `{inside}` where no tile reaches over the edge of the tensor"));
    match load.is_exact {
        true => diagnostic.fix(format!("write `{masked}`"), span, masked),
        false => diagnostic,
    }
}

/// The `member` of tiles stands behind a partition.
pub(crate) fn member_of_whole_partition(member: Span, name: &str, load: &TileLoad) -> Diagnostic {
    let masked = load.call("load_masked");
    let diagnostic = super::unknown_member::PAGE
        .at(member, format!("`{}` is a partition, and `{name}` is a member of its tiles", load.partition))
        .label("a member of a tile")
        .help(format!("load a tile before: `{masked}.{name}(…)`"));
    let dot = member.start.saturating_sub(1);
    match load.is_exact {
        true => {
            diagnostic.fix(format!("write `{masked}`"), Span::new(dot, dot), format!(".load_masked({})", load.indices))
        }
        false => diagnostic,
    }
}

/// The result of an operation on tiles is not used.
pub(crate) fn tile_unused(span: Span) -> Diagnostic {
    PAGE.at(span, "the result of this operation on tiles is not used")
        .label("has no effect")
        .help("give it a name with `let`, or store it: `py.store(…, i)`")
}

/// A member of partitions, called on the tensor or the view `name`.
pub(crate) fn no_partition(member: Span, name: &str, word: &str) -> Diagnostic {
    PAGE.at(member, format!("`{word}` belongs to a partition, and `{name}` is none"))
        .label("no partition")
        .help(format!("divide it into tiles before: `view p = partition({name}, [64, 64]);`, then `p.{word}(…)`"))
}

/// The tensor `name` is written through a partition at `tiles`, and accessed by its elements at `span`.
pub(crate) fn tile_and_elements(span: Span, name: &str, tiles: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is written in tiles, and accessed by its elements here"))
        .label("by its elements")
        .related(tiles, "in tiles here")
        .help("use the partition for both")
}

/// The members of a tile or of a partition.
pub(crate) struct Members {
    pub plain: Vec<&'static str>,
    /// The many atomic accesses, which are named only where one of them is near.
    pub atomic: Vec<&'static str>,
}

/// A tile, or the partition `owner`, has no member `name`, but `members`.
pub(crate) fn tile_member(span: Span, name: &str, owner: Option<&str>, members: &Members) -> Diagnostic {
    let what = owner.map_or_else(|| "a tile".to_owned(), |owner| format!("the partition `{owner}`"));
    let named = if name.starts_with("atomic") { &members.atomic } else { &members.plain };
    let mut all = members.plain.iter().chain(&members.atomic).copied();
    let missing = if all.clone().any(|member| member == name) { "is called with arguments" } else { "is none of them" };
    let diagnostic = super::unknown_member::PAGE
        .at(span, format!("{what} has {}; `{name}` {missing}", words::list(named)))
        .label("no such member");
    match foreign_members::advice(name).filter(|_| owner.is_none()) {
        Some(advice) => diagnostic.help(advice),
        None => words::suggest(diagnostic, span, spelling::nearest(name, &mut all)),
    }
}

/// The member `name` of a partition stores, and stands where a value is needed.
pub(crate) fn tile_store_as_value(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` gives nothing, so it is no operand"))
        .help("a store is a statement of its own: `py.store(t, i);`")
}

/// The transposition `name` of a tile, which other languages have.
pub(crate) fn tile_transposed(span: Span, name: &str, rank: Option<usize>) -> Diagnostic {
    let diagnostic = super::unknown_member::PAGE.at(span, format!("a tile has no `{name}`")).label("no such member");
    match rank {
        Some(2) => diagnostic.help("`permute` says of each dimension of the result which one of the tile it is").fix(
            "write `permute(1, 0)`",
            span,
            "permute(1, 0)",
        ),
        _ => diagnostic
            .help("`permute` says of each dimension of the result which one of the tile it is: `t.permute(0, 2, 1)`"),
    }
}

/// The function `name` is called as a method of the tile in `call`, whose first token is `first`.
pub(crate) fn tile_function(member: Span, name: &str, call: Span, first: &str, more: bool) -> Diagnostic {
    let before = (Span::new(call.start, call.start + 1), SmolStr::from(format!("{name}({first}")));
    let dot = member.start - 1;
    let behind = match more {
        true => (Span::new(dot, member.end + 1), SmolStr::new_static(", ")),
        false => (Span::new(dot, call.end), SmolStr::new_static(")")),
    };
    let form = if more { format!("{name}(t, …)") } else { format!("{name}(t)") };
    super::unknown_member::PAGE
        .at(member, format!("`{name}` is a function, and no member of a tile"))
        .label("no such member")
        .fix_at(format!("write `{form}`"), vec![before, behind])
}

/// The threads of a block do not agree on an operation on tiles: on whether it is done (`control`), on the variable `name`, or on
/// a number in it.
pub(crate) fn tile_disagreement(span: Span, name: Option<&str>, control: bool) -> Diagnostic {
    let what = match name {
        Some(name) => format!("`{name}` differs between its threads"),
        None if control => "a condition or a loop around it differs between its threads".to_owned(),
        None => "a number in it differs between its threads".to_owned(),
    };
    PAGE.at(span, format!("a whole block works on a tile, but {what}"))
        .label("not the same for the block")
        .help("load such values as a tile of their own")
}
