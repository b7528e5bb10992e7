//! A tiling as an index map: from iterations to their threads.

use super::Tiling;
use crate::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};
use dims::{Facts, Sym};

impl Tiling {
    /// The map from a thread's number within its iteration, and the iteration, to the natural index.
    ///
    /// The iterators take the role of threads, so that the map is drawn and proven like any other. It is injective
    /// exactly if no thread executes two iterations.
    ///
    /// # Errors
    /// Those of the map builder; no tiling causes one.
    pub fn assignment(&self) -> Result<IndexMap, MapError> {
        let axis = |extent: i64, role| UpperAxis { extent: Some(Sym::constant(extent)), role };
        let mut upper = vec![axis(self.leaf_threads(), AxisRole::Local)];
        upper.extend(self.iterators.iter().map(|iterator| axis(iterator.count, AxisRole::Thread)));
        let facts = Facts::empty();
        let mut builder = MapBuilder::new(upper, &facts);
        let lane = builder.coordinate(0)?;
        let mut value = Affine::constant(Sym::zero());
        let mut below = 1;
        for dimension in self.dimensions.iter().rev() {
            let taken = dimension.taken();
            let place = builder.digit(&lane, &Sym::constant(below), Some(&Sym::constant(taken)))?;
            value = value.checked_add(&place.checked_scale(&Sym::constant(dimension.pitch))?)?;
            for operation in &dimension.operations {
                value = value.checked_offset(&Sym::constant(operation.linear_offset))?;
                if let Some(iterator) = operation.iterator {
                    let boxes = builder.coordinate(iterator + 1)?;
                    value = value.checked_add(&boxes.checked_scale(&Sym::constant(operation.linear_box))?)?;
                }
            }
            below *= taken;
        }
        builder.finish(vec![LowerAxis { value, extent: Some(Sym::constant(self.launch.threads())) }])
    }
}
