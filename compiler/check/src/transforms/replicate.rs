//! `replicate`: adds upper dimensions that do not affect the lower coordinates.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "replicate",
        parameters: &[Parameter::new("length", "the lengths of the upper dimensions").repeated()],
        text: "Dimensions that lead to no lower coordinate: every point of them means the same element, as in a broadcast.",
        example: "map rows = row_major([4]) |> { (): replicate(3) => 0, 0: _ => 1 };\nassert rows(2, 1) == 1;",
    },
    read,
};

/// No lower coordinate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replicate {
    /// The lengths of the upper dimensions.
    pub lengths: Vec<Sym>,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    Ok(Built::Transform(Transform::new(Replicate { lengths: reading.lengths()? })))
}

impl Rule for Replicate {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(Vec::new())
    }

    fn upper(&self, _: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(self.lengths.iter().cloned().map(Some).collect())
    }

    fn lower(&self, _: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        Ok(Vec::new())
    }
}
