//! Pictures of index maps, as SVG and as text.
//!
//! [`picture`] decides what is drawn and returns a [`Picture`]: cells with their contents, colours and labels.
//! [`svg`] and [`text`] only render it, so the two forms cannot differ. The command, the editors' hovers and their
//! panels all draw maps through it.
//!
//! It uses `dims`, `maps` and `proofs`. Begin at [`picture`].

mod cells;
mod colours;
mod labels;
mod model;
mod options;
mod points;
mod rows;
mod sizes;
mod slots;
mod svg;
mod text;
mod tiles;
mod warp;
mod window;

use std::collections::BTreeMap;

use smol_str::SmolStr;

use dims::{Facts, Symbol};
use maps::{AxisRole, IndexMap, MapError};
use proofs::{Counterexample, CounterexampleKind};

pub use colours::{Fill, Rgb};
pub use labels::details as cell_details;
pub use model::{Cell, CellState, Grid, Panel, Picture, Space};
pub use options::{By, Label, Limits, Options};
pub use svg::{SvgOptions, Theme, svg};
pub use text::{text, text_of_cells};
pub use tiles::{CellExtents, Division};
pub use warp::{Line, Strip};

/// Characters of a formula that are shown.
const LONGEST_FORMULA: usize = 400;

/// A map that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its name.
    pub name: &'a str,
    /// The map.
    pub map: &'a IndexMap,
    /// What is known of its symbols.
    pub facts: &'a Facts,
    /// What the map is of.
    pub kind: Kind<'a>,
}

/// What a map is of, which decides the words for its coordinates and what one cell is.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// Any map.
    Map,
    /// The assignment of a tiling, with the iterators, whose values are the map's coordinates after the first one.
    Tiling(&'a [SmolStr]),
    /// What each thread computes of a tile: a map to the elements of the tile.
    Distribution,
    /// A tensor divided into tiles: a map from the index of a tile and a place in it.
    Partition(&'a Division),
}

impl<'a> Kind<'a> {
    /// The iterators of a tiling; of anything else none.
    fn iterators(self) -> &'a [SmolStr] {
        if let Kind::Tiling(iterators) = self { iterators } else { &[] }
    }
}

/// The picture of some maps side by side, mostly of one.
///
/// A map with threads is drawn as its slots, each with the thread that reaches it; a map without threads, or coloured
/// by bank, as its points, each with its slot. Symbols get small sizes that the facts allow, and the picture says
/// which. Every map gives a picture: a note says what cannot be drawn.
pub fn picture(subjects: &[Subject<'_>], options: &Options<'_>) -> Picture {
    let panels: Vec<Panel> = subjects.iter().map(|subject| panel(subject, options)).collect();
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name).collect();
    let caption = options.counterexample.map(|counterexample| format!("counterexample: {counterexample}"));
    Picture {
        title: names.join(" and "),
        panels,
        stacked: options.stacked,
        by: options.by,
        label: options.label,
        caption,
    }
}

fn panel(subject: &Subject<'_>, options: &Options<'_>) -> Panel {
    let formula = shortened(&subject.map.to_string());
    let mut panel = Panel { title: subject.name.to_owned(), formula, ..Panel::default() };
    let known = match sizes::known(subject, options) {
        Ok(known) => known,
        Err(problem) => {
            panel.notes.push(problem);
            return panel;
        }
    };
    panel.notes.extend(known.notes);
    let map = &known.map;
    if let Some((division, (grid, notes))) = divided(subject, &known.sizes, options) {
        panel.formula = shortened(&division.formula());
        panel.notes.extend(notes);
        panel.grid = Some(grid);
        return panel;
    }
    // Of the elements of a tile, rows and columns say all.
    panel.order = if matches!(subject.kind, Kind::Distribution) { String::new() } else { order(map) };
    let grid = match space(map, options) {
        Space::Slots => slots::grid(map, options).or_else(|_| points::grid(map, options)),
        Space::Points => points::grid(map, options),
    };
    match grid {
        Ok((grid, notes)) => {
            panel.notes.extend(notes);
            panel.grid = Some(in_words_of(subject.kind, grid));
        }
        Err(error) => panel.notes.push(format!("the map cannot be drawn: {error}")),
    }
    // The slots of a tiling are threads, not memory.
    let is_memory = subject.kind.iterators().is_empty();
    panel.strip = if options.strip && is_memory { warp::strip(map, options.element_bytes) } else { None };
    panel
}

/// A partition is drawn as tiles, unless something is asked that only its points show: banks, or a counterexample.
fn divided<'a>(
    subject: &Subject<'a>,
    sizes: &BTreeMap<Symbol, i64>,
    options: &Options<'_>,
) -> Option<(&'a Division, (Grid, Vec<String>))> {
    let Kind::Partition(division) = subject.kind else { return None };
    if options.by == By::Bank || options.counterexample.is_some() {
        return None;
    }
    Some((division, tiles::grid(division, sizes, options)?))
}

/// The grid in the words of its subject. The slots of a tiling are threads and its threads are iterations; the slots of a
/// distribution are the elements of a tile.
fn in_words_of(kind: Kind<'_>, grid: Grid) -> Grid {
    match kind {
        Kind::Tiling(iterators) => {
            let row_title = if grid.space == Space::Slots { "thread".to_owned() } else { grid.row_title };
            Grid { row_title, iterators: iterators.to_vec(), ..grid }
        }
        Kind::Distribution if grid.space == Space::Slots => {
            let rank = grid.cells.first().map_or(0, |cell| cell.lower.len());
            let (row_title, column_title) = labels::dimensions(rank);
            Grid { row_title, column_title, elements: true, ..grid }
        }
        Kind::Map | Kind::Distribution | Kind::Partition(_) => grid,
    }
}

/// What one cell represents.
fn space(map: &IndexMap, options: &Options<'_>) -> Space {
    let threads = map.upper.iter().any(|axis| axis.role == AxisRole::Thread);
    match options.counterexample.map(|counterexample| &counterexample.kind) {
        // A slot that no point reaches can only be shown among slots.
        Some(CounterexampleKind::Unwritten { .. }) => Space::Slots,
        // There are no cells for slots before the first one.
        Some(CounterexampleKind::OutOfBounds { lower, .. }) if lower.iter().any(|value| *value < 0) => Space::Points,
        Some(CounterexampleKind::Difference { .. }) => Space::Points,
        _ if threads && options.by == By::Thread && !map.lower.is_empty() => Space::Slots,
        _ => Space::Points,
    }
}

/// The pieces of the slot from the fastest to the slowest, as a line.
fn order(map: &IndexMap) -> String {
    let Ok(described) = maps::describe(map, &Facts::empty()) else { return String::new() };
    let single = described.pieces.len() == 1;
    let lines = described.pieces.iter().enumerate().filter(|(_, pieces)| !pieces.is_empty());
    let lines: Vec<String> = lines
        .map(|(axis, pieces)| {
            let pieces: Vec<String> = pieces.iter().map(piece).collect();
            let lead = if single { String::new() } else { format!("lower {axis}: ") };
            format!("{lead}{}", pieces.join(" → "))
        })
        .collect();
    if lines.is_empty() { String::new() } else { shortened(&format!("fastest to slowest: {}", lines.join("; "))) }
}

/// `i0 ×3 by 4`: the number of values and their stride.
fn piece(piece: &maps::Piece) -> String {
    let extent = piece.extent.as_ref().map_or_else(String::new, |extent| format!(" ×{extent}"));
    format!("{piece}{extent} by {}", piece.stride)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_FORMULA) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The coordinates that a counterexample names: upper ones and lower ones.
fn marked(counterexample: Option<&Counterexample>) -> (Vec<&[i64]>, Option<&[i64]>) {
    match counterexample.map(|counterexample| &counterexample.kind) {
        Some(CounterexampleKind::Collision { first, second, lower }) => (vec![first, second], Some(lower)),
        Some(CounterexampleKind::OutOfBounds { upper, lower, .. }) => (vec![upper], Some(lower)),
        Some(CounterexampleKind::Unwritten { lower }) => (Vec::new(), Some(lower)),
        Some(CounterexampleKind::Difference { upper, .. }) => (vec![upper], None),
        Some(CounterexampleKind::Sizes | CounterexampleKind::IndexWidth { .. } | CounterexampleKind::Threads(_))
        | None => (Vec::new(), None),
    }
}

/// The problem of a map that cannot be drawn as asked.
type Drawn<T> = Result<T, MapError>;

#[cfg(test)]
mod tests;
