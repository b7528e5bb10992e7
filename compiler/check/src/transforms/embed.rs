//! `embed`: one dimension as several, with strides of their own.

use super::lengths::{Lengths, element_space};
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::{self, Entry};
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "embed",
        parameters: &[
            Parameter::new("lengths", "the lengths of the upper dimensions"),
            Parameter::new("coefficients", "what one step along each of them adds"),
        ],
        text: "One dimension as several, each with a coefficient: `lower = Σ upper * coefficient`. With overlapping \
               coefficients it makes windows that slide over a dimension: `embed((3, 30), (1, 1))`.",
        example: "map strided2 = embed((2, 3), (12, 1));\nassert strided2(1, 2) == 14;\nassert strided2.upper(14) == (1, 2);",
    },
    read,
};

/// `lower = Σ upperₖ · coefficientₖ`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Embed {
    /// The lengths of the upper dimensions.
    pub lengths: Vec<Sym>,
    /// The stride of each upper dimension.
    pub coefficients: Vec<Sym>,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [lengths, coefficients] = reading.sorted(["lengths", "coefficients"], 0)?;
    let (lengths, coefficients) = reading.both(lengths, coefficients)?;
    let span = coefficients.span;
    let (lengths, coefficients) = (lengths.lengths(reading.word)?, coefficients.sizes(reading.word)?);
    if lengths.len() != coefficients.len() {
        return Err(diagnostics::one_for_each(span, Entry::Coefficient, lengths.len(), coefficients.len()).into());
    }
    Ok(Built::Transform(Transform::new(Embed { lengths, coefficients })))
}

impl Rule for Embed {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![None])
    }

    fn alone(&self, facts: &Facts) -> Result<Option<Lengths>, MapError> {
        let lengths: Lengths = self.lengths.iter().cloned().map(Some).collect();
        Ok(Some(vec![element_space(&lengths, &self.coefficients, facts)?]))
    }

    fn upper(&self, _: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(self.lengths.iter().cloned().map(Some).collect())
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        Ok(vec![Affine::weighted_sum(upper, &self.coefficients)?])
    }
}
