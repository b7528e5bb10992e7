//! Accesses: what is read or written, where, and when.

use std::rc::Rc;
use std::sync::Arc;

use super::values::{LoopId, ValueId};
use crate::typed::{Memory, SharedId};
use maps::IndexMap;
use syntax::span::Span;

/// An access, by its number in the order of evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessId(pub u32);

/// One read or write of an element.
#[derive(Clone, Debug)]
pub struct Access {
    /// Where the element is.
    pub memory: Memory,
    /// Whether it is written.
    pub store: bool,
    /// Whether the kernel leaves the memory as it is: what is read there does not depend on when.
    pub is_constant: bool,
    /// Where it stands.
    pub span: Span,
    /// From the coordinates to the element's row-major index within the tensor's shape, or to its position in the shared
    /// array.
    pub map: Arc<IndexMap>,
    /// The upper coordinate of the map that is asked for.
    pub coordinates: Vec<ValueId>,
    /// The element's position in the storage of the memory, in elements. Meaningful where the mask holds.
    pub offset: ValueId,
    /// Where the access happens; `None`: wherever it is evaluated. A load that is masked off gives zero.
    pub mask: Option<ValueId>,
    /// What of the mask does not follow from what is known to hold where the access is evaluated; it is to be tested there.
    pub tested: Option<ValueId>,
    /// Whether it is evaluated whenever its statement is. (A masked load is, though it may read nothing.)
    pub unconditional: bool,
    /// The conditions around it under which it is evaluated, the outermost first; of very many the innermost ones.
    pub guards: Rc<[(ValueId, bool)]>,
    /// The loops around it, the outermost first.
    pub loops: Rc<[LoopId]>,
    /// The first access that is the same in all but its place in the text.
    pub like: AccessId,
}

impl Access {
    /// The shared array, where it is one.
    pub fn array(&self) -> Option<SharedId> {
        match self.memory {
            Memory::Shared(array) => Some(array),
            Memory::Param(_) => None,
        }
    }
}
