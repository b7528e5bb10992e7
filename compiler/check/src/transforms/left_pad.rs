//! `left_pad`: adds invalid coordinates before a dimension.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "left_pad",
        parameters: &[
            Parameter::new("length", "the length of the dimension. Left out: that of the dimension below").optional(),
            Parameter::new("left", "how many coordinates to add before it"),
        ],
        text: "Adds coordinates before a dimension that are not valid: `lower = upper - left`. The upper length is `length + \
               left`.",
        example: "map padded = left_pad(4, 2);\nassert padded(1) == _;\nassert padded(2) == 0;\nassert padded.upper(3) == 5;",
    },
    read,
};

/// `lower = upper − left`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeftPad {
    /// The length of the dimension, if given.
    pub length: Length,
    /// The number of coordinates added before it.
    pub left: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [length, left] = reading.sorted(["length", "left"], 1)?;
    let length = length.map(|given| given.length(Quantity::Length)).transpose()?;
    let left = reading.there(left)?.amount(Quantity::Padding)?;
    Ok(Built::Transform(Transform::new(LeftPad { length, left })))
}

impl Rule for LeftPad {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![self.length.clone()])
    }

    fn upper(&self, lower: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        let padded = |length: &Sym| length.checked_add(&self.left);
        Ok(lower.iter().map(|length| length.as_ref().map(padded).transpose()).collect::<Result<_, _>>()?)
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        let shift = self.left.checked_neg()?;
        upper.iter().map(|coordinate| coordinate.checked_offset(&shift)).collect()
    }
}
