//! The conditions that hold at the current program point.

mod consequences;
mod either;

use rustc_hash::FxHashSet;

use super::condition::{Condition, ConditionMark};
use super::intervals::Sizes;
use super::raiser::{MOST_BOUNDED, Raiser};
use super::value::{Kind, ValueId, is_index_like};
use crate::intervals::of_type;
use crate::typed::{BinaryOp, Constant, Expr, ExprKind, UnaryOp};
use dims::{CompareOp, Fact, Facts, Sym};
use elements::ElementType;
use maps::Range;

/// The most consequences that are drawn from one comparison.
const MOST_CONSEQUENCES: usize = 16;
/// The most known comparisons of a value that a new one is combined with.
const MOST_IN_A_ROW: usize = 16;
/// The most comparisons of a value that are looked at for one question.
const MOST_OF_A_VALUE: usize = 512;
/// The most choices that one assumption decides. The conditions of further ones are counted only.
const MOST_DECIDED: usize = 16;

impl Raiser {
    /// Marks the current conditions, for [`Raiser::leave`].
    pub fn held(&self) -> ConditionMark {
        ConditionMark {
            stated: self.conditions.held.len(),
            unstated: self.conditions.unstated,
            either: self.conditions.either.len(),
        }
    }

    /// Drops the conditions that were assumed since the mark.
    pub fn leave(&mut self, held: ConditionMark) {
        drop(self.take_since(held));
    }

    /// Drops the conditions that were assumed since the mark, and returns them.
    pub fn take_since(&mut self, held: ConditionMark) -> Vec<Condition> {
        self.conditions.unstated = held.unstated;
        self.conditions.either.truncate(held.either);
        if self.conditions.held.len() == held.stated {
            return Vec::new();
        }
        let taken = self.conditions.held.split_off(held.stated);
        for condition in taken.iter().rev() {
            for side in [condition.left, condition.right] {
                let side = self.bare(side);
                self.conditions.of.get_mut(&side).and_then(Vec::pop);
            }
        }
        self.conditions.leaves.truncate(held.stated);
        let before = self.conditions.before.split_off(held.stated);
        self.conditions.generation = before.first().copied().unwrap_or_default();
        taken
    }

    /// Whether no comparison is known to hold here.
    pub fn has_no_conditions(&self) -> bool {
        self.conditions.held.is_empty()
    }

    /// How many conditions here cannot be stated as comparisons.
    pub(super) fn unstated(&self) -> usize {
        self.conditions.unstated
    }

    /// The comparisons that hold here, outermost first.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions.held
    }

    /// Records a condition that cannot be stated as a comparison.
    pub fn assume_unstated(&mut self) {
        self.conditions.unstated += 1;
    }

    /// Assumes a condition or its negation from here on. Conditions that are no comparisons of integers are only
    /// counted.
    pub fn assume(&mut self, condition: &Expr, negated: bool) {
        // A worklist instead of recursion: a chain of `&&` is nested as deep as it is long.
        let mut rest = vec![(condition, negated)];
        while let Some((condition, negated)) = rest.pop() {
            match &condition.kind {
                ExprKind::Binary(BinaryOp::And, left, right) if !negated => {
                    rest.extend([(&**right, false), (left, false)])
                }
                ExprKind::Binary(BinaryOp::Or, left, right) if negated => rest.extend([(&**right, true), (left, true)]),
                ExprKind::Unary(UnaryOp::Not, inner) => rest.push((inner, !negated)),
                ExprKind::Constant(Constant::Bool(holds)) if *holds != negated => {}
                // A condition that never holds is assumed as a contradiction between constants.
                ExprKind::Constant(Constant::Bool(_)) => {
                    let zero = self.size(&Sym::zero());
                    self.know(Condition { left: zero, op: CompareOp::Lt, right: zero });
                }
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                    let id = self.value(condition);
                    self.assume_values(vec![(id, negated)]);
                }
                ExprKind::Binary(op, left, right) if op.comparison().is_none() || !left.element.is_integer() => {
                    self.assume_unstated();
                }
                _ => {
                    let id = self.value(condition);
                    self.assume_values(vec![(id, negated)]);
                }
            }
        }
    }

    /// The same for values, which may be those of variables: `let inside = i < N; if inside { … }`. What decides a choice that a
    /// comparison leaves no other way is assumed, too: `(if c { 1 } else { 0 }) == 0` is `!c`.
    pub(super) fn assume_values(&mut self, mut rest: Vec<(ValueId, bool)>) {
        let mut decided: FxHashSet<(ValueId, bool)> = FxHashSet::default();
        // A condition that occurs again says nothing more: `a && a` of `a && a`, and so on, doubles with each step.
        let mut assumed: FxHashSet<(ValueId, bool)> = FxHashSet::default();
        while let Some((id, negated)) = rest.pop() {
            let id = self.plainly(id);
            if !assumed.insert((id, negated)) {
                continue;
            }
            match *self.kind(id) {
                Kind::Binary(BinaryOp::And, left, right) if !negated => rest.extend([(right, false), (left, false)]),
                Kind::Binary(BinaryOp::Or, left, right) if negated => rest.extend([(right, true), (left, true)]),
                Kind::Unary(UnaryOp::Not, inner) => rest.push((inner, !negated)),
                Kind::Select(condition, then, other) if self.is_constant(then, negated) => {
                    rest.extend([(other, negated), (condition, true)])
                }
                Kind::Select(condition, then, other) if self.is_constant(other, negated) => {
                    rest.extend([(then, negated), (condition, false)])
                }
                _ => match self.compared(id) {
                    Some(condition) => {
                        let condition = if negated { condition.negated() } else { condition };
                        let mut found = self.assume_condition(condition);
                        found.extend(self.left_by(condition));
                        rest.extend(found.into_iter().filter(|found| decided.insert(*found)));
                        if decided.len() > MOST_DECIDED {
                            return self.assume_unstated();
                        }
                    }
                    None => match *self.kind(id) {
                        Kind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                            self.assume_unstated();
                            let found = self.assume_either([(left, negated), (right, negated)]);
                            rest.extend(found.into_iter().filter(|found| decided.insert(*found)));
                        }
                        Kind::Binary(op, left, right) if self.element(left) == ElementType::U64 => {
                            self.assume_unsigned(left, op, right, negated)
                        }
                        _ => self.assume_unstated(),
                    },
                },
            }
        }
    }

    /// Assumes a comparison of `u64`, as one of the indices that they become. A large `u64` becomes a negative index: so
    /// an order says of indices that both are natural numbers, if the greater one is known to be small.
    fn assume_unsigned(&mut self, left: ValueId, op: BinaryOp, right: ValueId, negated: bool) {
        let Some(op) = op.comparison() else { return self.assume_unstated() };
        let op = if negated { op.negated() } else { op };
        let (low, high) = match op {
            CompareOp::Lt | CompareOp::Le => (Some(left), Some(right)),
            CompareOp::Gt | CompareOp::Ge => (Some(right), Some(left)),
            CompareOp::Eq | CompareOp::Ne => (None, None),
        };
        if high.is_some_and(|high| !self.numbers(high).lies_in(of_type(ElementType::I64))) {
            return self.assume_unstated();
        }
        if let Some(low) = low {
            let (zero, low) = (self.size(&Sym::zero()), self.index(low));
            self.assume_comparison(zero, CompareOp::Le, low);
        }
        let (left, right) = (self.index(left), self.index(right));
        self.assume_comparison(left, op, right);
    }

    /// The index that a `u64` becomes.
    fn index(&mut self, id: ValueId) -> ValueId {
        let id = self.plainly(id);
        match self.kind(id).clone() {
            Kind::Int(value) => self.intern(Kind::Int(value), ElementType::I64),
            // All bits of it come back.
            Kind::Cast(inner) if is_index_like(self.element(inner)) => inner,
            _ => self.intern(Kind::Cast(id), ElementType::I64),
        }
    }

    fn is_constant(&self, id: ValueId, value: bool) -> bool {
        *self.kind(self.plainly(id)) == Kind::Bool(value)
    }

    /// The comparison of integers that a Boolean value stands for.
    pub(super) fn compared(&self, id: ValueId) -> Option<Condition> {
        match *self.kind(self.plainly(id)) {
            Kind::Binary(op, left, right) if is_index_like(self.element(left)) => {
                Some(Condition { left, op: op.comparison()?, right })
            }
            _ => None,
        }
    }

    /// Assumes a comparison of two values from here on.
    pub fn assume_comparison(&mut self, left: ValueId, op: CompareOp, right: ValueId) {
        let decided = self.assume_condition(Condition { left, op, right });
        self.assume_values(decided);
    }

    /// Assumes a comparison. Returns the conditions that it decides, each with whether it is negated.
    fn assume_condition(&mut self, condition: Condition) -> Vec<(ValueId, bool)> {
        // A value that each statement reads again does not occur later, so the comparison would be useless.
        if self.at(condition.left).traits.stable && self.at(condition.right).traits.stable {
            self.know(condition)
        } else {
            self.assume_unstated();
            Vec::new()
        }
    }

    /// Records a comparison and its consequences together with the earlier ones. Returns the conditions that they decide.
    fn know(&mut self, condition: Condition) -> Vec<(ValueId, bool)> {
        let condition = self.on_one_side(condition, &mut MOST_BOUNDED.clone());
        let mut new = vec![condition];
        let mut taken = 0;
        while taken < new.len() && new.len() <= MOST_CONSEQUENCES {
            let condition = new[taken];
            let mut found = self.between_extremes(condition);
            found.extend(self.by_bounds(condition));
            found.extend(self.of_unsigned(condition));
            found.extend(self.within_type(condition));
            found.extend(self.of_quotients(condition));
            found.extend(self.of_multiples(condition));
            found.extend(self.of_choices(condition));
            found.extend(self.of_sums(condition));
            found.extend(self.in_a_row(condition));
            found.extend(new[..taken].iter().flat_map(|known| self.between(condition, *known)));
            found.retain(|found| !new.contains(found) && !self.is_known(found));
            new.extend(found);
            taken += 1;
        }
        let decided = new.iter().flat_map(|condition| self.decided_by(*condition)).collect();
        for condition in new {
            self.hold(condition);
        }
        decided
    }

    /// `i > 0` for `i != 0` if `i` is never negative, and the like: a value that differs from an end of its range is
    /// inside. Any other condition stays as it is.
    pub(super) fn on_one_side(&mut self, condition: Condition, steps: &mut u32) -> Condition {
        let Condition { left, op: CompareOp::Ne, right } = condition else { return condition };
        for (value, end, below, above) in
            [(left, right, CompareOp::Lt, CompareOp::Gt), (right, left, CompareOp::Gt, CompareOp::Lt)]
        {
            let Some(end) = self.as_size(end) else { continue };
            // The ends of a wide type are in its interval only: as bounds they would overflow whatever is computed with them.
            let (numbers, at) = (self.numbers(value), self.of_size(&end, Sizes::Known));
            let mut bounds = self.bounds_of_operand(value, steps);
            if let Some((dividend, divisor)) = self.quotient(value)
                && let Some(quotient) = self.quotient_bounds(dividend, &divisor, steps)
            {
                bounds = self.nearest(&quotient, &bounds);
            }
            let Range { low, high } = bounds;
            if numbers.lo.zip(at.hi).is_some_and(|(low, end)| low >= end)
                || low.is_some_and(|low| self.facts.proves(&low, CompareOp::Ge, &end))
            {
                return Condition { op: above, ..condition };
            }
            if numbers.hi.zip(at.lo).is_some_and(|(high, end)| high <= end)
                || high.is_some_and(|high| self.facts.proves(&high, CompareOp::Le, &end))
            {
                return Condition { op: below, ..condition };
            }
        }
        condition
    }

    /// Restores conditions that were dropped.
    pub fn put_back(&mut self, conditions: Vec<Condition>, held: ConditionMark) {
        for condition in conditions {
            self.hold(condition);
        }
        self.conditions.unstated = held.unstated;
    }

    pub(super) fn hold(&mut self, condition: Condition) {
        let number = self.conditions.held.len();
        let mut leaves = self.conditions.leaves.last().copied().unwrap_or_default();
        for side in [condition.left, condition.right] {
            let side = self.bare(side);
            leaves |= self.at(side).leaves;
            self.conditions.of.entry(side).or_default().push(number);
        }
        let conditions = &mut self.conditions;
        conditions.held.push(condition);
        conditions.leaves.push(leaves);
        conditions.before.push(conditions.generation);
        conditions.generations += 1;
        conditions.generation = conditions.generations;
    }

    fn is_known(&self, condition: &Condition) -> bool {
        let known = self.conditions.of.get(&self.bare(condition.left)).map(Vec::as_slice).unwrap_or_default();
        known.iter().rev().take(MOST_IN_A_ROW).any(|place| self.conditions.held[*place] == *condition)
    }

    /// The comparisons that hold for a value, as `value op other`: of very many, the latest ones.
    pub(super) fn comparisons_of(&self, id: ValueId) -> impl Iterator<Item = (CompareOp, ValueId)> + '_ {
        let id = self.bare(id);
        let places = self.conditions.of.get(&id).map(Vec::as_slice).unwrap_or_default();
        places[places.len().saturating_sub(MOST_OF_A_VALUE)..].iter().map(move |place| {
            let Condition { left, op, right } = self.conditions.held[*place];
            if self.bare(left) == id { (op, right) } else { (op.turned(), left) }
        })
    }

    /// The facts about sizes at the current program point, including conditions that compare sizes. `None` if they are
    /// contradictory, so that this point is unreachable.
    pub fn facts_here(&self) -> Option<Facts> {
        let mut facts = self.facts.clone();
        for Condition { left, op, right } in &self.conditions.held {
            if let (Some(left), Some(right)) = (self.as_size(*left), self.as_size(*right)) {
                facts.assume(Fact::compare(left, *op, right)).ok()?;
            }
        }
        Some(facts)
    }
}
