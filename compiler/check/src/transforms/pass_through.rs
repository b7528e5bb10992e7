//! `pass_through`: one dimension, unchanged.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::Quantity;
use dims::Facts;
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "pass_through",
        parameters: &[
            Parameter::new("length", "the length of the dimension. Left out: that of the dimension below").optional()
        ],
        text: "One dimension as it is, `lower = upper`; in a group also written `_`.",
        example: "map same = pass_through(60);\nassert same(25) == 25;\nassert same.upper(42) == 42;",
    },
    read,
};

/// `lower = upper`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PassThrough {
    /// The length of the dimension, if given.
    pub length: Length,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [length] = reading.sorted(["length"], 1)?;
    let length = length.map(|given| given.length(Quantity::Length)).transpose()?;
    Ok(Built::Transform(Transform::new(PassThrough { length })))
}

impl Rule for PassThrough {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![self.length.clone()])
    }

    fn upper(&self, lower: &[Length], _facts: &Facts) -> Result<Lengths, MapError> {
        Ok(lower.to_vec())
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        Ok(upper.to_vec())
    }
}
