//! Coordinate transforms and base layouts (seed 002 and its headers): one file for each.
//!
//! A file holds the transform's formula, its documentation, how its arguments are read, and its tests. All of them
//! give lower coordinates as affine forms over upper ones, so that everything else knows index maps only. A lower
//! coordinate outside its length is never valid.

mod col_major;
mod cyclic_shift;
mod definition;
mod embed;
mod fit;
mod freeze;
mod insert;
mod left_pad;
mod lengths;
mod merge;
mod modulo;
mod offset;
mod pad;
mod partition;
mod pass_through;
mod reading;
mod replicate;
mod right_pad;
mod row_major;
mod slice;
mod stage;
mod strided;
mod unmerge;
mod xor;

pub(crate) use definition::Refusal;
pub use definition::{Built, Definition, Documentation, definition, definitions};
pub use fit::{Fit, Misfit, Notice, alone, fit};
pub use lengths::Length;
pub use reading::{Amount, Given, Reading};
pub use stage::{Operator, Part, stage};

use lengths::Lengths;

use dims::Facts;
use maps::{Affine, MapBuilder, MapError};

/// A transform as it is written: what is left out comes from the dimensions that it is applied to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each kind is documented with its type")]
pub enum Transform {
    PassThrough(pass_through::PassThrough),
    Pad(pad::Pad),
    LeftPad(left_pad::LeftPad),
    RightPad(right_pad::RightPad),
    Embed(embed::Embed),
    Merge(merge::Merge),
    Unmerge(unmerge::Unmerge),
    Replicate(replicate::Replicate),
    Insert(insert::Insert),
    Freeze(freeze::Freeze),
    Offset(offset::Offset),
    Slice(slice::Slice),
    Xor(xor::Xor),
    Modulo(modulo::Modulo),
    CyclicShift(cyclic_shift::CyclicShift),
    Partition(partition::Partition),
}

/// What every transform says of itself.
trait Rule {
    /// The word that it is called by.
    fn word(&self) -> &'static str;

    /// The lengths of its lower dimensions as far as they are written; `None`: it takes as many dimensions as it is
    /// given.
    fn written(&self) -> Option<Lengths>;

    /// The lengths of its lower dimensions where it stands alone and not above other dimensions.
    fn alone(&self, _facts: &Facts) -> Result<Option<Lengths>, MapError> {
        Ok(self.written())
    }

    /// The lengths of its upper dimensions above lower ones of these lengths; `None` has no end, or is not known.
    fn upper(&self, lower: &[Length], facts: &Facts) -> Result<Lengths, MapError>;

    /// The lower coordinates of upper ones: the formula.
    fn lower(
        &self,
        upper: &[Affine],
        lengths: &[Length],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<Affine>, MapError>;

    /// The range of lower coordinates that it names, to tell where that leaves the dimension: first and one past last.
    fn reach(&self) -> Option<(dims::Sym, dims::Sym)> {
        None
    }
}

impl Transform {
    /// The word that it is called by, such as `pad`.
    pub fn word(&self) -> &'static str {
        self.rule().word()
    }

    fn rule(&self) -> &dyn Rule {
        match self {
            Transform::PassThrough(rule) => rule,
            Transform::Pad(rule) => rule,
            Transform::LeftPad(rule) => rule,
            Transform::RightPad(rule) => rule,
            Transform::Embed(rule) => rule,
            Transform::Merge(rule) => rule,
            Transform::Unmerge(rule) => rule,
            Transform::Replicate(rule) => rule,
            Transform::Insert(rule) => rule,
            Transform::Freeze(rule) => rule,
            Transform::Offset(rule) => rule,
            Transform::Slice(rule) => rule,
            Transform::Xor(rule) => rule,
            Transform::Modulo(rule) => rule,
            Transform::CyclicShift(rule) => rule,
            Transform::Partition(rule) => rule,
        }
    }
}
