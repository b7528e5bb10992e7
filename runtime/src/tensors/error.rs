//! Errors of tensors in memory.

use super::{ElementType, Scalar};
use thiserror::Error;

/// A failed operation on a tensor; the text is a sentence for the user.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TensorError {
    /// The tensor's bytes cannot be counted or addressed on this machine.
    #[error(
        "a tensor of {element}{} does not fit this machine's address space: its size in bytes does not fit in 63 bits; use smaller dimensions{}",
        list(.shape), if .strides.is_empty() { "" } else { " or strides" }
    )]
    TooLarge {
        /// The element type.
        element: ElementType,
        /// The dimensions, in elements.
        shape: Vec<u64>,
        /// The strides in elements; empty for a row-major tensor.
        strides: Vec<u64>,
    },
    /// The allocation failed.
    #[error(
        "not enough memory: {bytes} bytes for a tensor of {element}{} could not be allocated; use smaller dimensions or free memory",
        list(.shape)
    )]
    OutOfMemory {
        /// The element type.
        element: ElementType,
        /// The dimensions, in elements.
        shape: Vec<u64>,
        /// The requested size, in bytes.
        bytes: u64,
    },
    /// A shape and its strides have different lengths.
    #[error(
        "a tensor of rank {} has {} strides, expected one for each dimension: shape {}, strides {}",
        .shape.len(), .strides.len(), list(.shape), list(.strides)
    )]
    StrideCount {
        /// The dimensions, in elements.
        shape: Vec<u64>,
        /// The strides, in elements.
        strides: Vec<u64>,
    },
    /// An index outside the tensor, or one of the wrong rank.
    #[error("the index {} is outside a tensor of shape {}", list(.index), list(.shape))]
    IndexOutside {
        /// The requested index.
        index: Vec<u64>,
        /// The tensor's dimensions, in elements.
        shape: Vec<u64>,
    },
    /// A typed access to a tensor of another element type.
    #[error("the tensor holds {found}, not {expected}: read it as {found} or convert it")]
    WrongElement {
        /// The requested element type.
        expected: ElementType,
        /// The tensor's element type.
        found: ElementType,
    },
    /// A byte of a `bool` tensor that is neither 0 nor 1.
    #[error("byte {offset} of a bool tensor is {byte}, expected 0 or 1: whatever wrote the tensor did not write bools")]
    NotBool {
        /// The offset in the storage, in bytes.
        offset: usize,
        /// The byte there.
        byte: u8,
    },
    /// A number that the element type cannot hold.
    #[error("{value} does not fit {element}{}", range(*.element))]
    DoesNotFit {
        /// The number, as text.
        value: String,
        /// The element type.
        element: ElementType,
    },
    /// An `arange` whose last value the element type cannot hold.
    #[error(
        "arange over {count} elements ends at {}, which does not fit {element}{}: use a wider element type or another initial value",
        count - 1, range(*.element)
    )]
    ArangeDoesNotFit {
        /// The number of elements.
        count: u64,
        /// The element type.
        element: ElementType,
    },
    /// Two tensors that should have the same shape.
    #[error("the shapes differ: {} and {}", list(.left), list(.right))]
    ShapesDiffer {
        /// The first tensor's dimensions.
        left: Vec<u64>,
        /// The second tensor's dimensions.
        right: Vec<u64>,
    },
    /// A scalar of one type where another is needed.
    #[error("the value {value} is of type {}, expected {expected}", .value.element())]
    WrongScalar {
        /// The value.
        value: Scalar,
        /// The element type it should have.
        expected: ElementType,
    },
}

/// `[2, 3]`.
pub(crate) fn list(values: &[u64]) -> String {
    let values: Vec<String> = values.iter().map(u64::to_string).collect();
    format!("[{}]", values.join(", "))
}

/// The range of an element type, as a part of a message.
fn range(element: ElementType) -> String {
    match element.integer_range() {
        Some((low, high)) => format!(", whose values are {low} to {high}"),
        // Of these the largest value is a number that users meet.
        None if !element.computes() => format!(", which holds {}", element.range_text()),
        None => String::new(),
    }
}
