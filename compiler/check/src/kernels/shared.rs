//! Shared arrays: `shared tile : f32[32, 33];`, `shared tile : f32[32, 32] |> xor;`.

use std::sync::Arc;

use super::bindings::Binding;
use super::checker::Checker;
use super::raised::Composed;
use super::shared_array::{SharedAccess, SharedSource};
use super::view::View;
use crate::diagnostics::{self, NeedsThreads};
use dims::Sym;
use kernel::raise::ValueId;
use kernel::typed::{Memory, Residence, Scope, SharedArray};
use maps::shapes::Shape;
use maps::{AxisRole, UpperAxis};
use syntax::span::Span;
use syntax::tree::{Expr, Name};

/// The declaration of a shared array.
pub(super) struct Declaration<'t> {
    pub(super) name: &'t Name,
    pub(super) element: &'t Name,
    /// The stored extents.
    pub(super) shape: &'t [Expr],
    /// The transforms after each `|>`.
    pub(super) layout: &'t [Expr],
    pub(super) span: Span,
}

impl Checker<'_> {
    /// Checks the declaration of a shared array. Its name is bound even if there is an error.
    pub(super) fn shared_statement(&mut self, declaration: &Declaration<'_>) -> Option<()> {
        let array = self.declare(declaration);
        let binding = array.map_or(Binding::Broken, Binding::Memory);
        self.note_meaning(declaration.name, &binding);
        self.bind(declaration.name, binding);
        array.map(|_| ())
    }

    fn declare(&mut self, declaration: &Declaration<'_>) -> Option<Memory> {
        let Declaration { name, element, shape, layout, span } = *declaration;
        let element = self.evaluator.element_type(element);
        let map = self.evaluator.shared_layout(shape, layout, span);
        self.check_place_of_shared(name, span)?;
        let (element, (stored, map)) = (element?, map?);
        let shape_of_map = map.upper.iter().map(|axis| axis.extent.clone()).collect::<Option<Vec<Sym>>>()?;
        let array = SharedArray {
            name: name.text.clone(),
            element,
            shape: shape_of_map,
            length: stored,
            held: Residence::Shared,
            cleared: true,
            exchanged_by: None,
            span: name.span,
        };
        if let Err(room) = self.room_for(&array) {
            return self.report(diagnostics::shared_too_large(span, &name.text, &room));
        }
        self.assume_room(&array);
        let id = self.memories.shared.push(array);
        self.layouts.push(map);
        self.shared_sources.push(SharedSource { shape: shape.to_vec(), layout: layout.to_vec(), span });
        Some(Memory::Shared(id))
    }

    /// Checks that the declaration is executed by all threads of a block, since the array exists as long as the block.
    fn check_place_of_shared(&mut self, name: &Name, span: Span) -> Option<()> {
        if let Scope::Threads(collective) = self.context.scope {
            let what = NeedsThreads::SharedArray { name: name.text.clone(), threads: self.launch.threads.clone() };
            return self.wrong_collective(collective, &what, span);
        }
        if self.context.conditions > 0 || !self.context.iterators.is_empty() {
            return self.report(diagnostics::shared_place(span, &name.text));
        }
        if self.launch.threads.as_constant().is_none() {
            let threads = self.launch.threads.clone();
            return self.report(diagnostics::open_block(span, Some(&name.text), &threads));
        }
        Some(())
    }

    /// A view of the array's elements as one sequence, in row-major order of its indices.
    pub(super) fn flat_shared_view(&mut self, memory: Memory, span: Span) -> Option<View> {
        let view = self.shared_view(memory)?;
        let shape = self.memories.shape(memory);
        let size = (Shape { dims: shape.clone() }).size();
        let size = self.evaluator.settle(span, size)?;
        let upper = vec![UpperAxis { extent: Some(size), role: AxisRole::Local }];
        let facts = self.evaluator.facts.clone();
        let lengths: Vec<Option<Sym>> = shape.iter().cloned().map(Some).collect();
        let map = maps::with_coordinates(&view.map, upper, &facts, |builder| {
            let flat = builder.coordinate(0)?;
            builder.digits(&flat, &lengths)
        });
        let map = self.built(span, map)?;
        Some(View { map: self.found.maps.maps.one(map), local_rank: 1, ..view })
    }

    /// A view of the array by its own indices: the upper coordinates of its layout, mapped to the position in its
    /// storage.
    pub(super) fn shared_view(&self, memory: Memory) -> Option<View> {
        let Memory::Shared(array) = memory else { return None };
        let map = Arc::clone(self.layouts.get(array)?);
        let rank = map.upper.len();
        let mut view = self.whole(memory, map, rank);
        // The layout is proven to stay inside the storage, so indices inside their dimensions imply that the element is
        // inside.
        view.inside = true;
        Some(view)
    }

    /// Records an access of a shared array.
    pub(super) fn note_shared_access(
        &mut self,
        view: &View,
        named: bool,
        coordinates: &[ValueId],
        composed: &Arc<Composed>,
        store: bool,
        span: Span,
    ) {
        let Memory::Shared(array) = view.memory else { return };
        let layout = self.layouts.get(array).filter(|_| !named).cloned();
        let indices = layout.and_then(|layout| self.indices_of(&layout, coordinates).ok());
        self.found.record.shared_accesses.push(SharedAccess {
            array,
            store,
            span,
            composed: composed.clone(),
            indices,
        });
    }
}
