//! What is known of tiles at the current place.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::super::claims::TileAccess;
use super::super::view::View;
use super::edge::Beyond;
use crate::diagnostics::Advice;
use kernel::typed::{SharedId, Statement};
use syntax::span::Span;

/// The number of threads of a block that works on tiles, where none is written.
pub(in super::super) const TILE_THREADS: i64 = 128;

/// What a kernel does with tiles.
#[derive(Clone, Default)]
pub(in super::super) struct Tiles {
    /// Whether it has a partition or a tile, without which nothing has to be looked for.
    pub(super) used: bool,
    /// The statements that have to be executed before the one that is being read.
    pub(super) before: Vec<Statement>,
    /// Whether the statement that is being read may have such statements.
    pub(super) allowed: bool,
    /// Whether what is being checked is done by one thread for its block.
    pub(super) for_block: bool,
    /// The parallel loops so far.
    pub(super) loops: usize,
    /// The statements that are being read, outermost first.
    pub(super) open: Vec<Span>,
    /// The arrays of tiles.
    pub(super) arrays: Vec<SharedId>,
    /// The last token that says each name, once it was needed.
    pub(super) last_said: Option<FxHashMap<SmolStr, u32>>,
    /// Those of the arrays that the statement that is being read uses.
    pub(super) in_use: Vec<SharedId>,
    /// The array of the variable to which the product that is being read is assigned.
    pub(super) target: Option<SharedId>,
    /// What to do if an access of a tile fails, while one is being checked.
    pub(in super::super) transfer: Option<Advice>,
    /// The tile whose elements are being accessed.
    pub(super) accessed_tile: Option<TileAccess>,
    /// What stands beyond the edge of a tensor in each dimension of the tiles in arrays, where something does.
    pub(super) edges: FxHashMap<SharedId, Vec<Option<Beyond>>>,
    /// The views of written tensors that are divided by partitions, each with the first access.
    pub(super) accessed: Vec<(Arc<View>, Span)>,
}

impl Tiles {
    /// Whether the kernel has a partition or a tile.
    pub(in super::super) fn is_used(&self) -> bool {
        self.used
    }

    /// The tile whose elements are being accessed.
    pub(in super::super) fn accessed_tile(&self) -> Option<&TileAccess> {
        self.accessed_tile.as_ref()
    }

    /// Whether what is being checked is done by one thread for its block.
    pub(in super::super) fn is_for_block(&self) -> bool {
        self.for_block
    }

    /// Begins a statement, for which the tiles of the one before are only there if they have names.
    pub(in super::super) fn begin_statement(&mut self, span: Span) {
        self.in_use.clear();
        self.open.push(span);
    }

    /// Adds statements before the one that is being read.
    pub(in super::super) fn add_before(&mut self, statements: impl IntoIterator<Item = Statement>) {
        self.before.extend(statements);
    }

    /// Ends the statement that began last.
    pub(in super::super) fn end_statement(&mut self) {
        self.open.pop();
    }
}
