//! The threads and elements in evidence, and the targets of accesses.

use std::fmt;

use smol_str::SmolStr;

use super::words;

/// The value that has to be below a bound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Indexed {
    /// An index that the program gives.
    Index { position: usize, of: SmolStr },
    /// The element of a tensor.
    Element { of: SmolStr },
}

impl fmt::Display for Indexed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index { position, of } => write!(formatter, "index {position} of `{of}`"),
            Self::Element { of } => write!(formatter, "the element of `{of}`"),
        }
    }
}

/// A thread of a launch, with the values of its iterators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executor {
    /// The block and the thread in it; `None` if the thread is not known.
    pub(crate) thread: Option<[i64; 2]>,
    /// Whether it stands for its block, which works on a tile or stores a number.
    pub(crate) is_block: bool,
    /// The iterators of the loops around the access, with their values.
    pub(crate) iterators: Vec<(SmolStr, i64)>,
}

impl Executor {
    /// The same, or its block.
    pub(crate) fn for_block(self, is_block: bool) -> Self {
        Self { is_block, ..self }
    }
}

impl fmt::Display for Executor {
    /// `thread 3 of block 1 (at i = 2)`, `block 1`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.thread {
            Some([block, _]) if self.is_block => write!(formatter, "block {block}"),
            Some([0, thread]) => write!(formatter, "thread {thread}"),
            Some([block, thread]) => write!(formatter, "thread {thread} of block {block}"),
            None => formatter.write_str("one thread"),
        }?;
        if self.iterators.is_empty() {
            return Ok(());
        }
        let iterators: Vec<String> = self.iterators.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        write!(formatter, " (at {})", iterators.join(", "))
    }
}

/// An element of a tensor or an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// The one with these indices.
    Index(Vec<i64>),
    /// The element at a position of the storage that no indices reach.
    Position(i64),
}

impl fmt::Display for Element {
    /// `3`, `[1, 2]`, `at position 40`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => match index.as_slice() {
                [only] => write!(formatter, "{only}"),
                _ => write!(formatter, "[{}]", words::numbers(index)),
            },
            Self::Position(position) => write!(formatter, "at position {position}"),
        }
    }
}
