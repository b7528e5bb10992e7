//! The memories of a kernel, and the barriers between threads that share them.

use smol_str::SmolStr;

use super::{AtomicOperation, Expr, Kernel, ParamId, Scope};
use elements::ElementType;
use maps::hardware::VECTOR_BYTES;
use syntax::span::Span;

/// A memory that an access reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Memory {
    /// A tensor parameter.
    Param(ParamId),
    /// A shared array.
    Shared(SharedId),
}

/// What an access does with its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads it.
    Load,
    /// Writes it.
    Store,
    /// Does this with it in one step.
    Atomic(AtomicOperation),
}

impl AccessKind {
    /// Whether it may change the element.
    pub fn writes(self) -> bool {
        match self {
            Self::Load => false,
            Self::Store => true,
            Self::Atomic(operation) => operation.writes(),
        }
    }

    /// Whether it is atomic.
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic(_))
    }

    /// Whether threads have to be kept from doing this and that with one element at the same time.
    pub fn conflicts_with(self, other: Self) -> bool {
        (self.writes() || other.writes()) && !(self.is_atomic() && other.is_atomic())
    }

    /// Whether the order of both shows in the element, although they do no harm to each other: a sum and a look at it, say.
    /// Sums among themselves come in any order.
    pub fn is_seen_by(self, other: Self) -> bool {
        match (self, other) {
            (Self::Atomic(one), Self::Atomic(another)) => {
                (one.writes() || another.writes()) && !(one == another && one.combination().is_some())
            }
            _ => false,
        }
    }
}

/// An index into [`Kernel::shared`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SharedId(pub u32);

/// An array that the threads of a block share. Each block has its own; its elements are zero when the block starts.
///
/// In the form of a kernel for GPUs, each thread may hold its part of one ([`Residence::Registers`]).
#[derive(Clone, Debug, PartialEq)]
pub struct SharedArray {
    /// Its name in the source; two arrays may share one.
    pub name: SmolStr,
    /// The type of its elements.
    pub element: ElementType,
    /// Its extents in the program.
    pub shape: Vec<i64>,
    /// The number of stored elements, at least 1. It exceeds the shape's if the layout pads the array.
    pub length: i64,
    /// Who holds so many elements.
    pub held: Residence,
    /// Whether an element may be read before anything is written to it, so that generated code has to clear the array
    /// first.
    pub cleared: bool,
    /// The threads that pass values through it in the middle of a list of statements that they run together, if the compiler
    /// made it for that. Threads of different instances reach different elements.
    pub exchanged_by: Option<Scope>,
    /// The span of its declaration.
    pub span: Span,
}

/// Who holds the elements of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Residence {
    /// The block, in its shared memory.
    #[default]
    Shared,
    /// Each thread, in its registers, those that no other thread accesses. Only [`distributed`](crate::distributed())
    /// kernels have such arrays: their accesses state where in the thread's part the element is.
    Registers,
}

/// A barrier of threads of a block: accesses after it see all writes of the waiting threads before it.
///
/// All threads of a waiting collective reach the same barriers equally often: the conditions and loop bounds around the
/// barrier are uniform among them. Other collectives of the block may execute it a different number of times.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// The threads that wait.
    pub waiting: Waiting,
    /// The access before the barrier that has to be complete.
    pub before: Span,
    /// The access after the barrier that depends on it.
    pub after: Span,
}

/// The threads that wait at a barrier. Other threads of the block continue.
#[derive(Clone, Debug, PartialEq)]
pub enum Waiting {
    /// All threads of the block.
    Block,
    /// Some lanes of each warp that reaches the barrier.
    Warp {
        /// The mask of the lanes, relative to the first one that waits: bit 0 is set.
        lanes: u32,
        /// The first lane, `i64` in `0..32`, uniform among the lanes that wait together.
        first: Expr,
    },
    /// Several whole warps.
    Warps {
        /// The number of the barrier, `i64` in `1..16`; collectives that are active at the same time use different
        /// ones.
        id: Expr,
        /// The number of threads that wait, a multiple of 32.
        threads: u32,
    },
}

/// The addresses of a block's shared arrays within one allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLayout {
    /// The first byte of each array, a multiple of [`SharedLayout::ALIGNMENT`].
    pub offsets: Vec<i64>,
    /// The bytes of the whole allocation.
    pub bytes: i64,
}

impl SharedLayout {
    /// The alignment of every array, in bytes, which suits vectors of any width.
    pub const ALIGNMENT: i64 = VECTOR_BYTES;

    /// Places the arrays one after another; `None` if their bytes exceed 64 bits. One that threads hold takes no room.
    pub fn new(arrays: &[SharedArray]) -> Option<SharedLayout> {
        let mut layout = SharedLayout { offsets: Vec::new(), bytes: 0 };
        for array in arrays {
            let start = layout.end()?;
            let size = i64::try_from(array.element.size_bytes()).ok()?;
            layout.offsets.push(start);
            if array.held == Residence::Registers {
                continue;
            }
            layout.bytes = array.length.checked_mul(size)?.checked_add(start)?;
        }
        Some(layout)
    }

    /// The first byte of another array after these; `None` if it exceeds 64 bits.
    pub fn end(&self) -> Option<i64> {
        Some(self.bytes.checked_add(Self::ALIGNMENT - 1)? & !(Self::ALIGNMENT - 1))
    }
}

impl Kernel {
    /// The addresses of the shared arrays, in their order; `None` if their bytes exceed 64 bits.
    pub fn shared_layout(&self) -> Option<SharedLayout> {
        SharedLayout::new(&self.shared)
    }

    /// Whether each thread holds its own part of a memory.
    pub fn is_held_by_thread(&self, memory: Memory) -> bool {
        match memory {
            Memory::Param(_) => false,
            Memory::Shared(SharedId(index)) => {
                self.shared.get(index as usize).is_some_and(|array| array.held == Residence::Registers)
            }
        }
    }

    /// The element type of a memory; `None` if the kernel has no such memory.
    pub fn element(&self, memory: Memory) -> Option<ElementType> {
        match memory {
            Memory::Param(ParamId(index)) => self.params.get(index as usize).map(|param| param.element),
            Memory::Shared(SharedId(index)) => self.shared.get(index as usize).map(|array| array.element),
        }
    }

    /// The name of a memory; `None` if the kernel has no such memory.
    pub fn memory_name(&self, memory: Memory) -> Option<&SmolStr> {
        match memory {
            Memory::Param(ParamId(index)) => self.params.get(index as usize).map(|param| &param.name),
            Memory::Shared(SharedId(index)) => self.shared.get(index as usize).map(|array| &array.name),
        }
    }

    /// Whether the kernel has barriers.
    pub fn has_barriers(&self) -> bool {
        let mut found = false;
        super::Statement::walk(&self.body, &mut |statement| {
            found |= matches!(statement.kind, super::StatementKind::Barrier(_));
        });
        found
    }
}

impl Memory {
    /// The parameter, if the memory is one.
    pub fn param(self) -> Option<ParamId> {
        match self {
            Self::Param(param) => Some(param),
            Self::Shared(_) => None,
        }
    }
}
