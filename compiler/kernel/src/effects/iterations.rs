//! Questions about accesses whose operations are forms only where an iterator is known: `s[t + shift_left(1, l)]`.
//!
//! Where such an operation depends on loops with few iterations, each iteration of them is a question of its own, in which the
//! iterator is a constant. They never meet where they do not in any of these.

use std::cell::{Cell, RefCell};

use super::meetings::{Meeting, Meetings};
use crate::loops::{Side, Values};
use proofs::Relation;

/// The most iterations of the loops that decide about one side.
const MOST_ITERATIONS: usize = 128;
/// The most pairs of iterations that are looked at in one kernel.
const MOST_PAIRS: u32 = 4096;

/// What is kept from one such question to the next.
pub(super) struct Iterations<'k> {
    /// The values of the kernel, and those that they are with iterators known.
    values: RefCell<Option<Values<'k>>>,
    /// How many pairs may still be looked at.
    left: Cell<u32>,
}

impl Default for Iterations<'_> {
    fn default() -> Self {
        Self { values: RefCell::new(None), left: Cell::new(MOST_PAIRS) }
    }
}

impl Meetings<'_, '_> {
    /// Whether two sides meet in any pair of iterations of the loops that decide about them. [`Meeting::Open`] where there are
    /// no such loops, or too many iterations.
    pub(super) fn by_iterations(&self, [first, second]: &[Side; 2], relation: &[Relation]) -> Meeting {
        let is_decided = |side: &&Side| !self.regions.loops.values.deciding_iterators(side).is_empty();
        if ![first, second].iter().any(is_decided) {
            return Meeting::Open;
        }
        let mut kept = self.iterations.values.borrow_mut();
        let values = kept.get_or_insert_with(|| self.regions.loops.values.clone());
        let [firsts, seconds] = [first, second].map(|side| in_iterations(values, side));
        let (Some(firsts), Some(seconds)) = (firsts, seconds) else { return Meeting::Open };
        for first in &firsts {
            for second in &seconds {
                if !may_be_related(first, second, relation) {
                    continue;
                }
                let Some(left) = self.iterations.left.get().checked_sub(1) else { return Meeting::Open };
                self.iterations.left.set(left);
                match self.ask_prover(values, [first, second], relation) {
                    Meeting::Never => {}
                    found => return found,
                }
            }
        }
        Meeting::Never
    }
}

/// The side in each iteration of the loops that decide about it, but those that its conditions exclude; `None` where there are
/// too many.
fn in_iterations(values: &mut Values<'_>, side: &Side) -> Option<Vec<Side>> {
    let mut sides = vec![side.clone()];
    for (iterator, low, count) in values.deciding_iterators(side) {
        if sides.len().saturating_mul(count) > MOST_ITERATIONS {
            return None;
        }
        let mut next = Vec::with_capacity(sides.len() * count);
        for number in 0..count {
            let value = values.int(low.checked_add(i64::try_from(number).ok()?)?);
            for side in &sides {
                next.extend(values.with_iteration(side, iterator, value));
            }
        }
        sides = next;
    }
    Some(sides)
}

/// Whether the numbers among the lower coordinates are related so; the first relation is that of what is reached.
fn may_be_related(first: &Side, second: &Side, relation: &[Relation]) -> bool {
    let number = |form: &maps::Affine| form.as_constant()?.as_constant();
    let reached = usize::from(first.reached.is_some());
    first.lower.iter().zip(&second.lower).zip(relation.iter().skip(reached)).all(|((first, second), relation)| {
        number(first).zip(number(second)).is_none_or(|(first, second)| relation.holds(first, second))
    })
}
