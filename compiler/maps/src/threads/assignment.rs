//! A tiling as an index map: from iterations to their threads.

use super::{Dimension, Tiling};
use crate::row_major::strides_of;
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
        let taken: Vec<i64> = self.dimensions.iter().map(Dimension::taken).collect();
        let taken = taken.iter().zip(strides_of(&taken));
        for (dimension, (taken, stride)) in self.dimensions.iter().zip(taken).rev() {
            let place = builder.digit(&lane, &Sym::constant(stride), Some(&Sym::constant(*taken)))?;
            value = value.checked_add(&place.checked_scale(&Sym::constant(dimension.pitch))?)?;
            for operation in &dimension.operations {
                value = value.checked_offset(&Sym::constant(operation.linear_offset))?;
                if let Some(iterator) = operation.iterator {
                    let boxes = builder.coordinate(iterator + 1)?;
                    value = value.checked_add(&boxes.checked_scale(&Sym::constant(operation.linear_box))?)?;
                }
            }
        }
        builder.finish(vec![LowerAxis { value, extent: Some(Sym::constant(self.launch.threads())) }])
    }
}
