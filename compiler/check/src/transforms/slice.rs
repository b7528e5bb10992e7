//! `slice`: a part of a dimension.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::{self, Quantity};
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError, arithmetic};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "slice",
        parameters: &[
            Parameter::new("length", "the length of the dimension. Left out: that of the dimension below").optional(),
            Parameter::new("begin", "the first coordinate of the part"),
            Parameter::new("end", "one past its last coordinate"),
        ],
        text: "A part of a dimension: `lower = upper + begin`. The upper length is `end - begin`; what lies beyond the \
               dimension is not valid.",
        example: "map part = slice(10, 2, 7);\nassert part(0) == 2;\nassert part.upper(6) == 4;\nassert part.upper_shape == [5];",
    },
    read,
};

/// `lower = upper + begin`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// The length of the dimension, if given.
    pub length: Length,
    /// The first coordinate of the part.
    pub begin: Sym,
    /// The end of the part, exclusive.
    pub end: Sym,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [length, begin, end] = reading.sorted(["length", "begin", "end"], 1)?;
    let length = length.map(|given| given.length(Quantity::Length)).transpose()?;
    let (begin, end) = reading.both(begin, end)?;
    let spans = begin.span.to(end.span);
    let (begin, end) = (begin.amount(Quantity::Beginning)?, end.amount(Quantity::End)?);
    if !arithmetic::less(&begin, &end, reading.facts) && arithmetic::at_most(&end, &begin, reading.facts) {
        return Err(diagnostics::empty_slice(spans, &begin, &end).into());
    }
    Ok(Built::Transform(Transform::new(Slice { length, begin, end })))
}

impl Rule for Slice {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(vec![self.length.clone()])
    }

    fn upper(&self, _: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(vec![Some(self.end.checked_sub(&self.begin)?)])
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        upper.iter().map(|coordinate| coordinate.checked_offset(&self.begin)).collect()
    }

    fn reach(&self) -> Option<(Sym, Sym)> {
        Some((self.begin.clone(), self.end.clone()))
    }
}
