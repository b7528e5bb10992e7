//! `insert`: adds an upper dimension that does not affect the lower coordinates.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "insert",
        parameters: &[Parameter::new("length", "the length of the new dimension")],
        text: "A new dimension that leads to no lower coordinate; `replicate` makes several.",
        example: "map column = row_major([4]) |> { 0: _ => 0, (): insert(1) => 1 };\nassert column(3, 0) == 3;",
    },
    read,
};

/// No lower coordinate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Insert {
    /// The length of the new dimension.
    pub length: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [length] = reading.sorted(["length"], 0)?;
    let length = reading.there(length)?.length(Quantity::Length)?;
    Ok(Built::Transform(Transform::new(Insert { length })))
}

impl Rule for Insert {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(Vec::new())
    }

    fn upper(&self, _: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(vec![Some(self.length.clone())])
    }

    fn lower(&self, _: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        Ok(Vec::new())
    }
}
