//! What came of an expectation.

use super::number::Number;

/// The outcome of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It holds.
    Passed {
        /// The largest difference between numbers that were compared with a tolerance.
        max_error: f64,
    },
    /// It does not hold.
    Failed {
        /// The first wrong element in row-major order, one number per dimension; empty for a scalar.
        index: Vec<u64>,
        /// The expected value. Floats are the shortest decimals of the compared type that distinguish the two.
        expected: Number,
        /// The actual value.
        actual: Number,
        /// The largest difference between compared numbers; infinite if NaN or an infinity is compared with something
        /// else.
        max_error: f64,
        /// How many elements are wrong.
        mismatches: u64,
    },
}
