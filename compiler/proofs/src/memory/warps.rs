//! Splits the upper coordinates of a map into warps and lanes.

use dims::{Facts, Sym};
use maps::hardware::WARP_LANES;
use maps::row_major::digits;
use maps::{Affine, AxisRole, IndexMap, MapError, Term, UpperAxis, with_coordinates};

/// The upper coordinates that number the lanes: 32 consecutive numbers are a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Axes of the map; the last one runs fastest in the number.
    axes: Vec<usize>,
}

impl Lanes {
    /// The lanes run along one upper coordinate.
    pub fn along(axis: usize) -> Lanes {
        Lanes { axes: vec![axis] }
    }

    /// The default lanes of a map: its thread coordinates, the last one fastest; in a layout, which has none, its
    /// last coordinate. `None` for a map without coordinates.
    pub fn of_map(map: &IndexMap) -> Option<Lanes> {
        let threads = map.upper.iter().enumerate().filter(|(_, axis)| axis.role == AxisRole::Thread);
        let axes: Vec<usize> = threads.map(|(position, _)| position).collect();
        if axes.is_empty() { map.upper.len().checked_sub(1).map(Lanes::along) } else { Some(Lanes { axes }) }
    }
}

/// A map whose thread number is split into the warp number and the lane.
pub(super) struct Warps {
    /// Upper: the other coordinates, the warp, the lane below 32. Lower: one address. Surplus lanes of the last warp
    /// are masked.
    pub map: IndexMap,
    /// The most lanes that a warp has: fewer than 32 if there are fewer threads.
    pub present: usize,
    /// The axes of the original map that do not number lanes.
    others: Vec<usize>,
    /// The axes that number lanes, with their extents.
    lanes: Vec<(usize, Option<Sym>)>,
}

impl Warps {
    /// Splits the lanes of a map into warps.
    ///
    /// # Errors
    /// A map with another number of lower coordinates than one; lanes along an axis that it does not have; a size
    /// that overflows 64 bits.
    pub fn new(map: &IndexMap, lanes: &Lanes, facts: &Facts) -> Result<Warps, MapError> {
        if map.lower.len() != 1 {
            return Err(MapError::Rank { what: "lower coordinates", expected: 1, found: map.lower.len() });
        }
        let others: Vec<usize> = (0..map.upper.len()).filter(|axis| !lanes.axes.contains(axis)).collect();
        let mut numbered = Vec::with_capacity(lanes.axes.len());
        for axis in &lanes.axes {
            numbered.push((*axis, map.upper.get(*axis).ok_or(MapError::Malformed)?.extent.clone()));
        }
        let threads = product(&numbered)?;
        let mut upper: Vec<UpperAxis> = others.iter().filter_map(|axis| map.upper.get(*axis).cloned()).collect();
        let warps = threads.as_ref().map(|threads| threads.cdiv(&Sym::constant(WARP_LANES), facts)).transpose()?;
        upper.push(UpperAxis { extent: warps, role: AxisRole::Thread });
        upper.push(UpperAxis { extent: Some(Sym::constant(WARP_LANES)), role: AxisRole::Thread });
        let split = with_coordinates(map, upper, facts, |builder| {
            let mut forms: Vec<Option<Affine>> = vec![None; map.upper.len()];
            for (position, axis) in others.iter().enumerate() {
                place(&mut forms, *axis, builder.coordinate(position)?)?;
            }
            let warp = builder.coordinate(others.len())?.checked_scale(&Sym::constant(WARP_LANES))?;
            let number = warp.checked_add(&builder.coordinate(others.len() + 1)?)?;
            let lengths: Vec<Option<Sym>> = numbered.iter().map(|(_, extent)| extent.clone()).collect();
            for ((axis, _), form) in numbered.iter().zip(builder.digits(&number, &lengths)?) {
                place(&mut forms, *axis, form)?;
            }
            forms.into_iter().collect::<Option<Vec<Affine>>>().ok_or(MapError::Malformed)
        })?;
        let present = threads.and_then(|threads| usize::try_from(threads.as_constant()?).ok());
        let present = present.unwrap_or(WARP_LANES as usize).min(WARP_LANES as usize);
        Ok(Warps { map: split, present, others, lanes: numbered })
    }

    /// The axis of the lane in `map`; the warp is the axis before it.
    pub fn lane_axis(&self) -> usize {
        self.others.len() + 1
    }

    /// Converts coordinates of the split map to those of the original one; `None` where a size is not known.
    pub fn upper(&self, coordinates: &[i64]) -> Option<Vec<i64>> {
        let mut upper = vec![0; self.others.len() + self.lanes.len()];
        for (axis, value) in self.others.iter().zip(coordinates) {
            *upper.get_mut(*axis)? = *value;
        }
        let (warp, lane) = (coordinates.get(self.others.len())?, coordinates.get(self.lane_axis())?);
        let number = warp.checked_mul(WARP_LANES)?.checked_add(*lane)?;
        let ((slowest, _), others) = self.lanes.split_first()?;
        let extent = |extent: &Option<Sym>| extent.as_ref()?.as_constant().filter(|extent| *extent > 0);
        let extents: Vec<i64> = others.iter().rev().map(|(_, length)| extent(length)).collect::<Option<_>>()?;
        let mut digits = digits(number, extents);
        for ((axis, _), digit) in others.iter().rev().zip(&mut digits) {
            *upper.get_mut(*axis)? = digit;
        }
        *upper.get_mut(*slowest)? = digits.rest();
        Some(upper)
    }
}

fn place(forms: &mut [Option<Affine>], axis: usize, form: Affine) -> Result<(), MapError> {
    *forms.get_mut(axis).ok_or(MapError::Malformed)? = Some(form);
    Ok(())
}

/// The number of threads; `None` where a coordinate is unbounded.
fn product(axes: &[(usize, Option<Sym>)]) -> Result<Option<Sym>, MapError> {
    let mut product = Sym::one();
    for (_, extent) in axes {
        let Some(extent) = extent else { return Ok(None) };
        product = product.checked_mul(extent)?;
    }
    Ok(Some(product))
}

/// The stride between neighbouring lanes in elements, possibly symbolic; `None` if it is not the same for all.
///
/// # Errors
/// A map that cannot be split into warps.
pub fn lane_stride(map: &IndexMap, lanes: &Lanes, facts: &Facts) -> Result<Option<Sym>, MapError> {
    let warps = Warps::new(map, lanes, facts)?;
    let lane = u32::try_from(warps.lane_axis()).map_err(|_| MapError::Malformed)?;
    let Some(position) = warps.map.terms.iter().position(|term| *term == Term::Coordinate(lane)) else {
        return Ok(Some(Sym::zero()));
    };
    let position = position as u32;
    // A digit or an xor of the lane number has steps of several sizes.
    let elsewhere = warps.map.terms.iter().flat_map(Term::operands).flat_map(|form| &form.terms);
    if elsewhere.into_iter().any(|(term, _)| term.0 == position) {
        return Ok(None);
    }
    let value = warps.map.lower.first().map(|axis| &axis.value).ok_or(MapError::Malformed)?;
    let coefficient = value.terms.iter().find(|(term, _)| term.0 == position);
    Ok(Some(coefficient.map_or_else(Sym::zero, |(_, coefficient)| coefficient.clone())))
}
