//! A tiling as an index map: which threads an iteration has.

use super::Tiling;
use crate::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};
use dims::{Facts, Sym};

impl Tiling {
    /// From the place of a thread among those of its iteration, and the iteration, to the natural index.
    ///
    /// The iterators play the part of threads: they own the threads that they lead to. So the map is drawn and proven
    /// as every other one. No thread executes two iterations where the map is injective.
    ///
    /// # Errors
    /// None that a tiling can have; the builder of maps knows them.
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
