//! Scans along a dimension, and the places of extremes.

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::examples::stores;
use super::folds::Of;
use super::parameters::{DIMENSION, KEEP};
use super::reductions::Reduced;
use super::tile::{Tile, variable};
use super::words::{Call, TileMethod};
use crate::diagnostics::{self, WrongTile};
use crate::documentation::Documentation;
use elements::ElementType;
use kernel::typed::{BinaryOp, Combination, Expr, ExprKind, Local, Memory, StatementKind};
use syntax::span::Span;

pub(super) const ARGMAX: TileMethod = TileMethod {
    documentation: Documentation {
        word: "argmax",
        parameters: &[DIMENSION, KEEP],
        text: "The first place of the greatest element along a dimension, an `i32`.",
        example: stores!("px.load(i, j) + f32(px.load(i, j).argmax(1, keep: true))"),
    },
    apply: |checker, tile, call| checker.place_of_extreme(tile, BinaryOp::Greater, call),
};

pub(super) const ARGMIN: TileMethod = TileMethod {
    documentation: Documentation {
        word: "argmin",
        parameters: &[DIMENSION, KEEP],
        text: "The first place of the least element along a dimension, an `i32`.",
        example: stores!("px.load(i, j) + f32(px.load(i, j).argmin(1, keep: true))"),
    },
    apply: |checker, tile, call| checker.place_of_extreme(tile, BinaryOp::Less, call),
};

pub(super) const CUMSUM: TileMethod = TileMethod {
    documentation: Documentation {
        word: "cumsum",
        parameters: &[DIMENSION],
        text: "Each element with the sum of those before it along a dimension.",
        example: stores!("px.load(i, j).cumsum(1)"),
    },
    apply: |checker, tile, call| checker.scan(tile, Combination::Operator(BinaryOp::Add), call),
};

pub(super) const CUMPROD: TileMethod = TileMethod {
    documentation: Documentation {
        word: "cumprod",
        parameters: &[DIMENSION],
        text: "Each element with the product of those before it along a dimension.",
        example: stores!("px.load(i, j).cumprod(1)"),
    },
    apply: |checker, tile, call| checker.scan(tile, Combination::Operator(BinaryOp::Multiply), call),
};

impl Checker<'_> {
    /// The one dimension of a scan or of `argmax`.
    fn one_dimension(&mut self, rank: usize, call: Call<'_>) -> Option<Reduced> {
        let reduced = self.reduced(rank, call)?;
        match reduced.gone.as_slice() {
            [_] => Some(reduced),
            _ => {
                let why = WrongTile::NoDimensions { operation: call.name(), rank };
                self.report(diagnostics::tile_shape(call.span, &why))
            }
        }
    }

    /// `t.cumsum(1)`: each element joined with those before it.
    fn scan(&mut self, tile: Tile, join: Combination, call: Call<'_>) -> Option<Tile> {
        let span = call.span;
        self.check_joined(tile.value.natural(), Of::Numbers, call)?;
        let reduced = self.one_dimension(tile.rank(), call)?;
        let element = tile.value.natural();
        let array = self.array(element, &tile.shape, span)?;
        let (along, others) = self.along(&tile, &reduced)?;
        let contents = self.joined_contents(&tile, join, along);
        let axes = self.axes(&others);
        let step = self.counter("step", along);
        let total = self.new_local(&SmolStr::new_static("total"), element, true);
        let current = Expr { kind: ExprKind::Local(total), element };
        let first = self.element_along(&tile, &reduced, &axes, Expr::int(0), span)?;
        let next = self.element_along(&tile, &reduced, &axes, variable(step), span)?;
        let place_of = |at: Expr| coordinates_along(&reduced, &axes, at, tile.rank());
        let mut body = self.made(StatementKind::Assign { local: total, value: first }, span);
        let access = self.element_access(array, place_of(Expr::int(0))?, span)?;
        body.extend(self.made(StatementKind::Store { access, value: current.clone(), is_async: false }, span));
        let kind = StatementKind::Assign { local: total, value: join.apply(current.clone(), next) };
        let mut inner = self.made(kind, span);
        let access = self.element_access(array, place_of(variable(step))?, span)?;
        inner.extend(self.made(StatementKind::Store { access, value: current, is_async: false }, span));
        let (low, high) = (Expr::int(1), Expr::int(along));
        body.extend(self.made(StatementKind::For { local: step, low, high, body: inner }, span));
        let each = self.each(&axes, &others, body, span)?;
        self.tiles.before.push(each);
        self.raiser.know_contents(Memory::Shared(array), contents);
        self.owned(array, span)
    }

    /// The first place of the element that comes before all others by `op`, as `i32`. A NaN is left out where there is a
    /// number.
    fn place_of_extreme(&mut self, tile: Tile, op: BinaryOp, call: Call<'_>) -> Option<Tile> {
        let span = call.span;
        let reduced = self.one_dimension(tile.rank(), call)?;
        let element = tile.value.natural();
        self.check_joined(element, Of::Numbers, call)?;
        let (along, others) = self.along(&tile, &reduced)?;
        let result = self.array(ElementType::I32, &others, span)?;
        let axes = self.axes(&others);
        let step = self.counter("step", along);
        let best = self.new_local(&SmolStr::new_static("best"), element, true);
        let place = self.new_local(&SmolStr::new_static("place"), ElementType::I64, true);
        let first = self.element_along(&tile, &reduced, &axes, Expr::int(0), span)?;
        let next = self.element_along(&tile, &reduced, &axes, variable(step), span)?;
        let current = Expr { kind: ExprKind::Local(best), element };
        let mut body = self.made(StatementKind::Assign { local: best, value: first }, span);
        body.extend(self.made(StatementKind::Assign { local: place, value: Expr::int(0) }, span));
        let mut then = self.made(StatementKind::Assign { local: best, value: next.clone() }, span);
        then.extend(self.made(StatementKind::Assign { local: place, value: variable(step) }, span));
        // A NaN, which is not equal to itself, gives way to the first number.
        let is_nan = Expr::binary(BinaryOp::NotEqual, current.clone(), current.clone());
        let is_number = Expr::binary(BinaryOp::Equal, next.clone(), next.clone());
        let beyond = Expr::binary(op, next, current);
        let condition = match element.is_float() {
            true => Expr::binary(BinaryOp::Or, beyond, Expr::binary(BinaryOp::And, is_nan, is_number)),
            false => beyond,
        };
        let inner = self.made(StatementKind::If { condition, then, otherwise: Vec::new() }, span);
        let (low, high) = (Expr::int(1), Expr::int(along));
        body.extend(self.made(StatementKind::For { local: step, low, high, body: inner }, span));
        let access = self.element_access(result, axes.iter().map(|axis| variable(*axis)).collect(), span)?;
        let value = variable(place).cast_to(ElementType::I32);
        body.extend(self.made(StatementKind::Store { access, value, is_async: false }, span));
        let each = self.each(&axes, &others, body, span)?;
        self.tiles.before.push(each);
        let found = self.of_places(result, along, Vec::new(), span)?;
        Some(if reduced.keep { self.with_ones(found, &reduced.gone) } else { found })
    }

    /// The extent along the one reduced dimension, and those of the others.
    fn along(&self, tile: &Tile, reduced: &Reduced) -> Option<(i64, Vec<i64>)> {
        let along = *tile.shape.get(*reduced.gone.first()?)?;
        Some((along, reduced.kept.iter().filter_map(|dimension| tile.shape.get(*dimension).copied()).collect()))
    }

    fn element_along(&mut self, tile: &Tile, reduced: &Reduced, axes: &[Local], at: Expr, span: Span) -> Option<Expr> {
        let coordinates = coordinates_along(reduced, axes, at, tile.rank())?;
        self.coerce(tile.at(&coordinates), tile.value.natural(), span)
    }
}

fn coordinates_along(reduced: &Reduced, axes: &[Local], at: Expr, rank: usize) -> Option<Vec<Expr>> {
    let mut coordinates = vec![Expr::int(0); rank];
    for (dimension, axis) in reduced.kept.iter().zip(axes) {
        *coordinates.get_mut(*dimension)? = variable(*axis);
    }
    *coordinates.get_mut(*reduced.gone.first()?)? = at;
    Some(coordinates)
}
