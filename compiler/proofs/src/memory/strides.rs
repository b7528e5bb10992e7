//! Replaces symbolic strides by numbers.
//!
//! The cost of a request depends on its addresses modulo a lap, such as one word from every bank, and on which of
//! them are equal. An unknown stride is replaced by a number with one of the remainders that the facts allow, so
//! large that addresses which can differ do. That never makes a request cheaper.

use super::bound::residue;
use dims::{CompareOp, Fact, Facts, Sym};
use maps::{Affine, IndexMap, LowerAxis};

/// The most symbolic strides of one map; each is replaced by numbers of another magnitude.
const MOST_STRIDES: usize = 2;
/// The most combinations of remainders that are tried.
const MOST_CASES: usize = 128;
/// A replaced stride is at least 2 to this power laps: more than the 32 lanes and the few steps of other coordinates
/// mixed with them can bridge.
const MAGNITUDE: u32 = 20;

/// The map with its strides replaced by their remainders where these are known, for questions modulo the period.
pub(super) fn residual(map: &IndexMap, period: i64, facts: &Facts) -> IndexMap {
    with_strides(map, |stride| residue(stride, period, facts).map(Sym::constant))
}

/// The map for each combination of remainders that its symbolic strides may have; `None` where there are too many.
pub(super) fn cases(map: &IndexMap, lap: i64, facts: &Facts) -> Option<Vec<IndexMap>> {
    let value = map.lower.first().map(|axis| &axis.value)?;
    let symbolic: Vec<&Sym> =
        value.terms.iter().map(|(_, stride)| stride).filter(|stride| stride.as_constant().is_none()).collect();
    if symbolic.len() > MOST_STRIDES {
        return None;
    }
    let mut cases = vec![map.clone()];
    for (number, stride) in symbolic.into_iter().enumerate() {
        let far = 1_i64.checked_shl(MAGNITUDE * (number as u32 + 1))?.checked_mul(lap)?;
        let remainders = remainders(stride, lap, facts);
        if cases.len() * remainders.len() > MOST_CASES {
            return None;
        }
        let of = |case: &IndexMap, remainder: i64| {
            with_strides(case, |own| (own == stride).then(|| Sym::constant(far + remainder)))
        };
        cases = cases.iter().flat_map(|case| remainders.iter().map(|remainder| of(case, *remainder))).collect();
    }
    Some(cases)
}

/// The remainders of a stride that the facts allow.
fn remainders(stride: &Sym, lap: i64, facts: &Facts) -> Vec<i64> {
    if let Some(only) = residue(stride, lap, facts) {
        return vec![only];
    }
    let Ok(remainder) = stride.checked_remainder(&Sym::constant(lap), facts) else { return (0..lap).collect() };
    let is_possible = |value: &i64| {
        let fact = Fact::compare(remainder.clone(), CompareOp::Eq, Sym::constant(*value));
        facts.clone().assume(fact).is_ok()
    };
    (0..lap).filter(is_possible).collect()
}

/// The map with some of the strides of its address replaced.
fn with_strides(map: &IndexMap, replaced: impl Fn(&Sym) -> Option<Sym>) -> IndexMap {
    let mut map = map.clone();
    for LowerAxis { value, .. } in &mut map.lower {
        let terms =
            value.terms.iter().map(|(term, stride)| (*term, replaced(stride).unwrap_or_else(|| stride.clone())));
        *value = Affine { terms: terms.collect(), constant: value.constant.clone() };
    }
    map
}
