//! Conditions that hold where the walk stands, and what follows from them: from one with `min`, `max` or a quotient, and
//! from two in a row.

use rustc_hash::FxHashMap;

use super::values::{Kind, is_index_like};
use super::{Raiser, ValueId};
use crate::typed::{BinaryOp, Constant, Expr, ExprKind, MathFunction, UnaryOp};
use dims::{CompareOp, Fact, Facts, Sym};

/// The most comparisons that are taken from one: chains of many are no program's.
const MOST_CONSEQUENCES: usize = 16;
/// The most comparisons of one value that are combined with another.
const MOST_IN_A_ROW: usize = 16;

/// A comparison of integers that holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    pub(super) left: ValueId,
    pub(super) op: CompareOp,
    pub(super) right: ValueId,
}

impl Condition {
    /// What holds where it does not.
    pub(super) fn negated(self) -> Self {
        Self { op: self.op.negated(), ..self }
    }
}

/// `low < high`, or `low <= high`.
#[derive(Clone, Copy)]
struct Order {
    low: ValueId,
    high: ValueId,
    strict: bool,
}

/// How many conditions held at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    stated: usize,
    unstated: usize,
}

/// The conditions around the walk.
#[derive(Default)]
pub(super) struct Conditions {
    held: Vec<Condition>,
    /// The leaves of all of them up to each.
    leaves: Vec<u64>,
    /// Which of them compare a value, by the bare value.
    of: FxHashMap<ValueId, Vec<u32>>,
    /// Conditions that no comparison states exactly. Claims proven without them still hold; a counterexample may be one
    /// that they exclude.
    unstated: usize,
    /// Changes wherever they do. Numbers of conditions that held before are not used again.
    generation: u32,
    generations: u32,
    /// The generations at which each condition was added, to go back to.
    before: Vec<u32>,
}

impl Conditions {
    /// Whether a condition compares anything that is made of one of these leaves.
    pub(super) fn say_something_of(&self, leaves: u64) -> bool {
        self.leaves.last().is_some_and(|compared| compared & leaves != 0)
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation
    }
}

impl Raiser {
    /// The conditions that hold here, for [`Raiser::leave`].
    pub fn held(&self) -> Held {
        Held { stated: self.conditions.held.len(), unstated: self.conditions.unstated }
    }

    /// Forgets the conditions that were assumed since.
    pub fn leave(&mut self, held: Held) {
        drop(self.take_since(held));
    }

    /// Takes away the conditions that were assumed since.
    pub fn take_since(&mut self, held: Held) -> Vec<Condition> {
        self.conditions.unstated = held.unstated;
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

    /// Whether no comparison is known to hold.
    pub fn has_no_conditions(&self) -> bool {
        self.conditions.held.is_empty()
    }

    /// How many conditions around the walk no comparison states.
    pub(super) fn unstated(&self) -> usize {
        self.conditions.unstated
    }

    /// The comparisons that hold, outermost first.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions.held
    }

    /// Notes a condition of which no comparison says anything.
    pub fn assume_unstated(&mut self) {
        self.conditions.unstated += 1;
    }

    /// Takes a condition, or its opposite, as known from here on. What cannot be stated as a comparison of integers is only
    /// counted.
    pub fn assume(&mut self, condition: &Expr, negated: bool) {
        // A row of conditions is nested as deep as it is long.
        let mut rest = vec![(condition, negated)];
        while let Some((condition, negated)) = rest.pop() {
            match &condition.kind {
                ExprKind::Binary(BinaryOp::And, left, right) if !negated => {
                    rest.extend([(&**right, false), (left, false)])
                }
                ExprKind::Binary(BinaryOp::Or, left, right) if negated => rest.extend([(&**right, true), (left, true)]),
                ExprKind::Unary(UnaryOp::Not, inner) => rest.push((inner, !negated)),
                ExprKind::Constant(Constant::Bool(holds)) if *holds != negated => {}
                // What never holds is a contradiction between sizes.
                ExprKind::Constant(Constant::Bool(_)) => {
                    let zero = self.size(&Sym::zero());
                    self.know(zero, CompareOp::Lt, zero);
                }
                ExprKind::Binary(op, left, right) => match op.comparison() {
                    Some(op) if is_index_like(left.element) => {
                        let op = if negated { op.negated() } else { op };
                        let (left, right) = (self.value(left), self.value(right));
                        self.assume_comparison(left, op, right);
                    }
                    _ => self.assume_unstated(),
                },
                _ => self.assume_unstated(),
            }
        }
    }

    /// The comparison of integers that a truth value is.
    pub(super) fn compared(&self, id: ValueId) -> Option<Condition> {
        match *self.kind(self.plainly(id)) {
            Kind::Binary(op, left, right) if is_index_like(self.element(left)) => {
                Some(Condition { left, op: op.comparison()?, right })
            }
            _ => None,
        }
    }

    /// Takes a comparison of two values as known from here on.
    pub fn assume_comparison(&mut self, left: ValueId, op: CompareOp, right: ValueId) {
        // Of what another statement reads anew, nobody asks again.
        if self.at(left).traits.stable && self.at(right).traits.stable {
            self.know(left, op, right);
        } else {
            self.assume_unstated();
        }
    }

    /// Takes a comparison as known from here on, and what follows from it and those before it.
    fn know(&mut self, left: ValueId, op: CompareOp, right: ValueId) {
        let mut new = vec![Condition { left, op, right }];
        let mut taken = 0;
        while taken < new.len() && new.len() <= MOST_CONSEQUENCES {
            let condition = new[taken];
            let mut found = self.between_extremes(condition);
            found.extend(self.by_ends(condition));
            found.extend(self.of_quotients(condition));
            found.extend(self.in_a_row(condition));
            found.extend(new[..taken].iter().flat_map(|known| self.between(condition, *known)));
            found.retain(|found| !new.contains(found) && !self.is_known(found));
            new.extend(found);
            taken += 1;
        }
        for condition in new {
            self.hold(condition);
        }
    }

    /// Adds conditions that were taken away.
    pub fn put_back(&mut self, conditions: Vec<Condition>, held: Held) {
        for condition in conditions {
            self.hold(condition);
        }
        self.conditions.unstated = held.unstated;
    }

    pub(super) fn hold(&mut self, condition: Condition) {
        let number = u32::try_from(self.conditions.held.len()).unwrap_or(u32::MAX);
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
        known.iter().rev().take(MOST_IN_A_ROW).any(|place| self.conditions.held[*place as usize] == *condition)
    }

    /// What is less than `min(a, b)` is less than both, what is greater than `max(a, b)` greater; what is less than a number
    /// with bits cut off is less than the number.
    fn between_extremes(&self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(condition) {
            found.extend(self.extremes(high, MathFunction::Min).iter().map(|high| ordered(low, *high, strict)));
            found.extend(self.cut_off(high).map(|high| ordered(low, high, strict)));
            found.extend(self.extremes(low, MathFunction::Max).iter().map(|low| ordered(*low, high, strict)));
        }
        found
    }

    fn extremes(&self, id: ValueId, function: MathFunction) -> &[ValueId] {
        match self.kind(self.bare(id)) {
            Kind::Math(called, operands) if *called == function => operands,
            _ => &[],
        }
    }

    /// A number that is never negative, of which a conversion to a narrower type may cut off bits: what is left is no more.
    fn cut_off(&self, id: ValueId) -> Option<ValueId> {
        match *self.kind(self.bare(id)) {
            Kind::Cast(inner) if is_index_like(self.element(id)) && self.at(inner).plain.is_natural() => Some(inner),
            _ => None,
        }
    }

    /// What is less than a value of which only ends are known is less than its upper end, what is greater is greater than
    /// its lower end.
    fn by_ends(&mut self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(condition) {
            if let Some(end) = self.ends_of_its_own(high).high {
                let end = self.size(&end);
                found.push(ordered(low, end, strict));
            }
            if let Some(end) = self.ends_of_its_own(low).low {
                let end = self.size(&end);
                found.push(ordered(end, high, strict));
            }
        }
        found
    }

    /// What a quotient of a size's is compared with, its dividend is compared with times the size: `a / n < c` is `a < c * n`.
    fn of_quotients(&mut self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(condition) {
            if let (Some((dividend, divisor)), Some(bound)) = (self.quotient(low), self.as_size(high)) {
                found.extend(self.multiple(bound, !strict, &divisor).map(|end| ordered(dividend, end, true)));
            }
            if let (Some((dividend, divisor)), Some(bound)) = (self.quotient(high), self.as_size(low)) {
                found.extend(self.multiple(bound, strict, &divisor).map(|end| ordered(end, dividend, false)));
            }
        }
        found
    }

    /// A floor division by a size that is at least 1.
    fn quotient(&self, id: ValueId) -> Option<(ValueId, Sym)> {
        let Kind::Binary(BinaryOp::FloorDivide, dividend, divisor) = *self.kind(self.bare(id)) else { return None };
        let divisor = self.as_size(divisor)?;
        self.facts.prove(&divisor, CompareOp::Ge, &Sym::one()).is_proven().then_some((dividend, divisor))
    }

    /// `bound * divisor`, or `(bound + 1) * divisor`.
    fn multiple(&mut self, bound: Sym, one_more: bool, divisor: &Sym) -> Option<ValueId> {
        let bound = if one_more { bound.checked_add(&Sym::one()).ok()? } else { bound };
        let product = bound.checked_mul(divisor).ok()?;
        Some(self.size(&product))
    }

    /// What follows from a comparison together with those before it: `a < b` and `b <= c` make `a < c`.
    fn in_a_row(&self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for side in [condition.left, condition.right] {
            let side = self.bare(side);
            let known = self.conditions.of.get(&side).map(Vec::as_slice).unwrap_or_default();
            for place in known.iter().rev().take(MOST_IN_A_ROW) {
                found.extend(self.between(condition, self.conditions.held[*place as usize]));
            }
        }
        found
    }

    /// `a < b` and `b <= c` make `a < c`. Where `b` is a size, nobody needs to be told.
    fn between(&self, one: Condition, other: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for one in orders(one) {
            for other in orders(other) {
                for (before, after) in [(&one, &other), (&other, &one)] {
                    let meet = self.bare(before.high) == self.bare(after.low);
                    if meet && self.as_size(after.low).is_none() && self.bare(before.low) != self.bare(after.high) {
                        found.push(ordered(before.low, after.high, before.strict || after.strict));
                    }
                }
            }
        }
        found
    }

    /// What the conditions around the walk compare a value with.
    pub(super) fn comparisons_of(&self, id: ValueId) -> impl Iterator<Item = (CompareOp, ValueId)> + '_ {
        let id = self.bare(id);
        let places = self.conditions.of.get(&id).map(Vec::as_slice).unwrap_or_default();
        places.iter().map(move |place| {
            let Condition { left, op, right } = self.conditions.held[*place as usize];
            if self.bare(left) == id { (op, right) } else { (mirrored(op), left) }
        })
    }

    /// What is known of the sizes where the walk stands: the conditions that compare sizes hold there. `None` where they
    /// contradict what is known: nothing is ever executed there.
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

/// The comparison with its sides exchanged.
pub(super) fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        CompareOp::Eq | CompareOp::Ne => op,
    }
}

/// What a comparison says about which side is greater.
fn orders(Condition { left, op, right }: Condition) -> impl Iterator<Item = Order> {
    let order = |low, high, strict| Some(Order { low, high, strict });
    let found = match op {
        CompareOp::Lt | CompareOp::Le => [order(left, right, op == CompareOp::Lt), None],
        CompareOp::Gt | CompareOp::Ge => [order(right, left, op == CompareOp::Gt), None],
        CompareOp::Eq => [order(left, right, false), order(right, left, false)],
        CompareOp::Ne => [None, None],
    };
    found.into_iter().flatten()
}

fn ordered(low: ValueId, high: ValueId, strict: bool) -> Condition {
    let op = if strict { CompareOp::Lt } else { CompareOp::Le };
    Condition { left: low, op, right: high }
}
