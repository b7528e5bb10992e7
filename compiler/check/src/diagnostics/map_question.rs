//! A question to a map that has no answer.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use dims::{CompareOp, Sym};
use maps::{MapError, NoInverse, OwnersError};
use proofs::memory::Undecided;
use syntax::span::Span;

/// The documentation of `map-question`.
pub static PAGE: Page = Page {
    code: "map-question",
    severity: Severity::Error,
    title: "a question to a map has no answer",
    explanation: "A map has an answer where there is exactly one. Two threads may own one slot, two coordinates may lead to one place, or with a
symbolic size `N` the answer may depend on `N`. Questions that list all points, such as `owners`, also need sizes that are
numbers and a map that is small enough to go through.

Claims such as `m.injective` need no numbers: they are proven for every size. For a table of numbers, write the map with
constants, or give it an end.",
    wrong: "map windows = embed((3, 4), (1, 1));
show windows.upper(2);
",
    right: "map rows = embed((3, 4), (4, 1));
show rows.upper(2);
",
};

/// The reason why a question to a map has no answer.
pub(crate) enum NoAnswer {
    /// The map cannot be evaluated.
    Map(MapError),
    /// Two upper coordinates are mapped to the given lower one, or the search for one is impossible.
    NoInverse(NoInverse),
    /// There is no list of owners; `symbols` says whether the map has symbols.
    Owners { error: OwnersError, symbols: bool },
    /// No element type has this size in bytes.
    ElementBytes(i64),
    /// No coordinate of the map is a thread.
    NoLanes,
    /// The map has `rank` upper coordinates, and none with this number.
    NoCoordinate { rank: usize, number: i64 },
    /// Whether the point is valid depends on comparisons of sizes.
    ValidityDepends(Vec<(Sym, CompareOp, Sym)>),
    /// The answer is no single formula for all sizes.
    NoFormula,
    /// The worst request is unknown; `deeper` says whether further search may find it.
    Undecided { reason: Undecided, deeper: bool },
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Map(error) => write!(formatter, "{error}"),
            Self::NoInverse(error) => write!(formatter, "{error}"),
            Self::Owners { error, .. } => write!(formatter, "{error}"),
            Self::ElementBytes(bytes) => write!(formatter, "an element is 1, 2, 4, 8 or 16 bytes large, not {bytes}"),
            Self::NoLanes => formatter.write_str("the map has no coordinate for the lanes of a warp"),
            Self::NoCoordinate { rank, number } => {
                let coordinates = words::count(*rank, "upper coordinate");
                write!(formatter, "the map has {coordinates}, and none of number {number}")
            }
            Self::ValidityDepends(conditions) => {
                let conditions: Vec<String> =
                    conditions.iter().map(|(left, op, right)| format!("`{left} {op} {right}`")).collect();
                write!(formatter, "whether the point is valid depends on {}", conditions.join(" and "))
            }
            Self::NoFormula => formatter.write_str("it has no one formula for every size"),
            Self::Undecided { reason, .. } => write!(formatter, "{reason}"),
        }
    }
}

/// The question at `span` has no answer.
pub(crate) fn map_question(span: Span, why: &NoAnswer) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("this question has no answer: {why}"));
    let more_facts = "state more about the sizes after `where` in their `dim` item, or ask a map with constant sizes";
    match why {
        NoAnswer::Owners { symbols: true, .. } => {
            diagnostic.help("numbers need constant sizes; claims such as `.injective` are proven for all sizes")
        }
        NoAnswer::ValidityDepends(_) | NoAnswer::NoFormula => diagnostic.help(more_facts),
        NoAnswer::Undecided { deeper, .. } => diagnostic.help(more_facts).deeper(*deeper),
        _ => diagnostic,
    }
}
