//! `unmerge`: one dimension as several.

use super::lengths::{Lengths, product};
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics;
use dims::Facts;
use kernel::functions::Parameter;
use maps::row_major::strides_of_lengths;
use maps::{Affine, MapBuilder, MapError, arithmetic};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "unmerge",
        parameters: &[Parameter::new(
            "length",
            "the lengths of the upper dimensions; one of them may be `_`, which is what is left",
        )
        .repeated()],
        text: "One dimension as several, in row-major order: `lower = Σ upper * (product of the lengths behind)`. The product \
               of the lengths is the length of the dimension.",
        example: "map cut = unmerge(3, 4, 2);\nassert cut(1, 3, 0) == 14;\nassert cut.upper(14) == (1, 3, 0);",
    },
    read,
};

/// `lower = Σ upperₖ · Πⱼ﹥ₖ lengthⱼ`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unmerge {
    /// The lengths of the upper dimensions; at most one is `None` and is inferred from the lower dimension.
    pub lengths: Vec<Length>,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let list = reading.list()?;
    if list.is_empty() {
        let parameters = &["length"];
        return Err(diagnostics::argument_count(reading.span, reading.word, parameters, 0).into());
    }
    let mut lengths: Lengths = Vec::with_capacity(list.len());
    for (length, place) in list {
        if length.is_none() && lengths.contains(&None) {
            return Err(diagnostics::length_left_out(place.span(), reading.word).into());
        }
        lengths.push(length.map(|length| super::reading::positive(length, place)).transpose()?);
    }
    Ok(Built::Transform(Transform::new(Unmerge { lengths })))
}

impl Unmerge {
    /// The lengths of the upper dimensions, given that of the lower one.
    fn lengths(&self, lower: &Length, facts: &Facts) -> Result<Lengths, MapError> {
        let known: Lengths = self.lengths.iter().filter(|length| length.is_some()).cloned().collect();
        let Some(known) = product(&known)? else { return Err(MapError::Malformed) };
        // If the length does not divide the dimension, the points beyond its end are not valid.
        let left = lower.as_ref().map(|lower| match arithmetic::divide_exactly(lower, &known, facts) {
            Some(left) => Ok(left),
            None => lower.cdiv(&known, facts),
        });
        let left = left.transpose()?;
        Ok(self.lengths.iter().map(|length| length.clone().or_else(|| left.clone())).collect())
    }
}

impl Rule for Unmerge {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![product(&self.lengths).ok().flatten()])
    }

    fn alone(&self, _: &Facts) -> Result<Option<Lengths>, MapError> {
        Ok(Some(vec![product(&self.lengths)?]))
    }

    fn upper(&self, lower: &[Length], facts: &Facts) -> Result<Lengths, MapError> {
        self.lengths(lower.first().unwrap_or(&None), facts)
    }

    fn lower(
        &self,
        upper: &[Affine],
        lengths: &[Length],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<Affine>, MapError> {
        let lengths = self.lengths(lengths.first().unwrap_or(&None), builder.facts())?;
        Ok(vec![Affine::weighted_sum(upper, &strides_of_lengths(&lengths)?)?])
    }
}
