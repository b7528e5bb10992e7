//! `reshape_map`: local and thread dimensions, laid out in one permuted tensor.

use super::{AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, UpperAxis};
use dims::{Facts, Sym};

/// The arguments of `reshape_map`. Dimensions are numbered consecutively: first the local ones, then those of the
/// threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReshapeMapSpec {
    /// For each local dimension its size `D` and its size in the tensor `TD`.
    pub local: Vec<(Sym, Sym)>,
    /// The same for each thread dimension; the first runs fastest in the linear thread id.
    pub thread: Vec<(Sym, Sym)>,
    /// The tensor's dimensions from the fastest to the slowest: a permutation of all dimensions.
    pub layout: Vec<LayoutEntry>,
    /// The offset of the tensor's first element, in elements.
    pub offset: Sym,
}

/// One dimension in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayoutEntry {
    /// Which dimension.
    pub dimension: usize,
    /// Whether it is reversed: `TD − 1 − id` takes the place of `id`.
    pub reversed: bool,
}

/// The map of a `reshape_map`.
///
/// Upper: the local dimensions, then one linear thread id below the product of the thread dimensions; a launch with
/// more threads widens it ([`super::with_extent`]). Lower: one offset, in `0..offset + ΠTD`. A point is valid where
/// every id is below both its sizes, tested before a reversal; the stride of a dimension is the product of the tensor
/// sizes of the dimensions before it in the layout (seed 000).
///
/// # Errors
/// A layout that is no permutation, a constant size below one, a size that overflows 64 bits.
pub fn reshape_map(spec: &ReshapeMapSpec, facts: &Facts) -> Result<IndexMap, MapError> {
    let sizes: Vec<&(Sym, Sym)> = spec.local.iter().chain(&spec.thread).collect();
    for (size, in_tensor) in &sizes {
        for value in [size, in_tensor].into_iter().filter_map(Sym::as_constant) {
            if value <= 0 {
                return Err(MapError::NotPositive { what: "a size", value });
            }
        }
    }
    let (strides, space) = strides(&sizes, &spec.layout)?;

    let mut threads = Sym::one();
    for (size, _) in &spec.thread {
        threads = threads.checked_mul(size)?;
    }
    let mut upper: Vec<UpperAxis> = Vec::with_capacity(spec.local.len() + 1);
    upper.extend(spec.local.iter().map(|(size, _)| UpperAxis { extent: Some(size.clone()), role: AxisRole::Local }));
    upper.push(UpperAxis { extent: Some(threads), role: AxisRole::Thread });
    let mut builder = MapBuilder::new(upper, facts);

    let mut ids = Vec::with_capacity(sizes.len());
    for axis in 0..spec.local.len() {
        ids.push(builder.coordinate(axis)?);
    }
    let thread = builder.coordinate(spec.local.len())?;
    let mut below = Sym::one();
    for (size, _) in &spec.thread {
        ids.push(builder.digit(&thread, &below, Some(size))?);
        below = below.checked_mul(size)?;
    }

    let mut value = super::Affine::constant(spec.offset.clone());
    for (dimension, (id, (_, in_tensor))) in ids.iter().zip(&sizes).enumerate() {
        builder.mask(id, None, Some(in_tensor), MaskReason::Clipped)?;
        let (stride, reversed) = strides.get(dimension).ok_or(MapError::Layout)?;
        let place = if *reversed {
            super::Affine::constant(in_tensor.checked_sub(&Sym::one())?).checked_sub(id)?
        } else {
            id.clone()
        };
        value = value.checked_add(&place.checked_scale(stride)?)?;
    }
    // An extent is also a condition: with a negative offset it would make the slots below zero invalid.
    let extent = facts.never_negative(&spec.offset).then(|| spec.offset.checked_add(&space)).transpose()?;
    builder.finish(vec![LowerAxis { value, extent }])
}

/// For each dimension its stride and whether it is reversed; and the product of all sizes in the tensor.
fn strides(sizes: &[&(Sym, Sym)], layout: &[LayoutEntry]) -> Result<(Vec<(Sym, bool)>, Sym), MapError> {
    if layout.len() != sizes.len() {
        return Err(MapError::Rank { what: "layout entries", expected: sizes.len(), found: layout.len() });
    }
    let mut strides: Vec<Option<(Sym, bool)>> = vec![None; sizes.len()];
    let mut stride = Sym::one();
    for entry in layout {
        let slot = strides.get_mut(entry.dimension).filter(|slot| slot.is_none()).ok_or(MapError::Layout)?;
        *slot = Some((stride.clone(), entry.reversed));
        let (_, in_tensor) = sizes.get(entry.dimension).ok_or(MapError::Layout)?;
        stride = stride.checked_mul(in_tensor)?;
    }
    let strides: Option<Vec<(Sym, bool)>> = strides.into_iter().collect();
    Ok((strides.ok_or(MapError::Layout)?, stride))
}
