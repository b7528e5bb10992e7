//! `freeze`: fixes a lower dimension at one coordinate.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "freeze",
        parameters: &[Parameter::new("position", "the coordinate that the dimension is fixed at")],
        text: "Fixes a dimension at one coordinate, `lower = position`, so that no upper dimension is left of it.",
        example: "map row = row_major([4, 8]) |> { 0: freeze(2), 1: _ };\nassert row(5) == 21;",
    },
    read,
};

/// `lower = position`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Freeze {
    /// The fixed coordinate.
    pub position: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [position] = reading.sorted(["position"], 0)?;
    let position = reading.there(position)?.amount(Quantity::Position)?;
    Ok(Built::Transform(Transform::new(Freeze { position })))
}

impl Rule for Freeze {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![None])
    }

    fn upper(&self, _: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(Vec::new())
    }

    fn lower(&self, _: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        Ok(vec![Affine::constant(self.position.clone())])
    }

    fn reach(&self) -> Option<(Sym, Sym)> {
        Some((self.position.clone(), self.position.checked_add(&Sym::one()).ok()?))
    }
}
