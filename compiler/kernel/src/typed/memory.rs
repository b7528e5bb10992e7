//! The memories of a kernel, and the barriers between threads that share them.

use smol_str::SmolStr;

use super::{AtomicOperation, Expr, Kernel, ParamId, Scope};
use dims::{Arithmetic, Facts, Sym};
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
    /// Writes it at some time before a wait of its thread.
    Copy,
    /// Does this with it in one step.
    Atomic(AtomicOperation),
}

impl AccessKind {
    /// Whether it may change the element.
    pub fn writes(self) -> bool {
        match self {
            Self::Load => false,
            Self::Store | Self::Copy => true,
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
    /// Its extents in the program. Where sizes decide them, a launch has found each of them to be at least 1.
    pub shape: Vec<Sym>,
    /// The number of stored elements, at least 1. It exceeds the shape's if the layout pads the array.
    pub length: Sym,
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

impl SharedArray {
    /// The number of stored elements, if it does not depend on the sizes of a launch.
    pub fn known_length(&self) -> Option<i64> {
        self.length.as_constant()
    }

    /// The extents, if they do not depend on the sizes of a launch.
    pub fn known_shape(&self) -> Option<Vec<i64>> {
        self.shape.iter().map(Sym::as_constant).collect()
    }

    /// The bytes of the stored elements.
    ///
    /// # Errors
    /// If a coefficient exceeds 64 bits.
    pub fn bytes(&self) -> Result<Sym, Arithmetic> {
        self.length.checked_mul(&Sym::constant(self.element.size_bytes() as i64))
    }
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

/// An order of the asynchronous copies of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CopyOrder {
    /// Those since the last commit are one group.
    Commit,
    /// Waits until no more than so many groups may be on their way, the last ones; with 0 also for copies that no commit
    /// follows.
    Wait {
        /// The groups.
        pending: u32,
    },
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
///
/// Each array begins at a unit of [`SharedLayout::ALIGNMENT`] bytes behind the last element of the one before it, and takes at
/// least one element, so no two of them overlap, whatever the sizes are. Arrays whose lengths are known come first, so that
/// their addresses are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLayout {
    /// The first unit of each array, in the order of the arrays.
    pub units: Vec<Sym>,
    /// The bytes of the whole allocation.
    pub bytes: Sym,
}

impl SharedLayout {
    /// The bytes of a unit, the alignment of every array, which suits vectors of any width.
    pub const ALIGNMENT: i64 = VECTOR_BYTES;

    /// Places the arrays one after another. One that threads hold takes no room.
    ///
    /// # Errors
    /// If a number exceeds 64 bits.
    pub fn new<'a, A>(arrays: A, facts: &Facts) -> Result<SharedLayout, Arithmetic>
    where
        A: IntoIterator<Item = &'a SharedArray, IntoIter: Clone>,
    {
        let arrays = arrays.into_iter();
        let mut layout = SharedLayout { units: vec![Sym::zero(); arrays.clone().count()], bytes: Sym::zero() };
        let is_placed = |array: &SharedArray, is_known: bool| {
            array.held == Residence::Shared && array.length.as_constant().is_some() == is_known
        };
        for is_known in [true, false] {
            for (unit, array) in
                layout.units.iter_mut().zip(arrays.clone()).filter(|(_, array)| is_placed(array, is_known))
            {
                *unit = layout.bytes.cdiv(&Sym::constant(Self::ALIGNMENT), facts)?;
                layout.bytes = unit.checked_mul(&Sym::constant(Self::ALIGNMENT))?.checked_add(&array.bytes()?)?;
            }
        }
        Ok(layout)
    }

    /// The first byte of an array.
    ///
    /// # Errors
    /// If it exceeds 64 bits.
    pub fn first_byte(&self, array: SharedId) -> Result<Sym, Arithmetic> {
        let unit = self.units.get(array.0 as usize).cloned().unwrap_or_else(Sym::zero);
        unit.checked_mul(&Sym::constant(Self::ALIGNMENT))
    }
}

impl Kernel {
    /// The addresses of the shared arrays.
    ///
    /// # Errors
    /// If their bytes exceed 64 bits for all sizes.
    pub fn shared_layout(&self) -> Result<SharedLayout, Arithmetic> {
        SharedLayout::new(&self.shared, &self.facts)
    }

    /// Whether each thread holds its own part of a memory.
    pub fn is_held_by_thread(&self, memory: Memory) -> bool {
        match memory {
            Memory::Param(_) => false,
            Memory::Shared(id) => self.shared.get(id).is_some_and(|array| array.held == Residence::Registers),
        }
    }

    /// The element type of a memory; `None` if the kernel has no such memory.
    pub fn element(&self, memory: Memory) -> Option<ElementType> {
        match memory {
            Memory::Param(id) => self.params.get(id).map(|param| param.element),
            Memory::Shared(id) => self.shared.get(id).map(|array| array.element),
        }
    }

    /// The name of a memory; `None` if the kernel has no such memory.
    pub fn memory_name(&self, memory: Memory) -> Option<&SmolStr> {
        match memory {
            Memory::Param(id) => self.params.get(id).map(|param| &param.name),
            Memory::Shared(id) => self.shared.get(id).map(|array| &array.name),
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
