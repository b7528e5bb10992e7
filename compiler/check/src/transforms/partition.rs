//! `partition`: divides a space into tiles of one shape.

use super::lengths::Lengths;
use super::{Built, Definition, Documentation, Length, Reading, Refusal, Rule, Transform};
use crate::diagnostics::{self, Entry};
use dims::{Facts, Sym};
use kernel::functions::Parameter;
use maps::{Affine, MapBuilder, MapError};

pub(super) static DEFINITION: Definition = Definition {
    documentation: Documentation {
        word: "partition",
        parameters: &[
            Parameter::new("shape", "the shape of the space. Left out: that of the dimensions below").optional(),
            Parameter::new("tile", "the shape of one tile"),
        ],
        text: "A space as tiles: upper coordinates are the number of the tile along each dimension and then the place in the \
               tile, `lower = number * tile + place`. Tiles at the edge may reach beyond the space, where they are not \
               valid.",
        example: "map tiles = partition([100, 64], [32, 32]);\nassert tiles.upper_shape == [4, 2, 32, 32];\nassert tiles(3, 1, 3, 0) == (99, \
                  32);\nassert tiles(3, 1, 4, 0) == _;",
    },
    read,
};

/// `lowerₖ = numberₖ · tileₖ + placeₖ`; the upper coordinates are all numbers, followed by all places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    /// The shape of the space, if given.
    pub shape: Option<Vec<Sym>>,
    /// The shape of one tile.
    pub tile: Vec<Sym>,
}

fn read(reading: &Reading<'_>) -> Result<Built, Refusal> {
    let [shape, tile] = reading.sorted(["shape", "tile"], 1)?;
    let shape = shape.map(|given| given.lengths(reading.word)).transpose()?;
    let tile = reading.there(tile)?;
    let (span, tile) = (tile.span, tile.lengths(reading.word)?);
    if let Some(shape) = &shape
        && shape.len() != tile.len()
    {
        return Err(diagnostics::one_for_each(span, Entry::TileLength, shape.len(), tile.len()).into());
    }
    Ok(Built::Transform(Transform::new(Partition { shape, tile })))
}

impl Rule for Partition {
    fn word(&self) -> &'static str {
        DEFINITION.documentation.word
    }

    fn written(&self) -> Option<Lengths> {
        Some(match &self.shape {
            Some(shape) => shape.iter().cloned().map(Some).collect(),
            None => vec![None; self.tile.len()],
        })
    }

    fn upper(&self, lower: &[Length], facts: &Facts) -> Result<Lengths, MapError> {
        let mut lengths = Vec::with_capacity(2 * self.tile.len());
        for (length, tile) in lower.iter().zip(&self.tile) {
            lengths.push(length.as_ref().map(|length| length.cdiv(tile, facts)).transpose()?);
        }
        lengths.extend(self.tile.iter().cloned().map(Some));
        Ok(lengths)
    }

    fn lower(&self, upper: &[Affine], _: &[Length], _: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        let (numbers, places) = upper.split_at_checked(self.tile.len()).ok_or(MapError::Malformed)?;
        let tiles = numbers.iter().zip(places).zip(&self.tile);
        tiles.map(|((number, place), tile)| number.checked_scale(tile)?.checked_add(place)).collect()
    }
}
