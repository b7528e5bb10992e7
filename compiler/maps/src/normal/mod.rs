//! The normal form of a map for provers: sums of independent pieces of the upper coordinates.
//!
//! Digits of one coordinate with different cuts overlap. Here every coordinate is split once, at the cuts of all its
//! digits, so that every form of the map is a sum over the same *atoms* (T7). Masks on sums of atoms are kept as
//! conditions, since they are often what makes a map safe.

mod bounds;
mod build;
mod chain;
pub mod determine;
mod tighten;

use super::{Affine, TermId};
use dims::{Facts, Sym};

/// A map over atoms. The [`TermId`]s of its forms number [`NormalMap::atoms`].
#[derive(Clone, Debug)]
pub struct NormalMap<'f> {
    /// What is known of the sizes.
    pub facts: &'f Facts,
    /// The atoms, each computed from earlier ones.
    pub atoms: Vec<Atom>,
    /// The numbers that digits are taken from.
    pub bases: Vec<Base>,
    /// Each upper coordinate, over the atoms.
    pub coordinates: Vec<Affine>,
    /// Each lower coordinate, over the atoms.
    pub lower: Vec<Affine>,
    /// The conditions of validity beyond the ranges of single atoms.
    pub conditions: Vec<Condition>,
}

/// A term of the normal form, with bounds that hold at every valid point.
#[derive(Clone, Debug)]
pub struct Atom {
    /// What it is.
    pub kind: AtomKind,
    /// Lower bounds.
    pub lows: Vec<Sym>,
    /// Upper bounds; empty if it is unbounded.
    pub highs: Vec<Sym>,
}

/// What an atom is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AtomKind {
    /// An upper coordinate that no digit is cut from.
    Coordinate(usize),
    /// A digit of a base: `(base / cut) % radix`.
    Digit {
        /// The number of the base in [`NormalMap::bases`].
        base: usize,
        /// Which of its digits this is, counted from the lowest.
        position: usize,
    },
    /// `left ^ right`.
    Xor(Affine, Affine),
    /// A digit that does not fit the cuts of its base.
    Opaque {
        /// What it is a digit of.
        of: Affine,
        /// What that is divided by, rounding down.
        divisor: Sym,
        /// What the quotient is taken modulo; `None`: it is the whole quotient.
        modulus: Option<Sym>,
    },
}

/// The number that digits are taken from: `Σ cutⱼ · digitⱼ`, where every cut divides the next.
#[derive(Clone, Debug)]
pub struct Base {
    /// The number, over earlier atoms. `None` for an upper coordinate, which has no atoms besides its digits.
    pub of: Option<Affine>,
    /// The weights of the digits, the lowest first.
    pub cuts: Vec<Sym>,
    /// The atoms of the digits, the lowest first.
    pub digits: Vec<TermId>,
}

/// `low ≤ value < high` at every valid point.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The bounded form, over the atoms.
    pub value: Affine,
    /// Its least value; `None`: no lower bound.
    pub low: Option<Sym>,
    /// One past its greatest value; `None`: no upper bound.
    pub high: Option<Sym>,
}

impl NormalMap<'_> {
    /// The atom of a term.
    pub fn atom(&self, id: TermId) -> Option<&Atom> {
        self.atoms.get(id.0 as usize)
    }

    /// The atoms that an atom is computed from.
    pub fn inputs(&self, kind: &AtomKind) -> Vec<TermId> {
        let forms: [Option<&Affine>; 2] = match kind {
            AtomKind::Coordinate(_) => [None, None],
            AtomKind::Digit { base, .. } => [self.bases.get(*base).and_then(|base| base.of.as_ref()), None],
            AtomKind::Xor(left, right) => [Some(left), Some(right)],
            AtomKind::Opaque { of, .. } => [Some(of), None],
        };
        forms.into_iter().flatten().flat_map(|form| form.terms.iter().map(|(term, _)| *term)).collect()
    }
}
