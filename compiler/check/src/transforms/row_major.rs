//! `row_major`: the layout in which the last dimension is the fastest.

use super::strided::layout;
use super::{Built, Definition, Documentation, Reading, Refusal};
use kernel::functions::Parameter;

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "row_major",
        parameters: &[Parameter::new("shape", "the shape, as a shape or length by length")],
        text: "The layout in which the last dimension is the fastest, as in C and numpy: each stride is the product of the \
               lengths behind it.",
        example: "map tile = row_major([8, 64]);\nassert tile(2, 3) == 131;\nassert tile.upper(131) == (2, 3);",
    },
    read,
};

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let lengths: Vec<_> = reading.lengths()?.into_iter().map(Some).collect();
    let strides = reading.map(maps::row_major::strides_of_lengths(&lengths))?;
    Ok(Built::Map(reading.map(layout(&lengths, &strides, reading.facts))?))
}
