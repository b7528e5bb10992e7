//! The contents of a picture, independent of SVG or text.

use smol_str::SmolStr;

use super::{By, CellExtents, Label, Strip};

/// A picture of one map, or of several side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The names of the maps.
    pub title: String,
    /// The maps, from left to right.
    pub panels: Vec<Panel>,
    /// Whether they stand one below the other instead.
    pub stacked: bool,
    /// What cells are coloured by.
    pub by: By,
    /// What is written in cells.
    pub label: Label,
    /// A sentence about the counterexample that is outlined.
    pub caption: Option<String>,
}

/// The picture of one map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The map's name.
    pub title: String,
    /// Its shapes and its formula, with symbols.
    pub formula: String,
    /// The pieces of the slot from the fastest to the slowest; may be empty.
    pub order: String,
    /// The cells; `None` if the map cannot be drawn, and a note then says why.
    pub grid: Option<Grid>,
    /// The first access of the first warp, where the map has threads.
    pub strip: Option<Strip>,
    /// Notes for the reader: the chosen sizes, what is left out.
    pub notes: Vec<String>,
}

/// What one cell stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// A lower coordinate.
    Slots,
    /// An upper coordinate.
    Points,
}

/// Cells in rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// What one cell stands for.
    pub space: Space,
    /// What the numbers at the left are: `slot`, or the names of coordinates.
    pub row_title: String,
    /// What the numbers at the top are.
    pub column_title: String,
    /// The number before each row.
    pub row_labels: Vec<String>,
    /// The number above each column.
    pub column_labels: Vec<String>,
    /// All rows one after the other; each has as many cells as there are column labels.
    pub cells: Vec<Cell>,
    /// The numbers of the cells along a path: among slots, the elements of one thread in the order of its indices;
    /// among points, those of ascending slots.
    pub path: Vec<usize>,
    /// The least and the greatest slot or point, for shades.
    pub span: (i64, i64),
    /// Whether the map has threads.
    pub threads: bool,
    /// The iterators of a tiling, whose values take the role of threads and are the coordinates after the first one.
    pub iterators: Vec<SmolStr>,
    /// Of a tensor divided into tiles, how much of it a cell is. Tiles then take the role of threads.
    pub tiles: Option<CellExtents>,
    /// Whether the lower coordinates are those of the elements of a tensor or a tile.
    pub elements: bool,
}

/// What a cell is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CellState {
    /// A slot that a valid point reaches, or a valid point.
    Reached,
    /// A slot that only invalid points reach, or an invalid point.
    Masked,
    /// A slot that no point reaches.
    Empty,
    /// No cell: the last row is not full.
    #[default]
    Missing,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What it is.
    pub state: CellState,
    /// The lower coordinate; empty where the point is not valid.
    pub lower: Vec<i64>,
    /// The upper coordinate; of a slot the first one in map order that reaches it, empty if there is none.
    pub upper: Vec<i64>,
    /// The thread, where the map has threads: all thread coordinates as one number, the last one fastest.
    pub thread: Option<u64>,
    /// The coordinates within the thread.
    pub local: Vec<i64>,
    /// The bank of shared memory, if the lower coordinates determine it.
    pub bank: Option<u32>,
    /// The position of the slot, or of the point's slot, between the least and the greatest.
    pub rank: i64,
    /// How many further valid points reach the slot.
    pub others: u64,
    /// Whether the counterexample names it.
    pub marked: bool,
    /// Whether it lies outside the bounds that the counterexample names.
    pub outside: bool,
}

impl Grid {
    /// The number of columns; at least 1.
    pub fn columns(&self) -> usize {
        self.column_labels.len().max(1)
    }

    /// The rows with their labels.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &[Cell])> {
        self.row_labels.iter().map(String::as_str).zip(self.cells.chunks(self.columns()))
    }
}
