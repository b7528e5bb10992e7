//! A stage of a pipeline that takes another number of dimensions.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use maps::IndexMap;
use syntax::span::Span;

/// The documentation of `stage-rank`.
pub static PAGE: Page = Page {
    code: "stage-rank",
    severity: Severity::Error,
    title: "a stage takes another number of dimensions than the map before it has",
    explanation: "In `f |> g` the lower dimensions of `g` are the upper dimensions of `f`, all of them. A transform of one dimension goes
above one of several with a group, which says what stands above each: `{ 0: pad(1, 1), 1: _ }`. `_` leaves a dimension
as it is.",
    wrong: "map m = row_major([30, 30]) |> pad(1, 1);
",
    right: "map m = row_major([30, 30]) |> { 0: pad(1, 1), 1: _ };
",
};

/// A stage or entry that takes too many or too few dimensions.
pub(crate) struct StageRank<'a> {
    /// The name of the transform or map.
    pub what: &'a str,
    /// The number of dimensions that it takes.
    pub expected: usize,
    /// The number of dimensions below it.
    pub found: usize,
    /// Whether it is a map that distributes elements over threads.
    pub deals: bool,
    /// The map before the stage.
    pub map: &'a IndexMap,
    /// The number of the stage, from 1.
    pub stage: usize,
}

/// A whole stage that does not fit the map before it.
pub(crate) fn stage_rank(span: Span, rank: &StageRank<'_>) -> Diagnostic {
    let StageRank { what, expected, found, deals, map, stage } = rank;
    let diagnostic = PAGE
        .at(
            span,
            format!(
                "`{what}` takes {}, but before stage {stage} the map has {}: {}",
                words::count(*expected, "dimension"),
                words::count(*found, "dimension"),
                words::upper_shape(map),
            ),
        )
        .label(format!("{} needed", words::count(*expected, "dimension")));
    if expected >= found {
        return diagnostic;
    }
    if *deals && *expected == 1 {
        return diagnostic
            .help(format!("`merge` makes one dimension of them, which can be dealt out: `merge |> {what}`"))
            .wrap("merge the dimensions first", span, "merge |> ", "");
    }
    let others: Vec<String> = (*expected..*found).map(|dimension| format!("{dimension}: _")).collect();
    let others = others.join(", ");
    let (own, help, title) = match *expected {
        0 => (
            "()".to_owned(),
            "in a group it stands beside the dimensions",
            "put it before the other dimensions".to_owned(),
        ),
        1 => (
            "0".to_owned(),
            "a group applies it to one dimension and leaves the others",
            "apply it to dimension 0".to_owned(),
        ),
        _ => {
            let own: Vec<String> = (0..*expected).map(|dimension| dimension.to_string()).collect();
            let title = format!("apply it to the first {expected} dimensions");
            (format!("({})", own.join(", ")), "a group applies it to some dimensions and leaves the others", title)
        }
    };
    let diagnostic = diagnostic.help(format!("{help}: `{{ {own}: {what}, {others} }}`"));
    match *what {
        // A tile of several dimensions is a single shape argument.
        "partition" => diagnostic.help("a tile of several dimensions is one shape: `partition([4, 4])`"),
        _ => diagnostic.wrap(title, span, format!("{{ {own}: "), format!(", {others} }}")),
    }
}

/// An entry of a group that lists too many or too few dimensions.
pub(crate) fn entry_rank(span: Span, rank: &StageRank<'_>) -> Diagnostic {
    let StageRank { what, expected, found, stage, .. } = rank;
    PAGE.at(
        span,
        format!(
            "`{what}` takes {}, but this entry of stage {stage} gives it {}",
            words::count(*expected, "dimension"),
            words::count(*found, "dimension"),
        ),
    )
    .label(format!("{} needed", words::count(*expected, "dimension")))
}
