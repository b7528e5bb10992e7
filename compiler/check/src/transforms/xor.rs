//! `xor`: a swizzle that avoids bank conflicts.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::{self, Quantity};
use dims::Facts;
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "xor",
        parameters: &[
            Parameter::new("rows", "the length of the first dimension. Left out: that of the dimension below")
                .optional(),
            Parameter::new("columns", "the length of the second dimension. Left out: that of the dimension below")
                .optional(),
        ],
        text: "Swizzles the columns of a tile by its rows, against bank conflicts: `lower = (row, column ^ (row % columns))`. \
               It is a bijection where the number of columns is a power of two; elsewhere the points that leave the row \
               are not valid.",
        example: "map swizzled = xor(16, 8);\nassert swizzled(1, 0) == (1, 1);\nassert swizzled.upper(1, 1) == (1, 0);",
    },
    read,
};

/// `lower = (row, column ^ (row % columns))`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Xor {
    /// The numbers of rows and columns, if given.
    pub lengths: [Length; 2],
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    Ok(Built::Transform(Transform::new(Xor { lengths: rows_and_columns(reading)? })))
}

/// The given lengths of two dimensions, or none.
pub(super) fn rows_and_columns(reading: &Reading<'_>) -> Result<[Length; 2], Refusal> {
    if reading.given.is_empty() {
        return Ok([None, None]);
    }
    if reading.given.iter().any(|given| given.name.is_some()) {
        let [rows, columns] = reading.sorted(["rows", "columns"], 0)?;
        let (rows, columns) = reading.both(rows, columns)?;
        return Ok([Some(rows.length(Quantity::Rows)?), Some(columns.length(Quantity::Columns)?)]);
    }
    let lengths = reading.lengths()?;
    let found = lengths.len();
    let mut lengths = lengths.into_iter();
    match (lengths.next(), lengths.next(), lengths.next()) {
        (Some(rows), Some(columns), None) => Ok([Some(rows), Some(columns)]),
        _ => Err(diagnostics::argument_count(reading.span, reading.word, &["rows", "columns"], found).into()),
    }
}

impl Rule for Xor {
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
        let turn = builder.remainder(row, columns)?;
        Ok(vec![row.clone(), builder.xor(column, &turn)?])
    }
}
