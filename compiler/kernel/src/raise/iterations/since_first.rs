//! Whether a variable ever leaves its value before the loop upwards, or downwards, and whether one is ever above another one.
//!
//! A search by halves that begins between `max(0, d - M)` and `min(d, N)` stays between them, which are no sizes, and its lower end
//! stays below its upper one.

use super::super::raiser::Raiser;
use super::kept::Kept;
use super::search::{First, Search};
use super::walk::ends_loop;
use crate::typed::{Local, Statement, StatementKind};
use dims::CompareOp;

/// The most variables that are compared with each other.
const MOST_VARIABLES: usize = 4;

impl Raiser {
    /// Says which variables are never above others, at the beginning of an iteration, where all of them have been given values.
    pub fn order_at_start(&mut self, kept: &[Kept]) {
        for kept in kept {
            for other in &kept.never_above {
                if let Some((low, high)) = self.current(kept.local).zip(self.current(*other)) {
                    self.assume_comparison(low, CompareOp::Le, high);
                }
            }
        }
    }

    /// The same behind a loop.
    pub fn order_behind(&mut self, kept: &[Kept]) {
        if kept.iter().all(|kept| kept.holds_behind) {
            self.order_at_start(kept);
        }
    }
}

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

    /// For each variable, those that it is never above, where the loop goes on. Asked only where one of both begins with what is no
    /// size.
    pub(super) fn never_above(&mut self, first: &[First]) -> Vec<Vec<Local>> {
        let mut found = vec![Vec::new(); first.len()];
        if first.len() > MOST_VARIABLES {
            return found;
        }
        for (low, one) in first.iter().enumerate() {
            for (high, other) in first.iter().enumerate() {
                let is_asked = [one, other].into_iter().any(|first| self.raiser.as_size(first.value).is_none());
                if low == high
                    || !is_asked
                    || one.element != other.element
                    || !self.raiser.is_never_above_by_sizes(one.value, other.value)
                {
                    continue;
                }
                (self.goes_on, self.ordered) = (self.looped.goes_on, Some([low, high]));
                let mut is_kept = false;
                let followed = self.iteration(None, |search, _, _| {
                    let [low, high] = [one, other].map(|first| search.raiser.current(first.local));
                    is_kept = low.zip(high).is_some_and(|(low, high)| search.raiser.is_never_above(low, high));
                });
                (self.goes_on, self.ordered) = (None, None);
                if followed.is_some() && is_kept {
                    found[low].push(other.local);
                }
            }
        }
        found
    }

    /// Whether the loop is left only before an iteration changes anything: by the condition of a `while`, or not at all. Then what
    /// holds wherever it goes on holds behind it, too.
    pub(super) fn is_left_at_start(&self) -> bool {
        let Some(goes_on) = self.looped.goes_on else { return true };
        let [Statement { kind: StatementKind::If { then, .. }, .. }] = self.looped.body else { return false };
        let [Statement { kind: StatementKind::If { otherwise, .. }, .. }] = then.as_slice() else { return false };
        let mut exits = 0;
        Statement::walk(self.looped.body, &mut |statement| {
            exits += usize::from(matches!(&statement.kind, StatementKind::Assign { local, .. } if *local == goes_on));
        });
        exits == 1 && otherwise.len() == 1 && ends_loop(otherwise, goes_on)
    }
}
