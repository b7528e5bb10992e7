//! What the masks of a map say already.

use dims::Sym;
use maps::{IndexMap, LowerAxis};

/// Whether a mask already states that a lower coordinate is inside its extent.
pub(super) fn is_masked(map: &IndexMap, axis: &LowerAxis) -> bool {
    let zero = Sym::zero();
    map.masks
        .iter()
        .any(|mask| mask.value == axis.value && mask.low.as_ref() == Some(&zero) && mask.high == axis.extent)
}
