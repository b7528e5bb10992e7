//! `modulo`: repeats a dimension.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "modulo",
        parameters: &[
            Parameter::new("modulus", "where the coordinate starts again. Left out: the length of the dimension below")
                .optional(),
            Parameter::new("length", "the upper length"),
        ],
        text: "A coordinate that starts again at 0: `lower = upper % modulus`.",
        example: "map wrapped = modulo(4, 16);\nassert wrapped(13) == 1;\nassert wrapped.upper_shape == [16];",
    },
    read,
};

/// `lower = upper % modulus`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Modulo {
    /// The modulus, if given.
    pub modulus: Length,
    /// The upper length.
    pub length: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [modulus, length] = reading.sorted(["modulus", "length"], 1)?;
    let modulus = modulus.map(|given| given.length(Quantity::Modulus)).transpose()?;
    let length = reading.there(length)?.length(Quantity::Length)?;
    Ok(Built::Transform(Transform::new(Modulo { modulus, length })))
}

impl Rule for Modulo {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    /// A modulus smaller than the dimension uses a part of it.
    fn written(&self) -> Option<Lengths> {
        Some(vec![None])
    }

    fn alone(&self, _: &Facts) -> Result<Option<Lengths>, MapError> {
        Ok(self.modulus.is_some().then(|| vec![self.modulus.clone()]))
    }

    fn upper(&self, _: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(vec![Some(self.length.clone())])
    }

    fn lower(
        &self,
        upper: &[Affine],
        lengths: &[Length],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<Affine>, MapError> {
        let modulus = self.modulus.as_ref().or_else(|| lengths.first().and_then(Option::as_ref));
        let modulus = modulus.ok_or(MapError::Unbounded { axis: 0 })?;
        upper.iter().map(|coordinate| builder.remainder(coordinate, modulus)).collect()
    }

    fn reach(&self) -> Option<(Sym, Sym)> {
        self.modulus.clone().map(|modulus| (Sym::zero(), modulus))
    }
}
