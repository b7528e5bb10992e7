//! Loads of single elements by tiles of indices: `gather(x, i, j)`, `gather_masked(x, i, j, pad: nan)`.

use std::sync::Arc;

use smol_str::SmolStr;

use super::super::access::Accessed;
use super::super::checker::Checker;
use super::super::operand::Operand;
use super::super::view::View;
use super::examples::stores;
use super::parameters::{INDICES, PAD, TENSOR};
use super::tile::{Tile, variable};
use super::transfers::Padding;
use super::words::{Call, Role, TileFunction};
use crate::diagnostics::{self, Actual, Advice, Expected, TilePlace};
use crate::documentation::Documentation;
use dims::Sym;
use elements::ElementType;
use kernel::raise::LoopRange;
use kernel::typed::{Access, AccessKind, BinaryOp, Expr, ExprKind, Local};
use syntax::span::Span;
use syntax::tree;

/// The most operations of an index that are repeated for a load.
const MOST_REPEATED: usize = 32;

pub(super) const GATHER: TileFunction = TileFunction {
    documentation: Documentation {
        word: "gather",
        parameters: &[TENSOR, INDICES],
        text: "The elements of a tensor at the indices that tiles give, one tile or number for each dimension. They must be inside.",
        example: stores!("gather(x, iota(i32[2, 1]), iota(i32[1, 2]))"),
    },
    role: Role::Makes(|checker, call| checker.gather(call, false)),
};

pub(super) const GATHER_MASKED: TileFunction = TileFunction {
    documentation: Documentation {
        word: "gather_masked",
        parameters: &[TENSOR, INDICES, PAD],
        text: "The elements of a tensor at the indices that tiles give, one tile or number for each dimension; the padding where an \
               index is outside.",
        example: stores!("gather_masked(x, iota(i32[2, 1]) - 1, iota(i32[1, 2]))"),
    },
    role: Role::Makes(|checker, call| checker.gather(call, true)),
};

impl Checker<'_> {
    /// The elements of a tensor at the indices that tiles give, one tile or number for each dimension. Under `gather_masked`,
    /// an index outside the tensor gives the padding.
    fn gather(&mut self, call: Call<'_>, masked: bool) -> Option<Tile> {
        let span = call.span;
        let (positional, named) = self.split_call(call)?;
        let Some((source, indices)) = positional.split_first() else { return self.wrong_count(call, 0) };
        if self.mentions_tiles(&source.value) {
            let element = self.tile(&source.value)?;
            let found = self.text_of(source.value.span);
            let (of, shape) = (element.element(), element.extents());
            return self.report(diagnostics::gather_of_tile(source.value.span, &found, of, shape, masked));
        }
        let (word, view) = self.divided_source(&source.value, None)?;
        if self.is_mutable(view.memory) {
            return self.report(diagnostics::tile_place(source.value.span, TilePlace::GatherOfWritten));
        }
        let rank = view.local_rank;
        if indices.len() != rank {
            return self.report(diagnostics::wrong_index_count(span, &word, rank, indices.len()));
        }
        let padding = match masked {
            true => Some(self.padding(named.first().copied(), self.memories.element_of(view.memory)?)?),
            false => None,
        };
        let tiles: Vec<Option<Tile>> = indices.iter().map(|index| self.index_tile(&index.value)).collect();
        let tiles = tiles.into_iter().collect::<Option<Vec<_>>>()?;
        let spans: Vec<Span> = indices.iter().map(|index| index.value.span).collect();
        let shape = self.common_shape(&tiles, &spans)?;
        let axes = self.axes(&shape);
        let mut coordinates = Vec::with_capacity(rank);
        for (tile, span) in tiles.into_iter().zip(&spans) {
            coordinates.push(self.index_of(tile, &axes, *span)?);
        }
        let view = if view.whole { Arc::new(View { inside: true, ..(*view).clone() }) } else { view };
        let accessed = Accessed { view, named: None, word: &word };
        let value = self.gathered(&accessed, coordinates, &axes, &shape, padding, span)?;
        Some(Tile { shape, axes, value: Operand::Typed(value), own: None })
    }

    /// A tile of indices. One of many operations is computed once: a load says each of its indices several times, so gathers
    /// at what gathers find would grow without end.
    pub(super) fn index_tile(&mut self, index: &tree::Expr) -> Option<Tile> {
        let tile = self.tile(index)?;
        let mut operations = 0;
        if let Operand::Typed(value) = &tile.value {
            value.walk(&mut |_| operations += 1);
        }
        match operations > MOST_REPEATED {
            true => self.stored(tile, index.span),
            false => Some(tile),
        }
    }

    /// The element of a tile of indices at some axes, as an index.
    pub(super) fn index_of(&mut self, tile: Tile, axes: &[Local], span: Span) -> Option<Expr> {
        let value = self.natural(tile.along(axes), span)?;
        if !value.element.is_integer() {
            let found = Actual::Type(value.element);
            return self.report(diagnostics::type_mismatch(span, &Expected::IntegerIndex, &found));
        }
        Some(value.cast_to(ElementType::I64))
    }

    /// The load of an element.
    fn gathered(
        &mut self,
        accessed: &Accessed<'_>,
        coordinates: Vec<Expr>,
        axes: &[Local],
        shape: &[i64],
        padding: Option<Padding>,
        span: Span,
    ) -> Option<Expr> {
        let element = self.memories.element_of(accessed.view.memory)?;
        let load = |access| Expr { kind: ExprKind::Load(Box::new(access)), element };
        let Some(padding) = padding else {
            return self
                .of_elements(axes, shape, |checker| {
                    checker.advised_access(Advice::Gather, accessed, coordinates, AccessKind::Load, span)
                })
                .map(load);
        };
        let access = self.of_elements(axes, shape, |checker| {
            checker.access_inside(accessed, &coordinates, AccessKind::Load, span)
        })?;
        let condition = inside(&accessed.view, &coordinates)?;
        let padding = Box::new(padding.number(element));
        Some(Expr { kind: ExprKind::Select(Box::new(condition), Box::new(load(access)), padding), element })
    }

    /// The access at indices of which it is known that they are inside: its claims are made for all places there, since the
    /// indices themselves may be anything.
    pub(super) fn access_inside(
        &mut self,
        accessed: &Accessed<'_>,
        coordinates: &[Expr],
        kind: AccessKind,
        span: Span,
    ) -> Option<Access> {
        let view = &accessed.view;
        let mut places = Vec::with_capacity(coordinates.len());
        for axis in view.map.upper.iter().take(view.local_rank) {
            let local = self.new_local(&SmolStr::new_static("at"), ElementType::I64, false);
            places.push(local);
            let range = LoopRange { low: Sym::zero(), starts_at_low: true, extent: Some(axis.extent.clone()?) };
            self.raiser.enter_loop(local, range);
        }
        let at_places = places.iter().map(|place| variable(*place)).collect();
        let access = self.access_at(accessed, at_places, kind, span)?;
        let values = places.into_iter().zip(coordinates.iter().cloned()).collect();
        Some(access.with_locals(&values))
    }
}

/// Whether coordinates lie inside the dimensions of a view; `None` if it has no dimensions.
pub(super) fn inside(view: &View, coordinates: &[Expr]) -> Option<Expr> {
    let and = |left: Expr, right: Expr| Expr::binary(BinaryOp::And, left, right);
    let bounds = coordinates.iter().zip(&view.map.upper).filter_map(|(coordinate, axis)| {
        let below = Expr::binary(BinaryOp::Less, coordinate.clone(), Expr::size(axis.extent.as_ref()?));
        Some(and(Expr::binary(BinaryOp::GreaterEqual, coordinate.clone(), Expr::int(0)), below))
    });
    bounds.reduce(and)
}
