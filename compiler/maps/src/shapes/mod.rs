//! Shapes: lists of dimensions, and what can be derived from them.

mod arithmetic;

use std::fmt;

use dims::{Arithmetic, Sym};

pub use arithmetic::{Operand, ShapeError, combine};

/// A list of dimensions, each at least 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// From the slowest to the fastest.
    pub dims: Vec<Sym>,
}

impl Shape {
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Number of elements: the product of the dimensions, 1 for rank 0.
    ///
    /// # Errors
    /// Where the product overflows 64 bits.
    pub fn size(&self) -> Result<Sym, Arithmetic> {
        self.dims.iter().try_fold(Sym::one(), |product, dim| product.checked_mul(dim))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[")?;
        for (position, dim) in self.dims.iter().enumerate() {
            if position > 0 {
                formatter.write_str(", ")?;
            }
            write!(formatter, "{dim}")?;
        }
        formatter.write_str("]")
    }
}
