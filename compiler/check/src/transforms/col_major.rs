//! `col_major`: the layout in which the first dimension is the fastest.

use super::strided::layout;
use super::{Built, Definition, Documentation, Reading, Refusal};
use kernel::functions::Parameter;

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "col_major",
        parameters: &[Parameter::new("shape", "the shape, as a shape or length by length")],
        text: "The layout in which the first dimension is the fastest, as in Fortran and cuBLAS: each stride is the product \
               of the lengths before it.",
        example: "map tile = col_major([8, 64]);\nassert tile(2, 3) == 26;\nassert tile.upper(26) == (2, 3);",
    },
    read,
};

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let lengths: Vec<_> = reading.lengths()?.into_iter().map(Some).collect();
    let reversed: Vec<_> = lengths.iter().rev().cloned().collect();
    let mut strides = reading.map(maps::row_major::strides_of_lengths(&reversed))?;
    strides.reverse();
    Ok(Built::Map(reading.map(layout(&lengths, &strides, reading.facts))?))
}
