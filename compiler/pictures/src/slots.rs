//! A grid of slots: one cell for each lower coordinate, with the thread that reaches it.

use std::ops::ControlFlow;

use super::cells::Reader;
use super::points::constant;
use super::window::Window;
use super::{Cell, CellState, Drawn, Grid, Options, Space, labels, marked, rows};
use dims::Facts;
use maps::inverse::Peeling;
use maps::{CompiledMap, Domain, IndexMap, MapError};
use proofs::CounterexampleKind;

/// The most terms computed while points are enumerated; for a usual map, those of 2¹⁸ points. Larger maps are
/// evaluated slot by slot if they can be inverted.
const MOST_TERMS: u64 = 1 << 22;
/// The most points that are tried if 64 bits cannot count them all; these are evaluated one by one, which is slower.
const MOST_SINGLE_POINTS: u64 = 1 << 12;
/// The most slots before the first one that are drawn, for maps that reach below their tensor.
const MOST_BEFORE: i64 = 64;
/// The most cells on the path of one thread.
const LONGEST_PATH: usize = 32;

/// The grid, and what a reader must know of it.
pub(super) fn grid(map: &IndexMap, options: &Options<'_>) -> Drawn<(Grid, Vec<String>)> {
    let reader = Reader::new(map, options.element_bytes);
    let compiled = CompiledMap::new(map, Domain::Extents)?;
    let (_, wanted) = marked(options.counterexample);
    let bounds = match options.counterexample.map(|counterexample| &counterexample.kind) {
        Some(CounterexampleKind::OutOfBounds { bounds, .. }) => bounds.as_slice(),
        _ => &[],
    };
    let (first, extents) = lower_box(map, &compiled, wanted, bounds);
    let total = extents.iter().fold(1u64, |total, extent| total.saturating_mul(*extent));
    let width = rows::of_slots(map, total, options.limits.columns);
    let order: Vec<usize> = (0..map.lower.len()).collect();
    let mut window = Window::new(order, first, extents, width, options.limits);
    wanted.into_iter().for_each(|lower| window.show(lower));

    let mut notes = Vec::new();
    let mut cells: Vec<Cell> = (0..window.cells()).map(|number| empty(&window, &reader, number)).collect();
    let filling = Filling { map, compiled: &compiled, reader: &reader, window: &window, cancelled: options.cancelled };
    notes.extend(filling.fill(&mut cells)?);
    for cell in &mut cells {
        cell.marked = wanted.is_some_and(|lower| cell.state != CellState::Missing && cell.lower == lower);
        cell.outside = cell.lower.iter().zip(bounds).any(|(value, bound)| value >= bound);
    }
    notes.extend(window.left_out("slots"));
    let single = map.lower.len() == 1;
    let row_label = |row: usize| {
        let start = window.row_start(row).unwrap_or_default();
        let shown = if single { start.len() } else { start.len().saturating_sub(1) };
        labels::tuple(start.get(..shown).unwrap_or_default())
    };
    let path = path(&cells, &compiled);
    let ranks = cells.iter().filter(|cell| cell.state == CellState::Reached).map(|cell| cell.rank);
    let span = (ranks.clone().min().unwrap_or(0), ranks.max().unwrap_or(0));
    let title = |axes: std::ops::Range<usize>| axes.map(|axis| format!("lower {axis}")).collect::<Vec<_>>().join(",");
    let last = map.lower.len().saturating_sub(1);
    let grid = Grid {
        space: Space::Slots,
        row_title: if single { "slot".to_owned() } else { title(0..last) },
        column_title: if single { String::new() } else { title(last..map.lower.len()) },
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

/// The first slot and the number of slots along each lower axis: the extent or else the range that the map reaches,
/// and the slots of a counterexample.
fn lower_box(map: &IndexMap, compiled: &CompiledMap, wanted: Option<&[i64]>, bounds: &[i64]) -> (Vec<i64>, Vec<u64>) {
    let ranges = compiled.lower_ranges().unwrap_or_default();
    let axes = map.lower.iter().enumerate().map(|(axis, lower)| {
        let (low, high) = ranges.get(axis).copied().unwrap_or((0, -1));
        let extent = constant(&lower.extent);
        let first = if extent.is_some() { 0 } else { low.clamp(-MOST_BEFORE, 0) };
        let mut end = extent.unwrap_or(high.saturating_add(1)).max(bounds.get(axis).copied().unwrap_or(0));
        if let Some(value) = wanted.and_then(|wanted| wanted.get(axis)) {
            end = end.max(value.saturating_add(1));
        }
        (first, u64::try_from(end.saturating_sub(first)).unwrap_or(0))
    });
    axes.unzip()
}

/// A slot that no point reaches.
fn empty(window: &Window, reader: &Reader, number: usize) -> Cell {
    let mut cell = Cell::default();
    if let Some(lower) = window.coordinate(number) {
        cell.state = CellState::Empty;
        reader.set_lower(&mut cell, lower);
    }
    cell
}

/// A map whose points are looked for that reach the drawn slots.
struct Filling<'a> {
    map: &'a IndexMap,
    compiled: &'a CompiledMap,
    reader: &'a Reader,
    window: &'a Window,
    cancelled: &'a dyn Fn() -> bool,
}

impl Filling<'_> {
    /// Finds the points that reach the drawn slots. Gives what a reader must know where not all of them were looked at.
    fn fill(&self, cells: &mut [Cell]) -> Drawn<Option<String>> {
        let terms = (self.map.terms.len() + self.map.upper.len()).max(16) as u64;
        let most = if self.compiled.walk().is_ok() { MOST_TERMS / terms } else { MOST_SINGLE_POINTS };
        let mut note = None;
        if self.compiled.points() > u128::from(most) {
            let facts = Facts::empty();
            if let Some(peeling) = Peeling::new(self.map, &facts) {
                for cell in cells.iter_mut().filter(|cell| cell.state == CellState::Empty) {
                    if let Some(upper) = peeling.upper(&cell.lower) {
                        reach(cell, self.reader, upper);
                    }
                }
                return Ok(None);
            }
            note = Some(format!("only the first {most} points were looked at"));
        }
        self.walk(cells, most)?;
        Ok(note)
    }

    /// Enumerates the first points in map order.
    fn walk(&self, cells: &mut [Cell], most: u64) -> Drawn<()> {
        let Filling { map, compiled, .. } = *self;
        // If 64 bits cannot count the points, they are evaluated one by one.
        if compiled.walk().is_err() {
            for number in 0..most {
                let upper = compiled.coordinates(u128::from(number));
                if let Ok(point) = maps::evaluate(map, &upper, &|_| None) {
                    self.meet(cells, &point.lower, point.valid, || upper.clone());
                }
            }
            return Ok(());
        }
        let mut lower = vec![0; map.lower.len()];
        let walked = compiled.visit(self.cancelled, |chunk| {
            if chunk.first >= most {
                return ControlFlow::Break(());
            }
            for (lane, valid) in chunk.valid().iter().enumerate() {
                let coordinates = lower.iter_mut().enumerate();
                coordinates.for_each(|(axis, value)| *value = chunk.lower(axis).get(lane).copied().unwrap_or(0));
                self.meet(cells, &lower, *valid, || {
                    (0..map.upper.len()).filter_map(|axis| chunk.coordinate(axis).get(lane).copied()).collect()
                });
            }
            ControlFlow::Continue(())
        });
        match walked {
            Err(MapError::TooLarge { .. }) => Ok(()),
            other => other,
        }
    }

    /// Records that a point reaches a slot.
    fn meet(&self, cells: &mut [Cell], lower: &[i64], valid: bool, upper: impl FnOnce() -> Vec<i64>) {
        let Some(cell) = self.window.cell(lower).and_then(|cell| cells.get_mut(cell)) else { return };
        match (valid, cell.state) {
            (true, CellState::Reached) => cell.others = cell.others.saturating_add(1),
            (true, _) => reach(cell, self.reader, upper()),
            (false, CellState::Empty) => cell.state = CellState::Masked,
            (false, _) => {}
        }
    }
}

fn reach(cell: &mut Cell, reader: &Reader, upper: Vec<i64>) {
    reader.set_point(cell, upper);
    cell.state = CellState::Reached;
}

/// The cells of one thread in the order of its local indices: of the first thread that is drawn.
fn path(cells: &[Cell], compiled: &CompiledMap) -> Vec<usize> {
    let reached = cells.iter().enumerate().filter(|(_, cell)| cell.state == CellState::Reached);
    let Some(first) = reached.clone().filter_map(|(_, cell)| cell.thread).min() else { return Vec::new() };
    if compiled.points() == 0 {
        return Vec::new();
    }
    let mut own: Vec<(&[i64], usize)> = reached
        .filter(|(_, cell)| cell.thread == Some(first))
        .map(|(number, cell)| (cell.local.as_slice(), number))
        .collect();
    own.sort_unstable();
    own.into_iter().map(|(_, number)| number).take(LONGEST_PATH).collect()
}
