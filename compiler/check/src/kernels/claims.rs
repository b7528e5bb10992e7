//! The claims of a typed kernel that remain to be proven.

use std::sync::Arc;

use smol_str::SmolStr;

use super::pointwise::Pointwise;
use super::raised::Composed;
use super::view::View;
use crate::diagnostics::{Advice, Indexed, SelectAsIf};
use dims::Facts;
use kernel::raise::{Basis, Doubt, ValueId};
use kernel::typed::{self, AccessKind, Memory};
use maps::IndexMap;
use syntax::span::Span;

/// A group of claims, in the order of the text. If one of them fails, the later ones of the group are skipped.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    /// The strides of a parameter that the kernel writes.
    Strides { name: SmolStr, map: IndexMap, facts: Facts, span: Span },
    /// A view.
    View(Arc<View>),
    /// An access.
    Access(Box<AccessRecord>),
}

/// The claim that an index or an element of an access is below a bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Below {
    pub(super) composed: Arc<Composed>,
    /// The same claim in each case of an exhaustive list, if cases give more information.
    pub(super) cases: Vec<Arc<Composed>>,
    pub(super) claim: typed::Claim,
    /// Why less is known of it than its text seems to say.
    pub(super) doubt: Option<Doubt>,
    pub(super) indexed: Indexed,
    /// What the user can do if it fails.
    pub(super) advice: Advice,
    /// The facts about sizes at the access.
    pub(super) facts: Facts,
}

/// An access as the proofs need it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AccessRecord {
    pub(super) memory: Memory,
    pub(super) kind: AccessKind,
    pub(super) composed: Arc<Composed>,
    /// The map without the conditions around the access, if there are any. It reaches a superset of the elements.
    pub(super) unconditional: Option<Arc<Composed>>,
    /// The map to the coordinates at which the view is evaluated, for tensors that the kernel may write, if there is
    /// more than one.
    pub(super) indices: Option<Arc<Composed>>,
    /// The map with only the conditions that do not depend on data; `None` if all are such.
    pub(super) without_data: Option<Arc<Composed>>,
    /// The view; `None` if the tensor is indexed directly.
    pub(super) view: Option<Arc<View>>,
    /// The coordinates in the program.
    pub(super) coordinates: Vec<ValueId>,
    /// The index that determines who executes it, if the maps do not.
    pub(super) owner: Option<Owner>,
    pub(super) span: Span,
    /// The claims that keep it in bounds: first those of its indices, then that of the element.
    pub(super) claims: Vec<Below>,
    /// Whether the sizes allow the access to be executed at all, and it is known which threads there are.
    pub(super) executed: bool,
    /// The tile of a partition whose elements are accessed.
    pub(super) tile: Option<TileAccess>,
    /// The `select` of which it is in a value.
    pub(super) select: Option<SelectAsIf>,
    /// Whether the threads of a block share it as the access of a tile, for which one of them stands.
    pub(super) of_tile: bool,
    /// Whether one thread does it for its block.
    pub(super) of_block: bool,
    /// The same access in each alternative of a choice in its index, where no map states the choice.
    pub(super) alternatives: Vec<AccessRecord>,
    /// Its indices in every thread, if no map states them and they can be computed.
    pub(super) pointwise: Option<Arc<Pointwise>>,
    /// The points of a tile whose elements go to indices of their own.
    pub(super) scattered: Option<Scattered>,
}

impl AccessRecord {
    /// Whether each thread makes the access by itself.
    pub(super) fn is_of_thread(&self) -> bool {
        self.tile.is_none() && !self.of_tile && !self.of_block && self.scattered.is_none()
    }
}

/// Where the elements of a tile go that indices of their own send there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scattered {
    /// The map from the points of the tile to the elements, if it is known. A point counts as a thread, since the threads of
    /// a block share the points out.
    pub(super) points: Option<Arc<Composed>>,
    /// The same map to the indices at which the view is evaluated, if there is more than one.
    pub(super) indices: Option<Arc<Composed>>,
    /// Whether the view reaches each element at one index only.
    pub(super) is_injective: bool,
    /// Whether the indices determine the point, and the block if blocks share the memory.
    pub(super) determined: bool,
    /// The last argument without a name.
    pub(super) last: Span,
}

/// The tile of a partition whose elements are accessed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TileAccess {
    /// The index of the tile in the index space.
    pub(super) index: Vec<ValueId>,
    pub(super) extents: Vec<i64>,
    /// The view that is divided.
    pub(super) divided: Arc<View>,
}

/// The index that determines who executes an access. Where it is equal for several accesses, they reach elements of one owner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    /// The index in the program, of an element or of a tile.
    pub(super) index: Vec<ValueId>,
    /// The extents of the tile; `None` if the index is that of an element.
    pub(super) tile: Option<Vec<i64>>,
    /// Whether the index determines the block only, as one thread stands for all of the block.
    pub(super) for_block: bool,
    /// The map of the view; `None` if it is the tensor itself.
    pub(super) map: Option<Arc<IndexMap>>,
    /// What it rests on.
    pub(super) basis: Basis,
}
