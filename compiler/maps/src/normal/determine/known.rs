//! Which atoms of a map are known, and the steps that deduced them.

use crate::{Affine, TermId};
use dims::{Fact, Sym};

/// The number of a known value, in order of deduction.
pub(crate) type Known = usize;

/// Computes the next value from earlier values and known atoms.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A lower coordinate.
    Lower { axis: usize },
    /// An earlier value minus a form of known atoms.
    Subtract { from: Known, known: Affine },
    /// `⌊(from − low) / unit⌋` where the rest of the sum is between `low` and `low + unit − 1`.
    Whole { from: Known, unit: Sym, low: Sym },
    /// `from − unit · whole`.
    Rest { from: Known, unit: Sym, whole: Known },
    /// `from / by`, which is exact at a valid point.
    Divide { from: Known, by: Sym },
    /// The other operand of `atom = operand ^ other`.
    XorWith { atom: TermId, operand: Affine },
    /// A form of known atoms: a base whose digits are all known, or a remainder.
    Form(Affine),
    /// The number in `low..low + modulus` that is congruent to `from`.
    Residue { from: Known, modulus: Sym, low: Sym },
}

/// An atom that became known, and how.
#[derive(Clone, Debug)]
pub(crate) enum Conclusion {
    /// It has this value.
    Value(TermId, Known),
    /// Its range has only one value.
    Constant(TermId, Sym),
    /// It follows from the atoms that it is made of.
    Computed(TermId),
}

/// A step or a conclusion, in the order in which they can be replayed.
#[derive(Clone, Debug)]
pub(crate) enum Deduction {
    Step(Step),
    Conclusion(Conclusion),
}

/// Everything that follows from the lower coordinates.
#[derive(Clone, Debug)]
pub struct Determined {
    /// For each atom whether it is known.
    pub atoms: Vec<bool>,
    /// How it became known.
    pub(crate) deductions: Vec<Deduction>,
    /// The comparisons of sizes that would have allowed further splits of sums, but are not known to hold.
    pub missing: Vec<Fact>,
}

impl Determined {
    /// Whether all atoms of a form are known.
    pub fn knows(&self, form: &Affine) -> bool {
        form.terms.iter().all(|(term, _)| self.knows_atom(*term))
    }

    /// Whether something became known by undoing an xor.
    pub fn undoes_xor(&self) -> bool {
        self.takes(|step| matches!(step, Step::XorWith { .. }))
    }

    /// Whether something became known by undoing a remainder.
    pub fn undoes_remainder(&self) -> bool {
        self.takes(|step| matches!(step, Step::Residue { .. }))
    }

    fn takes(&self, is: fn(&Step) -> bool) -> bool {
        self.deductions.iter().any(|deduction| matches!(deduction, Deduction::Step(step) if is(step)))
    }

    pub(super) fn knows_atom(&self, atom: TermId) -> bool {
        self.atoms.get(atom.0 as usize).copied().unwrap_or(false)
    }
}
