//! An iteration that a tiling does not have.

use super::diagnostic::{Diagnostic, Page, Severity};
use maps::threads::ThreadsError;
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

/// An error in the values that select an iteration.
pub(crate) enum NoIteration<'a> {
    /// Anything but the name of an iterator, for this member.
    NotAName(&'a str),
    /// A name that no iterator has.
    NoIterator(&'a str),
    /// More values than there are iterators.
    TooMany { found: usize },
    /// Two values for one iterator.
    TwoValues,
    /// No value for this iterator.
    NoValue(&'a str),
    /// A value that exceeds this iterator's count.
    Beyond { iterator: &'a str, count: i64, value: i64 },
    /// An iteration that does not exist.
    Refused(&'a ThreadsError),
}

/// A question at `span` to a tiling with these iterators, each with its count.
pub(crate) fn no_such_iteration(span: Span, why: &NoIteration<'_>, iterators: &[(&str, i64)]) -> Diagnostic {
    let diagnostic = PAGE.at(
        span,
        match why {
            NoIteration::NotAName(member) => format!("`{member}` asks about an iterator by its name"),
            NoIteration::NoIterator(name) => format!("the tiling has no iterator `{name}`"),
            NoIteration::TooMany { found } => {
                format!("an iteration of the tiling takes {} at most, found {found}", iterators.len())
            }
            NoIteration::TwoValues => "an iterator has two values here".to_owned(),
            NoIteration::NoValue(name) => format!("iterator `{name}` has no value here"),
            NoIteration::Beyond { iterator, count, value } => {
                format!("iterator `{iterator}` has {count} iterations, so there is none of number {value}")
            }
            NoIteration::Refused(error) => error.to_string(),
        },
    );
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
