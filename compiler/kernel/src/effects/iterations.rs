//! Questions about accesses whose operations have forms only for a known iterator: `s[t + shift_left(1, l)]`.
//!
//! If such an operation depends on loops with few iterations, each iteration is a separate question with a constant
//! iterator. Accesses never conflict if they do not in any of these.

use std::cell::{Cell, RefCell};

use super::conflicts::{Conflict, Conflicts};
use crate::loops::{Side, Values};
use proofs::Relation;

/// The most iterations of the deciding loops of one side.
const MOST_ITERATIONS: usize = 128;
/// The most pairs of iterations that are tried in one kernel.
const MOST_PAIRS: u32 = 4096;

/// State shared by such questions.
pub(super) struct Iterations<'k> {
    /// The values of the kernel, and those with known iterators.
    values: RefCell<Option<Values<'k>>>,
    /// How many pairs may still be tried.
    left: Cell<u32>,
}

impl Default for Iterations<'_> {
    fn default() -> Self {
        Self { values: RefCell::new(None), left: Cell::new(MOST_PAIRS) }
    }
}

impl Conflicts<'_, '_> {
    /// Whether two sides conflict in any pair of iterations of their deciding loops. [`Conflict::Open`] if there are
    /// no such loops, or too many iterations.
    pub(super) fn by_iterations(&self, [first, second]: &[Side; 2], relation: &[Relation]) -> Conflict {
        let is_decided = |side: &&Side| !self.regions.loops.values.deciding_iterators(side).is_empty();
        if ![first, second].iter().any(is_decided) {
            return Conflict::Open;
        }
        let mut kept = self.iterations.values.borrow_mut();
        let values = kept.get_or_insert_with(|| self.regions.loops.values.clone());
        let [firsts, seconds] = [first, second].map(|side| in_iterations(values, side));
        let (Some(firsts), Some(seconds)) = (firsts, seconds) else { return Conflict::Open };
        for first in &firsts {
            for second in &seconds {
                if !may_be_related(first, second, relation) {
                    continue;
                }
                let Some(left) = self.iterations.left.get().checked_sub(1) else { return Conflict::OutOfSteps };
                self.iterations.left.set(left);
                match self.ask_prover(values, [first, second], relation) {
                    Conflict::Never => {}
                    found => return found,
                }
            }
        }
        Conflict::Never
    }
}

/// The side in each iteration of its deciding loops, except those that its conditions exclude; `None` if there are
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

/// Whether the constant lower coordinates satisfy the relation; its first entry is for the element.
fn may_be_related(first: &Side, second: &Side, relation: &[Relation]) -> bool {
    let number = |form: &maps::Affine| form.as_constant()?.as_constant();
    let reached = usize::from(first.reached.is_some());
    first.lower.iter().zip(&second.lower).zip(relation.iter().skip(reached)).all(|((first, second), relation)| {
        number(first).zip(number(second)).is_none_or(|(first, second)| relation.holds(first, second))
    })
}
