//! A tensor divided into tiles.

use std::sync::Arc;

use smol_str::SmolStr;

use super::super::view::View;
use dims::Sym;
use kernel::typed::Memory;
use maps::IndexMap;

/// A tensor divided into tiles of one shape.
#[derive(Clone, Debug)]
pub(in super::super) struct Partition {
    pub(in super::super) memory: Memory,
    /// The name of what is divided: the tensor, or a view of it.
    pub(in super::super) name: SmolStr,
    /// The dimensions of what is divided, in its own order.
    pub(super) shape: Vec<Sym>,
    /// Which of these dimensions each dimension of the tiles is.
    pub(in super::super) order: Vec<usize>,
    /// The extents of a tile.
    pub(in super::super) tile: Vec<i64>,
    /// The number of tiles along each dimension, the last one partial where it reaches over the edge.
    pub(in super::super) space: Vec<Sym>,
    /// The map from the index of a tile and that of an element in it to the indices of what is divided.
    pub(super) mapping: Arc<IndexMap>,
    /// The tensor by the index of a tile and the index in it, without the elements beyond the edge.
    pub(super) masked: Arc<View>,
    /// What is divided, by its own indices, in the order of the dimensions of the tiles.
    pub(super) direct: Arc<View>,
    /// Whether a whole tensor is divided, of which no two indices are one element.
    pub(super) whole: bool,
}

impl Partition {
    /// The map from the index of a tile and that of an element in it to the element of the tensor.
    pub(in super::super) fn map(&self) -> &IndexMap {
        &self.masked.map
    }

    /// The dimensions of what is divided, in its own order.
    pub(in super::super) fn shape(&self) -> &[Sym] {
        &self.shape
    }

    /// The map from the index of a tile and that of an element in it to the indices of what is divided.
    pub(in super::super) fn mapping(&self) -> &Arc<IndexMap> {
        &self.mapping
    }
}
