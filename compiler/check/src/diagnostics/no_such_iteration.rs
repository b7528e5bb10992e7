//! An iteration that a tiling does not have.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `no-such-iteration`.
pub static PAGE: Page = Page {
    code: "no-such-iteration",
    severity: Severity::Error,
    title: "a tiling has no such iteration",
    explanation: "`work(w: 1, t: 3)` asks which threads execute one iteration. It gives every iterator of the tiling a value, by name or in the
order of the steps, from 0 up to before its count. `work.pitch(w)` and `work.count(w)` ask about one iterator.",
    wrong: "tiling work = block(64) |> tile(w: 2, cuda_warp);\nassert work(w: 2) == 64..96;
",
    right: "tiling work = block(64) |> tile(w: 2, cuda_warp);\nassert work(w: 1) == 32..64;
",
};

/// `reason` says what there is not; `iterators` are those of the tiling, with their counts.
pub(crate) fn no_such_iteration(span: Span, reason: &str, iterators: &[(&str, i64)]) -> Diagnostic {
    let diagnostic = PAGE.at(span, reason);
    if iterators.is_empty() {
        return diagnostic.help("the tiling has no iterators: `tile(w: 8, unit)` gives it one");
    }
    let iterators: Vec<String> = iterators
        .iter()
        .map(|(name, count)| match count {
            1 => format!("`{name}`, which is 0"),
            _ => format!("`{name}` from 0 to {}", count - 1),
        })
        .collect();
    let lead = if iterators.len() == 1 { "the iterator of the tiling is" } else { "the iterators of the tiling are" };
    diagnostic.help(format!("{lead} {}", iterators.join(", ")))
}
