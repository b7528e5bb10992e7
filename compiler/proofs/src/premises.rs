//! What the masks of a map say of sizes alone: a map has points only where that holds.

use std::borrow::Cow;

use dims::{CompareOp, Fact, Facts};
use maps::IndexMap;

/// The facts that hold wherever a map has a point; `None` if it has none.
pub(super) fn where_points_are<'f>(map: &IndexMap, facts: &'f Facts) -> Option<Cow<'f, Facts>> {
    let mut known = Cow::Borrowed(facts);
    for mask in map.masks.iter().filter(|mask| mask.value.terms.is_empty()) {
        let ends = [(CompareOp::Ge, &mask.low), (CompareOp::Lt, &mask.high)];
        for (op, end) in ends.into_iter().filter_map(|(op, end)| Some((op, end.as_ref()?))) {
            known.to_mut().assume(Fact::compare(mask.value.constant.clone(), op, end.clone())).ok()?;
        }
    }
    Some(known)
}
