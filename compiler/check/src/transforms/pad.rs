//! `pad`: adds invalid coordinates on both sides of a dimension.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "pad",
        parameters: &[
            Parameter::new("length", "the length of the dimension. Left out: that of the dimension below").optional(),
            Parameter::new("left", "how many coordinates to add before it"),
            Parameter::new("right", "how many coordinates to add behind it"),
        ],
        text: "Adds coordinates on both sides that are not valid: `lower = upper - left`. The upper length is `length + left + \
               right`.",
        example: "map padded = pad(3, 1, 1);\nassert padded(0) == _;\nassert padded(1) == 0;\nassert padded.upper(2) == 3;",
    },
    read,
};

/// `lower = upper − left`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pad {
    /// The length of the dimension, if given.
    pub length: Length,
    /// The number of coordinates added before it.
    pub left: Sym,
    /// The number of coordinates added after it.
    pub right: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [length, left, right] = reading.sorted(["length", "left", "right"], 1)?;
    let length = length.map(|given| given.length(Quantity::Length)).transpose()?;
    let (left, right) = reading.both(left, right)?;
    let (left, right) = (left.amount(Quantity::Padding)?, right.amount(Quantity::Padding)?);
    Ok(Built::Transform(Transform::new(Pad { length, left, right })))
}

impl Rule for Pad {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![self.length.clone()])
    }

    fn upper(&self, lower: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        let padded = |length: &Sym| length.checked_add(&self.left)?.checked_add(&self.right);
        Ok(lower.iter().map(|length| length.as_ref().map(padded).transpose()).collect::<Result<_, _>>()?)
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        let shift = self.left.checked_neg()?;
        upper.iter().map(|coordinate| coordinate.checked_offset(&shift)).collect()
    }
}
