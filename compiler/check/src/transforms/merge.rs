//! `merge`: several dimensions as one.

use super::lengths::{Lengths, product};
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "merge",
        parameters: &[Parameter::new(
            "length",
            "the lengths of the dimensions. Left out: those of the dimensions below",
        )
        .repeated()
        .optional()],
        text: "Several dimensions as one, in row-major order: the lower coordinates are the digits of the upper one, such as \
               `(upper / 5, upper % 5)` for `merge(4, 5)`. The upper length is their product.",
        example: "map lin = merge(4, 5);\nassert lin(13) == (2, 3);\nassert lin.upper(2, 3) == 13;",
    },
    read,
};

/// `lowerₖ = upper / Πⱼ﹥ₖ lengthⱼ % lengthₖ`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Merge {
    /// The lengths of the lower dimensions, if given.
    pub lengths: Option<Vec<Sym>>,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let lengths = reading.lengths()?;
    let lengths = (!reading.given.is_empty()).then_some(lengths);
    Ok(Built::Transform(Transform::new(Merge { lengths })))
}

impl Rule for Merge {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        self.lengths.as_ref().map(|lengths| lengths.iter().cloned().map(Some).collect())
    }

    fn upper(&self, lower: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(vec![product(lower)?])
    }

    fn lower(
        &self,
        upper: &[Affine],
        lengths: &[Length],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<Affine>, MapError> {
        let index = upper.first().ok_or(MapError::Malformed)?;
        builder.digits(index, lengths)
    }
}
