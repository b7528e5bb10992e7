//! Where tiles are read.

use cranelift_frontend::Variable;
use kernel::typed::SharedId;

use crate::cpu::launch::launch_table::LaunchValue;

/// An array of which a tile may be read where it was copied from.
#[derive(Clone, Copy, Debug)]
pub struct InPlace {
    pub array: SharedId,
    /// The dimensions of the tile. Elements along the first one are further apart in the array.
    pub dimensions: [Dimension; 2],
    /// Whether the tile is all of the array.
    pub is_whole: bool,
    /// Whether a product takes left factors from row to row. Right factors are copied by the product where that pays off.
    pub walks_rows: bool,
}

/// A dimension of a tile.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    pub extent: i64,
    /// The distance of neighbours in the array.
    pub apart: i64,
    /// Their distance in the tensor.
    pub in_tensor: LaunchValue,
}

/// Where a distance in an array leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// The number of the dimension.
    pub dimension: usize,
    /// So many elements further.
    pub times: i64,
}

impl InPlace {
    /// The dimension along which a distance in the array leads.
    pub fn along(&self, distance: LaunchValue) -> Option<Along> {
        let distance = distance.as_constant()?;
        let dimension = self.dimensions.iter().position(|dimension| distance % dimension.apart == 0)?;
        Some(Along { dimension, times: distance / self.dimensions[dimension].apart })
    }

    /// The distance in the tensor from one row to the next, where a row is what has no gaps.
    pub fn rows_apart(&self) -> LaunchValue {
        let [outer, inner] = self.dimensions;
        if inner.in_tensor.is(1) { outer.in_tensor } else { inner.in_tensor }
    }
}

/// The place where a tile is read.
#[derive(Clone, Copy)]
pub struct Place {
    pub in_place: InPlace,
    /// The address of its first element.
    pub address: Variable,
    /// The distances along its dimensions in elements.
    pub apart: [Variable; 2],
}
