//! Why an expectation could not be evaluated.

use dims::EvaluateError;
use thiserror::Error;

/// An expectation that could not be evaluated; the text is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExpectError {
    /// A size that has no value.
    #[error("a size in the expectation has no value: {0}")]
    Size(EvaluateError),
    /// The value of a parameter before the run was not kept.
    #[error("the expectation asks for {0} before the run, of which no copy was kept")]
    NoInitial(String),
    /// Exact integers beyond 128 bits.
    #[error("an integer in the expectation does not fit in 128 bits: {0}")]
    Overflow(&'static str),
    /// A reduction of no elements without a neutral element.
    #[error("the expectation asks for the {0} of no elements, which does not exist")]
    Empty(&'static str),
    /// An index or a slice outside its dimension.
    #[error("the expectation takes {what} of a dimension of {length}")]
    OutOfRange {
        /// The index or the slice.
        what: String,
        /// The dimension.
        length: u64,
    },
    /// Shapes that are not the same with the sizes of this run.
    #[error("the expectation combines the shapes {0} element by element, but with these sizes they are not the same")]
    Shapes(String),
    /// A product that would take much memory.
    #[error(
        "the expectation multiplies matrices of the shapes {left} and {right}, which together have more than 2^28 elements"
    )]
    Large {
        /// The shape of the left factor.
        left: String,
        /// That of the right one.
        right: String,
    },
    /// A file of another shape than what it is compared with.
    #[error("the file {file} has the shape {found}, but what the expectation compares it with has {expected}")]
    File {
        /// The file.
        file: String,
        /// Its shape.
        found: String,
        /// The shape of the other side.
        expected: String,
    },
    /// Matrices whose product does not exist with the sizes of this run.
    #[error("the expectation multiplies matrices of the shapes {0}, whose inner dimensions are not the same")]
    Factors(String),
    /// The expression violates its invariants: a bug in the compiler.
    #[error("the expectation is malformed: {0}")]
    Malformed(String),
    /// The caller asked to stop.
    #[error("the check of the expectation was cancelled")]
    Cancelled,
}
