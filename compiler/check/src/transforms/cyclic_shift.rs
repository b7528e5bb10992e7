//! `cyclic_shift`: rows rotated by their number.

use super::lengths::Lengths;
use super::xor::rows_and_columns;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use dims::Facts;
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "cyclic_shift",
        parameters: &[
            Parameter::new("rows", "the length of the first dimension. Left out: that of the dimension below")
                .optional(),
            Parameter::new("columns", "the length of the second dimension. Left out: that of the dimension below")
                .optional(),
        ],
        text: "Turns each row round by its number, against bank conflicts: `lower = (row, (row + column) % columns)`. It is a \
               bijection for every number of columns.",
        example: "map turned = cyclic_shift(4, 6);\nassert turned(3, 5) == (3, 2);\nassert turned.upper(3, 2) == (3, 5);",
    },
    read,
};

/// `lower = (row, (row + column) % columns)`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CyclicShift {
    /// The numbers of rows and columns, if given.
    pub lengths: [Length; 2],
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    Ok(Built::Transform(Transform::new(CyclicShift { lengths: rows_and_columns(reading)? })))
}

impl Rule for CyclicShift {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(self.lengths.to_vec())
    }

    fn upper(&self, lower: &[Length], _: &Facts) -> Result<Lengths, MapError> {
        Ok(lower.to_vec())
    }

    fn lower(
        &self,
        upper: &[Affine],
        lengths: &[Length],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<Affine>, MapError> {
        let ([row, column], [_, Some(columns)]) = (upper, lengths) else { return Err(MapError::Unbounded { axis: 1 }) };
        Ok(vec![row.clone(), builder.remainder(&row.checked_add(column)?, columns)?])
    }
}
