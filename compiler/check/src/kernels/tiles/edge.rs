//! What stands in a dimension of a tile beyond the edge of a tensor.

use smol_str::SmolStr;

/// What stands beyond the edge of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Beyond {
    /// The number; `None` if it is not known.
    pub(super) value: Option<f64>,
    /// The tensor or the view.
    pub(super) of: SmolStr,
}
