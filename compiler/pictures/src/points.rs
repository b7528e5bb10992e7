//! A grid of points: one cell for each upper coordinate, with its slot.

use std::ops::ControlFlow;

use super::cells::Reader;
use super::window::Window;
use super::{By, Cell, CellState, Drawn, Grid, Options, Space, labels, marked, rows};
use dims::Sym;
use maps::hardware::WARP_LANES;
use maps::{AxisRole, CompiledMap, Domain, IndexMap, MapError, UpperAxis};
use proofs::CounterexampleKind;

/// Maps with at most this many points are evaluated as a whole, which is faster than point by point.
const MOST_POINTS: u128 = 1 << 16;
/// The most cells on the path of ascending slots.
const LONGEST_PATH: usize = 32;

/// The grid, and what a reader must know of it.
pub(super) fn grid(map: &IndexMap, options: &Options<'_>) -> Drawn<(Grid, Vec<String>)> {
    let reader = Reader::new(map, options.element_bytes);
    let (extents, order) = (extents(map)?, order(map));
    let mut notes = Vec::new();
    if extents.contains(&0) {
        notes.push("the map has no points".to_owned());
    }
    let along = order.last().and_then(|axis| extents.get(*axis)).copied().unwrap_or(1);
    let width = match options.by {
        // The lanes of a warp are in one row.
        By::Bank => along.min(WARP_LANES as u64),
        By::Thread => rows::of_points(map, along, options.limits.columns),
    };
    let first = vec![0; extents.len()];
    let mut window = Window::new(order.clone(), first, extents, width, options.limits);
    let (points, _) = marked(options.counterexample);
    points.iter().rev().for_each(|point| window.show(point));

    let mut cells = evaluate(map, &reader, &window, options.cancelled)?;
    let bounds = match options.counterexample.map(|counterexample| &counterexample.kind) {
        Some(CounterexampleKind::OutOfBounds { bounds, .. }) => bounds.as_slice(),
        _ => &[],
    };
    for cell in &mut cells {
        cell.marked = points.iter().any(|point| !cell.upper.is_empty() && *point == cell.upper.as_slice());
        cell.outside = cell.lower.iter().zip(bounds).any(|(value, bound)| *value < 0 || value >= bound);
    }
    notes.extend(window.left_out("points"));
    let (row_title, column_title) = titles(map, &order);
    let row_label = |row: usize| {
        let start = window.row_start(row).unwrap_or_default();
        let slow = if order.len() > 1 { order.split_last().map_or(&[][..], |(_, slow)| slow) } else { &order };
        let numbers: Vec<i64> = slow.iter().filter_map(|axis| start.get(*axis).copied()).collect();
        labels::tuple(&numbers)
    };
    let path = path(&cells);
    let span = span(&cells);
    let grid = Grid {
        space: Space::Points,
        row_title,
        column_title,
        row_labels: (0..window.rows()).map(row_label).collect(),
        column_labels: (0..window.columns()).map(|column| window.column_label(column).to_string()).collect(),
        cells,
        path,
        span,
        threads: reader.has_threads(),
        iterators: Vec::new(),
        tiles: None,
        elements: false,
    };
    Ok((grid, notes))
}

/// The extents of the upper axes.
fn extents(map: &IndexMap) -> Result<Vec<u64>, MapError> {
    let extent = |(axis, upper): (usize, &UpperAxis)| {
        let extent = upper.extent.as_ref().ok_or(MapError::Unbounded { axis })?;
        let extent = extent.as_constant().ok_or(MapError::Symbolic)?;
        Ok(u64::try_from(extent.max(0)).unwrap_or(0))
    };
    map.upper.iter().enumerate().map(extent).collect()
}

/// The names of the axes along the rows and along the columns.
fn titles(map: &IndexMap, order: &[usize]) -> (String, String) {
    let names = map.axis_names();
    let name = |axis: &usize| names.get(*axis).cloned().unwrap_or_default();
    match order {
        [] => (String::new(), String::new()),
        [only] => (name(only), String::new()),
        [slow @ .., fast] => (slow.iter().map(name).collect::<Vec<_>>().join(","), name(fast)),
    }
}

/// The axes from the slowest to the one along a row: the last thread axis, else the last one.
fn order(map: &IndexMap) -> Vec<usize> {
    let last_thread = map.upper.iter().rposition(|axis| axis.role == AxisRole::Thread);
    let along = last_thread.or_else(|| map.upper.len().checked_sub(1));
    (0..map.upper.len()).filter(|axis| Some(*axis) != along).chain(along).collect()
}

/// The cells of the points that are drawn.
fn evaluate(map: &IndexMap, reader: &Reader, window: &Window, cancelled: &dyn Fn() -> bool) -> Drawn<Vec<Cell>> {
    let mut cells = vec![Cell::default(); window.cells()];
    let compiled = CompiledMap::new(map, Domain::Extents).ok().filter(|compiled| compiled.points() <= MOST_POINTS);
    if let Some(compiled) = compiled {
        let mut upper = vec![0; map.upper.len()];
        compiled.visit(cancelled, |chunk| {
            for (lane, valid) in chunk.valid().iter().enumerate() {
                let coordinates = upper.iter_mut().enumerate();
                coordinates.for_each(|(axis, value)| *value = chunk.coordinate(axis).get(lane).copied().unwrap_or(0));
                let Some(cell) = window.cell(&upper).and_then(|cell| cells.get_mut(cell)) else { continue };
                let lower = || (0..map.lower.len()).filter_map(|axis| chunk.lower(axis).get(lane).copied()).collect();
                set(cell, reader, upper.clone(), valid.then(lower));
            }
            ControlFlow::Continue(())
        })?;
        return Ok(cells);
    }
    for (number, cell) in cells.iter_mut().enumerate() {
        let Some(upper) = window.coordinate(number) else { continue };
        // A point whose slot cannot be computed is not valid.
        let lower = maps::evaluate(map, &upper, &|_| None).ok().filter(|point| point.valid).map(|point| point.lower);
        set(cell, reader, upper, lower);
    }
    Ok(cells)
}

fn set(cell: &mut Cell, reader: &Reader, upper: Vec<i64>, lower: Option<Vec<i64>>) {
    reader.set_point(cell, upper);
    cell.state = CellState::Masked;
    if let Some(lower) = lower {
        cell.state = CellState::Reached;
        reader.set_lower(cell, lower);
    }
}

/// The cells of the first slots in ascending order of slots. There is no path if two points have the same slot.
fn path(cells: &[Cell]) -> Vec<usize> {
    let reached = |cell: &&(usize, &Cell)| cell.1.state == CellState::Reached && !cell.1.lower.is_empty();
    let all: Vec<(usize, &Cell)> = cells.iter().enumerate().collect();
    let mut path: Vec<(usize, &Cell)> = all.iter().filter(reached).copied().collect();
    path.sort_by_key(|(number, cell)| (cell.rank, *number));
    let distinct = path.windows(2).all(|pair| matches!(pair, [(_, one), (_, two)] if one.rank != two.rank));
    if !distinct {
        return Vec::new();
    }
    path.into_iter().map(|(number, _)| number).take(LONGEST_PATH).collect()
}

fn span(cells: &[Cell]) -> (i64, i64) {
    let ranks = cells.iter().filter(|cell| cell.state == CellState::Reached).map(|cell| cell.rank);
    let bounds = |span: Option<(i64, i64)>, rank: i64| {
        span.map_or(Some((rank, rank)), |(low, high)| Some((low.min(rank), high.max(rank))))
    };
    ranks.fold(None, bounds).unwrap_or((0, 0))
}

/// What is known of an extent.
pub(super) fn constant(size: &Option<Sym>) -> Option<i64> {
    size.as_ref().and_then(Sym::as_constant)
}
