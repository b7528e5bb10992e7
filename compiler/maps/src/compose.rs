//! Maps made from maps: composition, substitution of coordinates, chains of scopes, known sizes.

use std::collections::BTreeMap;

use super::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, Mask, MaskReason, Term, UpperAxis};
use dims::{Facts, Sym, Symbol};

/// `outer(inner(u))`: the lower coordinates of `inner` are the upper coordinates of `outer`.
///
/// A point is valid where both are: the lower extents of `inner` and the upper extents of `outer` become masks.
///
/// # Errors
/// Ranks that do not fit; a size that overflows 64 bits.
pub fn compose(outer: &IndexMap, inner: &IndexMap, facts: &Facts) -> Result<IndexMap, MapError> {
    with_coordinates(outer, inner.upper.clone(), facts, |builder| {
        let coordinates = coordinates(builder, inner.upper.len())?;
        let between = builder.apply(inner, &coordinates)?;
        let lengths = outer.upper.iter().map(|axis| axis.extent.as_ref());
        for (axis, length) in between.iter().zip(lengths) {
            for extent in [axis.extent.as_ref(), length].into_iter().flatten() {
                builder.mask(&axis.value, Some(&Sym::zero()), Some(extent), MaskReason::Padding)?;
            }
        }
        Ok(between.into_iter().map(|axis| axis.value).collect())
    })
}

/// Substitutes forms over new upper coordinates for the coordinates of a map: `u ↦ map(f(u))`.
///
/// `forms` makes one form for each upper coordinate of `map`, and may add masks. Where a form can leave the extent
/// of its coordinate, the extent becomes a mask. This is how a kernel's access is made from a view's map and the
/// index expressions over block id, thread id and loop iterators.
///
/// # Errors
/// A number of forms that does not fit; what `forms` fails with; a size that overflows 64 bits.
pub fn with_coordinates(
    map: &IndexMap,
    upper: Vec<UpperAxis>,
    facts: &Facts,
    forms: impl FnOnce(&mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError>,
) -> Result<IndexMap, MapError> {
    let mut builder = MapBuilder::new(upper, facts);
    let coordinates = forms(&mut builder)?;
    let lower = builder.apply(map, &coordinates)?;
    builder.finish(lower)
}

/// The map with another extent for one upper coordinate; coordinates that this adds are invalid.
///
/// # Errors
/// An axis that the map does not have; a size that overflows 64 bits.
pub fn with_extent(map: &IndexMap, axis: usize, extent: Option<Sym>, facts: &Facts) -> Result<IndexMap, MapError> {
    let mut upper = map.upper.clone();
    upper.get_mut(axis).ok_or(MapError::Malformed)?.extent = extent;
    with_coordinates(map, upper, facts, |builder| coordinates(builder, map.upper.len()))
}

/// One scope of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLevel {
    /// The map of the scope. Its upper coordinates are an index (or several, for the last scope of a chain) and then
    /// the number of the unit within the enclosing scope.
    pub map: IndexMap,
    /// How many threads one unit has: 32 where the map distributes over warps, 1 where it distributes over threads.
    pub unit_size: Sym,
}

/// `map₁(map₂(… (index)))`: from the largest scope to the smallest, each distributes the share of its enclosing
/// scope. For the linear thread id `t`, the unit of scope `k` is number `t % size₍ₖ₋₁₎ / sizeₖ`. A point is valid
/// where it is in every scope.
///
/// Upper: the indices of the last map, then the linear thread id below `threads`.
///
/// # Errors
/// No levels; a map whose last upper coordinate is not its only thread coordinate, or that does not have one lower
/// coordinate; a scope other than the last with several indices; a size that overflows 64 bits.
pub fn chain(levels: &[ChainLevel], threads: Option<Sym>, facts: &Facts) -> Result<IndexMap, MapError> {
    let Some(innermost) = levels.last() else {
        return Err(MapError::Rank { what: "levels", expected: 1, found: 0 });
    };
    for (number, level) in levels.iter().enumerate() {
        let Some((last, before)) = level.map.upper.split_last() else {
            return Err(MapError::Malformed);
        };
        if last.role != AxisRole::Thread || before.iter().any(|axis| axis.role == AxisRole::Thread) {
            return Err(MapError::Malformed);
        }
        if number + 1 < levels.len() && before.len() != 1 {
            return Err(MapError::Rank { what: "indices", expected: 1, found: before.len() });
        }
        if level.map.lower.len() != 1 {
            return Err(MapError::Rank { what: "lower coordinates", expected: 1, found: level.map.lower.len() });
        }
    }
    let mut upper = innermost.map.upper.clone();
    let indices = upper.len() - 1;
    if let Some(axis) = upper.last_mut() {
        axis.extent = threads;
    }
    let mut builder = MapBuilder::new(upper, facts);
    let thread = builder.coordinate(indices)?;
    let mut given = coordinates(&mut builder, indices)?;
    let mut lower: Vec<LowerAxis> = Vec::new();
    for (number, level) in levels.iter().enumerate().rev() {
        let enclosing = number.checked_sub(1).and_then(|outer| levels.get(outer));
        let within = match enclosing {
            Some(outer) => builder.remainder(&thread, &outer.unit_size)?,
            None => thread.clone(),
        };
        let unit = builder.floor_div(&within, &level.unit_size)?;
        // An index beyond the chunk of its scope is invalid.
        for (axis, index) in level.map.upper.iter().zip(&given) {
            builder.mask(index, Some(&Sym::zero()), axis.extent.as_ref(), MaskReason::Chunk)?;
        }
        given.push(unit);
        lower = builder.apply(&level.map, &given)?;
        for axis in lower.iter().filter(|_| number > 0) {
            let low = axis.extent.as_ref().map(|_| Sym::zero());
            builder.mask(&axis.value, low.as_ref(), axis.extent.as_ref(), MaskReason::Padding)?;
        }
        given = lower.iter().map(|axis| axis.value.clone()).collect();
    }
    builder.finish(lower)
}

/// The map with its symbols replaced by known sizes. Nothing is simplified beyond that.
///
/// # Errors
/// A symbol without a value; a size that cannot be computed.
pub fn specialize(map: &IndexMap, sizes: &BTreeMap<Symbol, i64>) -> Result<IndexMap, MapError> {
    let known = |size: &Sym| -> Result<Sym, MapError> {
        Ok(Sym::constant(size.evaluate(&|symbol| sizes.get(symbol).copied())?))
    };
    let optional = |size: &Option<Sym>| size.as_ref().map(known).transpose();
    let form = |form: &Affine| -> Result<Affine, MapError> {
        let mut terms = Vec::with_capacity(form.terms.len());
        for (term, coefficient) in &form.terms {
            let coefficient = known(coefficient)?;
            if !coefficient.is_zero() {
                terms.push((*term, coefficient));
            }
        }
        Ok(Affine { constant: known(&form.constant)?, terms })
    };
    let mut special = IndexMap { upper: Vec::new(), terms: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    for axis in &map.upper {
        special.upper.push(UpperAxis { extent: optional(&axis.extent)?, role: axis.role });
    }
    // A map without points may have sizes that make no sense, such as a radix of zero; they are never used.
    let empty = special
        .upper
        .iter()
        .any(|axis| axis.extent.as_ref().and_then(Sym::as_constant) <= Some(0) && axis.extent.is_some());
    for term in &map.terms {
        special.terms.push(match term {
            Term::Coordinate(axis) => Term::Coordinate(*axis),
            Term::Digit { of, divisor, modulus } => {
                let radix = |size: &Sym| -> Result<Sym, MapError> {
                    let size = known(size)?;
                    match size.as_constant() {
                        Some(value) if value <= 0 && empty => Ok(Sym::one()),
                        Some(value) if value <= 0 => Err(MapError::NotPositive { what: "a divisor", value }),
                        _ => Ok(size),
                    }
                };
                Term::Digit {
                    of: form(of)?,
                    divisor: radix(divisor)?,
                    modulus: modulus.as_ref().map(radix).transpose()?,
                }
            }
            Term::Xor(left, right) => Term::Xor(form(left)?, form(right)?),
        });
    }
    for axis in &map.lower {
        special.lower.push(LowerAxis { value: form(&axis.value)?, extent: optional(&axis.extent)? });
    }
    for mask in &map.masks {
        special.masks.push(Mask {
            value: form(&mask.value)?,
            low: optional(&mask.low)?,
            high: optional(&mask.high)?,
            reason: mask.reason,
        });
    }
    Ok(special)
}

/// The upper coordinates `0..count` as forms.
pub(super) fn coordinates(builder: &mut MapBuilder<'_>, count: usize) -> Result<Vec<Affine>, MapError> {
    (0..count).map(|axis| builder.coordinate(axis)).collect()
}
