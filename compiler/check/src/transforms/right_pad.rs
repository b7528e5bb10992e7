//! `right_pad`: adds invalid coordinates after a dimension.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "right_pad",
        parameters: &[
            Parameter::new("length", "the length of the dimension. Left out: that of the dimension below").optional(),
            Parameter::new("right", "how many coordinates to add behind it"),
        ],
        text: "Adds coordinates behind a dimension that are not valid: `lower = upper`. The upper length is `length + right`.",
        example: "map padded = right_pad(4, 2);\nassert padded(3) == 3;\nassert padded(4) == _;\nassert padded.upper(3) == 3;",
    },
    read,
};

/// `lower = upper`, with a longer upper dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RightPad {
    /// The length of the dimension, if given.
    pub length: Length,
    /// The number of coordinates added after it.
    pub right: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [length, right] = reading.sorted(["length", "right"], 1)?;
    let length = length.map(|given| given.length(Quantity::Length)).transpose()?;
    let right = reading.there(right)?.amount(Quantity::Padding)?;
    Ok(Built::Transform(Transform::new(RightPad { length, right })))
}

impl Rule for RightPad {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![self.length.clone()])
    }

    fn upper(&self, lower: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        let padded = |length: &Sym| length.checked_add(&self.right);
        Ok(lower.iter().map(|length| length.as_ref().map(padded).transpose()).collect::<Result<_, _>>()?)
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        Ok(upper.to_vec())
    }
}
