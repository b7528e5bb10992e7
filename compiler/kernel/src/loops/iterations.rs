//! Sides in one iteration of a loop, with a constant iterator.
//!
//! Some operations have forms only there: `shift_left(1, l)`, `t % (2 * d)`.

use rustc_hash::FxHashMap;

use super::node::{Node, ValueId};
use super::sides::Side;
use super::values::Values;
use crate::quasi_affine::{self, Made};
use dims::{CompareOp, Interval};
use maps::{Affine, Term, TermId};

impl Values<'_> {
    /// The deciding iterators of a side, for known values of which its operations have forms; each with its first
    /// value and its number of values.
    pub(crate) fn deciding_iterators(&self, side: &Side) -> Vec<(ValueId, i64, usize)> {
        let made = |id: ValueId| match self.node(id) {
            Some(Node::Iterator(_)) => Made::Iterator,
            Some(Node::Binary(op, left, right)) => Made::Binary(*op, *left, *right),
            node => Made::Other(node.map(Node::operands).unwrap_or_default()),
        };
        let is_lasting = |id: ValueId| self.get(id).is_some_and(|value| value.is_lasting);
        let deciding = quasi_affine::deciding(self.values_of_side(side).0, made, is_lasting);
        let mut found: Vec<(ValueId, i64, usize)> = deciding.into_iter().filter_map(|id| self.counted(id)).collect();
        found.sort_unstable();
        found
    }

    fn counted(&self, iterator: ValueId) -> Option<(ValueId, i64, usize)> {
        let Interval { lo, hi } = self.range(iterator);
        let (low, high) = (i64::try_from(lo?).ok()?, i64::try_from(hi?).ok()?);
        let count = high.checked_sub(low)?.checked_add(1)?;
        Some((iterator, low, usize::try_from(count).ok()?))
    }

    /// A side with a value for an iterator; `None` if its conditions exclude it.
    pub(crate) fn with_iteration(&mut self, side: &Side, iterator: ValueId, value: ValueId) -> Option<Side> {
        let around: Vec<ValueId> = self.values_of_side(side).0.into_iter().collect();
        let mut replacement = Replacement { iterator, value, known: FxHashMap::default() };
        let mut forms = |all: &[Affine]| all.iter().map(|form| replacement.form(self, form)).collect::<Vec<Affine>>();
        let reached = side.reached.as_ref().map(|(map, coordinates)| (map.clone(), forms(coordinates)));
        let lower = forms(&side.lower);
        let mut comparisons: Vec<(Affine, CompareOp)> =
            side.comparisons.iter().map(|(form, op)| (replacement.form(self, form), *op)).collect();
        // Bounds of other iterators may depend on this one.
        for id in around {
            let Some(Node::Iterator(number)) = self.node(id) else { continue };
            let Some([low, high]) = self.bounds_of_loop(*number) else { continue };
            for (end, op) in [(low, CompareOp::Ge), (high, CompareOp::Lt)] {
                let ends = self.form(id).zip(self.form(end)).and_then(|(id, end)| id.checked_sub(&end).ok());
                comparisons.extend(ends.map(|ends| (replacement.form(self, &ends), op)));
            }
        }
        let guards = side.guards.iter().map(|(id, holds)| (self.substitute(*id, iterator, value), *holds)).collect();
        let excluded = |(form, op): &(Affine, CompareOp)| {
            let number = form.as_constant().and_then(dims::Sym::as_constant);
            number.is_some_and(|number| !op.holds(number.into(), 0))
        };
        let is_excluded = comparisons.iter().any(excluded);
        (!is_excluded).then_some(Side { reached, lower, guards, comparisons })
    }
}

/// Forms with a value for an iterator.
struct Replacement {
    iterator: ValueId,
    value: ValueId,
    known: FxHashMap<TermId, Affine>,
}

impl Replacement {
    fn form(&mut self, values: &mut Values<'_>, form: &Affine) -> Affine {
        let mut sum = Affine::constant(form.constant.clone());
        for (term, factor) in &form.terms {
            let replaced = self.term(values, *term).checked_scale(factor).and_then(|term| sum.checked_add(&term));
            // An overflowing form is not an index: the original is kept.
            let Ok(next) = replaced else { return form.clone() };
            sum = next;
        }
        sum
    }

    fn term(&mut self, values: &mut Values<'_>, id: TermId) -> Affine {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let found = self.replaced(values, id).unwrap_or_else(|| Affine::term(id));
        self.known.insert(id, found.clone());
        found
    }

    fn replaced(&mut self, values: &mut Values<'_>, id: TermId) -> Option<Affine> {
        match values.term(id)?.clone() {
            Term::Coordinate(number) => {
                let replaced = values.substitute(ValueId(number), self.iterator, self.value);
                values.form(replaced)
            }
            Term::Digit { of, divisor, modulus } => {
                let of = self.form(values, &of);
                values.terms.digit(&of, &divisor, modulus.as_ref())
            }
            Term::Xor(left, right) => {
                let (left, right) = (self.form(values, &left), self.form(values, &right));
                values.terms.xor(&left, &right)
            }
        }
    }
}
