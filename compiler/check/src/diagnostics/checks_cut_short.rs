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

/// What the item at this name asks costs more than the effort of an item.
pub(crate) fn checks_cut_short(span: Span, effort: Effort) -> Diagnostic {
    let found =
        PAGE.at(span, "the questions about its sizes were cut short").label("what is not shown here may still hold");
    match effort {
        Effort::Editing => found.help("`shapewright check --deep` goes further"),
        Effort::Deep => found.help("simpler sizes, or facts about them after `where`, need less"),
    }
}
