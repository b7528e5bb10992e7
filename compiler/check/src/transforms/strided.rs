//! `strided`: a layout with given strides.

use super::lengths::element_space;
use super::{Built, Definition, Documentation, Length, Reading, Refusal};
use crate::diagnostics::{self, Entry};
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "strided",
        parameters: &[
            Parameter::new("shape", "the shape"),
            Parameter::new("strides", "how many elements lie between neighbours along each dimension"),
        ],
        text: "A layout with given strides: `lower = Σ upper * stride`. Its space ends behind the element that lies furthest.",
        example: "map tile = strided([3, 4], [8, 1]);\nassert tile(1, 2) == 10;\nassert tile.lower_shape == [20];",
    },
    read,
};

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [shape, strides] = reading.sorted(["shape", "strides"], 0)?;
    let (shape, strides) = reading.both(shape, strides)?;
    let span = strides.span;
    let (shape, strides) = (shape.lengths(reading.word)?, strides.sizes(reading.word)?);
    if shape.len() != strides.len() {
        return Err(diagnostics::one_for_each(span, Entry::Stride, shape.len(), strides.len()).into());
    }
    let lengths: Vec<Length> = shape.into_iter().map(Some).collect();
    Ok(Built::Map(reading.map(layout(&lengths, &strides, reading.facts))?))
}

/// A map from coordinates to a linear offset. With negative strides the offset is unbounded.
///
/// # Errors
/// If a size overflows 64 bits.
pub(super) fn layout(lengths: &[Length], strides: &[Sym], facts: &Facts) -> Result<IndexMap, MapError> {
    let axes = lengths.iter().map(|extent| UpperAxis { extent: extent.clone(), role: AxisRole::Local }).collect();
    let mut builder = MapBuilder::new(axes, facts);
    let coordinates = builder.coordinates()?;
    let value = Affine::weighted_sum(&coordinates, strides)?;
    let extent = element_space(lengths, strides, facts)?;
    builder.finish(vec![LowerAxis { value, extent }])
}
