//! The value of a map at one point where sizes or coordinates are symbols.

use super::{Affine, IndexMap, MapError, compose};
use crate::arithmetic;
use dims::{CompareOp, Facts, Sym};

/// The image of an upper coordinate, for every size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicPoint {
    /// The lower coordinates; `None` where one of them has no closed form.
    pub lower: Option<Vec<Sym>>,
    /// Whether the point is valid.
    pub validity: Validity,
}

/// Whether a point is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validity {
    /// For every size.
    Valid,
    /// For no size.
    Invalid,
    /// Exactly where all these comparisons hold, which the facts do not decide.
    Depends(Vec<(Sym, CompareOp, Sym)>),
    /// A condition has no closed form.
    Unknown,
}

/// Evaluates a map symbolically at one upper coordinate.
///
/// # Errors
/// A wrong number of coordinates; a value that overflows 64 bits.
pub fn at(map: &IndexMap, upper: &[Sym], facts: &Facts) -> Result<SymbolicPoint, MapError> {
    if upper.len() != map.upper.len() {
        return Err(MapError::Rank { what: "coordinates", expected: map.upper.len(), found: upper.len() });
    }
    let constants = || upper.iter().cloned().map(Affine::constant).collect();
    let point = compose::with_coordinates(map, Vec::new(), facts, |_| Ok(constants()))?;
    let mut conditions: Vec<(&Affine, Option<&Sym>, Option<&Sym>)> = Vec::new();
    conditions.extend(point.masks.iter().map(|mask| (&mask.value, mask.low.as_ref(), mask.high.as_ref())));
    let zero = Sym::zero();
    conditions.extend(point.lower.iter().map(|axis| {
        let low = axis.extent.as_ref().map(|_| &zero);
        (&axis.value, low, axis.extent.as_ref())
    }));
    let validity = validity(&conditions, facts);
    let lower = point.lower.iter().map(|axis| axis.value.as_constant().cloned()).collect();
    Ok(SymbolicPoint { lower, validity })
}

fn validity(conditions: &[(&Affine, Option<&Sym>, Option<&Sym>)], facts: &Facts) -> Validity {
    let mut undecided = Vec::new();
    let mut known = true;
    for (value, low, high) in conditions {
        let Some(value) = value.as_constant() else {
            known = false;
            continue;
        };
        if low.is_some_and(|low| arithmetic::less(value, low, facts))
            || high.is_some_and(|high| arithmetic::at_most(high, value, facts))
        {
            return Validity::Invalid;
        }
        if let Some(low) = low.filter(|low| !arithmetic::at_most(low, value, facts)) {
            undecided.push((value.clone(), CompareOp::Ge, low.clone()));
        }
        if let Some(high) = high.filter(|high| !arithmetic::less(value, high, facts)) {
            undecided.push((value.clone(), CompareOp::Lt, high.clone()));
        }
    }
    match (known, undecided.is_empty()) {
        (false, _) => Validity::Unknown,
        (true, true) => Validity::Valid,
        (true, false) => Validity::Depends(undecided),
    }
}
