//! `offset`: shifts a dimension.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "offset",
        parameters: &[
            Parameter::new("length", "the upper length. Left out: that of the dimension below").optional(),
            Parameter::new("by", "what is added to the coordinate"),
        ],
        text: "Adds to a coordinate: `lower = upper + by`. Points that leave the dimension below are not valid.",
        example: "map moved = offset(48, 16);\nassert moved(5) == 21;\nassert moved.upper(21) == 5;",
    },
    read,
};

/// `lower = upper + by`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Offset {
    /// The upper length, if given.
    pub length: Length,
    /// The offset.
    pub by: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [length, by] = reading.sorted(["length", "by"], 1)?;
    let length = length.map(|given| given.length(Quantity::Length)).transpose()?;
    let by = reading.there(by)?.size(Quantity::Offset)?;
    Ok(Built::Transform(Transform::new(Offset { length, by })))
}

impl Rule for Offset {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    /// The given length is that of the upper dimension; the lower one may be longer.
    fn written(&self) -> Option<Lengths> {
        Some(vec![None])
    }

    /// Without a dimension below it, the lower dimension ends with the last upper coordinate.
    fn alone(&self, _: &Facts) -> Result<Option<Lengths>, MapError> {
        let end = self.length.as_ref().map(|length| length.checked_add(&self.by)).transpose()?;
        Ok(Some(vec![end]))
    }

    fn upper(&self, lower: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(vec![self.length.clone().or_else(|| lower.first().cloned().flatten())])
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        upper.iter().map(|coordinate| coordinate.checked_offset(&self.by)).collect()
    }
}
