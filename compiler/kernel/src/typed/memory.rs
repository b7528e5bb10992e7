//! What accesses reach, and how the threads that share it wait for each other.

use smol_str::SmolStr;

use super::{Expr, Kernel, ParamId};
use elements::ElementType;
use syntax::span::Span;

/// What an access reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Memory {
    /// A tensor parameter.
    Param(ParamId),
    /// A shared array.
    Shared(SharedId),
}

/// An index into [`Kernel::shared`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SharedId(pub u32);

/// An array of which every block has its own, shared by its threads. Its elements are zero when the block starts.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedArray {
    /// Its name in the source; two arrays may share one.
    pub name: SmolStr,
    /// The type of its elements.
    pub element: ElementType,
    /// The extents that the program indexes it with.
    pub shape: Vec<i64>,
    /// How many elements are stored: beyond the shape's where its layout pads it. At least 1.
    pub length: i64,
    /// Whether an element may be read that nothing wrote before, so that generated code has to clear the array first.
    pub cleared: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Threads wait for each other: what each of them wrote before, the others read after.
///
/// All threads of one waiting collective reach the same barriers equally often: the conditions and the ends of the loops
/// around a barrier are the same for all of them. Other collectives of the block may come by more or less often.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Who waits.
    pub waiting: Waiting,
    /// The access before it that must be over.
    pub before: Span,
    /// The access after it that must wait.
    pub after: Span,
}

/// Who waits at a barrier. Wherever it is not the whole block, the other threads of the block go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Waiting {
    /// All threads of the block.
    Block,
    /// Some lanes of each warp that arrives.
    Warp {
        /// Which lanes, counted from the first one that waits: bit 0 is set.
        lanes: u32,
        /// The first one, `i64` in `0..32`, the same for all that wait together.
        first: Expr,
    },
    /// Several whole warps.
    Warps {
        /// The number of their barrier, `i64` in `1..16`; collectives that are under way at the same time have their own.
        id: Expr,
        /// How many threads wait; a multiple of 32.
        threads: u32,
    },
}

/// Where the shared arrays of a block lie if they are one piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLayout {
    /// The first byte of each array, a multiple of [`SharedLayout::ALIGNMENT`].
    pub offsets: Vec<i64>,
    /// The bytes of all.
    pub bytes: i64,
}

impl SharedLayout {
    /// Every array begins at a multiple of so many bytes, so that vectors of any width can reach it.
    pub const ALIGNMENT: i64 = 16;

    /// One array behind the other; `None` where 64 bits do not count their bytes.
    pub fn of(arrays: &[SharedArray]) -> Option<SharedLayout> {
        let mut layout = SharedLayout { offsets: Vec::new(), bytes: 0 };
        for array in arrays {
            let start = layout.end()?;
            let size = i64::try_from(array.element.size_bytes()).ok()?;
            layout.offsets.push(start);
            layout.bytes = array.length.checked_mul(size)?.checked_add(start)?;
        }
        Some(layout)
    }

    /// Where one more array would begin.
    pub fn end(&self) -> Option<i64> {
        Some(self.bytes.checked_add(Self::ALIGNMENT - 1)? & !(Self::ALIGNMENT - 1))
    }
}

impl Kernel {
    /// Where the shared arrays lie, in their order; `None` where 64 bits do not count their bytes.
    pub fn shared_layout(&self) -> Option<SharedLayout> {
        SharedLayout::of(&self.shared)
    }

    /// The type of the elements of a memory; `None` where the kernel has no such memory.
    pub fn element(&self, memory: Memory) -> Option<ElementType> {
        match memory {
            Memory::Param(ParamId(index)) => self.params.get(index as usize).map(|param| param.element),
            Memory::Shared(SharedId(index)) => self.shared.get(index as usize).map(|array| array.element),
        }
    }

    /// The name of a memory; `None` where the kernel has no such memory.
    pub fn memory_name(&self, memory: Memory) -> Option<&SmolStr> {
        match memory {
            Memory::Param(ParamId(index)) => self.params.get(index as usize).map(|param| &param.name),
            Memory::Shared(SharedId(index)) => self.shared.get(index as usize).map(|array| &array.name),
        }
    }

    /// Whether threads of a block wait for each other anywhere.
    pub fn has_barriers(&self) -> bool {
        let mut found = false;
        super::Statement::walk(&self.body, &mut |statement| {
            found |= matches!(statement.kind, super::StatementKind::Barrier(_));
        });
        found
    }
}

impl Memory {
    /// The parameter, where it is one.
    pub fn param(self) -> Option<ParamId> {
        match self {
            Self::Param(param) => Some(param),
            Self::Shared(_) => None,
        }
    }
}
