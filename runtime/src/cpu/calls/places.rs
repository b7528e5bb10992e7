//! Where tiles are read.

use cranelift_frontend::Variable;
use kernel::typed::SharedId;

/// An array of which a tile may be read where it was copied from.
#[derive(Clone, Copy, Debug)]
pub struct InPlace {
    pub array: SharedId,
    /// The number of columns of the tile, which is the distance of its rows in the array.
    pub columns: i64,
    /// Whether a product takes left factors from row to row. Right factors are copied by the product where that pays off.
    pub walks_rows: bool,
}

/// The place where a tile is read.
#[derive(Clone, Copy)]
pub struct Place {
    pub in_place: InPlace,
    /// The address of its first element.
    pub address: Variable,
    /// The distance of its rows in elements.
    pub row: Variable,
}
