//! Arithmetic on shapes, dimension by dimension.

use super::Shape;
use dims::{Arithmetic, Sym};

/// Why two shapes do not combine.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeError {
    /// Their ranks differ.
    Rank {
        /// Rank of the left operand.
        left: usize,
        /// Rank of the right operand.
        right: usize,
    },
    /// A dimension cannot be computed.
    Arithmetic(Arithmetic),
}

/// One operand of a shape operation.
pub enum Operand<'a> {
    /// One number for every dimension.
    Same(&'a Sym),
    /// One per dimension.
    Each(&'a [Sym]),
}

impl Operand<'_> {
    fn dim(&self, position: usize) -> Option<&Sym> {
        match self {
            Self::Same(value) => Some(value),
            Self::Each(values) => values.get(position),
        }
    }
}

/// Applies `operation` to every dimension; a single number is broadcast to all dimensions of the other operand.
///
/// # Errors
/// Where the ranks differ, or a dimension cannot be computed.
pub fn combine(
    left: Operand<'_>,
    right: Operand<'_>,
    mut operation: impl FnMut(&Sym, &Sym) -> Result<Sym, Arithmetic>,
) -> Result<Shape, ShapeError> {
    let rank = match (&left, &right) {
        (Operand::Each(left), Operand::Each(right)) if left.len() != right.len() => {
            return Err(ShapeError::Rank { left: left.len(), right: right.len() });
        }
        (Operand::Each(values), _) | (_, Operand::Each(values)) => values.len(),
        (Operand::Same(_), Operand::Same(_)) => 0,
    };
    let dims = (0..rank)
        .filter_map(|position| Some(operation(left.dim(position)?, right.dim(position)?)))
        .collect::<Result<Vec<_>, _>>()
        .map_err(ShapeError::Arithmetic)?;
    Ok(Shape { dims })
}
