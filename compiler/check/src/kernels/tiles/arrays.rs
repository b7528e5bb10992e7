//! The arrays in which tiles stand, and the parallel loops over their elements.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::super::bindings::Binding;
use super::super::checker::Checker;
use super::super::operand::Operand;
use super::super::shared_array::SharedSource;
use super::super::whole_tensors::identity;
use super::tile::{Tile, variable};
use crate::diagnostics;
use dims::Sym;
use elements::ElementType;
use kernel::raise::{Contents, Distinct, ValueId};
use kernel::typed::{
    Access, BinaryOp, Each, Expr, ExprKind, IteratorRange, Local, Memory, Origin, Residence, Scope, SharedArray,
    SharedId, Statement, StatementKind, TileAxis,
};
use maps::shapes::Shape;
use maps::{AxisRole, UpperAxis, row_major};
use syntax::span::Span;

/// The bytes of shared memory that every GPU gives a block without being asked. Beyond them, arrays are used again; before,
/// it would only cost barriers.
const SHARED_EVERYWHERE: i64 = 48 << 10;

/// The most parallel loops over tiles in a kernel. Barriers are placed by a look at every pair of them.
const MOST_LOOPS: usize = 512;

impl Checker<'_> {
    /// Whether a name may be said from here on: what stands around this statement, and began after the name was declared,
    /// may be a loop that begins again.
    fn is_said_again(&self, name: &SmolStr, declaration: Span, last_said: &FxHashMap<SmolStr, u32>) -> bool {
        let is_later = |statement: &&Span| statement.start > declaration.start;
        let after = self.tiles.open.iter().find(is_later);
        after.is_none_or(|after| last_said.get(name).is_some_and(|last| *last >= after.start))
    }

    /// The last token of the kernel that says each name.
    fn last_said(&self) -> FxHashMap<SmolStr, u32> {
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let mut last = FxHashMap::default();
        for token in 0..tokens.len() {
            // A hyphen between names may be a subtraction.
            for word in tokens.text(token).split('-') {
                last.insert(SmolStr::new(word), token as u32);
            }
        }
        last
    }

    /// Iterators over the elements of a tile.
    pub(super) fn axes(&mut self, shape: &[i64]) -> Vec<Local> {
        let axis = |(dimension, extent): (usize, &i64)| {
            let local = self.new_local(&SmolStr::from(format!("e{dimension}")), ElementType::I64, false);
            if let Some(variable) = self.locals.get_mut(local) {
                variable.range = Some(IteratorRange { low: Sym::zero(), extent: Sym::constant(*extent) });
            }
            local
        };
        shape.iter().enumerate().map(axis).collect()
    }

    /// A place for a tile.
    pub(super) fn array(&mut self, element: ElementType, shape: &[i64], span: Span) -> Option<SharedId> {
        let Some(array) = self.array_of_block("tile", element, shape, None, span) else {
            return self.report(diagnostics::tile_too_large(span, shape, &self.no_room(None)));
        };
        let total = self.bytes_with(&array).and_then(|total| total.as_constant());
        let fits = total.is_some_and(|total| total <= SHARED_EVERYWHERE);
        if !fits && let Some(free) = self.free_array(element, shape) {
            self.raiser.know_contents(Memory::Shared(free), None);
            self.tiles.edges.remove(&free);
            self.tiles.in_use.push(free);
            return Some(free);
        }
        if let Err(room) = self.room_for(&array) {
            return self.report(diagnostics::tile_too_large(span, shape, &room));
        }
        let id = self.add_array(array, span)?;
        self.tiles.arrays.push(id);
        self.tiles.in_use.push(id);
        Some(id)
    }

    /// An array that the compiler makes, and the collective whose threads pass values through it; `None` if 64 bits do not count its
    /// elements.
    pub(in super::super) fn array_of_block(
        &self,
        name: &'static str,
        element: ElementType,
        shape: &[i64],
        exchanged_by: Option<Scope>,
        span: Span,
    ) -> Option<SharedArray> {
        let shape = Shape { dims: shape.iter().map(|extent| Sym::constant(*extent)).collect() };
        let length = shape.size().ok()?;
        Some(SharedArray {
            name: SmolStr::new_static(name),
            element,
            shape: shape.dims,
            length,
            held: Residence::Shared,
            cleared: true,
            exchanged_by,
            span: self.place(span),
        })
    }

    /// Adds an array with elements in row-major order.
    pub(in super::super) fn add_array(&mut self, array: SharedArray, span: Span) -> Option<SharedId> {
        let strides = self.evaluator.settle(span, row_major::strides(&array.shape))?;
        let upper = array.shape.iter().map(|extent| UpperAxis { extent: Some(extent.clone()), role: AxisRole::Local });
        let map = identity(upper.collect(), &self.evaluator.facts, &strides);
        let map = self.built(span, map)?;
        let id = self.memories.shared.push(array);
        let map = self.found.maps.maps.one(map);
        self.layouts.push(map);
        self.shared_sources.push(SharedSource { shape: Vec::new(), layout: Vec::new(), span: self.place(span) });
        Some(id)
    }

    /// An array for such a tile that holds none any more: this statement does not use it, and no name that means it is said
    /// again.
    fn free_array(&mut self, element: ElementType, shape: &[i64]) -> Option<SharedId> {
        let last_said = match self.tiles.last_said.take() {
            Some(known) => known,
            None => self.last_said(),
        };
        let mut taken: FxHashSet<SharedId> = self.tiles.in_use.iter().copied().collect();
        taken.extend(self.bindings.lasting().filter_map(|(name, declaration, binding)| match binding {
            Binding::Tile(variable) => variable.array().filter(|_| self.is_said_again(name, *declaration, &last_said)),
            _ => None,
        }));
        self.tiles.last_said = Some(last_said);
        let is_free = |id: &SharedId| {
            let is_like =
                |array: &SharedArray| array.element == element && array.known_shape().as_deref() == Some(shape);
            !taken.contains(id) && self.memories.shared.get(*id).is_some_and(is_like)
        };
        let free = self.tiles.arrays.iter().copied().find(is_free)?;
        if let Some(array) = self.memories.shared.get_mut(free) {
            array.name = SmolStr::new_static("tile");
        }
        Some(free)
    }

    /// The element of an array at coordinates, which are inside.
    pub(in super::super) fn element_access(
        &self,
        array: SharedId,
        coordinates: Vec<Expr>,
        span: Span,
    ) -> Option<Access> {
        let map = Arc::clone(self.layouts.get(array)?);
        let shape = &self.memories.shared.get(array)?.shape;
        let mut offset: Option<Expr> = None;
        for (coordinate, extent) in coordinates.iter().zip(shape) {
            offset = Some(match offset {
                None => coordinate.clone(),
                Some(before) => {
                    let rows = Expr::binary(BinaryOp::Multiply, before, Expr::size(extent));
                    Expr::binary(BinaryOp::Add, rows, coordinate.clone())
                }
            });
        }
        let offset = offset.unwrap_or_else(|| Expr::int(0));
        Some(Access { memory: Memory::Shared(array), map, coordinates, offset, mask: None, span: self.place(span) })
    }

    /// The tile in an array.
    pub(super) fn tile_in(&mut self, array: SharedId, span: Span) -> Option<Tile> {
        let stored = self.memories.shared.get(array)?;
        let (element, shape) = (stored.element, stored.known_shape()?);
        let axes = self.axes(&shape);
        let access = self.element_access(array, axes.iter().map(|axis| variable(*axis)).collect(), span)?;
        let value = Operand::Typed(Expr { kind: ExprKind::Load(Box::new(access)), element });
        Some(Tile { shape, axes, value, own: None })
    }

    /// A parallel loop over the points of axes.
    pub(in super::super) fn each(
        &mut self,
        axes: &[Local],
        shape: &[i64],
        body: Vec<Statement>,
        span: Span,
    ) -> Option<Statement> {
        self.tiles.loops += 1;
        if self.tiles.loops > MOST_LOOPS {
            return self.evaluator.report_once(diagnostics::too_many_tiles(span, MOST_LOOPS));
        }
        // A launch with an error is reported elsewhere.
        let threads = self.launch.threads.as_constant().unwrap_or(1).max(1);
        let axes = axes.iter().zip(shape).map(|(&local, &extent)| TileAxis { local, extent }).collect();
        let origin = Origin { scope: self.context.scope, span: self.place(span) };
        let each = Each::new(axes, body, threads, &mut self.locals, origin);
        Some(origin.statement(StatementKind::Each(Box::new(each))))
    }

    /// Stores a tile in an array of its shape and type.
    pub(super) fn store_in(&mut self, array: SharedId, tile: Tile, span: Span) -> Option<()> {
        let element = self.memories.shared.get(array)?.element;
        self.note_edge(array, &tile);
        let Tile { shape, axes, value, .. } = tile;
        let value = self.coerce(value, element, span)?;
        let access = self.element_access(array, axes.iter().map(|axis| variable(*axis)).collect(), span)?;
        let store = self.made(StatementKind::Store { access, value, is_async: false }, span);
        let each = self.each(&axes, &shape, store, span)?;
        self.tiles.before.push(each);
        Some(())
    }

    /// Stores a tile in the part of an array that starts at a place of a dimension.
    pub(super) fn store_part(
        &mut self,
        array: SharedId,
        tile: Tile,
        along: usize,
        start: i64,
        span: Span,
    ) -> Option<()> {
        let element = self.memories.shared.get(array)?.element;
        let Tile { shape, axes, value, .. } = tile;
        let value = self.coerce(value, element, span)?;
        let mut place: Vec<Expr> = axes.iter().map(|axis| variable(*axis)).collect();
        let own = place.get_mut(along)?;
        *own = Expr::binary(BinaryOp::Add, own.clone(), Expr::int(start));
        let access = self.element_access(array, place, span)?;
        let store = self.made(StatementKind::Store { access, value, is_async: false }, span);
        let each = self.each(&axes, &shape, store, span)?;
        self.tiles.before.push(each);
        Some(())
    }

    /// The tile in an array of its own, of its natural type.
    pub(super) fn kept(&mut self, tile: Tile, span: Span) -> Option<SharedId> {
        if let Some(own) = tile.own {
            return Some(own);
        }
        let element = tile.value.natural();
        let array = self.array(element, &tile.shape, span)?;
        self.store_in(array, tile, span)?;
        Some(array)
    }

    /// The tile as something that can be read at any element, and any number of times.
    pub(in super::super) fn stored(&mut self, tile: Tile, span: Span) -> Option<Tile> {
        if is_stored(&tile) || self.is_cheap(&tile) {
            return Some(tile);
        }
        let array = self.kept(tile, span)?;
        self.owned(array, span)
    }

    /// The tile as it is before a statement changes a memory: if it reads the memory, it is computed before.
    pub(super) fn apart_from(&mut self, memory: Memory, tile: Tile, span: Span) -> Option<Tile> {
        if !tile.reads(memory) {
            return Some(tile);
        }
        let array = self.kept(tile, span)?;
        self.owned(array, span)
    }

    /// What is known of the elements of a tile, if they are stored as this type.
    pub(super) fn contents_of(&mut self, tile: &Tile, element: ElementType) -> Option<Contents> {
        let Operand::Typed(expr) = &tile.value else { return None };
        if expr.element != element {
            return None;
        }
        if element.is_float() {
            return self.raiser.contents_of_floats(expr);
        }
        if !element.is_integer() {
            return None;
        }
        self.of_elements(&tile.axes, &tile.shape, |checker| {
            let value = checker.raiser.value(expr);
            let around = checker.loops_around();
            let mut distinct = checker.runs_of(value, &tile.axes, &tile.shape, false);
            // A place or a negative number is what `scatter_masked` takes.
            let mut place = expr.clone();
            checker.keep_inside(&mut place);
            if place != *expr {
                let place = checker.raiser.value(&place);
                let naturals = checker.runs_of(place, &tile.axes, &tile.shape, true);
                distinct.extend(naturals);
            }
            Some(checker.raiser.contents_of(value).with_distinct(distinct, around))
        })
    }

    /// The iterators of the loops around a statement.
    fn loops_around(&mut self) -> Vec<ValueId> {
        let iterators = self.context.iterators.clone();
        iterators.into_iter().map(|local| self.raiser.value(&variable(local))).collect()
    }

    /// The dimensions along which the elements of a tile with this value are all different, or only those that are not negative.
    fn runs_of(&mut self, value: ValueId, axes: &[Local], shape: &[i64], of_naturals: bool) -> Vec<Distinct> {
        let block = self.raiser.value(&Expr::block_id());
        let axes: Vec<ValueId> = axes.iter().map(|axis| self.raiser.value(&variable(*axis))).collect();
        let mut given = self.loops_around();
        given.extend([value, block]);
        let mut found = Vec::new();
        for (dimension, (axis, extent)) in axes.iter().zip(shape).enumerate() {
            let others = axes.iter().filter(|other| *other != axis);
            let given: Vec<ValueId> = given.iter().chain(others).copied().collect();
            if *extent > 1 && self.raiser.determines(&given, &[*axis], &[]) {
                let stride = shape.iter().skip(dimension + 1).product();
                found.push(Distinct { stride, extent: *extent, of_naturals });
            }
        }
        found
    }

    /// The tile in an array of places along a dimension of this extent, which are all different in some runs.
    pub(super) fn of_places(
        &mut self,
        array: SharedId,
        extent: i64,
        distinct: Vec<Distinct>,
        span: Span,
    ) -> Option<Tile> {
        let contents = Contents::between(0, extent - 1).with_distinct(distinct, self.loops_around());
        self.raiser.know_contents(Memory::Shared(array), Some(contents));
        self.owned(array, span)
    }

    /// The tile in an array that nothing else refers to.
    pub(super) fn owned(&mut self, array: SharedId, span: Span) -> Option<Tile> {
        Some(Tile { own: Some(array), ..self.tile_in(array, span)? })
    }
}

/// Whether the elements of a tile are loads from an array, or constants.
fn is_stored(tile: &Tile) -> bool {
    match &tile.value {
        Operand::Typed(Expr { kind: ExprKind::Load(access), .. }) => access.memory.param().is_none(),
        Operand::Typed(Expr { kind, .. }) => matches!(kind, ExprKind::Constant(_)),
        _ => false,
    }
}
