//! Records the meanings of names for editors.

use std::sync::Arc;

use super::bindings::{Binding, ThreadArray};
use super::checker::Checker;
use super::meaning::{Meaning, PartitionMeaning, SharedMeaning, ThreadArrayMeaning, TileMeaning, ViewMeaning};
use super::tiles::TileVariable;
use kernel::typed::{Memory, SharedId};
use maps::IndexMap;
use syntax::tree::Name;

impl Checker<'_> {
    /// Records the meaning of a name, if its declaration has no error.
    pub(super) fn note_meaning(&mut self, name: &Name, binding: &Binding) {
        // The places in the body of a function are those of another item.
        if self.evaluator.calls.is_inside() {
            return;
        }
        let meaning = match binding {
            Binding::Local(local) => self.locals.get(*local).map(|variable| Meaning::Variable(variable.element)),
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
        self.found.record.meanings.extend(meaning.map(|meaning| (name.span, meaning)));
    }

    fn shared_meaning(&self, id: SharedId) -> Option<SharedMeaning> {
        let array = self.memories.shared.get(id)?;
        let layout = Arc::clone(self.layouts.get(id)?);
        let bytes = array.bytes().ok()?;
        Some(SharedMeaning { element: array.element, shape: array.shape.clone(), bytes, layout })
    }

    fn thread_array_meaning(&self, ThreadArray { array, mutable }: ThreadArray) -> Option<ThreadArrayMeaning> {
        let array = self.memories.shared.get(array)?;
        let (element, shape, bytes) = (array.element, array.known_shape()?, array.bytes().ok()?.as_constant()?);
        Some(ThreadArrayMeaning { element, shape, bytes, mutable })
    }

    fn tile_meaning(&self, tile: &TileVariable) -> Option<Meaning> {
        Some(Meaning::Tile(match tile {
            TileVariable::Array { array: id, .. } => {
                let array = self.memories.shared.get(*id)?;
                TileMeaning { element: array.element, shape: array.known_shape()?, array: Some(*id) }
            }
            TileVariable::Computed(tile) => {
                TileMeaning { element: tile.element(), shape: tile.extents().to_vec(), array: None }
            }
        }))
    }
}
