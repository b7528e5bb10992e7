//! The wording of answers about memory; each is the end of a sentence.

use std::fmt;

use super::{IndexPart, Obstacle, Quantity, Undecided, WidthRule};

impl fmt::Display for IndexPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(name) => write!(formatter, "`{name}`"),
            None => formatter.write_str("a part of the index"),
        }
    }
}

impl fmt::Display for WidthRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WidthRule::OneElement => formatter.write_str("one element is a vector of its own"),
            WidthRule::EveryVector => formatter.write_str("every vector was tried, point by point"),
            WidthRule::Multiples { run, of } => {
                write!(formatter, "the run of {run} and all strides, edges and offsets are multiples of {of} (T8)")
            }
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::OneElement => formatter.write_str("a thread has one element only"),
            Obstacle::NoUnitStride(None) => formatter.write_str("no local coordinate has stride 1"),
            Obstacle::NoUnitStride(Some((part, stride))) => {
                write!(formatter, "no local coordinate has stride 1: that of {part} is {stride}")
            }
            Obstacle::NotMultiple { quantity, value, of } => {
                match quantity {
                    Quantity::Run(part) => write!(formatter, "the run of {part} has {value} elements, which"),
                    Quantity::Offset => write!(formatter, "the offset {value}"),
                    Quantity::Stride(part) => write!(formatter, "stride {value} of {part}"),
                    Quantity::Factor(part) => write!(formatter, "stride {value} of {part} in a condition"),
                    Quantity::Edge => write!(formatter, "the edge {value} of a condition"),
                }?;
                let is_not = if value.as_constant().is_some() { "is not" } else { "need not be" };
                write!(formatter, " {is_not} a multiple of {of}")
            }
            Obstacle::ElementsApart { run } => write!(
                formatter,
                "another part of the index, or a condition, depends on the elements of {run} one by one"
            ),
            Obstacle::SomeVector(width) => {
                write!(formatter, "some vector of {width} is not aligned, has a gap, or is valid in part")
            }
        }
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::SizesDecide { least, most } => {
                write!(formatter, "it depends on the sizes, and is {least} at least and {most} at most")
            }
            Undecided::NotEnumerable(error) => write!(formatter, "the requests cannot be gone through: {error}"),
            Undecided::TooManyRequests => formatter.write_str("there are too many requests to try each"),
        }
    }
}
