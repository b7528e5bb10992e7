//! The position of elements in a tensor's storage.

use super::typed::{Param, ParamKind};
use dims::{Facts, Sym};
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
    let (mut position, mut below) = (Affine::constant(Sym::zero()), Sym::one());
    let mut dense = true;
    for (number, (dim, stride)) in shape.iter().zip(strides).enumerate().rev() {
        dense &= *stride == below;
        let modulus = (number > 0).then_some(dim);
        let index = builder.digit(&element.value, &below, modulus)?;
        position = position.checked_add(&index.checked_scale(stride)?)?;
        below = below.checked_mul(dim)?;
    }
    if dense { Ok(map) } else { builder.finish(vec![LowerAxis { value: position, extent: None }]) }
}

/// Whether a tensor's elements are stored contiguously in row-major order.
pub fn is_dense(param: &Param) -> bool {
    let ParamKind::Tensor { shape, strides, .. } = &param.kind else { return false };
    let mut below = Sym::one();
    shape.iter().zip(strides).rev().all(|(dim, stride)| {
        let same = *stride == below;
        match below.checked_mul(dim) {
            Ok(next) => below = next,
            Err(_) => return false,
        }
        same
    })
}
