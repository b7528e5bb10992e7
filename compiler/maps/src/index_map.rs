//! The types of index maps, and what can be read from them without a proof.

use std::collections::BTreeSet;

use dims::{Sym, Symbol};

/// An index map. Every lower coordinate is an affine form over [`Term`]s; every condition of validity bounds an
/// affine form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexMap {
    /// The upper coordinates, in the map's own order; the last runs fastest in tables.
    pub upper: Vec<UpperAxis>,
    /// The terms of the affine forms. A term refers to earlier terms only, so the list is evaluated in order.
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
    /// Valid coordinates are `0..extent`; `None` is unbounded (the local index of `linear`).
    pub extent: Option<Sym>,
    /// What supplies the coordinate. Races are collisions between different threads, so provers need it.
    pub role: AxisRole,
}

/// What supplies an upper coordinate.
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

/// A term of an affine form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The upper coordinate of this axis.
    Coordinate(u32),
    /// `(of / divisor) % modulus`, a mixed-radix digit; without a modulus the most significant one.
    /// The divisor and the modulus are positive. Division is floor division.
    Digit {
        /// The number that the digit is taken from.
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
    /// The bounded form.
    pub value: Affine,
    /// The smallest valid value; `None`: no lower bound.
    pub low: Option<Sym>,
    /// One past the largest valid value; `None`: no upper bound.
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
    /// Outside the tensor, in a view that is masked.
    TensorBound,
    /// Outside the lower length of a transform (`pad` and its like).
    Padding,
    /// The `if` or loop around an access.
    Guard,
    /// A chunk's width (`continuous_linear`, `map2d`).
    Chunk,
    /// A local coordinate beyond its extent in the map that it was passed to.
    LocalExtent,
}

impl IndexMap {
    /// The number of upper coordinates.
    pub fn upper_rank(&self) -> usize {
        self.upper.len()
    }

    /// The number of lower coordinates.
    pub fn lower_rank(&self) -> usize {
        self.lower.len()
    }

    /// Every symbolic integer in the map, in no particular order.
    pub fn sizes(&self) -> impl Iterator<Item = &Sym> {
        let of_terms = self.terms.iter().flat_map(Term::sizes);
        let of_axes = self.upper.iter().filter_map(|axis| axis.extent.as_ref());
        let of_lower = self.lower.iter().flat_map(|axis| axis.value.sizes().chain(&axis.extent));
        let of_masks = self.masks.iter().flat_map(|mask| mask.value.sizes().chain(&mask.low).chain(&mask.high));
        of_axes.chain(of_terms).chain(of_lower).chain(of_masks)
    }

    /// Every symbol that the map depends on, sorted.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        self.sizes().flat_map(Sym::symbols).collect()
    }

    /// Whether every size in the map is a known integer.
    pub fn is_constant(&self) -> bool {
        self.sizes().all(|size| size.as_constant().is_some())
    }

    /// The term of an id; `None` where the map is malformed.
    pub fn term(&self, id: TermId) -> Option<&Term> {
        self.terms.get(id.0 as usize)
    }
}

impl Term {
    /// The affine forms that the term is made of; a coordinate has none.
    pub fn operands(&self) -> impl Iterator<Item = &Affine> {
        let operands = match self {
            Term::Coordinate(_) => [None, None],
            Term::Digit { of, .. } => [Some(of), None],
            Term::Xor(left, right) => [Some(left), Some(right)],
        };
        operands.into_iter().flatten()
    }

    /// Every symbolic integer in the term.
    pub fn sizes(&self) -> impl Iterator<Item = &Sym> {
        let radix = match self {
            Term::Digit { divisor, modulus, .. } => [Some(divisor), modulus.as_ref()],
            _ => [None, None],
        };
        self.operands().flat_map(Affine::sizes).chain(radix.into_iter().flatten())
    }
}
