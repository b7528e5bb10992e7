//! The meanings of the names that a kernel declares, for editors.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::values::Value;
use dims::Sym;
use elements::ElementType;
use kernel::typed::SharedId;
use maps::IndexMap;
use maps::threads::Tiling;
use syntax::span::Span;

/// The meaning of a name that a kernel's body declares.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A variable or an iterator of this type.
    Variable(ElementType),
    /// A view.
    View(ViewMeaning),
    /// A shared array.
    Shared(SharedMeaning),
    /// An array of which every thread has its own.
    ThreadArray(ThreadArrayMeaning),
    /// A tensor divided into tiles.
    Partition(PartitionMeaning),
    /// A tile.
    Tile(TileMeaning),
    /// A constant or a map, with its value.
    Defined(Value),
}

/// A tile.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMeaning {
    /// The element type.
    pub element: ElementType,
    /// Its extents.
    pub shape: Vec<i64>,
    /// The shared array in which it stands; `None` if its elements are computed wherever they are used.
    pub array: Option<SharedId>,
}

/// A shared array.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedMeaning {
    /// The element type.
    pub element: ElementType,
    /// The extents of its indices.
    pub shape: Vec<Sym>,
    /// The bytes in each block.
    pub bytes: Sym,
    /// The map from its indices to the position in its storage.
    pub layout: Arc<IndexMap>,
}

/// An array of which every thread has its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadArrayMeaning {
    /// The element type.
    pub element: ElementType,
    /// Its extents.
    pub shape: Vec<i64>,
    /// The bytes in each thread.
    pub bytes: i64,
    /// Whether its elements are assigned after the declaration.
    pub mutable: bool,
}

/// A view.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewMeaning {
    /// The name of the underlying tensor.
    pub tensor: SmolStr,
    /// The tensor's element type.
    pub element: ElementType,
    /// The extents of the program's indices; `None` is unbounded.
    pub share: Vec<Option<Sym>>,
    /// The unit whose threads share it: `block`, `warp` or `thread`.
    pub unit: &'static str,
    /// The map from the program's indices and the positions of the units around to the element of the tensor.
    pub map: IndexMap,
}

/// What is known of expressions with tiles, for editors: by their spans, also where other parts have errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileParts {
    /// The expressions that are tiles, with the types of their elements and their extents.
    pub tiles: Vec<(Span, ElementType, Vec<i64>)>,
    /// The sizes that partitions are asked for, `px.index_space(1)`, and what is computed of them.
    pub sizes: Vec<(Span, Vec<Sym>)>,
}

impl TileParts {
    /// The type of the elements and the extents of the tile with this span.
    pub fn tile(&self, span: Span) -> Option<(ElementType, &[i64])> {
        let (_, element, shape) = self.tiles.iter().rev().find(|(known, ..)| *known == span)?;
        Some((*element, shape))
    }

    /// The sizes with this span.
    pub fn sizes(&self, span: Span) -> Option<&[Sym]> {
        self.sizes.iter().rev().find(|(known, _)| *known == span).map(|(_, sizes)| sizes.as_slice())
    }
}

/// A tensor divided into tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionMeaning {
    /// The name of what is divided: the tensor, or a view of it.
    pub tensor: SmolStr,
    /// The tensor's element type.
    pub element: ElementType,
    /// The extents of a tile.
    pub tile: Vec<i64>,
    /// The numbers of tiles along each dimension.
    pub space: Vec<Sym>,
    /// The dimensions of what is divided, in its own order.
    pub shape: Vec<Sym>,
    /// Which of these dimensions each dimension of the tiles is.
    pub order: Vec<usize>,
    /// The map from the index of a tile and that of an element in it to the indices of what is divided.
    pub mapping: Arc<IndexMap>,
    /// The map from the index of a tile and that of an element in it to the element of the tensor.
    pub map: IndexMap,
}

/// A collective loop, for editors.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveLoop {
    /// The span of its `threads(…)`.
    pub span: Span,
    /// The tiling of the surrounding scope.
    pub around: Tiling,
    /// The tiling that includes this loop.
    pub tiling: Tiling,
}
