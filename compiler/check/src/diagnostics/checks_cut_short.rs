//! Questions about sizes that were left open since an item asks too much.

use super::diagnostic::{Diagnostic, Page, Severity};
use proofs::Effort;
use syntax::span::Span;

/// The documentation of `checks-cut-short`.
pub static PAGE: Page = Page {
    code: "checks-cut-short",
    severity: Severity::Hint,
    title: "the checks of an item were cut short",
    explanation: "While a file is edited, the questions about the sizes of one item may cost about a fifth of a second together. Here they would
cost more, so some of them were left open: what is reported as not shown may well hold. Nothing was taken to hold that was
not proven.

`shapewright check --deep` spends a hundred times as much. An item whose sizes are simpler needs less: fewer quotients by
symbols, more facts after `where`, or names for the parts of a long pipeline.",
    wrong: "dim N, K;
map m = row_major([N, N])
    |> { (0, 1): merge => 0 }
    |> { 0: unmerge(_, cdiv(N, 2), K) }
    |> { 0: pad(0, N % 5), 1: _, 2: _ }
    |> { (0, 2): merge => 0, 1: _ => 1 }
    |> { (0, 1): merge => 0 }
    |> { 0: unmerge(_, cdiv(N, 3), K) }
    |> { 0: pad(0, N % 6), 1: _, 2: _ }
    |> { (0, 2): merge => 0, 1: _ => 1 }
    |> { (0, 1): merge => 0 }
    |> { 0: unmerge(_, cdiv(N, 4), K) }
    |> { 0: pad(0, N % 7), 1: _, 2: _ }
    |> { (0, 2): merge => 0, 1: _ => 1 }
    |> { (0, 1): merge => 0 }
    |> { 0: unmerge(_, cdiv(N, 5), K) }
    |> { 0: pad(0, N % 8), 1: _, 2: _ }
    |> { (0, 2): merge => 0, 1: _ => 1 }
    |> { (0, 1): merge => 0 }
    |> { 0: unmerge(_, cdiv(N, 6), K) }
    |> { 0: pad(0, N % 9), 1: _, 2: _ }
    |> { (0, 2): merge => 0, 1: _ => 1 };
assert m.injective;
",
    right: "dim N;
map m = row_major([N, N]) |> { (0, 1): merge => 0 } |> { 0: unmerge(_, N) };
assert m.injective;
",
};

/// What an item has too much of.
#[derive(Clone, Copy)]
pub(crate) enum CutShort {
    /// Questions about its sizes, which cost more than this effort.
    Sizes(Effort),
    /// Values that conditions choose.
    Choices,
}

/// The checks of the item at this name ended early.
pub(crate) fn checks_cut_short(span: Span, why: CutShort) -> Diagnostic {
    let (what, help) = match why {
        CutShort::Sizes(Effort::Editing) => ("its sizes", "`shapewright check --deep` goes further"),
        CutShort::Sizes(Effort::Deep) => ("its sizes", "simpler sizes, or facts about them after `where`, need less"),
        CutShort::Choices => (
            "what its conditions choose",
            "a variable that many conditions change one after the other is followed up to a limit: divide the kernel, or give the \
             variable a name of its own after some of them",
        ),
    };
    PAGE.at(span, format!("the questions about {what} were cut short"))
        .label("what is not shown here may still hold")
        .help(help)
}
