//! Accesses: reads and writes of elements.

use std::rc::Rc;
use std::sync::Arc;

use super::node::{LoopId, ValueId};
use crate::typed::{AccessKind, Memory, SharedId};
use maps::IndexMap;
use syntax::span::Span;

/// An access, by its number in the order of evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessId(pub u32);

/// One read or write of an element.
#[derive(Clone, Debug)]
pub struct Access {
    /// The memory of the element.
    pub memory: Memory,
    /// What it does with the element.
    pub kind: AccessKind,
    /// Whether the kernel never writes the memory, so that loads can be moved freely.
    pub is_constant: bool,
    /// Its source span.
    pub span: Span,
    /// The map from the coordinates to the element's row-major index within the tensor's shape, or to its position in
    /// the shared array.
    pub map: Arc<IndexMap>,
    /// The upper coordinate at which the map is evaluated.
    pub coordinates: Vec<ValueId>,
    /// The element's position in the storage of the memory, in elements. Meaningful where the mask holds.
    pub offset: ValueId,
    /// The condition under which the access happens; `None`: always. A masked-off load gives zero.
    pub mask: Option<ValueId>,
    /// The part of the mask that has to be tested, since the conditions around the access do not imply it.
    pub tested: Option<ValueId>,
    /// Whether it is evaluated whenever its statement is, unless its mask does not hold: what is around it in the statement's
    /// expressions chooses it wherever the mask holds.
    pub unconditional: bool,
    /// The conditions around it, the outermost first; of very many only the innermost ones.
    pub guards: Rc<[(ValueId, bool)]>,
    /// The loops around it, the outermost first.
    pub loops: Rc<[LoopId]>,
    /// The first access that differs only in its position in the text.
    pub representative: AccessId,
}

impl Access {
    /// The shared array, if it accesses one.
    pub fn array(&self) -> Option<SharedId> {
        match self.memory {
            Memory::Shared(array) => Some(array),
            Memory::Param(_) => None,
        }
    }
}
