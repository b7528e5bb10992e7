//! Which thread of a block computes which element of a tile, as index maps.

use super::each::rounds_of;
use super::{
    BinaryOp, Constant, Each, Expr, ExprKind, Kernel, Local, Memory, SharedArray, SharedId, Statement, StatementKind,
};
use dims::{Facts, Sym};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, UpperAxis};
use syntax::span::Span;

impl Kernel {
    /// The distributions of the elements of an array that the parallel loops within some tokens write, each once: the map
    /// from what a thread does one after the other, and the thread, to the element. What writes the elements at places
    /// that are no sums of iterators and constants is left out.
    pub fn distributions(&self, array: SharedId, within: Span) -> Vec<IndexMap> {
        let shape = self.shared.get(array).and_then(SharedArray::known_shape);
        let (Some(threads), Some(shape)) = (self.launch.threads.as_constant(), shape) else { return Vec::new() };
        let mut found: Vec<IndexMap> = Vec::new();
        Statement::walk(&self.body, &mut |statement| {
            let StatementKind::Each(each) = &statement.kind else { return };
            if within.start <= statement.span.start && statement.span.end <= within.end {
                let mut stores = Vec::new();
                coordinates_of_stores(&each.body, array, &mut Vec::new(), &mut stores);
                join_first(&mut stores);
                let maps = stores.iter().filter_map(|store| each.distribution(threads, store, &shape).ok().flatten());
                for map in maps {
                    if !found.contains(&map) {
                        found.push(map);
                    }
                }
            }
        });
        found
    }
}

/// A store of an element, inside of loops of the thread.
struct Stored<'k> {
    coordinates: &'k [Expr],
    /// The iterators around it, each with its first value and their number.
    loops: Vec<(Local, i64, i64)>,
}

/// The stores to an array in the body of a parallel loop.
fn coordinates_of_stores<'k>(
    body: &'k [Statement],
    array: SharedId,
    around: &mut Vec<(Local, i64, i64)>,
    found: &mut Vec<Stored<'k>>,
) {
    for statement in body {
        match &statement.kind {
            StatementKind::Store { access, .. } if access.memory == Memory::Shared(array) => {
                found.push(Stored { coordinates: &access.coordinates, loops: around.clone() });
            }
            StatementKind::For { local, low, high, body } => {
                let (Some(low), Some(high)) = (constant(low), constant(high)) else { continue };
                around.push((*local, low, (high - low).max(0)));
                coordinates_of_stores(body, array, around, found);
                around.pop();
            }
            _ => {
                for block in statement.blocks() {
                    coordinates_of_stores(block, array, around, found);
                }
            }
        }
    }
}

/// Joins the first element of a scan, which is stored before the loop over the others, to the loop.
fn join_first(stores: &mut Vec<Stored<'_>>) {
    let mut place = 1;
    while let Some(second) = stores.get(place) {
        let first = stores.get(place - 1).filter(|first| is_first_of(first, second));
        if first.is_some() {
            stores.remove(place - 1);
            let last = stores.get_mut(place - 1).and_then(|joined| joined.loops.last_mut());
            last.into_iter().for_each(|(_, low, count)| (*low, *count) = (*low - 1, *count + 1));
        } else {
            place += 1;
        }
    }
}

/// Whether a store is what the innermost loop around another one would do just before it begins.
fn is_first_of(first: &Stored<'_>, other: &Stored<'_>) -> bool {
    let Some(((local, low, _), around)) = other.loops.split_last() else { return false };
    let mut places = first.coordinates.iter().zip(other.coordinates);
    first.loops == around
        && places.all(|(first, other)| match &other.kind {
            ExprKind::Local(own) if own == local => constant(first) == Some(low - 1),
            _ => first == other,
        })
}

fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(*value),
        _ => None,
    }
}

impl Each {
    /// How often a thread of so many does the body at most.
    pub fn rounds(&self, threads: i64) -> i64 {
        rounds_of(self.points(), threads)
    }

    /// The map from the round, the iterators of the loops in it, and the thread, to the element that is stored; `None` where
    /// that is no sum of iterators and constants.
    fn distribution(&self, threads: i64, stored: &Stored<'_>, shape: &[i64]) -> Result<Option<IndexMap>, MapError> {
        let axis = |extent, role| UpperAxis { extent: Some(Sym::constant(extent)), role };
        let rounds = self.rounds(threads);
        let mut upper: Vec<UpperAxis> = stored.loops.iter().map(|(.., count)| axis(*count, AxisRole::Local)).collect();
        upper.push(axis(threads, AxisRole::Thread));
        if rounds > 1 {
            upper.insert(0, axis(rounds, AxisRole::Local));
        }
        let facts = Facts::empty();
        let mut builder = MapBuilder::new(upper, &facts);
        let own = builder.coordinates()?;
        let Some((thread, around)) = own.split_last() else { return Err(MapError::Malformed) };
        // The points `thread`, `thread + threads`, … in row-major order.
        let (point, iterators) = match around.split_first() {
            Some((round, iterators)) if rounds > 1 => {
                (round.checked_scale(&Sym::constant(threads))?.checked_add(thread)?, iterators)
            }
            _ => (thread.clone(), around),
        };
        let points = Sym::constant(self.points());
        builder.mask(&point, None, Some(&points), MaskReason::SurplusThread)?;
        let extents: Vec<Option<Sym>> = self.axes.iter().map(|axis| Some(Sym::constant(axis.extent))).collect();
        let mut values: Vec<(Local, Affine)> = Vec::new();
        for (axis, digit) in self.axes.iter().zip(builder.digits(&point, &extents)?) {
            values.push((axis.local, digit));
        }
        for ((local, low, _), iterator) in stored.loops.iter().zip(iterators) {
            values.push((*local, iterator.checked_offset(&Sym::constant(*low))?));
        }
        let mut lower = Vec::with_capacity(shape.len());
        for (coordinate, extent) in stored.coordinates.iter().zip(shape) {
            let Some(value) = sum(coordinate, &values)? else { return Ok(None) };
            lower.push(LowerAxis { value, extent: Some(Sym::constant(*extent)) });
        }
        builder.finish(lower).map(Some)
    }
}

/// The value of a sum of iterators and constants.
fn sum(expr: &Expr, values: &[(Local, Affine)]) -> Result<Option<Affine>, MapError> {
    Ok(match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(Affine::constant(Sym::constant(*value))),
        ExprKind::Local(local) => values.iter().find(|(own, _)| own == local).map(|(_, value)| value.clone()),
        ExprKind::Binary(BinaryOp::Add, left, right) => match (sum(left, values)?, sum(right, values)?) {
            (Some(left), Some(right)) => Some(left.checked_add(&right)?),
            _ => None,
        },
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::{Local, LocalVariable, Locals, Origin, Scope, TileAxis};
    use elements::ElementType;
    use rustc_hash::FxHashMap;

    /// What a thread's statements assign, for constants and the id of the thread.
    fn execute(statements: &[Statement], thread: i64, values: &mut FxHashMap<Local, i64>, found: &mut Vec<Vec<i64>>) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { local, value } => {
                    let value = evaluate(value, thread, values);
                    values.insert(*local, value);
                }
                StatementKind::For { local, low, high, body } => {
                    for value in evaluate(low, thread, values)..evaluate(high, thread, values) {
                        values.insert(*local, value);
                        execute(body, thread, values, found);
                    }
                }
                StatementKind::If { condition, then, .. } if evaluate(condition, thread, values) != 0 => {
                    execute(then, thread, values, found);
                }
                StatementKind::If { .. } => {}
                StatementKind::Barrier(_) => found.push(vec![values[&Local(0)], values[&Local(1)]]),
                other => panic!("{other:?}"),
            }
        }
    }

    fn evaluate(expr: &Expr, thread: i64, values: &FxHashMap<Local, i64>) -> i64 {
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => *value,
            ExprKind::Local(local) => values[local],
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (evaluate(left, thread, values), evaluate(right, thread, values));
                match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Multiply => left * right,
                    BinaryOp::FloorDivide => left.div_euclid(right),
                    BinaryOp::FloorRemainder => left.rem_euclid(right),
                    BinaryOp::Less => i64::from(left < right),
                    other => panic!("{other:?}"),
                }
            }
            other if *other == Expr::thread_id().kind => thread,
            other => panic!("{other:?}"),
        }
    }

    /// The maps say what the statements of the threads do.
    #[test]
    fn the_maps_are_what_threads_do() {
        for (rows, columns, threads) in [(4, 8, 8), (3, 5, 4), (2, 2, 32), (1, 7, 3), (5, 1, 2), (3, 12, 4), (6, 8, 2)]
        {
            let axes = vec![TileAxis { local: Local(0), extent: rows }, TileAxis { local: Local(1), extent: columns }];
            let iterator = |name: &str| LocalVariable {
                name: name.into(),
                element: ElementType::I64,
                mutable: false,
                range: None,
            };
            let mut locals: Locals = [iterator("e0"), iterator("e1")].into_iter().collect();
            let span = Span::new(0, 1);
            // A barrier stands for what is done, since it has no parts.
            let barrier = StatementKind::Barrier(crate::typed::Barrier {
                waiting: crate::typed::Waiting::Block,
                before: span,
                after: span,
            });
            let done = vec![Statement { kind: barrier, scope: Scope::Block, span }];
            let each = Each::new(axes, done, threads, &mut locals, Origin { scope: Scope::Block, span });
            let variable = |local| Expr { kind: ExprKind::Local(local), element: ElementType::I64 };
            let coordinates = [variable(Local(0)), variable(Local(1))];
            let stored = Stored { coordinates: &coordinates, loops: Vec::new() };
            let map = each.distribution(threads, &stored, &[rows, columns]).unwrap().unwrap();
            for thread in 0..threads {
                let mut expected = Vec::new();
                execute(&each.per_thread, thread, &mut FxHashMap::default(), &mut expected);
                let rounds = each.rounds(threads);
                let points = (0..rounds).filter_map(|round| {
                    let upper = if rounds > 1 { vec![round, thread] } else { vec![thread] };
                    let point = maps::evaluate(&map, &upper, &|_| None).unwrap();
                    point.valid.then_some(point.lower)
                });
                assert_eq!(points.collect::<Vec<_>>(), expected, "{rows} × {columns} by {threads}, thread {thread}");
            }
        }
    }
}
