//! Reductions of tiles along dimensions.
//!
//! A reduction of `n` elements runs in interleaved chains: element `k` belongs to chain `k % chains`. There are as many chains
//! as elements up to 32, and in long rows 128 or 256, so that the threads of a block share them. The chains are then
//! joined in halves: of 256 chain `c` with chain `c + 128`, then with `c + 64`, and so on. So floats have the same sum on
//! every executor.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::super::operand::Operand;
use super::parameters::KEEP;
use super::tile::{Tile, variable};
use super::words::Call;
use crate::diagnostics::{self, Actual, Expected, WrongTile};
use dims::Sym;
use elements::ElementType;
use kernel::raise::Contents;
use kernel::typed::{
    BinaryOp, Combination, Expr, ExprKind, IteratorRange, Local, MathFunction, Memory, SharedId, Statement,
    StatementKind,
};
use syntax::span::Span;
use syntax::tree::{self, Argument};

/// The chains whose totals one point joins: those that the lanes of a warp can hold.
const JOINED: i64 = 32;

/// In how many chains more than [`JOINED`] elements are reduced: multiples of the threads that blocks mostly have, since the
/// chains of a thread then have the elements that the thread has.
fn chains(count: i64) -> i64 {
    match count {
        1024.. => 256,
        256.. => 128,
        _ => JOINED,
    }
}

/// The dimensions along which a tile is reduced.
pub(super) struct Reduced {
    /// Those that stay, in order.
    pub(super) kept: Vec<usize>,
    /// Those that go, in order.
    pub(super) gone: Vec<usize>,
    /// Whether those that go stay with extent 1.
    pub(super) keep: bool,
}

impl Checker<'_> {
    /// The dimensions that a call names.
    pub(super) fn reduced(&mut self, rank: usize, call: Call<'_>) -> Option<Reduced> {
        let (positional, named) = self.split_call(call)?;
        let mut keep = false;
        for argument in named {
            keep = self.truth(argument)?;
        }
        let mut gone = BTreeSet::new();
        for argument in positional {
            let dimensions = match &argument.value.kind {
                tree::ExprKind::List(list) => list.iter().collect(),
                _ => vec![&argument.value],
            };
            for dimension in dimensions {
                let number = self.dimension(dimension, rank)?;
                if !gone.insert(number) {
                    let why = WrongTile::Twice { operation: call.name(), dimension: number };
                    return self.report(diagnostics::tile_shape(dimension.span, &why));
                }
            }
        }
        // A scan keeps all dimensions anyway, and so names the one along which it goes.
        if positional.is_empty() && call.called.by_name() == [KEEP.name] {
            gone.extend(0..rank);
        }
        if gone.is_empty() {
            let why = WrongTile::NoDimensions { operation: call.name(), rank };
            return self.report(diagnostics::tile_shape(call.span, &why));
        }
        let kept = (0..rank).filter(|dimension| !gone.contains(dimension)).collect();
        Some(Reduced { kept, gone: gone.into_iter().collect(), keep })
    }

    pub(super) fn truth(&mut self, argument: &Argument) -> Option<bool> {
        match argument.value.kind {
            tree::ExprKind::Bool(value) => Some(value),
            _ => {
                let found = Actual::Other;
                let expected = Expected::Type(ElementType::Bool);
                self.report(diagnostics::type_mismatch(argument.value.span, &expected, &found))
            }
        }
    }

    /// The join of the elements along dimensions. Elements that are `neutral` do not count; `None` if all do.
    pub(super) fn reduce(
        &mut self,
        tile: Tile,
        (join, neutral): (Combination, Option<f64>),
        call: Call<'_>,
    ) -> Option<Tile> {
        let span = call.span;
        let reduced = self.reduced(tile.rank(), call)?;
        self.check_padding(&tile, &reduced.gone, neutral, call);
        let element = tile.value.natural();
        let shape_of = |dimensions: &[usize]| dimensions.iter().filter_map(|d| tile.shape.get(*d).copied()).collect();
        let (others, along): (Vec<i64>, Vec<i64>) = (shape_of(&reduced.kept), shape_of(&reduced.gone));
        let count: i64 = along.iter().product();
        let contents = self.joined_contents(&tile, join, count);
        if count <= JOINED {
            let value = self.joined_elements(tile, join, &reduced, &along, span)?;
            return self.reduced_tile((others, value, contents), &reduced, (element, span));
        }
        let chains = chains(count);
        // The chains, each by a thread of its own.
        let mut partial = others.clone();
        partial.push(chains);
        let mut array = self.array(element, &partial, span)?;
        let axes = self.axes(&partial);
        let (chain, outer) = axes.split_last()?;
        let body = self.chain_of(&tile, join, (&reduced, &along), (*chain, outer, chains), (array, span))?;
        let each = self.each(&axes, &partial, body, span)?;
        self.tiles.before.push(each);
        if chains > JOINED {
            // First those that are as many as the lanes of a warp apart.
            let mut partial = others.clone();
            partial.push(JOINED);
            let value = self.joined_chains((array, element), &partial, (JOINED, chains), (join, span))?;
            array = self.array(element, &partial, span)?;
            let (axes, value) = value;
            self.store_in(array, Tile { shape: partial, axes, value: Operand::Typed(value), own: None }, span)?;
        }
        let value = self.joined_chains((array, element), &others, (1, JOINED), (join, span))?;
        self.reduced_tile((others, value, contents), &reduced, (element, span))
    }

    /// The join of the chains `place`, `place + apart`, … of an array of so many, in halves, for each point of `shape`. Where
    /// `apart` is more than 1, the last axis of the shape is the place.
    fn joined_chains(
        &mut self,
        (array, element): (SharedId, ElementType),
        shape: &[i64],
        (apart, chains): (i64, i64),
        (join, span): (Combination, Span),
    ) -> Option<(Vec<Local>, Expr)> {
        let axes = self.axes(shape);
        let outer = if apart > 1 { axes.len().saturating_sub(1) } else { axes.len() };
        let mut values = Vec::new();
        for number in 0..chains / apart {
            let mut chain = Expr::int(number * apart);
            if let Some(place) = axes.get(outer) {
                chain = Expr::binary(BinaryOp::Add, chain, variable(*place));
            }
            let place = axes.iter().take(outer).map(|axis| variable(*axis)).chain([chain]).collect();
            let access = self.element_access(array, place, span)?;
            values.push(Expr { kind: ExprKind::Load(Box::new(access)), element });
        }
        Some((axes, joined_in_halves(values, join)?))
    }

    /// What is known of up to this many elements of a tile that are joined.
    pub(super) fn joined_contents(&mut self, tile: &Tile, join: Combination, most: i64) -> Option<Contents> {
        let element = tile.value.natural();
        let contents = self.contents_of(tile, element)?;
        match join {
            Combination::Operator(BinaryOp::Add) => contents.summed(most, element),
            Combination::Function(MathFunction::Max | MathFunction::Min) => Some(contents.without_distinct()),
            _ => None,
        }
    }

    /// The join of so few elements that each is a chain of its own, over the axes that stay.
    fn joined_elements(
        &mut self,
        tile: Tile,
        join: Combination,
        reduced: &Reduced,
        along: &[i64],
        span: Span,
    ) -> Option<(Vec<Local>, Expr)> {
        let element = tile.value.natural();
        let tile = self.stored(tile, span)?;
        let others: Vec<i64> = reduced.kept.iter().filter_map(|d| tile.shape.get(*d).copied()).collect();
        let axes = self.axes(&others);
        let mut values = Vec::new();
        for number in 0..along.iter().product::<i64>() {
            let mut coordinates = vec![Expr::int(0); tile.rank()];
            for (dimension, axis) in reduced.kept.iter().zip(&axes) {
                *coordinates.get_mut(*dimension)? = variable(*axis);
            }
            let digits: Vec<i64> = maps::row_major::digits(number, along.iter().rev().copied()).collect();
            for (dimension, digit) in reduced.gone.iter().rev().zip(digits) {
                *coordinates.get_mut(*dimension)? = Expr::int(digit);
            }
            values.push(self.coerce(tile.at(&coordinates), element, span)?);
        }
        Some((axes, joined_in_halves(values, join)?))
    }

    /// Keeps the result of a reduction.
    fn reduced_tile(
        &mut self,
        (shape, (axes, value), contents): (Vec<i64>, (Vec<Local>, Expr), Option<Contents>),
        reduced: &Reduced,
        (element, span): (ElementType, Span),
    ) -> Option<Tile> {
        let result = self.array(element, &shape, span)?;
        self.store_in(result, Tile { shape, axes, value: Operand::Typed(value), own: None }, span)?;
        self.raiser.know_contents(Memory::Shared(result), contents);
        let found = self.owned(result, span)?;
        Some(if reduced.keep { self.with_ones(found, &reduced.gone) } else { found })
    }

    /// The statements of one chain: they store the join of the elements `chain`, `chain + chains`, ….
    fn chain_of(
        &mut self,
        tile: &Tile,
        join: Combination,
        (reduced, along): (&Reduced, &[i64]),
        (chain, outer, chains): (Local, &[Local], i64),
        (array, span): (SharedId, Span),
    ) -> Option<Vec<Statement>> {
        let element = tile.value.natural();
        let extents: Vec<Sym> = along.iter().map(|extent| Sym::constant(*extent)).collect();
        let count: i64 = along.iter().product();
        let at = |checker: &mut Self, number: Expr| {
            let mut coordinates = vec![Expr::int(0); tile.rank()];
            for (dimension, axis) in reduced.kept.iter().zip(outer) {
                *coordinates.get_mut(*dimension)? = variable(*axis);
            }
            for (dimension, digit) in reduced.gone.iter().zip(Expr::digits(number, &extents)) {
                *coordinates.get_mut(*dimension)? = digit;
            }
            checker.coerce(tile.at(&coordinates), element, span)
        };
        let total = self.new_local(&SmolStr::new_static("total"), element, true);
        let first = at(self, variable(chain))?;
        let mut body = self.made(StatementKind::Assign { local: total, value: first }, span);
        let current = Expr { kind: ExprKind::Local(total), element };
        let rounds = count / chains + i64::from(count % chains != 0);
        if rounds > 1 {
            let step = self.counter("step", rounds);
            let before = Expr::binary(BinaryOp::Multiply, variable(step), Expr::int(chains));
            let number = Expr::binary(BinaryOp::Add, before, variable(chain));
            let next = at(self, number.clone())?;
            let kind = StatementKind::Assign { local: total, value: join.apply(current.clone(), next) };
            let mut inner = self.made(kind, span);
            if count % chains != 0 {
                let condition = Expr::binary(BinaryOp::Less, number, Expr::int(count));
                inner = self.made(StatementKind::If { condition, then: inner, otherwise: Vec::new() }, span);
            }
            let (low, high) = (Expr::int(1), Expr::int(rounds));
            body.extend(self.made(StatementKind::For { local: step, low, high, body: inner }, span));
        }
        let place = outer.iter().chain([&chain]).map(|axis| variable(*axis)).collect();
        let access = self.element_access(array, place, span)?;
        body.extend(self.made(StatementKind::Store { access, value: current, is_async: false }, span));
        Some(body)
    }

    /// A tile with dimensions of extent 1 at these places of the result.
    pub(super) fn with_ones(&mut self, tile: Tile, places: &[usize]) -> Tile {
        let Tile { mut shape, mut axes, value, .. } = tile;
        for place in places {
            let axis = self.axes(&[1]);
            shape.insert(*place, 1);
            axes.splice(*place..*place, axis);
        }
        Tile { shape, axes, value, own: None }
    }

    /// A sequential iterator over `0..extent`.
    pub(super) fn counter(&mut self, name: &'static str, extent: i64) -> Local {
        let local = self.new_local(&SmolStr::new_static(name), ElementType::I64, false);
        if let Some(variable) = self.locals.get_mut(local) {
            variable.range = Some(IteratorRange { low: Sym::zero(), extent: Sym::constant(extent) });
        }
        local
    }
}

/// Joins value `c` of at most [`JOINED`] with value `c + half`, with halves of 16, 8, 4, 2 and 1.
fn joined_in_halves(mut values: Vec<Expr>, join: Combination) -> Option<Expr> {
    let mut half = (JOINED / 2) as usize;
    while values.len() > 1 {
        if values.len() > half {
            for (place, second) in values.split_off(half).into_iter().enumerate() {
                let first = values.get_mut(place)?;
                let left = std::mem::replace(first, Expr::int(0));
                *first = join.apply(left, second);
            }
        }
        half /= 2;
    }
    values.pop()
}
