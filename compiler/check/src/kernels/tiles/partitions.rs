//! Partitions of tensors: `view px = partition(x, [64, 64]);`, `px.index_space`.

use std::sync::Arc;

use smol_str::SmolStr;

use super::super::views::View;
use super::super::{Binding, Checker};
use super::Partition;
use crate::diagnostics::{self, NotTensor, Quantity, TilePlace, WrongTile};
use dims::Sym;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};
use syntax::span::Span;
use syntax::tree::{self, Argument, Block, ExprKind, StatementKind, SuffixKind};

/// Whether an expression is a call of `partition`.
pub(in super::super) fn is_partition(source: &tree::Expr) -> bool {
    arguments(source).is_some()
}

/// The name of the partition in `px.index_space`, and the arguments in `px.index_space(1)`.
fn index_space(expr: &tree::Expr) -> Option<(&str, Option<&[Argument]>)> {
    let ExprKind::Postfix { base, suffixes } = &expr.kind else { return None };
    let ExprKind::Name(name) = &base.kind else { return None };
    let (tree::Suffix { kind: SuffixKind::Member(member), .. }, rest) = suffixes.split_first()? else { return None };
    let args = match rest {
        [] => None,
        [tree::Suffix { kind: SuffixKind::Call(args), .. }] => Some(args.as_slice()),
        _ => return None,
    };
    (member.text == "index_space").then_some((name, args))
}

/// The arguments of `partition(…)`.
fn arguments(source: &tree::Expr) -> Option<&[Argument]> {
    let ExprKind::Postfix { base, suffixes } = &source.kind else { return None };
    match (&base.kind, suffixes.as_slice()) {
        (ExprKind::Name(name), [tree::Suffix { kind: SuffixKind::Call(args), .. }]) if name == "partition" => {
            Some(args)
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// Checks `partition(x, [64, 64])`. `body` has the views, if they have not been read yet.
    pub(in super::super) fn partition(&mut self, source: &tree::Expr, body: Option<&Block>) -> Option<Partition> {
        let span = source.span;
        let [tensor, tile] = arguments(source)? else {
            let found = arguments(source)?.len();
            return self.report(diagnostics::argument_count(span, "partition", &["tensor", "tile"], found));
        };
        if let Some(name) = [tensor, tile].iter().find_map(|argument| argument.name.as_ref()) {
            return self.report(diagnostics::unknown_argument(name.span, "partition", &name.text, &[]));
        }
        let divided = self.divided_source(&tensor.value, body);
        let extents = self.tile_extents(&tile.value);
        let ((name, divided), extents) = (divided?, extents?);
        let upper = divided.map.upper.iter().take(divided.local_rank);
        let shape = upper.map(|axis| axis.extent.clone()).collect::<Option<Vec<Sym>>>()?;
        if shape.len() != extents.len() {
            let why = WrongTile::Partition { tensor: &name, rank: shape.len(), tile: &extents };
            return self.report(diagnostics::tile_shape(tile.value.span, &why));
        }
        let mut space = Vec::with_capacity(shape.len());
        for (dimension, extent) in shape.iter().zip(&extents) {
            let tiles = dimension.cdiv(&Sym::constant(*extent), &self.evaluator.facts);
            space.push(self.evaluator.settle(span, tiles)?);
        }
        let map = partition_map(&space, &extents, &self.evaluator.facts);
        let map = self.built(span, map)?;
        let masked = self.other_indices(&divided, &map, false, true, span)?;
        self.tiles.used = true;
        let memory = divided.memory;
        // Indices inside the dimensions of a whole tensor are inside the tensor.
        let direct = if divided.whole { Arc::new(View { inside: true, ..(*divided).clone() }) } else { divided };
        Some(Partition { memory, name, tile: extents, space, masked: Arc::new(masked), direct })
    }

    /// What is divided, with its name: a tensor, a shared array, or a view of one that the threads have not shared out.
    pub(super) fn divided_source(&mut self, source: &tree::Expr, body: Option<&Block>) -> Option<(SmolStr, Arc<View>)> {
        let ExprKind::Name(name) = &source.kind else {
            return self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Expression));
        };
        let view = match self.binding(name).cloned() {
            Some(Binding::Memory(memory)) => Arc::new(self.direct_view(memory, source.span)?),
            Some(Binding::View(view)) => view,
            Some(Binding::Broken) => return None,
            Some(_) => {
                return self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Variable(name.clone())));
            }
            None => match declared_view(name, body) {
                Some((of, via, masked, span)) => Arc::new(self.view_statement(of, via, None, masked, span)?),
                None => return self.unknown_local(name, source.span),
            },
        };
        if view.divided || !view.bound.is_empty() {
            return self.report(diagnostics::tile_place(source.span, TilePlace::ViewOfThreads));
        }
        Some((name.clone(), view))
    }

    /// The extents of a tile: `[64, 64]`.
    pub(super) fn tile_extents(&mut self, list: &tree::Expr) -> Option<Vec<i64>> {
        let ExprKind::List(extents) = &list.kind else {
            return self.report(diagnostics::tile_shape(list.span, &WrongTile::NoList));
        };
        self.extents(extents, list.span)
    }

    /// The extents of a tile, which are numbers and together not too many elements.
    pub(super) fn extents<'t>(
        &mut self,
        extents: impl IntoIterator<Item = &'t tree::Expr>,
        span: Span,
    ) -> Option<Vec<i64>> {
        let mut found = Vec::new();
        for extent in extents {
            let value = self.evaluator.map_size(extent)?;
            let Some(constant) = value.as_constant() else {
                return self.report(diagnostics::not_constant(extent.span, Quantity::TileExtent, &value));
            };
            found.push(constant);
        }
        let elements = found.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent));
        match elements {
            Some(elements) if elements <= MOST_ELEMENTS => Some(found),
            _ => self.report(diagnostics::tile_shape(span, &WrongTile::TooMany { tile: &found, most: MOST_ELEMENTS })),
        }
    }

    /// The sizes of `grid(n, m)`, `grid(px.index_space)` or `grid(px.index_space(0))`. `body` has the partitions, if they
    /// have not been read yet.
    pub(in super::super) fn grid_sizes(&mut self, args: &[Argument], body: Option<&Block>) -> Option<Vec<Sym>> {
        let mut sizes = Vec::new();
        let mut complete = true;
        for arg in args {
            let asked = index_space(&arg.value);
            match asked.and_then(|(name, along)| Some((self.partition_of(name, body)?, along))) {
                Some((Some(partition), None)) => sizes.extend(partition.space.iter().cloned()),
                Some((Some(partition), Some(along))) => {
                    let size = self.tiles_along(&partition, along, arg.value.span);
                    complete &= size.is_some();
                    sizes.extend(size);
                }
                Some((None, _)) => complete = false,
                None => {
                    let size = self.evaluator.map_size(&arg.value);
                    complete &= size.is_some();
                    sizes.extend(size);
                }
            }
        }
        complete.then_some(sizes)
    }

    /// The partition of a name, if it is the name of one; `Some(None)` if that has an error, which is reported.
    fn partition_of(&mut self, name: &str, body: Option<&Block>) -> Option<Option<Arc<Partition>>> {
        match self.binding(name) {
            Some(Binding::Partition(partition)) => return Some(Some(Arc::clone(partition))),
            Some(Binding::Broken) => return Some(None),
            _ => {}
        }
        let source = body?.statements.iter().rev().find_map(|statement| match &statement.kind {
            StatementKind::View { name: declared, source, .. } if declared.text == name => Some(source),
            _ => None,
        })?;
        arguments(source)?;
        Some(self.partition(source, body).map(Arc::new))
    }

    /// `px.index_space(1)`: the number of tiles along a dimension.
    pub(in super::super) fn tiles_along(
        &mut self,
        partition: &Partition,
        args: &[Argument],
        span: Span,
    ) -> Option<Sym> {
        let [Argument { name: None, value }] = args else {
            return self.report(diagnostics::argument_count(span, "index_space", &["dimension"], args.len()));
        };
        let dimension = self.dimension(value, partition.space.len())?;
        partition.space.get(dimension).cloned()
    }

    /// The number of a dimension of a tile, from 0.
    pub(super) fn dimension(&mut self, expr: &tree::Expr, rank: usize) -> Option<usize> {
        let number = self.evaluator.int(expr)?;
        let found = number.as_constant().and_then(|number| usize::try_from(number).ok()).filter(|found| *found < rank);
        match found {
            Some(found) => Some(found),
            None => {
                let why = WrongTile::NoDimension { dimension: number.to_string(), rank };
                self.report(diagnostics::tile_shape(expr.span, &why))
            }
        }
    }
}

/// The parts of `view name = source via map masked;` in a body, before which only other views stand.
fn declared_view<'b>(
    name: &str,
    body: Option<&'b Block>,
) -> Option<(&'b tree::Expr, Option<&'b tree::Expr>, Option<Span>, Span)> {
    body?.statements.iter().rev().find_map(|statement| match &statement.kind {
        StatementKind::View { name: declared, source, via, masked, .. } if declared.text == name => {
            Some((source, via.as_ref(), *masked, statement.span))
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
