//! Operations that are forms of their operands only if an iterator is known: `shift_left(1, l)`, `t % (2 * d)`.
//!
//! If such an operation depends on loops with few iterations, each iteration is analysed as a case of its own, in which
//! the iterator is a constant. The cases together cover all executions.

use rustc_hash::FxHashMap;

use super::axes::Axes;
use super::conditions::Condition;
use super::values::Kind;
use super::{Raiser, ValueId};
use crate::quasi_affine;
use crate::quasi_affine::Made;
use crate::stack::with_enough;
use crate::typed::Local;
use dims::{CompareOp, Sym};
use elements::ElementType;

/// The most cases for one access.
const MOST_CASES: usize = 128;
/// One iteration of each of several loops, as the value of its iterator.
pub type Case = Vec<(Local, i64)>;

impl Raiser {
    /// The cases in which all operations among the axes are forms of their operands; empty if there is no such
    /// operation, or if there are more than `most` cases.
    pub fn cases(&self, axes: &Axes, most: usize) -> Vec<Case> {
        let loops = self.deciding_loops(axes);
        let mut cases: Vec<Case> = if loops.is_empty() { Vec::new() } else { vec![Vec::new()] };
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
        cases
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
        case: &[(Local, i64)],
        then: impl FnOnce(&mut Raiser, &[ValueId]) -> T,
    ) -> Option<T> {
        let held = self.held();
        let around = self.take_since(held.without_conditions());
        let mut known = FxHashMap::default();
        for (local, value) in case {
            let iterator = self.intern(Kind::Iterator(*local), ElementType::I64);
            let value = self.size(&Sym::constant(*value));
            known.insert(iterator, value);
        }
        let leaves = known.keys().fold(0, |leaves, iterator| leaves | self.at(*iterator).leaves);
        let mut substitute = Substitute { raiser: self, leaves, known };
        let values: Vec<ValueId> = values.iter().map(|value| substitute.value(*value)).collect();
        let conditions: Vec<Condition> = around.iter().map(|condition| substitute.condition(*condition)).collect();
        let is_excluded = conditions.iter().any(|condition| self.never_holds(condition));
        let found = (!is_excluded).then(|| {
            let decided = conditions.iter().flat_map(|condition| self.decided_by(*condition)).collect();
            self.put_back(conditions, held);
            for (local, value) in case {
                let iterator = self.intern(Kind::Iterator(*local), ElementType::I64);
                let right = self.size(&Sym::constant(*value));
                self.hold(Condition { left: iterator, op: CompareOp::Eq, right });
            }
            // With an iterator known, a comparison may exclude an alternative that it did not before.
            self.assume_values(decided);
            let found = then(self, &values);
            self.leave(held.without_conditions());
            found
        });
        self.put_back(around, held);
        found
    }
}

/// Substitutes constants for iterators.
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
        let found = self.number(found).unwrap_or(found);
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

    /// The constant of an integer value whose interval is a single number.
    fn number(&mut self, id: ValueId) -> Option<ValueId> {
        let value = self.raiser.at(id);
        let only = value.plain.lo.filter(|lo| value.element.is_integer() && Some(*lo) == value.plain.hi)?;
        let element = value.element;
        Some(self.raiser.intern(Kind::Int(i64::try_from(only).ok()?), element))
    }
}
