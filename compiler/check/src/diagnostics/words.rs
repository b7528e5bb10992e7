//! Phrases that many diagnostics share.

use std::collections::BTreeMap;
use std::fmt;

use super::diagnostic::Diagnostic;
use dims::{Sym, Symbol};
use kernel::effects::Accessed;
use maps::IndexMap;
use syntax::span::Span;

/// The most characters of a value in a sentence.
const LONGEST_VALUE: usize = 100;

/// What can be done about checks of shared arrays that ended early.
pub(super) fn out_of_steps(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.label("not checked to the end").help(
        "the steps that one kernel may take have run out: divide it into several kernels, or let fewer statements access shared \
         arrays",
    )
}

/// `1 dimension`, `3 dimensions`.
pub(super) fn count(number: usize, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "entry") => format!("{number} entries"),
        (_, "index") => format!("{number} indices"),
        _ => format!("{number} {noun}s"),
    }
}

/// `` `a`, `b` and `c` ``.
pub(super) fn list<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `` `a`, `b` or `c` ``.
pub(super) fn alternatives<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => {
            let quoted: Vec<String> = most.iter().map(|word| format!("`{}`", word.as_ref())).collect();
            format!("{} or `{}`", quoted.join(", "), last.as_ref())
        }
        _ => list(words),
    }
}

/// The numbering of positions: `0, 1 and 2`.
pub(super) fn positions(number: usize) -> String {
    match number {
        0 => "none".to_owned(),
        1 => "0".to_owned(),
        2 => "0 and 1".to_owned(),
        _ => format!("0 to {}", number - 1),
    }
}

/// A side of a `reshape_map`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Left of the `|`: the elements of a thread.
    Local,
    /// Right of it: the threads.
    Thread,
}

impl Side {
    /// The first letter of the names of its dimensions: `i0`, `t0`.
    pub(super) fn letter(self) -> char {
        match self {
            Self::Local => 'i',
            Self::Thread => 't',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Local => "local",
            Self::Thread => "thread",
        })
    }
}

/// The dimensions of a `reshape_map` with their numbers: ``0 is `i0`, 1 is `t0` ``.
pub(super) fn layout_dimensions((local, thread): (usize, usize)) -> String {
    let names: Vec<String> = (0..local + thread)
        .map(|dimension| format!("{dimension} is `{}`", layout_dimension(dimension, local)))
        .collect();
    names.join(", ")
}

/// The name of a dimension, given its number in the layout.
pub fn layout_dimension(dimension: usize, local: usize) -> String {
    if dimension < local { format!("i{dimension}") } else { format!("t{}", dimension - local) }
}

/// The text of a value, truncated if it is long.
pub(super) fn short(value: &impl std::fmt::Display) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The text of a coordinate: `(0, 3)`, or `3` for a single number.
pub(super) fn coordinates(values: &[i64]) -> String {
    match values {
        [only] => only.to_string(),
        _ => format!("({})", numbers(values)),
    }
}

/// `1, 2, 3`
pub(super) fn numbers(values: &[i64]) -> String {
    values.iter().map(i64::to_string).collect::<Vec<String>>().join(", ")
}

/// ` for N = 3`; empty if there are no sizes.
pub(super) fn sizes(sizes: &BTreeMap<Symbol, i64>) -> String {
    let sizes: Vec<String> = sizes.iter().map(|(symbol, value)| format!("{symbol} = {value}")).collect();
    if sizes.is_empty() { String::new() } else { format!(" for {}", sizes.join(", ")) }
}

/// `33 elements`, `N elements`.
pub(super) fn elements(count: &Sym) -> String {
    match count.as_constant() {
        Some(1 | -1) => "1 element".to_owned(),
        Some(count) => format!("{} elements", count.unsigned_abs()),
        None => format!("`{count}` elements"),
    }
}

/// The shape of a map's upper coordinates, with `_` for unbounded ones.
pub(super) fn upper_shape(map: &IndexMap) -> String {
    maps::extents(map.upper.iter().map(|axis| axis.extent.as_ref()))
}

/// The label of an access of an array.
pub(super) fn accessed(array: &str, access: &Accessed) -> String {
    format!("`{array}` is {} here", if access.store { "written" } else { "read" })
}

/// Adds the word that was probably meant.
pub(super) fn suggest(diagnostic: Diagnostic, span: Span, nearest: Option<&str>) -> Diagnostic {
    match nearest {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")).fix(
            format!("change it to `{nearest}`"),
            span,
            nearest,
        ),
        None => diagnostic,
    }
}
