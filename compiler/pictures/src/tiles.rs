//! A tensor divided into tiles: a cell for some neighbouring elements, with the tile that they belong to. What tiles have
//! beyond the edge of the tensor is drawn too.

use dims::{Sym, Symbol};
use smol_str::SmolStr;
use std::collections::BTreeMap;

use super::window::Window;
use super::{Cell, CellState, Grid, Limits, Options, Space, labels};

/// Rows and columns of cells that can be taken in at a glance.
const GLANCE: Limits = Limits { rows: 20, columns: 24 };

/// How a tensor is divided into tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// The dimensions of the tensor.
    pub shape: Vec<Sym>,
    /// The extents of a tile.
    pub tile: Vec<i64>,
    /// Which dimension of the tensor each dimension of the tiles is.
    pub order: Vec<usize>,
}

/// The extents of the cells of a picture of tiles, in elements of the tensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellExtents(pub Vec<i64>);

/// A dimension of the tensor with its size.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    /// The number of elements.
    size: i64,
    /// The extent of a tile.
    tile: i64,
}

impl Dimension {
    /// The number of tiles.
    fn tiles(self) -> u64 {
        self.size.max(0).unsigned_abs().div_ceil(self.tile.max(1).unsigned_abs())
    }

    /// The number of cells with this many elements each.
    fn cells(self, elements: i64) -> u64 {
        self.tiles().saturating_mul((self.tile / elements.max(1)).max(1).unsigned_abs())
    }

    /// The fewest elements of a cell with which the dimension has at most `most` cells: they divide a tile. Where there are
    /// too many tiles, a cell is as long as a tile.
    fn elements_of_cell(self, most: u64) -> i64 {
        // More divisors than these are no picture; a tile is tried at the end.
        let tried = (1..=self.tile.min(4096)).filter(|elements| self.tile % elements == 0);
        tried.chain([self.tile.max(1)]).find(|elements| self.cells(*elements) <= most).unwrap_or(self.tile.max(1))
    }
}

impl Division {
    /// `tile (i, j) begins at element [64 * i, 32 * j]`: what the picture shows, in a line.
    pub(super) fn formula(&self) -> String {
        let names: Vec<String> = match self.tile.len() {
            1 => vec!["i".to_owned()],
            2 => vec!["i".to_owned(), "j".to_owned()],
            rank => (0..rank).map(|dimension| format!("i{dimension}")).collect(),
        };
        let mut begins = vec![String::new(); self.shape.len()];
        for ((dimension, extent), name) in self.order.iter().zip(&self.tile).zip(&names) {
            if let Some(begin) = begins.get_mut(*dimension) {
                *begin = if *extent == 1 { name.clone() } else { format!("{extent} * {name}") };
            }
        }
        let list = |dimensions: Vec<String>| format!("[{}]", dimensions.join(", "));
        let shape = list(self.shape.iter().map(Sym::to_string).collect());
        let tile = list(self.tile.iter().map(i64::to_string).collect());
        let tuple = if names.len() == 1 { names.concat() } else { format!("({})", names.join(", ")) };
        format!("{shape} in tiles of {tile}: tile {tuple} begins at element {}", list(begins))
    }

    /// Sizes at which a picture shows whole tiles and one that reaches over the edge, the best first.
    pub(super) fn good_sizes(&self) -> Vec<i64> {
        let mut sizes = Vec::new();
        for tile in &self.tile {
            let tiles = |halves: i64| tile.saturating_mul(halves).saturating_add(1) / 2;
            for size in [tiles(5), tiles(3), tiles(4), tiles(6), tiles(2), tiles(1)] {
                if !sizes.contains(&size) {
                    sizes.push(size);
                }
            }
        }
        sizes
    }

    /// How far sizes are from those that show the most: along each dimension two or three tiles, of which the last one
    /// reaches over the edge; then, how far the edge is from the middle of a tile, and how many tiles there are.
    pub(super) fn badness(&self, sizes: &BTreeMap<Symbol, i64>) -> (u64, u64) {
        let mut badness = 0u64;
        let mut finer = 0u64;
        for dimension in self.dimensions(sizes).into_iter().flatten() {
            let tiles = dimension.tiles();
            let (away, edge) = match dimension.tile {
                // Tiles of one element never reach over the edge.
                1 => (tiles.abs_diff(4), false),
                tile => (if tiles < 2 { 2 } else { tiles.saturating_sub(3) }, dimension.size % tile == 0),
            };
            badness = badness.saturating_add(away.saturating_mul(2)).saturating_add(u64::from(edge));
            let middle = (dimension.size % dimension.tile).saturating_mul(2).abs_diff(dimension.tile);
            let part = u128::from(middle) * 64 / u128::from(dimension.tile.unsigned_abs().max(1));
            finer = finer.saturating_add(tiles).saturating_add(u64::try_from(part).unwrap_or(u64::MAX));
        }
        (badness, finer)
    }

    /// The dimensions of the tensor with their sizes; `None` where one has no size, or no tile.
    fn dimensions(&self, sizes: &BTreeMap<Symbol, i64>) -> Option<Vec<Dimension>> {
        let sized = self.shape.iter().enumerate().map(|(number, size)| {
            let place = self.order.iter().position(|dimension| *dimension == number)?;
            let size = size.evaluate(&|symbol| sizes.get(symbol).copied()).ok()?;
            Some(Dimension { size, tile: (*self.tile.get(place)?).max(1) })
        });
        sized.collect()
    }
}

/// The grid, and what a reader must know of it; `None` where a dimension has no size.
pub(super) fn grid(
    division: &Division,
    sizes: &BTreeMap<Symbol, i64>,
    options: &Options<'_>,
) -> Option<(Grid, Vec<String>)> {
    let dimensions = division.dimensions(sizes)?;
    let limits =
        Limits { rows: options.limits.rows.min(GLANCE.rows), columns: options.limits.columns.min(GLANCE.columns) };
    let elements = elements_of_cells(&dimensions, limits);
    let extents: Vec<u64> =
        dimensions.iter().zip(&elements).map(|(dimension, elements)| dimension.cells(*elements)).collect();
    let rank = dimensions.len();
    let width = row_width(&dimensions, &elements, limits);
    let window = Window::new((0..rank).collect(), vec![0; rank], extents, width, limits);
    let cells = (0..window.cells()).map(|number| cell(division, &dimensions, &elements, window.coordinate(number)));
    let scaled = |place: i64, dimension: usize| place.saturating_mul(elements.get(dimension).copied().unwrap_or(1));
    let row_label = |row: usize| {
        let start = window.row_start(row).unwrap_or_default();
        let shown = if rank == 1 { 1 } else { rank.saturating_sub(1) };
        let places: Vec<i64> =
            start.iter().take(shown).enumerate().map(|(dimension, place)| scaled(*place, dimension)).collect();
        labels::tuple(&places)
    };
    let column_label = |column: usize| scaled(window.column_label(column), rank.saturating_sub(1)).to_string();
    let (row_title, column_title) = labels::dimensions(rank);
    let grid = Grid {
        space: Space::Slots,
        row_title,
        column_title,
        row_labels: (0..window.rows()).map(row_label).collect(),
        column_labels: (0..window.columns()).map(column_label).collect(),
        cells: cells.collect(),
        path: Vec::new(),
        span: (0, 0),
        threads: true,
        iterators: Vec::<SmolStr>::new(),
        tiles: Some(CellExtents(elements.clone())),
        elements: true,
    };
    let mut notes = Vec::new();
    notes.extend(of_cells(&dimensions, &elements));
    notes.extend(window.left_out("cells"));
    Some((grid, notes))
}

/// How many elements a cell has along each dimension: few enough cells for the limits. Along all dimensions but the last
/// two, a cell is as long as a tile.
fn elements_of_cells(dimensions: &[Dimension], limits: Limits) -> Vec<i64> {
    let rank = dimensions.len();
    let mut rows = limits.rows as u64;
    let mut elements = Vec::with_capacity(rank);
    for (number, dimension) in dimensions.iter().enumerate() {
        let own = match rank - number {
            1 if rank == 1 => dimension.elements_of_cell((limits.columns as u64).saturating_mul(2)),
            1 => dimension.elements_of_cell(limits.columns as u64),
            2 => dimension.elements_of_cell(rows),
            _ => dimension.tile,
        };
        if number + 1 < rank {
            rows = (rows / dimension.cells(own).max(1)).max(1);
        }
        elements.push(own);
    }
    elements
}

/// The cells in a row of a tensor with one dimension: whole tiles, as many as go into it.
fn row_width(dimensions: &[Dimension], elements: &[i64], limits: Limits) -> u64 {
    let ([dimension], [elements]) = (dimensions, elements) else { return 1 };
    let of_tile = (dimension.tile / elements.max(&1)).max(1).unsigned_abs();
    let columns = limits.columns.max(1) as u64;
    if of_tile > columns { columns } else { columns - columns % of_tile }
}

/// `a cell is 8 × 16 elements`, where it is more than one.
fn of_cells(dimensions: &[Dimension], elements: &[i64]) -> Option<String> {
    if elements.iter().all(|elements| *elements == 1) {
        return None;
    }
    let extents: Vec<String> = elements.iter().map(i64::to_string).collect();
    let cut = dimensions.iter().zip(elements).any(|(dimension, elements)| dimension.size % elements.max(&1) != 0);
    let edge = if cut { "; where the edge goes through one, it is drawn as inside" } else { "" };
    Some(format!("a cell is {} elements{edge}", extents.join(" × ")))
}

/// The cell at a place of the window.
fn cell(division: &Division, dimensions: &[Dimension], elements: &[i64], place: Option<Vec<i64>>) -> Cell {
    let Some(place) = place else { return Cell::default() };
    let lower: Vec<i64> = place.iter().zip(elements).map(|(place, elements)| place.saturating_mul(*elements)).collect();
    let inside = lower.iter().zip(dimensions).all(|(element, dimension)| *element < dimension.size);
    let mut upper = Vec::with_capacity(lower.len());
    let mut local = Vec::with_capacity(lower.len());
    let mut number = 0u64;
    for axis in &division.order {
        let (Some(element), Some(dimension)) = (lower.get(*axis), dimensions.get(*axis)) else { continue };
        upper.push(element / dimension.tile);
        local.push(element % dimension.tile);
        number = number.wrapping_mul(dimension.tiles()).wrapping_add((element / dimension.tile).unsigned_abs());
    }
    let state = if inside { CellState::Reached } else { CellState::Masked };
    Cell { state, lower, upper, local, thread: Some(number), ..Cell::default() }
}
