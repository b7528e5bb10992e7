//! Index maps: one type for every way of saying where an element lies.
//!
//! A map takes an upper coordinate (what the program says) to a lower coordinate (nearer to memory) and says
//! for each upper coordinate whether it is valid. Layouts, `reshape_map`, transforms and the accesses of a
//! kernel are all ways to build [`IndexMap`]; the prover, the evaluator and the emitter know only this type.

use crate::dims::Sym;

/// A map in its one normal form: every lower coordinate is an affine form over [`Term`]s, every condition of
/// validity a box on an affine form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexMap {
    /// The upper coordinates, in the map's own order; the last runs fastest in tables.
    pub upper: Vec<UpperAxis>,
    /// What affine forms are made of. A term refers to earlier terms only, so the list is evaluated in order.
    pub terms: Vec<Term>,
    /// The lower coordinates.
    pub lower: Vec<LowerAxis>,
    /// A coordinate is valid where it lies inside its extents, every mask holds, and every lower coordinate
    /// lies inside its extent.
    pub masks: Vec<Mask>,
}

/// One upper coordinate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UpperAxis {
    /// Valid coordinates are `0..extent`; `None` has no upper end (the local index of `linear`).
    pub extent: Option<Sym>,
    /// Who supplies the coordinate. Races are collisions between different threads, so provers need it.
    pub role: AxisRole,
}

/// Who supplies an upper coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AxisRole {
    /// The program, within one thread: a local index or a sequential loop.
    Local,
    /// The thread: a linear thread id, a block id, or a parallel iterator.
    Thread,
}

/// An index into [`IndexMap::terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// What an affine form adds up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The upper coordinate of this axis.
    Coordinate(u32),
    /// `(of / divisor) % modulus`, a mixed-radix digit; without a modulus the most significant one.
    /// The divisor and the modulus are positive. Division is floor division.
    Digit {
        /// What is cut.
        of: Affine,
        /// Its weight.
        divisor: Sym,
        /// Its radix; `None` for the leading digit, which keeps the rest.
        modulus: Option<Sym>,
    },
    /// `left ^ right`, of two non-negative integers.
    Xor(Affine, Affine),
}

/// `constant + Σ coefficient · term`, terms ascending, no zero coefficient.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Affine {
    /// The part without a term.
    pub constant: Sym,
    /// Coefficients by term.
    pub terms: Vec<(TermId, Sym)>,
}

/// One lower coordinate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LowerAxis {
    /// Its value.
    pub value: Affine,
    /// Valid values are `0..extent`; `None` where the map does not bound them.
    pub extent: Option<Sym>,
}

/// `low ≤ value < high`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mask {
    /// What is tested.
    pub value: Affine,
    /// The smallest valid value; `None`: no lower end.
    pub low: Option<Sym>,
    /// One past the largest valid value; `None`: no upper end.
    pub high: Option<Sym>,
    /// Why there is a mask, for messages.
    pub reason: MaskReason,
}

/// Why a coordinate can be invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskReason {
    /// A thread beyond the product of the map's thread dimensions.
    SurplusThread,
    /// `id_k ≥ min(D_k, TD_k)`: the dimension is clipped by its size in the tensor.
    Clipped,
    /// Outside the tensor, where the program asked for masking.
    TensorBound,
    /// Outside the lower length of a transform (`pad` and its like).
    Padding,
    /// The `if` or loop around an access.
    Guard,
    /// A chunk's width (`continuous_linear`, `map2d`).
    Chunk,
}
