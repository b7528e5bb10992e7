//! The options of a picture.

use std::collections::BTreeMap;

use dims::Symbol;
use proofs::Counterexample;

/// What determines the colours of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum By {
    /// By the thread; where a map has none, by the slot, from light to dark.
    #[default]
    Thread,
    /// By the bank of shared memory: 32 banks of 4 bytes. Cells are then points, with all threads in a row.
    Bank,
}

/// What is written in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Label {
    /// What the cell's position does not show: of a slot the thread and its local index, of a point the slot.
    #[default]
    Automatic,
    /// The lower coordinate.
    Slot,
    /// The upper coordinate.
    Coordinate,
    /// The thread.
    Thread,
    /// The bank.
    Bank,
}

/// The largest grid that is drawn; the rest is left out, and a note says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rows of cells, at least 1.
    pub rows: usize,
    /// Columns of cells, at least 1.
    pub columns: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { rows: 64, columns: 64 }
    }
}

/// The options of a picture.
#[derive(Clone)]
pub struct Options<'a> {
    /// What determines the colours of cells.
    pub by: By,
    /// What is written in them.
    pub label: Label,
    /// The size of an element in bytes, for banks and sectors: 1, 2, 4, 8 or 16.
    pub element_bytes: u32,
    /// Sizes for symbols; the others get small ones that the facts allow.
    pub sizes: BTreeMap<Symbol, i64>,
    /// The largest grid.
    pub limits: Limits,
    /// Whether the access of a warp is drawn.
    pub strip: bool,
    /// Whether several maps stand one below the other, where they are not to be compared.
    pub stacked: bool,
    /// The counterexample to outline. Its sizes are used.
    pub counterexample: Option<&'a Counterexample>,
    /// Polled while points are gone through; `true` ends that with an error, and it may unwind.
    pub cancelled: &'a dyn Fn() -> bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            by: By::default(),
            label: Label::default(),
            element_bytes: 4,
            sizes: BTreeMap::new(),
            limits: Limits::default(),
            strip: true,
            stacked: false,
            counterexample: None,
            cancelled: &|| false,
        }
    }
}
