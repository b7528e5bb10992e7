//! The position of elements in a tensor's storage.

use super::typed::{Param, ParamKind};
use dims::{Facts, Sym};
use maps::row_major;
use maps::{Affine, IndexMap, LowerAxis, MapBuilder, MapError};

/// Turns a map to the row-major index of a tensor's elements into a map to their position in the tensor's storage, in
/// elements.
///
/// # Errors
/// If the map has not exactly one lower coordinate, or if a size overflows 64 bits.
pub fn stored(param: &Param, map: IndexMap, facts: &Facts) -> Result<IndexMap, MapError> {
    let ParamKind::Tensor { shape, strides, .. } = &param.kind else {
        return Ok(map);
    };
    let mut builder = MapBuilder::new(map.upper.clone(), facts);
    let ids = builder.coordinates()?;
    let [element] = builder.apply(&map, &ids)?.try_into().map_err(|_| MapError::Malformed)?;
    if has_row_major_strides(shape, strides) {
        return Ok(map);
    }
    let lengths: Vec<Option<Sym>> = shape.iter().cloned().map(Some).collect();
    let indices = builder.digits(&element.value, &lengths)?;
    let position = Affine::weighted_sum(&indices, strides)?;
    builder.finish(vec![LowerAxis { value: position, extent: None }])
}

/// Whether a tensor's elements are stored contiguously in row-major order.
pub fn is_dense(param: &Param) -> bool {
    let ParamKind::Tensor { shape, strides, .. } = &param.kind else { return false };
    has_row_major_strides(shape, strides)
}

fn has_row_major_strides(shape: &[Sym], strides: &[Sym]) -> bool {
    row_major::are_strides(shape, strides, |expected, stride| expected == stride)
}
