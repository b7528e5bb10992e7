//! Whether a variable ever leaves its value before the loop upwards, or downwards.
//!
//! A search by halves that begins between `max(0, d - M)` and `min(d, N)` stays between them, which are no sizes.

use super::super::Raiser;
use super::{First, Search};
use dims::CompareOp;

impl Search<'_, '_> {
    /// Which variables never rise, or never fall, where the loop goes on. Asked only of those that begin with what is no size, as
    /// their ranges say the same otherwise.
    pub(super) fn since_first(&mut self, first: &[First]) -> Vec<Vec<CompareOp>> {
        let mut found = vec![Vec::new(); first.len()];
        let is_asked = |raiser: &Raiser, first: &First| raiser.as_size(first.value).is_none();
        if !first.iter().any(|first| is_asked(self.raiser, first)) {
            return found;
        }
        self.goes_on = self.looped.goes_on;
        let followed = self.iteration(None, |search, starts, _| {
            for (place, start) in starts.iter().enumerate() {
                let end = search.raiser.current(first[place].local);
                let Some(end) = end.filter(|_| is_asked(search.raiser, &first[place])) else { continue };
                found[place].extend(search.raiser.is_never_above(end, *start).then_some(CompareOp::Le));
                found[place].extend(search.raiser.is_never_above(*start, end).then_some(CompareOp::Ge));
            }
        });
        self.goes_on = None;
        followed.map_or_else(|| vec![Vec::new(); first.len()], |()| found)
    }
}
