//! The methods of tiles, `t.permute(1, 0)`, and those of them that only move elements.

use super::super::checker::Checker;
use super::examples::stores;
use super::makers::row_major_number;
use super::parameters::DIMENSION;
use super::shapes::is_transposition;
use super::tile::Tile;
use super::words::{Call, Called, TileMethod};
use crate::diagnostics::{self, WrongTile};
use crate::documentation::Documentation;
use dims::Sym;
use kernel::functions::Parameter;
use kernel::typed::Expr;
use syntax::span::Span;
use syntax::tree::{self, Argument, ExprKind};

pub(super) const PERMUTE: TileMethod = TileMethod {
    documentation: Documentation {
        word: "permute",
        parameters: &[Parameter::new("order", "each dimension once").repeated()],
        text: "Dimension k of the result is dimension order[k] of the tile: `permute(1, 0)` is the transpose.",
        example: stores!("px.load(i, j).permute(1, 0)"),
    },
    apply: |checker, tile, call| checker.permute(tile, call.args, call.span),
};

pub(super) const RESHAPE: TileMethod = TileMethod {
    documentation: Documentation {
        word: "reshape",
        parameters: &[Parameter::new("shape", "a list of extents with the same number of elements")],
        text: "The same elements in row-major order.",
        example: stores!("px.load(i, j).reshape([4]).reshape([2, 2])"),
    },
    apply: |checker, tile, call| checker.reshape(tile, call.args, call.span),
};

pub(super) const INSERT: TileMethod = TileMethod {
    documentation: Documentation {
        word: "insert",
        parameters: &[DIMENSION],
        text: "A dimension of extent 1 before this one, so that the tile extends along it.",
        example: stores!("px.load(i, j) + px.load(i, j).sum(1).insert(1)"),
    },
    apply: |checker, tile, call| checker.insert(tile, call),
};

impl Checker<'_> {
    /// A method of a tile.
    pub(super) fn method(&mut self, tile: Tile, called: &Called<'_>, span: Span) -> Option<Tile> {
        let rank = tile.rank();
        match TileMethod::from_name(&called.member.text) {
            Some(method) => {
                let Called { member, args, .. } = *called;
                (method.apply)(self, tile, Call { called: &method.documentation, word: member.span, args, span })
            }
            None => self.no_method(rank, called, span),
        }
    }

    /// Reports a method that there is not: a function, or one of other languages.
    fn no_method<T>(&mut self, rank: usize, called: &Called<'_>, span: Span) -> Option<T> {
        let (member, word) = (called.member.span, called.member.text.as_str());
        if is_transposition(word) {
            return self.report(diagnostics::tile_transposed(member.to(called.span), word, Some(rank)));
        }
        if self.is_function(word) && !self.evaluator.generics.declares(word) {
            let first = self.text_of(Span::new(span.start, span.start + 1));
            return self.report(diagnostics::tile_function(member, word, span, &first, !called.args.is_empty()));
        }
        self.report(diagnostics::tile_member(member, word, None, &TileMethod::names()))
    }

    /// `t.permute(1, 0)`: dimension `k` of the result is dimension `order[k]` of the tile.
    fn permute(&mut self, tile: Tile, args: &[Argument], span: Span) -> Option<Tile> {
        let rank = tile.rank();
        let mut order = Vec::with_capacity(args.len());
        for dimension in listed(args) {
            order.push(self.dimension(dimension, rank)?);
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != rank || order.len() != rank {
            return self.report(diagnostics::tile_shape(span, &WrongTile::Permutation { rank, found: &order }));
        }
        let tile = self.stored(tile, span)?;
        let moved = |dimension: &usize| Some((*tile.shape.get(*dimension)?, *tile.axes.get(*dimension)?));
        let (shape, axes) = order.iter().map(moved).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some(Tile { shape, axes, value: tile.value, own: None })
    }

    /// `t.reshape([8, 2])`, `t.reshape(8, 2)`: the same elements in row-major order. One extent may be -1: the one that fits.
    fn reshape(&mut self, tile: Tile, args: &[Argument], span: Span) -> Option<Tile> {
        let extents = listed(args);
        let open: Vec<usize> =
            (0..extents.len()).filter(|place| extents.get(*place).is_some_and(|e| is_open(e))).collect();
        let said: Vec<&tree::Expr> = extents.into_iter().filter(|extent| !is_open(extent)).collect();
        let mut shape = self.extents(said, None, span)?;
        if open.len() > 1 {
            return self.report(diagnostics::tile_shape(span, &WrongTile::SeveralOpen { tile: &tile.shape }));
        }
        if let [place] = open.as_slice() {
            let (all, known): (i64, i64) = (tile.shape.iter().product(), shape.iter().product());
            if all % known.max(1) != 0 {
                let why = WrongTile::NoneFits { tile: &tile.shape, others: known };
                return self.report(diagnostics::tile_shape(span, &why));
            }
            shape.insert(*place, (all / known.max(1)).max(1));
        }
        let (before, after): (i64, i64) = (tile.shape.iter().product(), shape.iter().product());
        if before != after {
            let why = WrongTile::Elements { tile: &tile.shape, shape: &shape };
            return self.report(diagnostics::tile_shape(span, &why));
        }
        let tile = self.stored(tile, span)?;
        let axes = self.axes(&shape);
        let extents: Vec<Sym> = tile.shape.iter().map(|extent| Sym::constant(*extent)).collect();
        let digits = Expr::digits(row_major_number(&axes, &shape), &extents);
        let value = tile.at(&digits);
        Some(Tile { shape, axes, value, own: None })
    }

    /// `t.insert(1)`: a dimension of extent 1 before dimension 1.
    fn insert(&mut self, tile: Tile, call: Call<'_>) -> Option<Tile> {
        let [place] = call.args else { return self.wrong_count(call, call.args.len()) };
        let place = self.dimension(&place.value, tile.rank() + 1)?;
        let Tile { mut shape, mut axes, value, .. } = tile;
        let axis = self.axes(&[1]);
        shape.insert(place, 1);
        axes.splice(place..place, axis);
        Some(Tile { shape, axes, value, own: None })
    }
}

/// The parts of a list, which is given by itself or as the arguments.
fn listed(args: &[Argument]) -> Vec<&tree::Expr> {
    match args {
        [Argument { value: tree::Expr { kind: ExprKind::List(list), .. }, .. }] => list.iter().collect(),
        _ => args.iter().map(|arg| &arg.value).collect(),
    }
}

/// Whether an extent is `-1`, which stands for the one that fits.
fn is_open(extent: &tree::Expr) -> bool {
    matches!(&extent.kind, ExprKind::Prefix { ops, operand }
        if matches!(ops.as_slice(), [(tree::PrefixOp::Negate, _)])
            && matches!(&operand.kind, ExprKind::Int(Some(1))))
}
