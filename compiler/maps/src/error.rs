//! Errors of building and evaluating maps.

use std::fmt;

use dims::{Arithmetic, EvaluateError};

/// Why a map cannot be built or evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapError {
    /// A size of the map cannot be computed: it overflows 64 bits or divides by zero.
    Arithmetic(Arithmetic),
    /// A size of the map has no value under the given assignment.
    Size(EvaluateError),
    /// A coordinate, or something computed from it, overflows 64 bits.
    Overflow,
    /// A size or a divisor that must be positive is not.
    NotPositive {
        /// What it is, as a noun phrase.
        what: &'static str,
        /// Its value.
        value: i64,
    },
    /// A number of coordinates, dimensions or entries is not what the map needs.
    Rank {
        /// What was counted, as a plural noun phrase.
        what: &'static str,
        /// How many are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The entries of a layout are not a permutation of the dimensions.
    Layout,
    /// A coordinate has no upper bound, so the points cannot be enumerated.
    Unbounded {
        /// The upper axis.
        axis: usize,
    },
    /// The map still has symbols where sizes are needed.
    Symbolic,
    /// There are more points, slots or terms than the operation supports.
    TooLarge {
        /// What exceeds the limit, as a plural noun phrase.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The map refers to a term or an axis that it does not have.
    Malformed,
    /// The caller asked to stop.
    Cancelled,
}

impl fmt::Display for MapError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapError::Arithmetic(error) => write!(formatter, "{error}"),
            MapError::Size(error) => write!(formatter, "{error}"),
            MapError::Overflow => formatter.write_str("an index does not fit in 64 bits"),
            MapError::NotPositive { what, value } => {
                write!(formatter, "{what} is {value}, it must be positive")
            }
            MapError::Rank { what, expected, found } => {
                write!(formatter, "the map needs {expected} {what}, there are {found}")
            }
            MapError::Layout => formatter.write_str("the layout does not name every dimension exactly once"),
            MapError::Unbounded { axis } => write!(formatter, "coordinate {axis} has no upper end"),
            MapError::Symbolic => formatter.write_str("the map has sizes that are not known yet"),
            MapError::TooLarge { what, limit } => {
                write!(formatter, "there are more than {limit} {what}")
            }
            MapError::Malformed => formatter.write_str("the map refers to a part that it does not have"),
            MapError::Cancelled => formatter.write_str("stopped on request"),
        }
    }
}

impl std::error::Error for MapError {}

impl From<Arithmetic> for MapError {
    fn from(error: Arithmetic) -> MapError {
        MapError::Arithmetic(error)
    }
}

impl From<EvaluateError> for MapError {
    fn from(error: EvaluateError) -> MapError {
        MapError::Size(error)
    }
}
