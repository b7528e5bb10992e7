//! The merging that puts tiles in order.
//!
//! Runs of 1, 2, 4, … elements are merged in pairs, from one array into another and back. Each element of a result finds by
//! itself which element it is: it searches how many of those before it come from the first run. So a merge is a parallel loop
//! whose points write their own elements, runs may have any length, and equal elements keep their order. Whatever the elements
//! are, the search stays between the ends of the runs.

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::orders::Order;
use super::tile::variable;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, Local, MathFunction, SharedId, Statement, StatementKind};
use syntax::span::Span;

/// The type of places within a dimension, whose extents are far below its greatest number.
pub(super) const PLACE: ElementType = ElementType::I32;

/// The runs that are merged.
pub(super) struct Merged<'t> {
    pub(super) order: &'t Order,
    pub(super) shape: &'t [i64],
    pub(super) span: Span,
}

/// The arrays with the elements, and with their places in the tile if these are wanted.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    pub(super) elements: SharedId,
    pub(super) places: Option<SharedId>,
}

impl Moved {
    fn arrays(self) -> impl Iterator<Item = SharedId> {
        [self.elements].into_iter().chain(self.places)
    }
}

impl Merged<'_> {
    /// How often runs are merged in pairs, an even number.
    fn stages(&self) -> i64 {
        let extent = self.shape.get(self.order.dimension).map_or(1, |extent| extent.unsigned_abs());
        let stages = i64::from(extent.next_power_of_two().ilog2());
        stages + stages % 2
    }
}

/// The two runs of a pair in one dimension, as variables of one point.
struct Runs {
    /// The places at which the first run and the second one begin, and where the second one ends.
    first: Local,
    second: Local,
    end: Local,
    /// How many elements of the result stand before the point.
    before: Local,
}

impl Checker<'_> {
    /// Sorts arrays by merging runs until one is left. Each round merges into other arrays and back.
    pub(super) fn merge_all(&mut self, moved: Moved, merged: &Merged<'_>) -> Option<()> {
        let Merged { order, shape, span } = *merged;
        if *shape.get(order.dimension)? == 1 {
            return Some(());
        }
        let like = |checker: &mut Self, array: SharedId| {
            let element = checker.memories.shared.get(array)?.element;
            checker.array(element, shape, span)
        };
        let elements = like(self, moved.elements)?;
        let places = match moved.places {
            Some(places) => Some(like(self, places)?),
            None => None,
        };
        let other = Moved { elements, places };
        let rounds = merged.stages() / 2;
        let round = self.counter("round", rounds);
        let mut body = Vec::new();
        for (half, from, to) in [(0, moved, other), (1, other, moved)] {
            let twice = Expr::binary(BinaryOp::Multiply, variable(round), Expr::int(2));
            let stage = Expr::binary(BinaryOp::Add, twice, Expr::int(half));
            body.push(self.merge((from, to), stage, merged)?);
        }
        let (low, high) = (Expr::int(0), Expr::int(rounds));
        let merges = self.made(StatementKind::For { local: round, low, high, body }, span);
        self.tiles.before.extend(merges);
        Some(())
    }

    /// Merges the pairs of runs of `2^stage` elements. A run without another one is copied.
    fn merge(&mut self, (from, to): (Moved, Moved), stage: Expr, merged: &Merged<'_>) -> Option<Statement> {
        let Merged { order, shape, span } = *merged;
        let axes = self.axes(shape);
        let (runs, mut body) = self.runs(*axes.get(order.dimension)?, *shape.get(order.dimension)?, &stage, span);
        let source = (from.elements, axes.as_slice());
        let (taken, search) = self.search(source, &runs, stage, merged)?;
        body.extend(search);
        let (chosen, choice) = self.chosen(source, &runs, taken, merged)?;
        body.extend(choice);
        for (from, to) in from.arrays().zip(to.arrays()) {
            let value = self.element_at((from, &axes), place(chosen), merged)?;
            let own = axes.iter().map(|axis| variable(*axis)).collect();
            let access = self.element_access(to, own, span)?;
            body.extend(self.made(StatementKind::Store { access, value, is_async: false }, span));
        }
        self.each(&axes, shape, body, span)
    }

    /// The runs in whose result the point stands.
    fn runs(&mut self, axis: Local, extent: i64, stage: &Expr, span: Span) -> (Runs, Vec<Statement>) {
        let mut body = Vec::new();
        let mut assign = |checker: &mut Self, name: &'static str, value: Expr| {
            let local = checker.new_local(&SmolStr::new_static(name), PLACE, false);
            body.extend(checker.made(StatementKind::Assign { local, value }, span));
            local
        };
        let own = assign(self, "own", variable(axis).cast_to(PLACE));
        let width = Expr::binary(BinaryOp::ShiftLeft, number(1), stage.clone().cast_to(PLACE));
        let width = assign(self, "width", width);
        // The pair of a point is its place without the bits below the double width.
        let inside = Expr::binary(BinaryOp::Subtract, plus(place(width), place(width)), number(1));
        let before = assign(self, "before", Expr::binary(BinaryOp::BitAnd, place(own), inside));
        let first = assign(self, "first", Expr::binary(BinaryOp::Subtract, place(own), place(before)));
        let second = assign(self, "second", least(plus(place(first), place(width)), number(extent)));
        let end = assign(self, "end", least(plus(place(second), place(width)), number(extent)));
        (Runs { first, second, end, before }, body)
    }

    /// How many of the elements before the point come from the first run.
    fn search(
        &mut self,
        source: (SharedId, &[Local]),
        runs: &Runs,
        stage: Expr,
        merged: &Merged<'_>,
    ) -> Option<(Local, Vec<Statement>)> {
        let span = merged.span;
        let [low, high] = ["low", "high"].map(|name| self.new_local(&SmolStr::new_static(name), PLACE, true));
        let middle = self.new_local(&SmolStr::new_static("middle"), PLACE, false);
        let of_first = Expr::binary(BinaryOp::Subtract, place(runs.second), place(runs.first));
        let of_second = Expr::binary(BinaryOp::Subtract, place(runs.end), place(runs.second));
        // As many as the second run cannot have given, at least.
        let missing = Expr::binary(BinaryOp::Subtract, place(runs.before), of_second);
        let mut body = Vec::new();
        for (local, value) in [(low, greatest(missing, number(0))), (high, least(place(runs.before), of_first))] {
            body.extend(self.made(StatementKind::Assign { local, value }, span));
        }
        let sum = plus(place(low), place(high));
        let value = Expr::binary(BinaryOp::ShiftRight, sum, number(1));
        let mut inner = self.made(StatementKind::Assign { local: middle, value }, span);
        let left = plus(place(runs.first), place(middle));
        let right = Expr::binary(BinaryOp::Subtract, plus(place(runs.second), place(runs.before)), number(1));
        let right = Expr::binary(BinaryOp::Subtract, right, place(middle));
        let (comparison, condition) = self.is_second_before(source, (left, right), merged)?;
        inner.extend(comparison);
        let then = self.made(StatementKind::Assign { local: high, value: place(middle) }, span);
        let value = plus(place(middle), number(1));
        let otherwise = self.made(StatementKind::Assign { local: low, value }, span);
        inner.extend(self.made(StatementKind::If { condition, then, otherwise }, span));
        let condition = Expr::binary(BinaryOp::Less, place(low), place(high));
        let step = self.made(StatementKind::If { condition, then: inner, otherwise: Vec::new() }, span);
        // The search is over at most a run, whose elements each step halves.
        let local = self.counter("step", merged.stages());
        let steps = Expr::binary(BinaryOp::Add, stage, Expr::int(1));
        let kind = StatementKind::For { local, low: Expr::int(0), high: steps, body: step };
        body.extend(self.made(kind, span));
        Some((low, body))
    }

    /// The place of the element that stands at the point, if `taken` of those before it come from the first run.
    fn chosen(
        &mut self,
        source: (SharedId, &[Local]),
        runs: &Runs,
        taken: Local,
        merged: &Merged<'_>,
    ) -> Option<(Local, Vec<Statement>)> {
        let span = merged.span;
        let chosen = self.new_local(&SmolStr::new_static("chosen"), PLACE, true);
        let [left, right] = ["left", "right"].map(|name| self.new_local(&SmolStr::new_static(name), PLACE, false));
        let mut body = Vec::new();
        let others = Expr::binary(BinaryOp::Subtract, place(runs.before), place(taken));
        for (local, value) in [(left, plus(place(runs.first), place(taken))), (right, plus(place(runs.second), others))]
        {
            body.extend(self.made(StatementKind::Assign { local, value }, span));
        }
        body.extend(self.made(StatementKind::Assign { local: chosen, value: place(left) }, span));
        let take_right = self.made(StatementKind::Assign { local: chosen, value: place(right) }, span);
        let (mut compared, condition) = self.is_second_before(source, (place(left), place(right)), merged)?;
        let then = take_right.clone();
        compared.extend(self.made(StatementKind::If { condition, then, otherwise: Vec::new() }, span));
        let is_right_there = Expr::binary(BinaryOp::Less, place(right), place(runs.end));
        let kind = StatementKind::If { condition: is_right_there, then: compared, otherwise: Vec::new() };
        let then = self.made(kind, span);
        let is_left_there = Expr::binary(BinaryOp::Less, place(left), place(runs.second));
        let kind = StatementKind::If { condition: is_left_there, then, otherwise: take_right };
        body.extend(self.made(kind, span));
        Some((chosen, body))
    }

    /// Whether the element at the second place comes before the one at the first place, with the statements that load them.
    /// Equal ones, and NaNs among themselves, stay as they are; a NaN comes behind all numbers.
    fn is_second_before(
        &mut self,
        source: (SharedId, &[Local]),
        (first, second): (Expr, Expr),
        merged: &Merged<'_>,
    ) -> Option<(Vec<Statement>, Expr)> {
        let mut body = Vec::new();
        let mut load = |checker: &mut Self, name: &'static str, at: Expr| {
            let value = checker.element_at(source, at, merged)?;
            let element = value.element;
            let local = checker.new_local(&SmolStr::new_static(name), element, false);
            body.extend(checker.made(StatementKind::Assign { local, value }, merged.span));
            Some(Expr { kind: ExprKind::Local(local), element })
        };
        let (first, second) = (load(self, "one", first)?, load(self, "other", second)?);
        let op = if merged.order.descending { BinaryOp::Greater } else { BinaryOp::Less };
        let is_float = first.element.is_float();
        let beyond = Expr::binary(op, second.clone(), first.clone());
        let is_nan = Expr::binary(BinaryOp::NotEqual, first.clone(), first);
        let is_number = Expr::binary(BinaryOp::Equal, second.clone(), second);
        let condition = match is_float {
            true => Expr::binary(BinaryOp::Or, beyond, Expr::binary(BinaryOp::And, is_nan, is_number)),
            false => beyond,
        };
        Some((body, condition))
    }

    /// The element of an array at a point with another place along the dimension.
    fn element_at(&mut self, (array, axes): (SharedId, &[Local]), place: Expr, merged: &Merged<'_>) -> Option<Expr> {
        let element = self.memories.shared.get(array)?.element;
        let mut coordinates: Vec<Expr> = axes.iter().map(|axis| variable(*axis)).collect();
        *coordinates.get_mut(merged.order.dimension)? = place.cast_to(ElementType::I64);
        let access = self.element_access(array, coordinates, merged.span)?;
        Some(Expr { kind: ExprKind::Load(Box::new(access)), element })
    }
}

fn place(local: Local) -> Expr {
    Expr { kind: ExprKind::Local(local), element: PLACE }
}

fn number(value: i64) -> Expr {
    Expr::constant(Constant::Int(value), PLACE)
}

fn plus(left: Expr, right: Expr) -> Expr {
    Expr::binary(BinaryOp::Add, left, right)
}

fn least(left: Expr, right: Expr) -> Expr {
    Expr { kind: ExprKind::Math(MathFunction::Min, vec![left, right]), element: PLACE }
}

fn greatest(left: Expr, right: Expr) -> Expr {
    Expr { kind: ExprKind::Math(MathFunction::Max, vec![left, right]), element: PLACE }
}
