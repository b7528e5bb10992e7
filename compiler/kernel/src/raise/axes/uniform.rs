//! The axes of values that many threads share.

use super::super::raiser::Raiser;
use super::super::value::{Kind, ValueId};
use super::{Axes, Place};
use dims::Sym;

/// A value that is the same in all threads of the launch, or of a block, at all times. Where it begins depends on what is known of it at an access, so the same
/// coordinate in the maps of two accesses may be another value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UniformValue {
    /// The value: an offset plus a sum of axes.
    pub value: ValueId,
    /// Whether it is the same in all blocks.
    pub everywhere: bool,
    /// The offset.
    pub offset: Sym,
    /// The axes of the sum, each with its sign.
    pub axes: Vec<(usize, i64)>,
}

impl Axes {
    /// The values that are uniform across the launch, or in each block, by the axes that stand for them.
    pub fn uniform(&self, raiser: &Raiser) -> Vec<UniformValue> {
        let is_id = |value: ValueId| matches!(raiser.kind(value), Kind::Block);
        let uniform = self.places.iter().filter(|(value, _)| raiser.at(**value).traits.of_block && !is_id(**value));
        let mut found: Vec<UniformValue> = uniform
            .map(|(value, place)| {
                let (offset, axes) = match place {
                    Place::From(low, axis) => (low.clone(), vec![(*axis, 1)]),
                    Place::Below(high, axis) => (high.clone(), vec![(*axis, -1)]),
                    Place::Difference(positive, negative) => (Sym::zero(), vec![(*positive, 1), (*negative, -1)]),
                };
                UniformValue { value: *value, everywhere: raiser.is_uniform(*value), offset, axes }
            })
            .collect();
        found.sort_by_key(|known| known.value);
        found
    }
}
