//! Whether two accesses conflict: reach one element in different threads.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::iterations::Iterations;
use super::regions::Regions;
use super::subjects::{self, Subject, Subjects, SubjectsOfAccess};
use super::uniform::{BLOCK, Uniform};
use crate::loops::{Access, AccessId, Built, LoopId, Node, Side, ValueId, Values};
use crate::typed::Memory;
use dims::Sym;
use maps::{Affine, AxisRole, IndexMap};
use proofs::{Budget, CounterexampleKind, Relation, Verdict, apart, injective};

/// Two threads whose accesses conflict, and the position in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The thread of the access that comes first in the text.
    pub first: i64,
    /// The other one.
    pub second: i64,
    /// The position.
    pub position: i64,
}

/// What is known of two accesses that no barrier orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence<W = Witness> {
    /// These threads conflict.
    Witness(W),
    /// Nothing shows that no threads conflict.
    Open,
    /// The steps for the kernel ran out before it was known.
    OutOfSteps,
}

impl<W> Evidence<W> {
    /// The same with another description of the threads.
    pub fn map<T>(self, described: impl FnOnce(W) -> T) -> Evidence<T> {
        match self {
            Evidence::Witness(witness) => Evidence::Witness(described(witness)),
            Evidence::Open => Evidence::Open,
            Evidence::OutOfSteps => Evidence::OutOfSteps,
        }
    }
}

/// Whether two accesses conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// It is proven that they do not conflict.
    Never,
    /// These threads conflict.
    Certain(Witness),
    /// These threads conflict for some values that are only known at run time.
    Possible(Witness),
    /// It is not known.
    Open,
    /// It is not known, since the steps for the kernel ran out.
    OutOfSteps,
}

/// The iterations of two accesses: the same one of all common loops (`None`), or different ones of this loop.
pub(super) type Carried = Option<(LoopId, Relation)>;

/// The pairs of threads in question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Pairs {
    /// Pairs in no common instance of these classes: the threads of one instance are ordered by a barrier.
    pub apart: Vec<usize>,
    /// Pairs in one instance of this class.
    pub together: Option<usize>,
}

/// The numbers of two subjects, the relations of their common values, and the threads.
type Question = (usize, usize, Vec<(ValueId, Relation)>, Pairs);

/// What is known of two subjects without conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anywhere {
    /// A question under conditions was asked once.
    AskedUnderConditions,
    /// They never conflict, so they do not under any conditions.
    Never,
    /// They may conflict.
    Maybe,
}

/// Two sides, and the relations between their lower coordinates.
#[derive(Clone)]
struct Case {
    sides: [Side; 2],
    relation: Vec<Relation>,
}

impl Case {
    /// Adds a lower coordinate to both sides.
    fn relate(&mut self, form: &Affine, relation: Relation) {
        self.sides.iter_mut().for_each(|side| side.lower.push(form.clone()));
        self.relation.push(relation);
    }

    /// The case with what its guards say by `!=`, which is no range: there a form of one side differs from 0. `None` if they say
    /// nothing so.
    fn with_unequal(&self, values: &Values<'_>) -> Option<Case> {
        let mut case = self.clone();
        for (place, side) in self.sides.iter().enumerate() {
            let zero = Affine::constant(Sym::zero());
            for form in values.unequal(&side.guards, MOST_UNEQUAL) {
                case.sides[place].lower.push(form);
                case.sides[1 - place].lower.push(zero.clone());
                case.relation.push(Relation::Different);
            }
        }
        (case.relation.len() > self.relation.len()).then_some(case)
    }
}

/// The most conditions `!=` of an access that are told to the prover: each of them doubles the cases.
const MOST_UNEQUAL: usize = 2;

/// Asks the prover, each question once.
pub(super) struct Conflicts<'a, 'k> {
    pub regions: &'a Regions<'k>,
    pub uniform: &'a Uniform,
    budget: &'a Budget<'a>,
    /// Called for each access; it may unwind. The budget counts its calls.
    pub poll: &'a dyn Fn(),
    answers: RefCell<FxHashMap<Question, Conflict>>,
    /// The answers that hold whatever the conditions are: many accesses of few places are few questions.
    anywhere: RefCell<FxHashMap<Question, Anywhere>>,
    subjects: Subjects,
    /// Whether maps of arrays are proven to be injective.
    one_to_one: RefCell<Vec<(Arc<IndexMap>, bool)>>,
    pub iterations: Iterations<'k>,
}

impl<'a, 'k> Conflicts<'a, 'k> {
    pub fn new(
        regions: &'a Regions<'k>,
        uniform: &'a Uniform,
        budget: &'a Budget<'a>,
        poll: &'a dyn Fn(),
    ) -> Conflicts<'a, 'k> {
        let (answers, anywhere, subjects, one_to_one, iterations) = Default::default();
        Conflicts { regions, uniform, budget, poll, answers, anywhere, subjects, one_to_one, iterations }
    }

    /// Whether two accesses conflict.
    pub fn ask(&self, first: AccessId, second: AccessId, carried: Carried, pairs: &Pairs) -> Conflict {
        let effect = |number: AccessId| self.regions.loops.access(number);
        let (Some(one), Some(other)) = (effect(first), effect(second)) else { return Conflict::Open };
        let [first, second] = [one, other].map(|access| self.subjects_of(access));
        let asked = |first: &Subject, second: &Subject| {
            let relations = self.relations([(one, first), (other, second)], carried, pairs.together);
            (first.number, second.number, relations, pairs.clone())
        };
        let has_conditions = first.here.number != first.anywhere.number || second.here.number != second.anywhere.number;
        let anywhere = has_conditions.then(|| asked(&first.anywhere, &second.anywhere));
        if anywhere.as_ref().is_some_and(|question| self.anywhere.borrow().get(question) == Some(&Anywhere::Never)) {
            return Conflict::Never;
        }
        let question = asked(&first.here, &second.here);
        if let Some(known) = self.answers.borrow().get(&question) {
            return *known;
        }
        if anywhere.is_some_and(|question| self.never_conflict_anywhere([&first, &second], question)) {
            return Conflict::Never;
        }
        let found = self.decide(&first.here, &second.here, &question.2, pairs);
        self.answers.borrow_mut().insert(question, found);
        found
    }

    /// Whether two accesses do not conflict whatever the conditions around them are. The first question about their places is not
    /// asked: where only one is, the conditions make it easier.
    fn never_conflict_anywhere(&self, [first, second]: [&SubjectsOfAccess; 2], question: Question) -> bool {
        let known = self.anywhere.borrow().get(&question).copied();
        let found = match known {
            None => Anywhere::AskedUnderConditions,
            Some(Anywhere::AskedUnderConditions) => {
                let cases =
                    self.cases(&first.anywhere, &second.anywhere, &question.2, &question.3, Relation::Different);
                let values = &self.regions.loops.values;
                let is_apart = |Case { sides: [first, second], relation }: &Case| {
                    self.ask_prover(values, [first, second], relation) == Conflict::Never
                };
                let never = cases.is_some_and(|cases| cases.iter().all(is_apart));
                if never { Anywhere::Never } else { Anywhere::Maybe }
            }
            Some(known) => return known == Anywhere::Never,
        };
        self.anywhere.borrow_mut().insert(question, found);
        found == Anywhere::Never
    }

    fn subjects_of(&self, access: &Access) -> SubjectsOfAccess {
        self.subjects.of_access(access, &self.regions.loops.values)
    }

    /// The relations between the two instances of each value that both accesses depend on.
    fn relations(
        &self,
        [(first, left), (second, right)]: [(&Access, &Subject); 2],
        carried: Carried,
        together: Option<usize>,
    ) -> Vec<(ValueId, Relation)> {
        let related = |id: &ValueId| {
            let relation = self.relation(*id, [first, second], carried, together);
            (relation != Relation::Any).then_some((*id, relation))
        };
        left.values.intersection(&right.values).filter_map(related).collect()
    }

    /// Whether two sides, each evaluated where an access is, have points whose lower coordinates are in this
    /// relation.
    pub fn related(
        &self,
        (first, left): (&Access, &Side),
        (second, right): (&Access, &Side),
        carried: Carried,
        relation: &[Relation],
    ) -> Conflict {
        let values = &self.regions.loops.values;
        let (own, theirs) = (values.values_of_side(left).0, values.values_of_side(right).0);
        let mut case = Case { sides: [left.clone(), right.clone()], relation: relation.to_vec() };
        for id in own.intersection(&theirs) {
            let found = self.relation(*id, [first, second], carried, None);
            if found != Relation::Any {
                let Some(form) = self.form(*id) else { return Conflict::Open };
                case.relate(&form, found);
            }
        }
        self.case(&case.sides, &case.relation)
    }

    fn relation(&self, id: ValueId, both: [&Access; 2], carried: Carried, together: Option<usize>) -> Relation {
        let of_loop = |number: LoopId| {
            let [Some(place), Some(_)] = both.map(|effect| effect.loops.iter().position(|around| *around == number))
            else {
                return Relation::Any;
            };
            match carried {
                Some((changing, relation)) if changing == number => relation,
                Some((changing, _)) if both[0].loops.iter().take(place).any(|outer| *outer == changing) => {
                    Relation::Any
                }
                _ => Relation::EQUAL,
            }
        };
        match self.regions.loops.values.node(id) {
            None | Some(Node::Thread) => Relation::Any,
            Some(Node::Iterator(number)) => of_loop(*number),
            Some(_) => {
                let classes = self.uniform.classes(id);
                let uniform = [Some(BLOCK), together].into_iter().flatten().any(|class| classes & (1 << class) != 0);
                let loops = self.regions.loops.values.get(id).map(|value| value.loops.clone());
                let same = loops.is_some_and(|loops| loops.iter().all(|number| of_loop(*number) == Relation::EQUAL));
                if uniform && same { Relation::EQUAL } else { Relation::Any }
            }
        }
    }

    /// The element that an access reaches, and the conditions under which it does; `None` if a coordinate has no form.
    pub fn side(&self, effect: &Access) -> Option<Side> {
        subjects::side(&effect.map, &effect.coordinates, &effect.guards, &self.regions.loops.values)
    }

    /// The form of an integer; other values have none.
    pub fn form(&self, id: ValueId) -> Option<Affine> {
        self.regions.loops.values.form(id)
    }

    /// Whether nothing shows that two accesses reach different elements, in one thread (`Relation::EQUAL`) or in any two of a block
    /// (`Relation::Any`).
    pub fn may_meet(&self, first: AccessId, second: AccessId, carried: Carried, thread: Relation) -> bool {
        let effect = |number: AccessId| self.regions.loops.access(number);
        let (Some(one), Some(other)) = (effect(first), effect(second)) else { return true };
        let [first, second] = [one, other].map(|access| self.subjects_of(access).here);
        let relations = self.relations([(one, &first), (other, &second)], carried, None);
        let cases = self.cases(&first, &second, &relations, &Pairs::default(), thread);
        let is_apart = |case: &Case| self.case_with_unequal(case) == Conflict::Never;
        !cases.is_some_and(|cases| cases.iter().all(is_apart))
    }

    fn decide(&self, first: &Subject, second: &Subject, relations: &[(ValueId, Relation)], pairs: &Pairs) -> Conflict {
        if (self.budget.cancelled)() {
            return Conflict::OutOfSteps;
        }
        // What has no form cannot be compared.
        let cases = self.cases(first, second, relations, pairs, Relation::Different);
        let Some(cases) = cases else { return Conflict::Open };
        let mut found = Conflict::Never;
        for case in cases {
            match self.case_with_unequal(&case) {
                Conflict::Never => {}
                witness @ Conflict::Certain(_) => return witness,
                open => found = open,
            }
        }
        found
    }

    fn case_with_unequal(&self, case: &Case) -> Conflict {
        let found = self.case(&case.sides, &case.relation);
        if !matches!(found, Conflict::Open | Conflict::Possible(_)) {
            return found;
        }
        let with_unequal = case.with_unequal(&self.regions.loops.values);
        match with_unequal.map(|case| self.case(&case.sides, &case.relation)) {
            Some(Conflict::Never) => Conflict::Never,
            _ => found,
        }
    }

    /// The cases in which two accesses may conflict. The lower coordinates of their sides are the element, the thread, and
    /// the common values. `None` if one of these has no form.
    fn cases(
        &self,
        first: &Subject,
        second: &Subject,
        relations: &[(ValueId, Relation)],
        pairs: &Pairs,
        thread: Relation,
    ) -> Option<Vec<Case>> {
        let sides = [first.side.clone()?, second.side.clone()?];
        let mut all = Case { sides, relation: vec![Relation::EQUAL] };
        all.relate(&self.form(self.regions.thread)?, thread);
        if self.is_one_to_one(&first.map, &second.map) {
            for (own, theirs) in first.coordinates.iter().zip(&second.coordinates) {
                let forms = [self.form(*own)?, self.form(*theirs)?];
                all.sides.iter_mut().zip(forms).for_each(|(side, form)| side.lower.push(form));
                all.relation.push(Relation::EQUAL);
            }
        }
        for (id, relation) in relations {
            all.relate(&self.form(*id)?, *relation);
        }
        let class = |number: usize| self.regions.classes.get(number);
        if let Some(together) = pairs.together.and_then(class) {
            all.relate(&self.form(together.instance)?, Relation::EQUAL);
            for side in &mut all.sides {
                side.guards.extend(together.condition.map(|condition| (condition, true)));
            }
        }
        // Different blocks reach different elements of a tensor, or the kernel would have been refused.
        let is_of_tensor = matches!(first.memory, Memory::Param(_));
        if is_of_tensor || pairs.together.is_some() || !pairs.apart.is_empty() {
            // Both threads are in one block, so its number is the same.
            all.relate(&self.form(self.regions.block)?, Relation::EQUAL);
        }
        let mut cases = vec![all];
        for class in pairs.apart.iter().filter_map(|number| class(*number)) {
            let conditions =
                class.condition.map_or_else(Vec::new, |condition| self.regions.loops.values.conjuncts(condition));
            let mut next = Vec::new();
            for mut case in cases {
                // Either one of them is in no instance …
                for place in 0..2 {
                    for condition in conditions.iter().rev() {
                        let mut outside = case.clone();
                        outside.sides[place].guards.push((*condition, false));
                        next.push(outside);
                    }
                }
                // … or they are in different instances.
                case.relate(&self.form(class.instance)?, Relation::Different);
                next.push(case);
            }
            cases = next;
        }
        Some(cases)
    }

    /// Whether two accesses of an array whose extents the sizes decide reach one element with the same coordinates only: then the
    /// prover need not find that in products of sizes.
    fn is_one_to_one(&self, first: &Arc<IndexMap>, second: &Arc<IndexMap>) -> bool {
        if first != second || first.upper.len() < 2 || first.is_constant() {
            return false;
        }
        let mut known = self.one_to_one.borrow_mut();
        if let Some((_, found)) = known.iter().find(|(map, _)| map == first) {
            return *found;
        }
        let found = injective(first, self.regions.loops.values.facts(), &self.budget.for_proofs()).is_proven();
        known.push((first.clone(), found));
        found
    }

    fn case(&self, sides: &[Side; 2], relation: &[Relation]) -> Conflict {
        let found = self.ask_prover(&self.regions.loops.values, [&sides[0], &sides[1]], relation);
        if !matches!(found, Conflict::Open | Conflict::Possible(_)) {
            return found;
        }
        match self.by_iterations(sides, relation) {
            Conflict::Open => found,
            Conflict::OutOfSteps if found != Conflict::Open => found,
            known => known,
        }
    }

    pub(super) fn ask_prover(
        &self,
        values: &Values<'_>,
        [first, second]: [&Side; 2],
        relation: &[Relation],
    ) -> Conflict {
        let (Some(left), Some(right)) = (values.build(first), values.build(second)) else { return Conflict::Open };
        match apart(&left.map, &right.map, relation, values.facts(), self.budget) {
            Verdict::Proven { .. } => Conflict::Never,
            Verdict::Refuted { counterexample, .. } => {
                let CounterexampleKind::Collision { first, second, lower } = &counterexample.kind else {
                    return Conflict::Open;
                };
                let witness = thread(&left, first).zip(thread(&right, second)).zip(lower.first());
                let Some(((first, second), position)) = witness else { return Conflict::Open };
                let witness = Witness { first, second, position: *position };
                match left.exact && right.exact && counterexample.sizes.is_empty() {
                    true => Conflict::Certain(witness),
                    false => Conflict::Possible(witness),
                }
            }
            Verdict::Open { .. } if (self.budget.cancelled)() => Conflict::OutOfSteps,
            Verdict::Open { .. } => Conflict::Open,
        }
    }
}

/// The number of the thread at a point.
fn thread(built: &Built, point: &[i64]) -> Option<i64> {
    let place = built.map.upper.iter().position(|axis| axis.role == AxisRole::Thread)?;
    point.get(place).copied()
}
