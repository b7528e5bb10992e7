//! The meanings of the names that a kernel declares, for editors.

use std::sync::Arc;

use smol_str::SmolStr;

use super::thread_arrays::ThreadArray;
use super::tiles::TileVariable;
use super::{Binding, Checker, ElementType};
use crate::values::Value;
use dims::Sym;
use kernel::typed::{Memory, SharedId};
use maps::IndexMap;
use syntax::span::Span;
use syntax::tree::Name;

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

impl Checker<'_> {
    /// Records the meaning of a name, if its declaration has no error.
    pub(super) fn note_meaning(&mut self, name: &Name, binding: &Binding) {
        // The places in the body of a function are those of another item.
        if self.evaluator.calls.is_inside() {
            return;
        }
        let meaning = match binding {
            Binding::Local(local) => {
                self.locals.get(local.0 as usize).map(|variable| Meaning::Variable(variable.element))
            }
            Binding::View(view) => self.memories.element_of(view.memory).map(|element| {
                let share = view.map.upper.iter().take(view.local_rank).map(|axis| axis.extent.clone()).collect();
                let tensor = self.memories.name(view.memory);
                let unit = view.holder.word();
                Meaning::View(ViewMeaning { tensor, element, share, unit, map: IndexMap::clone(&view.map) })
            }),
            Binding::Memory(Memory::Shared(id)) => self.shared_meaning(*id).map(Meaning::Shared),
            Binding::ThreadArray(array) => self.thread_array_meaning(*array).map(Meaning::ThreadArray),
            Binding::Partition(partition) => self.memories.element_of(partition.memory).map(|element| {
                Meaning::Partition(PartitionMeaning {
                    tensor: partition.name.clone(),
                    element,
                    tile: partition.tile.clone(),
                    space: partition.space.clone(),
                    shape: partition.shape().to_vec(),
                    order: partition.order.clone(),
                    mapping: Arc::clone(partition.mapping()),
                    map: partition.map().clone(),
                })
            }),
            Binding::Tile(tile) => self.tile_meaning(tile),
            Binding::Scalar(_)
            | Binding::Memory(Memory::Param(_))
            | Binding::Defined
            | Binding::Given(_)
            | Binding::Broken => None,
        };
        self.meanings.extend(meaning.map(|meaning| (name.span, meaning)));
    }

    fn shared_meaning(&self, SharedId(index): SharedId) -> Option<SharedMeaning> {
        let array = self.memories.shared.get(index as usize)?;
        let layout = Arc::clone(self.layouts.get(index as usize)?);
        let bytes = array.bytes().ok()?;
        Some(SharedMeaning { element: array.element, shape: array.shape.clone(), bytes, layout })
    }

    fn thread_array_meaning(&self, ThreadArray { array, mutable }: ThreadArray) -> Option<ThreadArrayMeaning> {
        let array = self.memories.shared.get(array.0 as usize)?;
        let (element, shape, bytes) = (array.element, array.known_shape()?, array.bytes().ok()?.as_constant()?);
        Some(ThreadArrayMeaning { element, shape, bytes, mutable })
    }

    fn tile_meaning(&self, tile: &TileVariable) -> Option<Meaning> {
        Some(Meaning::Tile(match tile {
            TileVariable::Array { array: id, .. } => {
                let array = self.memories.shared.get(id.0 as usize)?;
                TileMeaning { element: array.element, shape: array.known_shape()?, array: Some(*id) }
            }
            TileVariable::Computed(tile) => {
                TileMeaning { element: tile.element(), shape: tile.extents().to_vec(), array: None }
            }
        }))
    }
}
