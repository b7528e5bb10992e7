//! Strided maps: sums of strides times digits of coordinates, which numpy's views and CuTe's layouts can express.

use super::emitted::NoForm;
use dims::{Facts, Sym};
use maps::arithmetic;
use maps::normal::{Condition, NormalMap};
use maps::{Affine, IndexMap, LowerAxis};

/// `constant + Σ strideⱼ · digitⱼ`, valid for all coordinates inside the extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Strided {
    /// The offset of the coordinate 0.
    pub constant: Sym,
    /// For each upper coordinate its digits, the fastest first; a coordinate with a single value has none.
    pub axes: Vec<Vec<Digit>>,
}

/// A digit of a coordinate, or the whole coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digit {
    /// The number of its values.
    pub extent: Sym,
    /// The distance between neighbouring values.
    pub stride: Sym,
}

/// The strided form of a map.
///
/// # Errors
/// The reason why the map has none, as a clause.
pub(super) fn strided(map: &IndexMap, facts: &Facts) -> Result<Strided, NoForm> {
    require_one_offset(map)?;
    require_extents(map)?;
    let normal = unconditional(map, facts)?;
    let (lower, conditions) = normal.lower.split_first().ok_or_else(|| NoForm("the map has no offset".to_owned()))?;
    require_validity(map, &normal, conditions)?;
    if !normal.conditions.is_empty() {
        return Err(NoForm(format!("a digit of `{}` does not divide the extent of its coordinate", formula(map))));
    }
    if lower.terms.iter().any(|(term, _)| !normal.is_independent(*term)) {
        return Err(NoForm(format!("`{}` is no sum of strides over digits of single coordinates", formula(map))));
    }
    let mut axes = Vec::with_capacity(map.upper.len());
    for (axis, coordinate) in map.upper.iter().zip(&normal.coordinates) {
        let mut digits = Vec::with_capacity(coordinate.terms.len());
        let mut values = Sym::one();
        for (term, _) in &coordinate.terms {
            let most = normal.atom(*term).and_then(|atom| atom.highs.first());
            let most = most.ok_or_else(|| NoForm("a digit has no end".to_owned()))?;
            let extent = most.checked_add(&Sym::one()).map_err(|error| NoForm(error.to_string()))?;
            values = values.checked_mul(&extent).map_err(|error| NoForm(error.to_string()))?;
            let stride = lower.coefficient(*term).cloned().unwrap_or_else(Sym::zero);
            digits.push(Digit { extent, stride });
        }
        // The digits of a coordinate must have exactly its values.
        if !axis.extent.as_ref().is_some_and(|extent| arithmetic::equal(&values, extent, facts)) {
            return Err(NoForm(format!("the digits of `{}` do not make up their coordinates", formula(map))));
        }
        axes.push(digits);
    }
    Ok(Strided { constant: lower.constant.clone(), axes })
}

/// The normal form without conditions: first the offset, then the values in the conditions.
fn unconditional<'f>(map: &IndexMap, facts: &'f Facts) -> Result<NormalMap<'f>, NoForm> {
    let mut bare = map.clone();
    // A condition would narrow the digits, which have to keep all their values here.
    let masks = std::mem::take(&mut bare.masks);
    bare.lower.iter_mut().for_each(|axis| axis.extent = None);
    bare.lower.extend(masks.into_iter().map(|mask| LowerAxis { value: mask.value, extent: None }));
    Ok(NormalMap::new(&bare, facts)?)
}

fn require_one_offset(map: &IndexMap) -> Result<(), NoForm> {
    match map.lower.len() {
        1 => Ok(()),
        number => Err(NoForm(format!("the map has {number} lower coordinates, not one offset"))),
    }
}

fn require_extents(map: &IndexMap) -> Result<(), NoForm> {
    for (axis, name) in map.upper.iter().zip(map.axis_names()) {
        match axis.extent.as_ref().map(Sym::as_constant) {
            None => return Err(NoForm(format!("the coordinate `{name}` has no upper end"))),
            Some(Some(extent)) if extent <= 0 => {
                return Err(NoForm(format!("the map has no points: the extent of `{name}` is {extent}")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that every point inside the extents is valid.
fn require_validity(map: &IndexMap, normal: &NormalMap<'_>, masks: &[Affine]) -> Result<(), NoForm> {
    let holds = |value: &Affine, low: Option<Sym>, high: Option<Sym>| {
        normal.holds_in_box(&Condition { value: value.clone(), low, high })
    };
    for ((mask, value), text) in map.masks.iter().zip(masks).zip(map.conditions()) {
        if !holds(value, mask.low.clone(), mask.high.clone()) {
            return Err(NoForm(format!("the map is valid only where `{text}`")));
        }
    }
    let offset = map.lower.first().zip(normal.lower.first());
    if let Some((LowerAxis { extent: Some(extent), .. }, value)) = offset
        && !holds(value, Some(Sym::zero()), Some(extent.clone()))
    {
        return Err(NoForm(format!("the map is valid only where `0 <= {} < {extent}`", formula(map))));
    }
    Ok(())
}

/// The offset in the notation of the map's formula.
pub(super) fn formula(map: &IndexMap) -> String {
    map.formulas().into_iter().next().unwrap_or_default()
}
