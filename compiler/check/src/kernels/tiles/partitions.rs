//! Partitions of tensors: `view px = partition(x, [64, 64]);`, `px.index_space`.

use std::sync::Arc;

use smol_str::SmolStr;

use super::super::bindings::Binding;
use super::super::checker::Checker;
use super::super::claims::Subject;
use super::super::view::View;
use super::examples::stores;
use super::partition::Partition;
use super::words::{Call, Role, TileFunction};
use crate::diagnostics::{self, NotTensor, Quantity, TilePlace, WrongTile};
use crate::documentation::Documentation;
use crate::read::Read;
use dims::Sym;
use kernel::functions::{Given, Parameter};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};
use syntax::span::Span;
use syntax::tree::{self, Argument, ExprKind, Name, StatementKind, SuffixKind};

pub(super) const PARTITION: TileFunction = TileFunction {
    documentation: Documentation {
        word: "partition",
        parameters: &[
            Parameter::new("tensor", "a tensor, a shared array, a view, or `x via m`").written("x"),
            Parameter::new("tile", "the extents of a tile, `[64, 64]`"),
            ORDER,
        ],
        text: "A tensor divided into tiles, as the source of a view: `view px = partition(x, [64, 64]);`. In a map, `partition([shape,] tile)` \
               is the index map of that.",
        example: stores!("px.load(i, j)"),
    },
    role: Role::Divides,
};

const ORDER: Parameter =
    Parameter::new("order", "which dimension of the tensor each dimension of the tiles is: `(1, 0)` is the transpose")
        .given(Given::ByName)
        .optional();

/// Whether an expression is a call of `partition`.
pub(in super::super) fn is_partition(source: &tree::Expr) -> bool {
    arguments(source).is_some()
}

/// The arguments of `partition(…)`.
pub(super) fn arguments(source: &tree::Expr) -> Option<&[Argument]> {
    let ExprKind::Postfix { base, suffixes } = &source.kind else { return None };
    match (&base.kind, suffixes.as_slice()) {
        (ExprKind::Name(name), [tree::Suffix { kind: SuffixKind::Call(args), .. }]) if name == PARTITION.name() => {
            Some(args)
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// Checks `partition(x, [64, 64])`. `body` has the views, if they have not been read yet.
    pub(in super::super) fn partition(
        &mut self,
        source: &tree::Expr,
        body: Option<&[tree::Statement]>,
    ) -> Option<Partition> {
        let span = source.span;
        let args = arguments(source)?;
        let call = Call { called: &PARTITION.documentation, word: span, args, span };
        let (positional, named) = self.split_call(call)?;
        let [tensor, tile] = positional else { return self.wrong_count(call, positional.len()) };
        let divided = self.divided_source(&tensor.value, body);
        let extents = self.tile_extents(&tile.value, body);
        let ((name, divided), extents) = (divided?, extents?);
        let upper: Vec<UpperAxis> = divided.map.upper.iter().take(divided.local_rank).cloned().collect();
        let shape = upper.iter().map(|axis| axis.extent.clone()).collect::<Option<Vec<Sym>>>()?;
        if shape.len() != extents.len() {
            let why = WrongTile::Partition { tensor: &name, rank: shape.len(), tile: &extents };
            return self.report(diagnostics::tile_shape(tile.value.span, &why));
        }
        let order = match named.first() {
            Some(order) => self.order(&order.value, shape.len())?,
            None => (0..shape.len()).collect(),
        };
        let mut space = Vec::with_capacity(shape.len());
        for (dimension, extent) in order.iter().zip(&extents) {
            let tiles = shape.get(*dimension)?.cdiv(&Sym::constant(*extent), &self.evaluator.facts);
            space.push(self.evaluator.settle(span, tiles)?);
        }
        let map = partition_map(&space, &extents, &self.evaluator.facts);
        let map = self.built(span, map)?;
        let ordered = self.ordered(&divided, &upper, &order, span)?;
        let masked = self.other_indices(&ordered, &map, false, true, span)?;
        let memory = divided.memory;
        // Indices inside the dimensions of a whole tensor are inside the tensor.
        let whole = divided.whole;
        let direct = if ordered.whole { Arc::new(View { inside: true, ..(*ordered).clone() }) } else { ordered };
        let mut lower = vec![None; order.len()];
        for (dimension, axis) in order.iter().zip(&map.lower) {
            *lower.get_mut(*dimension)? = Some(axis.clone());
        }
        let lower = lower.into_iter().collect::<Option<Vec<LowerAxis>>>()?;
        let mapping = Arc::new(IndexMap { lower, ..map });
        Some(Partition {
            memory,
            name,
            shape,
            order,
            tile: extents,
            space,
            mapping,
            masked: Arc::new(masked),
            direct,
            whole,
        })
    }

    /// `order: (1, 0)`: dimension `k` of the tiles is dimension `order[k]` of the tensor.
    fn order(&mut self, order: &tree::Expr, rank: usize) -> Option<Vec<usize>> {
        let listed = match &order.kind {
            ExprKind::Tuple(listed) | ExprKind::List(listed) => listed.iter().collect(),
            ExprKind::Paren(inner) => vec![&**inner],
            _ => vec![order],
        };
        let mut found = Vec::with_capacity(listed.len());
        for dimension in listed {
            found.push(self.evaluator.int(dimension)?);
        }
        let known = |number: &Sym| number.as_constant().and_then(|number| usize::try_from(number).ok());
        let mut kept: Vec<usize> = Vec::with_capacity(rank);
        for dimension in found.iter().filter_map(known) {
            if dimension < rank && !kept.contains(&dimension) {
                kept.push(dimension);
            }
        }
        if kept.len() == rank && found.len() == rank {
            return Some(kept);
        }
        // The nearest order begins with the dimensions that are named, and has the others behind them.
        let missing: Vec<usize> = (0..rank).filter(|dimension| !kept.contains(dimension)).collect();
        kept.extend(missing);
        let found: Vec<String> = found.iter().map(Sym::to_string).collect();
        self.report(diagnostics::tile_order(order.span, &found, &kept))
    }

    /// The view with its dimensions in another order: dimension `k` is dimension `order[k]` of the view.
    fn ordered(&mut self, view: &Arc<View>, upper: &[UpperAxis], order: &[usize], span: Span) -> Option<Arc<View>> {
        if order.iter().enumerate().all(|(place, dimension)| place == *dimension) {
            return Some(Arc::clone(view));
        }
        let map = order_map(upper, order, &self.evaluator.facts);
        let map = self.built(span, map)?;
        self.other_indices(view, &map, false, false, span).map(Arc::new)
    }

    /// What is divided, with its name: a tensor, a shared array, or a view of one that the threads have not shared out.
    pub(super) fn divided_source(
        &mut self,
        source: &tree::Expr,
        body: Option<&[tree::Statement]>,
    ) -> Option<(SmolStr, Arc<View>)> {
        if let ExprKind::Via(tensor, map) = &source.kind {
            return self.divided_through(tensor, map, body);
        }
        let ExprKind::Name(name) = &source.kind else {
            return self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Expression));
        };
        let view = match self.binding(name).cloned() {
            Some(Binding::Memory(memory)) => Arc::new(self.direct_view(memory, source.span)?),
            Some(Binding::View(view)) => view,
            Some(Binding::Broken) => return None,
            Some(Binding::ThreadArray(_)) => {
                return self.report(diagnostics::not_a_tensor(source.span, &NotTensor::ThreadArray(name.clone())));
            }
            Some(Binding::Tile(_)) => {
                return self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Tile(name.clone())));
            }
            Some(_) => {
                return self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Variable(name.clone())));
            }
            None => match declared_view(name, body) {
                Some(declared) => self.view_before(&declared)?,
                None => return self.unknown_local(name, source.span),
            },
        };
        self.undealt(view, source.span).map(|view| (name.clone(), view))
    }

    /// A view that is declared before what is asked for, and has not been read yet. So have not those that it is made of.
    fn view_before(&mut self, DeclaredView { before, of, via, masked, span }: &DeclaredView<'_>) -> Option<Arc<View>> {
        let bound = self.bindings.len();
        if let ExprKind::Name(base) = &of.kind
            && self.binding(base).is_none()
        {
            let (_, view) = self.divided_source(of, Some(before))?;
            self.bind(&Name { text: base.clone(), span: of.span }, Binding::View(view));
        }
        let view = self.view_statement(of, *via, None, *masked, *span);
        self.unbind(bound);
        view.map(Arc::new)
    }

    /// What is divided in `partition(x via m, …)`, as if the view had a name.
    fn divided_through(
        &mut self,
        tensor: &tree::Expr,
        map: &tree::Expr,
        body: Option<&[tree::Statement]>,
    ) -> Option<(SmolStr, Arc<View>)> {
        let span = tensor.span.to(map.span);
        let view = Arc::new(self.view_statement(tensor, Some(map), None, None, span)?);
        let view = self.undealt(view, span)?;
        // The launch only asks how many tiles there are.
        if body.is_none() {
            self.found.record.subjects.push(Subject::View(Arc::clone(&view)));
        }
        let name = match &tensor.kind {
            ExprKind::Name(name) => name.clone(),
            _ => SmolStr::new_static("view"),
        };
        Some((name, view))
    }

    /// A view that the threads have not shared out.
    fn undealt(&mut self, view: Arc<View>, span: Span) -> Option<Arc<View>> {
        if view.divided || !view.bound.is_empty() {
            return self.report(diagnostics::tile_place(span, TilePlace::ViewOfThreads));
        }
        Some(view)
    }

    /// The extents of a tile: `[64, 64]`.
    fn tile_extents(&mut self, list: &tree::Expr, body: Option<&[tree::Statement]>) -> Option<Vec<i64>> {
        if !self.partition_sizes(list, body).is_not_mine() {
            return self.extents([list], body, list.span);
        }
        let ExprKind::List(extents) = &list.kind else {
            return self.report(diagnostics::tile_shape(list.span, &WrongTile::NoList));
        };
        self.extents(extents, body, list.span)
    }

    /// The extents of a tile, which are numbers and together not too many elements.
    pub(in super::super) fn extents<'t>(
        &mut self,
        extents: impl IntoIterator<Item = &'t tree::Expr>,
        body: Option<&[tree::Statement]>,
        span: Span,
    ) -> Option<Vec<i64>> {
        let mut found = Vec::new();
        for extent in extents {
            let values = match self.partition_sizes(extent, body) {
                Read::Is(sizes) => sizes,
                Read::Wrong => return None,
                Read::NotMine => vec![self.evaluator.map_size(extent)?],
            };
            for value in values {
                let Some(constant) = value.as_constant() else {
                    return self.report(diagnostics::not_constant(extent.span, Quantity::TileExtent, &value));
                };
                found.push(constant);
            }
        }
        self.within_limits(found, span)
    }

    /// The shape of a tile, if it has not too many elements.
    pub(super) fn within_limits(&mut self, shape: Vec<i64>, span: Span) -> Option<Vec<i64>> {
        match shape.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent)) {
            Some(elements) if elements <= MOST_ELEMENTS => Some(shape),
            _ => self.report(diagnostics::tile_shape(span, &WrongTile::TooMany { tile: &shape, most: MOST_ELEMENTS })),
        }
    }

    /// The number of a dimension of a tile, from 0.
    pub(super) fn dimension(&mut self, expr: &tree::Expr, rank: usize) -> Option<usize> {
        let number = self.evaluator.int(expr)?;
        let found = number.as_constant().and_then(|number| usize::try_from(number).ok()).filter(|found| *found < rank);
        match found {
            Some(found) => Some(found),
            None => self.report(diagnostics::tile_dimension(expr.span, &number, rank)),
        }
    }
}

/// The parts of `view name = source via map masked;`, and the statements before it.
struct DeclaredView<'b> {
    before: &'b [tree::Statement],
    of: &'b tree::Expr,
    via: Option<&'b tree::Expr>,
    masked: Option<Span>,
    span: Span,
}

/// The declaration of a view among statements.
fn declared_view<'b>(name: &str, body: Option<&'b [tree::Statement]>) -> Option<DeclaredView<'b>> {
    let body = body?;
    body.iter().enumerate().rev().find_map(|(place, statement)| match &statement.kind {
        StatementKind::View { name: declared, source, via, masked, .. } if declared.text == name => {
            let (before, span) = (body.get(..place)?, statement.span);
            Some(DeclaredView { before, of: source, via: via.as_ref(), masked: *masked, span })
        }
        _ => None,
    })
}

/// The most elements of a tile, as CUDA Tile has it.
const MOST_ELEMENTS: i64 = 1 << 24;

/// The partition view mapping: tile `I`, element `J` → index `I · S + J` of the tensor.
fn partition_map(space: &[Sym], tile: &[i64], facts: &dims::Facts) -> Result<IndexMap, MapError> {
    let axis = |extent: Sym| UpperAxis { extent: Some(extent), role: AxisRole::Local };
    let mut upper: Vec<UpperAxis> = space.iter().cloned().map(axis).collect();
    upper.extend(tile.iter().map(|extent| axis(Sym::constant(*extent))));
    let mut builder = MapBuilder::new(upper, facts);
    let coordinates = builder.coordinates()?;
    let (tiles, elements) = coordinates.split_at(space.len());
    let mut lower = Vec::with_capacity(space.len());
    for ((index, element), extent) in tiles.iter().zip(elements).zip(tile) {
        let value = Affine::weighted_sum(&[index.clone(), element.clone()], &[Sym::constant(*extent), Sym::one()])?;
        lower.push(LowerAxis { value, extent: None });
    }
    builder.finish(lower)
}

/// The map that has the dimensions of a tensor in another order.
fn order_map(upper: &[UpperAxis], order: &[usize], facts: &dims::Facts) -> Result<IndexMap, MapError> {
    let ordered = order.iter().filter_map(|dimension| upper.get(*dimension).cloned()).collect();
    let mut builder = MapBuilder::new(ordered, facts);
    let mut lower: Vec<(usize, Affine)> = order.iter().copied().zip(builder.coordinates()?).collect();
    lower.sort_by_key(|(dimension, _)| *dimension);
    builder.finish(lower.into_iter().map(|(_, value)| LowerAxis { value, extent: None }).collect())
}
