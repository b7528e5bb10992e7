//! Tiles: rectangular parts of tensors as values, which a block loads, computes with and stores.
//!
//! `partitions` reads `view px = partition(x, [64, 64])`, and `sizes` what it knows the sizes of. `values` reads expressions
//! of tiles, and `shapes` makes the shapes of operands one. `table` lists the words, of which each is defined next to what it
//! does: `makers`, `cat`, `choices`, `products`, `gathers` and `scatters` have functions; `methods`, `folds`, `scans` and
//! `orders` have methods; `members` and `atomics` have the members of partitions. `transfers` loads and stores tiles;
//! `arrays` gives tiles their places; `statements` has the statements.
//!
//! A tile in the middle of an expression is an element's expression over the axes of the tile. A tile with a name, and
//! one from which an operation reads in another order, stands in an array of the block.
//!
//! The checks take one thread of a block for the one that does an operation: which thread does which element is not the
//! program's business, and no element is touched by two of them.

mod arrays;
mod atomics;
mod calls;
mod cat;
mod choices;
mod examples;
mod folds;
mod gathers;
mod makers;
mod members;
mod merges;
mod methods;
mod orders;
pub mod parameters;
mod partitions;
mod products;
mod reductions;
mod scans;
mod scatters;
mod shapes;
mod sizes;
mod slices;
mod statements;
mod table;
mod transfers;
mod uniform;
mod values;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::operands::Operand;
use super::owners::TileAccess;
use super::views::View;
use super::{Checker, Memory};
use crate::diagnostics::Advice;
use dims::Sym;
use elements::ElementType;
use kernel::typed::{Local, SharedId, Statement};
use maps::IndexMap;
use syntax::span::Span;
use syntax::tree;

pub(super) use arrays::variable;
pub(super) use choices::SELECT;
pub(super) use partitions::is_partition;
pub(super) use scatters::ScatterCall;
pub use table::{PartitionMember, TileFunction, TileMethod};

/// The number of threads of a block that works on tiles, where none is written.
pub(super) const TILE_THREADS: i64 = 128;

/// A tensor divided into tiles of one shape.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    pub(super) memory: Memory,
    /// The name of what is divided: the tensor, or a view of it.
    pub(super) name: SmolStr,
    /// The dimensions of what is divided, in its own order.
    shape: Vec<Sym>,
    /// Which of these dimensions each dimension of the tiles is.
    pub(super) order: Vec<usize>,
    /// The extents of a tile.
    pub(super) tile: Vec<i64>,
    /// The number of tiles along each dimension, the last one partial where it reaches over the edge.
    pub(super) space: Vec<Sym>,
    /// The map from the index of a tile and that of an element in it to the indices of what is divided.
    mapping: Arc<IndexMap>,
    /// The tensor by the index of a tile and the index in it, without the elements beyond the edge.
    masked: Arc<View>,
    /// What is divided, by its own indices, in the order of the dimensions of the tiles.
    direct: Arc<View>,
    /// Whether a whole tensor is divided, of which no two indices are one element.
    whole: bool,
}

/// A tile with a name.
#[derive(Clone, Debug)]
pub(super) enum TileVariable {
    /// It stands in an array.
    Array { array: SharedId, mutable: bool },
    /// Its elements are computed wherever they are used, such as numbers of rows: no memory is read for them.
    Computed(Arc<Tile>),
}

/// A tile in an expression: the value of its elements over its axes. A tile of rank 0 is a number.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    shape: Vec<i64>,
    axes: Vec<Local>,
    pub(super) value: Operand,
    /// The array that holds it, if that belongs to nobody else yet.
    own: Option<SharedId>,
}

/// What a kernel does with tiles.
#[derive(Clone, Default)]
pub(super) struct Tiles {
    /// Whether it has a partition or a tile, without which nothing has to be looked for.
    used: bool,
    /// The statements that have to be executed before the one that is being read.
    before: Vec<Statement>,
    /// Whether the statement that is being read may have such statements.
    allowed: bool,
    /// Whether what is being checked is done by one thread for its block.
    for_block: bool,
    /// The parallel loops so far.
    loops: usize,
    /// The statements that are being read, outermost first.
    open: Vec<Span>,
    /// The arrays of tiles.
    arrays: Vec<SharedId>,
    /// The last token that says each name, once it was needed.
    last_said: Option<FxHashMap<SmolStr, u32>>,
    /// Those of the arrays that the statement that is being read uses.
    in_use: Vec<SharedId>,
    /// The array of the variable to which the product that is being read is assigned.
    target: Option<SharedId>,
    /// What to do if an access of a tile fails, while one is being checked.
    pub(super) transfer: Option<Advice>,
    /// The tile whose elements are being accessed.
    accessed_tile: Option<TileAccess>,
    /// The views of written tensors that are divided by partitions, each with the first access.
    accessed: Vec<(Arc<View>, Span)>,
}

impl Checker<'_> {
    /// Notes whether a kernel works on tiles, before anything in it is read: what a statement means does not depend on those
    /// behind it.
    pub(super) fn note_tiles(&mut self, body: &tree::Block) {
        self.tiles.used = self.has_tiles(body);
    }

    /// The same for an expression by itself.
    pub(super) fn note_expression(&mut self, expr: &tree::Expr) {
        self.tiles.used = self.makes_tiles(expr);
    }

    fn has_tiles(&self, body: &tree::Block) -> bool {
        body.statements.iter().any(|statement| {
            statement.expressions().any(|expr| is_partition(expr) || self.makes_tiles(expr))
                || statement.bodies().any(|body| self.has_tiles(body))
        })
    }
}

impl Tiles {
    /// Whether the kernel has a partition or a tile.
    pub(super) fn is_used(&self) -> bool {
        self.used
    }

    /// The tile whose elements are being accessed.
    pub(super) fn accessed_tile(&self) -> Option<&TileAccess> {
        self.accessed_tile.as_ref()
    }

    /// Whether what is being checked is done by one thread for its block.
    pub(super) fn is_for_block(&self) -> bool {
        self.for_block
    }

    /// Begins a statement, for which the tiles of the one before are only there if they have names.
    pub(super) fn begin_statement(&mut self, span: Span) {
        self.in_use.clear();
        self.open.push(span);
    }

    /// Adds statements before the one that is being read.
    pub(super) fn add_before(&mut self, statements: impl IntoIterator<Item = Statement>) {
        self.before.extend(statements);
    }

    /// Ends the statement that began last.
    pub(super) fn end_statement(&mut self) {
        self.open.pop();
    }
}

impl Partition {
    /// The map from the index of a tile and that of an element in it to the element of the tensor.
    pub(super) fn map(&self) -> &IndexMap {
        &self.masked.map
    }

    /// The dimensions of what is divided, in its own order.
    pub(super) fn shape(&self) -> &[Sym] {
        &self.shape
    }

    /// The map from the index of a tile and that of an element in it to the indices of what is divided.
    pub(super) fn mapping(&self) -> &Arc<IndexMap> {
        &self.mapping
    }
}

impl TileVariable {
    /// The array in which it stands.
    pub(super) fn array(&self) -> Option<SharedId> {
        match self {
            Self::Array { array, .. } => Some(*array),
            Self::Computed(_) => None,
        }
    }
}

impl Tile {
    /// The type of its elements.
    pub(super) fn element(&self) -> ElementType {
        self.value.natural()
    }

    /// Its extents.
    pub(super) fn extents(&self) -> &[i64] {
        &self.shape
    }

    /// The same number everywhere.
    pub(super) fn number(value: Operand) -> Self {
        Self { shape: Vec::new(), axes: Vec::new(), value, own: None }
    }

    fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether it is one number.
    pub(super) fn is_number(&self) -> bool {
        self.shape.is_empty()
    }

    /// Whether it is a number whose type is still free.
    pub(super) fn is_constant(&self) -> bool {
        self.value.is_constant()
    }

    /// The tile of another value over the same axes.
    pub(super) fn with_value(self, value: Operand) -> Self {
        Self { value, own: None, ..self }
    }

    /// The tile, whose array may be read several times.
    pub(super) fn without_owner(self) -> Self {
        Self { own: None, ..self }
    }
}

impl Checker<'_> {
    /// The statements to execute before the one that is being read, in which operations on tiles may stand.
    pub(super) fn with_tiles<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (Vec<Statement>, T) {
        let allowed = std::mem::replace(&mut self.tiles.allowed, true);
        let found = self.with_before(read);
        self.tiles.allowed = allowed;
        found
    }

    /// The statements to execute before the one that is being read.
    pub(super) fn with_before<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (Vec<Statement>, T) {
        let outer = std::mem::take(&mut self.tiles.before);
        let found = read(self);
        (std::mem::replace(&mut self.tiles.before, outer), found)
    }
}
