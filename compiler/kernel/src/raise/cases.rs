//! Cases that together cover all executions, in each of which more is known than in all of them.
//!
//! Operations that are forms of their operands only if an iterator is known, `shift_left(1, l)`, `t % (2 * d)`: if such an operation
//! depends on loops with few iterations, each iteration is analysed as a case of its own, in which the iterator is a constant.
//!
//! A choice is one of its alternatives; where `a != b`, one of both is smaller; and of conditions joined by `||` one holds.

use rustc_hash::FxHashMap;

use super::axes::Axes;
use super::condition::{Condition, Literal};
use super::form::Form;
use super::raiser::Raiser;
use super::value::{Kind, ValueId};
use crate::quasi_affine;
use crate::quasi_affine::Made;
use crate::stack::with_enough;
use crate::typed::Local;
use dims::{CompareOp, Sym};
use elements::ElementType;

/// The most cases for one access.
const MOST_CASES: usize = 128;

/// One of several cases.
#[derive(Clone, Debug)]
pub enum Case {
    /// One iteration of each of several loops, as the value of its iterator.
    Iterations(Vec<(Local, i64)>),
    /// The alternative that is taken by a choice.
    Alternative {
        /// The choice.
        choice: ValueId,
        /// The alternative.
        taken: ValueId,
        /// What decides, and whether it does not hold.
        by: Literal,
    },
    /// One side of `left != right`.
    Side {
        /// The condition.
        unequal: Condition,
        /// The operator that holds instead.
        op: CompareOp,
    },
    /// This one of conditions of which one holds.
    Holds(Literal),
}

impl Raiser {
    /// The cases in which all operations among the axes are forms of their operands; empty if there is no such
    /// operation, or if there are more than `most` cases.
    pub fn cases(&self, axes: &Axes, most: usize) -> Vec<Case> {
        let loops = self.deciding_loops(axes);
        let mut cases: Vec<Vec<(Local, i64)>> = if loops.is_empty() { Vec::new() } else { vec![Vec::new()] };
        for (local, low, count) in loops {
            if cases.len().saturating_mul(count) > most.min(MOST_CASES) {
                return Vec::new();
            }
            let iterations = || (0..count).filter_map(|number| low.checked_add(i64::try_from(number).ok()?));
            cases = cases
                .iter()
                .flat_map(|case| iterations().map(|value| [case.as_slice(), &[(local, value)]].concat()))
                .collect();
        }
        cases.into_iter().map(Case::Iterations).collect()
    }

    /// The cases of one condition or choice that no map states: where there is one, its cases may be stated.
    pub fn sides(&mut self, axes: &Axes, forms: &[Form]) -> Vec<Case> {
        if let Some(alternatives) = self.either_here() {
            return alternatives.into_iter().map(Case::Holds).collect();
        }
        if let Some(unequal) = axes.unequal_condition(self) {
            return [CompareOp::Lt, CompareOp::Gt].map(|op| Case::Side { unequal, op }).into();
        }
        self.alternatives_of(forms)
    }

    /// The alternatives of a choice in some values; empty if there is none.
    pub fn alternatives_of(&self, forms: &[Form]) -> Vec<Case> {
        let terms = forms.iter().flat_map(|form| &form.sum.terms);
        let mut parts = terms.flat_map(|(term, _)| self.terms.parts(*term)).copied();
        let Some((choice, condition, [then, otherwise])) = parts.find_map(|part| self.choice_in(part)) else {
            return Vec::new();
        };
        [(then, false), (otherwise, true)]
            .map(|(taken, negated)| Case::Alternative { choice, taken, by: (condition, negated) })
            .into()
    }

    /// The loops whose iterators decide whether operations among the axes are forms, each with its first value and its
    /// number of iterations.
    fn deciding_loops(&self, axes: &Axes) -> Vec<(Local, i64, usize)> {
        let made = |id: ValueId| match self.kind(id) {
            Kind::Iterator(_) => Made::Iterator,
            Kind::Load { .. } => Made::Other(Vec::new()),
            Kind::Binary(op, left, right) => Made::Binary(*op, *left, *right),
            kind => Made::Other(Self::operands(kind).collect()),
        };
        let mut atoms: Vec<ValueId> = axes.atoms().collect();
        atoms.sort_unstable();
        let deciding = quasi_affine::deciding(atoms, made, |id| !self.at(id).traits.data).into_iter();
        let local = |id: ValueId| if let Kind::Iterator(local) = self.kind(id) { Some(*local) } else { None };
        let mut found: Vec<(Local, i64, usize)> = deciding.filter_map(|id| self.counted(local(id)?)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The first value and the number of iterations of a loop, if both are constants.
    fn counted(&self, local: Local) -> Option<(Local, i64, usize)> {
        let range = self.loops.get(&local)?;
        let count = range.extent.as_ref().and_then(Sym::as_constant)?;
        Some((local, range.low.as_constant()?, usize::try_from(count).ok()?))
    }

    /// Runs `then` on the values in one case, under the conditions of that case. `None` if the conditions rule the case
    /// out.
    pub fn in_case<T>(
        &mut self,
        values: &[ValueId],
        case: &Case,
        then: impl FnOnce(&mut Raiser, &[ValueId]) -> T,
    ) -> Option<T> {
        let held = self.held();
        let around = self.take_since(held.without_conditions());
        let (known, equal) = self.known_in(case);
        let leaves = known.keys().fold(0, |leaves, iterator| leaves | self.at(*iterator).leaves);
        let mut substitute = Substitute { raiser: self, leaves, known };
        let values: Vec<ValueId> = values.iter().map(|value| substitute.value(*value)).collect();
        let conditions: Vec<Condition> =
            around.iter().map(|condition| substitute.condition(case.instead_of(*condition))).collect();
        let is_excluded = conditions.iter().any(|condition| self.never_holds(condition));
        let found = (!is_excluded).then(|| {
            let decided = conditions.iter().flat_map(|condition| self.decided_by(*condition)).collect();
            self.put_back(conditions, held);
            equal.into_iter().for_each(|condition| self.hold(condition));
            let mut either = None;
            match case {
                Case::Iterations(_) | Case::Side { .. } => {}
                Case::Alternative { by, .. } => self.assume_values(vec![*by]),
                Case::Holds(condition) => either = Some(self.state_either(*condition)),
            }
            // With an iterator known, a comparison may exclude an alternative that it did not before.
            self.assume_values(decided);
            let found = then(self, &values);
            self.leave(held.without_conditions());
            either.into_iter().for_each(|before| self.forget_either(before));
            found
        });
        self.put_back(around, held);
        found
    }

    /// The values that are others in a case, and what holds of them.
    fn known_in(&mut self, case: &Case) -> (FxHashMap<ValueId, ValueId>, Vec<Condition>) {
        let (mut known, mut equal) = (FxHashMap::default(), Vec::new());
        match case {
            Case::Iterations(iterations) => {
                for (local, value) in iterations {
                    let left = self.intern(Kind::Iterator(*local), ElementType::I64);
                    let right = self.size(&Sym::constant(*value));
                    known.insert(left, right);
                    equal.push(Condition { left, op: CompareOp::Eq, right });
                }
            }
            Case::Alternative { choice, taken, .. } => drop(known.insert(*choice, *taken)),
            Case::Side { .. } | Case::Holds(_) => {}
        }
        (known, equal)
    }

    /// The constant of an integer value whose interval is a single number.
    pub(super) fn number(&mut self, id: ValueId) -> Option<ValueId> {
        let value = self.at(id);
        let only = value.plain.lo.filter(|lo| value.element.is_integer() && Some(*lo) == value.plain.hi)?;
        let element = value.element;
        Some(self.intern(Kind::Int(i64::try_from(only).ok()?), element))
    }
}

impl Case {
    /// What a condition says in this case.
    fn instead_of(&self, condition: Condition) -> Condition {
        match self {
            Case::Side { unequal, op } if *unequal == condition => Condition { op: *op, ..condition },
            _ => condition,
        }
    }
}

/// Substitutes the values of a case.
struct Substitute<'a> {
    raiser: &'a mut Raiser,
    /// The leaves that are substituted.
    leaves: u64,
    known: FxHashMap<ValueId, ValueId>,
}

impl Substitute<'_> {
    fn condition(&mut self, Condition { left, op, right }: Condition) -> Condition {
        Condition { left: self.value(left), op, right: self.value(right) }
    }

    fn value(&mut self, id: ValueId) -> ValueId {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let value = self.raiser.at(id);
        if value.leaves & self.leaves == 0 {
            return id;
        }
        let (kind, element) = (value.kind.clone(), value.element);
        let found = with_enough(|| self.of_kind(kind, element));
        let found = self.raiser.number(found).unwrap_or(found);
        self.known.insert(id, found);
        found
    }

    fn of_kind(&mut self, kind: Kind, element: ElementType) -> ValueId {
        let kind = match kind {
            Kind::Named(inner) => {
                let inner = self.value(inner);
                return self.raiser.named(inner);
            }
            Kind::Held(inner) => Kind::Held(self.value(inner)),
            Kind::Again(inner, _) => return self.value(inner),
            Kind::Unary(op, inner) => Kind::Unary(op, self.value(inner)),
            Kind::Binary(op, left, right) => Kind::Binary(op, self.value(left), self.value(right)),
            Kind::Select(condition, then, otherwise) => {
                Kind::Select(self.value(condition), self.value(then), self.value(otherwise))
            }
            Kind::Cast(inner) => Kind::Cast(self.value(inner)),
            Kind::Math(function, args) => Kind::Math(function, args.into_iter().map(|arg| self.value(arg)).collect()),
            Kind::Load { memory, offset, mask, statement, contents } => {
                let mask = mask.map(|mask| self.value(mask));
                Kind::Load { memory, offset: self.value(offset), mask, statement, contents }
            }
            leaf => leaf,
        };
        self.raiser.intern(kind, element)
    }
}
