//! A function or a type that emitted code needs and CUDA lacks.

use elements::ElementType;
use kernel::typed::{AtomicOperation, Lane, ThreadScope};

/// A function or type, ordered such that helpers come before those that need them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// An element type that CUDA only declares in a header.
    Declaration(ElementType),
    WrappingAdd(ElementType),
    WrappingSubtract(ElementType),
    WrappingMultiply(ElementType),
    WrappingNegate(ElementType),
    WrappingAbs(ElementType),
    Divide(ElementType),
    Remainder(ElementType),
    FloorDivide(ElementType),
    FloorRemainder(ElementType),
    ShiftLeft(ElementType),
    /// Casts a float of the first type to an integer of the second, saturating.
    Saturate(ElementType, ElementType),
    /// Rounds `double` or a 64-bit integer to odd, before it is rounded to a narrow float.
    RoundToOdd(ElementType),
    /// The bits of a value as one of another type of its size.
    BitCast,
    /// Copies a vector of neighbouring elements by one access.
    CopyVector,
    /// Copies an element, or a vector of neighbours, to shared memory some time before a wait.
    CopyAsync,
    /// Commits asynchronous copies and waits for them.
    OrderCopies,
    /// Passes bits of a type that CUDA does not know between the threads of a warp.
    Shuffle(Lane, ElementType),
    /// Synchronises several warps.
    SyncWarps,
    /// An atomic access that CUDA has not for the type.
    Atomic(AtomicOperation, ElementType, ThreadScope),
    /// Counts the skipped accesses of guarded code.
    Faults,
}
