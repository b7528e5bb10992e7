//! Whether some values determine others: whether blocks in which an index is equal are one block.
//!
//! Two executions of a statement are compared, in any blocks, threads and iterations. What is *known* has the same value in both.
//! From a known value follow others: the last unknown summand of a sum, both parts of `unit * whole + rest` where the rest has
//! fewer than `unit` values, a dividend from its quotient and its remainder, whatever either alternative of a choice gives that
//! is made alike in both. Unlike the forms of maps, this reaches through what is not quasi-affine, such as a divisor that
//! depends on the block.
//!
//! The conditions around a statement play no part, so the conclusions hold for executions of two statements, too, but for places in
//! packed triangles and other rows, and for values that are computed at all points: of these, both have to know the same.

mod digits;
mod places;
mod points;
mod rows;
mod sums;

use rustc_hash::{FxHashMap, FxHashSet};

use super::raiser::{Knowledge, Raiser};
use super::rows::Rows;
use super::value::{Kind, ValueId};
use crate::intervals::of_type;
use crate::typed::{BinaryOp, UnaryOp};
use digits::Parts;
use rows::PlaceInRows;
use sums::Sum;

/// The most values that are looked at for one question.
const MOST_STEPS: u32 = 1024;
/// The most choices within each other of which both alternatives are followed.
const MOST_CHOICES: u32 = 3;

/// What a conclusion rests on beyond the values themselves: it holds for executions of two statements if each has the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Basis {
    /// The rows in which places lie.
    rows: Vec<Rows>,
    /// What is known where values were computed at all points.
    points: Option<Knowledge>,
}

impl Raiser {
    /// Whether executions in which the `given` values are equal, and some of them are not negative, have equal `wanted` values, where
    /// the conditions that hold here do.
    pub fn determines(&mut self, given: &[ValueId], wanted: &[ValueId], naturals: &[ValueId]) -> bool {
        self.basis(given, wanted, naturals).is_some()
    }

    /// What it rests on that executions in which the `given` values are equal have equal `wanted` values; `None` if nothing shows it.
    pub fn basis(&mut self, given: &[ValueId], wanted: &[ValueId], naturals: &[ValueId]) -> Option<Basis> {
        let mut search = Search {
            raiser: self,
            known: FxHashSet::default(),
            naturals: FxHashSet::default(),
            unknown: FxHashSet::default(),
            sums: Vec::new(),
            parts: Parts::default(),
            pending: Vec::new(),
            steps: MOST_STEPS,
            choices: MOST_CHOICES,
            in_rows: Vec::new(),
            deciding: FxHashMap::default(),
        };
        for value in naturals {
            let value = search.raiser.bare(*value);
            search.naturals.insert(value);
        }
        search.note_places_in_rows(given);
        let mut basis = Basis { rows: search.in_rows.iter().map(|place| place.rows.clone()).collect(), points: None };
        if search.concludes(given, wanted) {
            return Some(basis);
        }
        search.note_deciding(given);
        if search.deciding.is_empty() {
            return None;
        }
        basis.points = Some(search.raiser.knowledge());
        search.concludes(given, wanted).then_some(basis)
    }
}

/// What is known so far.
struct Search<'r> {
    raiser: &'r mut Raiser,
    /// The values that are known, without names.
    known: FxHashSet<ValueId>,
    /// Values that are not negative in either execution.
    naturals: FxHashSet<ValueId>,
    /// Those of which nothing shows so far that they are known.
    unknown: FxHashSet<ValueId>,
    /// The known sums of which more than one summand is unknown.
    sums: Vec<Sum>,
    /// The quotients and remainders that are known.
    parts: Parts,
    /// The places in rows among the given values.
    in_rows: Vec<PlaceInRows>,
    /// The ids and iterators that follow from values among those given.
    deciding: FxHashMap<ValueId, Vec<ValueId>>,
    /// Known values of which an operand may follow once another one is known.
    pending: Vec<ValueId>,
    steps: u32,
    choices: u32,
}

impl Search<'_> {
    /// Whether the wanted values follow from the given ones, without a look at the conditions.
    fn concludes(&mut self, given: &[ValueId], wanted: &[ValueId]) -> bool {
        let held = self.raiser.held();
        let around = match self.raiser.has_no_conditions() {
            true => Vec::new(),
            false => self.raiser.take_since(held.without_conditions()),
        };
        self.known.clear();
        self.unknown.clear();
        (self.sums, self.parts, self.pending) = (Vec::new(), Parts::default(), Vec::new());
        (self.steps, self.choices) = (MOST_STEPS, MOST_CHOICES);
        given.iter().for_each(|value| self.learn(*value));
        self.run();
        let found = wanted.iter().all(|value| self.is_known(*value));
        if !around.is_empty() {
            self.raiser.put_back(around, held);
        }
        found
    }

    /// Draws conclusions until there are no more.
    fn run(&mut self) {
        loop {
            let before = self.known.len();
            for sum in std::mem::take(&mut self.sums) {
                self.take_apart(sum);
            }
            for value in std::mem::take(&mut self.pending) {
                self.look_into(value);
            }
            self.join_parts();
            if self.known.len() == before || self.steps == 0 {
                return;
            }
        }
    }

    fn spend(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    /// Notes that a value is known, with what follows from it alone.
    fn learn(&mut self, value: ValueId) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let value = self.raiser.plainly(value);
            if self.spend().is_none() || !self.known.insert(value) {
                continue;
            }
            self.unknown.clear();
            open.extend(self.deciding.get(&value).into_iter().flatten());
            match *self.raiser.kind(value) {
                // Nothing is lost if the type is at least as wide, or has all numbers that occur.
                Kind::Cast(inner) if self.is_reversible(value, inner) => open.push(inner),
                Kind::Unary(UnaryOp::Negate | UnaryOp::Not, inner) => open.push(inner),
                Kind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft, ..) => {
                    let sum = self.sum(value);
                    self.sums.push(sum);
                }
                Kind::Binary(op, of, by) => {
                    self.note_part(op, of, by);
                    self.pending.extend((op == BinaryOp::BitXor).then_some(value));
                }
                Kind::Select(..) | Kind::Load { contents: Some(_), .. } => self.pending.push(value),
                _ => {}
            }
        }
    }

    fn is_reversible(&self, cast: ValueId, inner: ValueId) -> bool {
        let [to, from] = [cast, inner].map(|value| self.raiser.element(value));
        let keeps_bits = to.is_integer() && from.is_integer() && to.size_bytes() >= from.size_bytes();
        keeps_bits || to.is_integer() && self.raiser.at(inner).plain.lies_in(of_type(to)) && !from.is_float()
    }

    /// What a known value says of an operand, now that more is known.
    fn look_into(&mut self, value: ValueId) {
        match *self.raiser.kind(value) {
            Kind::Binary(BinaryOp::BitXor, left, right) => match [left, right].map(|operand| self.is_known(operand)) {
                [true, false] => self.learn(right),
                [false, true] => self.learn(left),
                [true, true] => {}
                [false, false] => self.pending.push(value),
            },
            Kind::Select(condition, then, otherwise) => {
                self.pending.push(value);
                if self.is_known(condition) {
                    self.follow([then, otherwise]);
                }
            }
            Kind::Load { .. } => self.look_for_place(value),
            _ => {}
        }
    }

    /// Learns what both alternatives of a choice give, of which both executions take the same one.
    fn follow(&mut self, alternatives: [ValueId; 2]) {
        let Some(choices) = self.choices.checked_sub(1) else { return };
        let [first, second] = alternatives.map(|alternative| {
            let mut search = Search {
                raiser: &mut *self.raiser,
                known: self.known.clone(),
                naturals: self.naturals.clone(),
                unknown: FxHashSet::default(),
                sums: self.sums.clone(),
                parts: self.parts.clone(),
                pending: Vec::new(),
                steps: self.steps / 2,
                choices,
                in_rows: self.in_rows.clone(),
                deciding: self.deciding.clone(),
            };
            search.learn(alternative);
            search.run();
            self.steps = self.steps / 2 + search.steps;
            search.known
        });
        let mut found: Vec<ValueId> = first.intersection(&second).copied().collect();
        found.sort_unstable();
        found.into_iter().for_each(|value| self.learn(value));
    }

    /// Whether a value is the same in both executions: it is known, the same everywhere, or made of what is known.
    fn is_known(&mut self, value: ValueId) -> bool {
        let mut open = vec![self.raiser.plainly(value)];
        let mut entered: FxHashSet<ValueId> = FxHashSet::default();
        // A value is decided once its operands are.
        while let Some(&value) = open.last() {
            if self.is_decided(value) {
                open.pop();
                continue;
            }
            if self.spend().is_none() {
                return false;
            }
            let operands: Vec<ValueId> = self.parts_of(value).unwrap_or_default();
            if entered.insert(value) {
                open.extend(operands.iter().copied().filter(|operand| !self.is_decided(*operand)));
                if open.last() != Some(&value) {
                    continue;
                }
            }
            let is_known = !operands.is_empty() && operands.iter().all(|operand| self.has_one_value(*operand));
            let decided = if is_known { &mut self.known } else { &mut self.unknown };
            decided.insert(value);
            open.pop();
        }
        let value = self.raiser.plainly(value);
        self.has_one_value(value)
    }

    fn is_decided(&self, value: ValueId) -> bool {
        self.unknown.contains(&value) || self.has_one_value(value)
    }

    /// Whether a value without a name is known to be equal in both executions without a look at its operands.
    fn has_one_value(&self, value: ValueId) -> bool {
        let known = self.raiser.at(value);
        let is_one_number = known.plain.lo.is_some() && known.plain.lo == known.plain.hi;
        self.known.contains(&value) || known.traits.uniform || is_one_number
    }

    /// The operands of a value that is a function of them, without names.
    fn parts_of(&self, value: ValueId) -> Option<Vec<ValueId>> {
        let kind = self.raiser.kind(value);
        let is_function = match kind {
            Kind::Unary(..) | Kind::Binary(..) | Kind::Select(..) | Kind::Cast(_) | Kind::Math(..) => true,
            Kind::Load { statement, .. } => statement.is_none(),
            _ => false,
        };
        is_function.then(|| Raiser::operands(kind).map(|operand| self.raiser.plainly(operand)).collect())
    }
}
