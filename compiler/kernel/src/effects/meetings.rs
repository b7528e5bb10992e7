//! Whether two accesses meet: in different threads, at one element.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::iterations::Iterations;
use super::regions::Regions;
use super::uniform::{BLOCK, Uniform};
use crate::loops::{Access, AccessId, Built, LoopId, Node, Side, Truth, ValueId, Values};
use maps::{Affine, AxisRole};
use proofs::{Budget, CounterexampleKind, Relation, Verdict, apart};

/// Two threads and the position in the array at which their accesses meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The thread of the access that comes first in the text.
    pub first: i64,
    /// The other one.
    pub second: i64,
    /// The position.
    pub position: i64,
}

/// Whether two accesses may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// It is proven that they do not.
    Never,
    /// These threads do.
    Meet(Witness),
    /// These threads do, if what only a run knows lets them.
    Maybe(Witness),
    /// Nothing shows that they do not.
    Open,
}

/// The iterations in which two accesses happen: the same one of all loops around both, or different ones of this loop.
pub(super) type Carried = Option<(LoopId, Relation)>;

/// Which threads are asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Pairs {
    /// Those that are in no common instance of these classes: threads in one have waited for each other.
    pub apart: Vec<usize>,
    /// Those in one instance of this class.
    pub together: Option<usize>,
}

/// Two accesses by what is the same of them, the relations of the values in both, and the threads.
type Question = (AccessId, AccessId, Vec<(ValueId, Relation)>, Pairs);

/// Asks the prover, each question once.
pub(super) struct Meetings<'a, 'k> {
    pub regions: &'a Regions<'k>,
    pub uniform: &'a Uniform,
    budget: &'a Budget<'a>,
    /// Called for each access that is gone through; it may unwind. The budget counts how often it is asked.
    pub poll: &'a dyn Fn(),
    answers: RefCell<FxHashMap<Question, Meeting>>,
    /// The values that an access is made of, and the iterators that decide about it.
    values: RefCell<FxHashMap<AccessId, Rc<BTreeSet<ValueId>>>>,
    pub iterations: Iterations<'k>,
}

impl<'a, 'k> Meetings<'a, 'k> {
    pub fn new(
        regions: &'a Regions<'k>,
        uniform: &'a Uniform,
        budget: &'a Budget<'a>,
        poll: &'a dyn Fn(),
    ) -> Meetings<'a, 'k> {
        let (answers, values, iterations) = Default::default();
        Meetings { regions, uniform, budget, poll, answers, values, iterations }
    }

    /// Whether two accesses, by their numbers, may meet.
    pub fn ask(&self, first: AccessId, second: AccessId, carried: Carried, pairs: &Pairs) -> Meeting {
        let effect = |number: AccessId| self.regions.loops.access(number);
        let (Some(one), Some(other)) = (effect(first), effect(second)) else { return Meeting::Open };
        let relations = self.relations(one, other, carried, pairs.together);
        let question = (one.like, other.like, relations, pairs.clone());
        if let Some(known) = self.answers.borrow().get(&question) {
            return *known;
        }
        let found = self.decide(one, other, &question.2, pairs);
        self.answers.borrow_mut().insert(question, found);
        found
    }

    /// How the values are related that both accesses are made of.
    fn relations(
        &self,
        first: &Access,
        second: &Access,
        carried: Carried,
        together: Option<usize>,
    ) -> Vec<(ValueId, Relation)> {
        let (left, right) = (self.values_of(first), self.values_of(second));
        let related = |id: &ValueId| {
            let relation = self.relation(*id, [first, second], carried, together);
            (relation != Relation::Any).then_some((*id, relation))
        };
        left.intersection(&right).filter_map(related).collect()
    }

    /// Whether two sides, each where an access is, have points whose lower coordinates are related so.
    pub fn related(
        &self,
        (first, left): (&Access, &Side),
        (second, right): (&Access, &Side),
        carried: Carried,
        relation: &[Relation],
    ) -> Meeting {
        let values = &self.regions.loops.values;
        let (own, theirs) = (values.values_of_side(left).0, values.values_of_side(right).0);
        let mut sides = [left.clone(), right.clone()];
        let mut relation = relation.to_vec();
        for id in own.intersection(&theirs) {
            let found = self.relation(*id, [first, second], carried, None);
            if found != Relation::Any {
                sides.iter_mut().for_each(|side| side.lower.push(self.form(*id)));
                relation.push(found);
            }
        }
        self.case(&sides, &relation)
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

    fn values_of(&self, effect: &Access) -> Rc<BTreeSet<ValueId>> {
        if let Some(known) = self.values.borrow().get(&effect.like) {
            return known.clone();
        }
        let (values, side) = (&self.regions.loops.values, self.side(effect));
        let (mut found, ..) = values.values_of_side(&side);
        found.extend(values.deciding_iterators(&side).into_iter().map(|(iterator, ..)| iterator));
        let found = Rc::new(found);
        self.values.borrow_mut().insert(effect.like, found.clone());
        found
    }

    /// What an access reaches, and when.
    pub fn side(&self, effect: &Access) -> Side {
        let coordinates = effect.coordinates.iter().map(|id| self.form(*id)).collect();
        Side { reached: Some((effect.map.clone(), coordinates)), guards: effect.guards.to_vec(), ..Side::default() }
    }

    pub fn form(&self, id: ValueId) -> Affine {
        let form = self.regions.loops.values.form(id);
        // Every integer has one.
        form.unwrap_or_else(|| Affine::constant(dims::Sym::zero()))
    }

    fn decide(&self, first: &Access, second: &Access, relations: &[(ValueId, Relation)], pairs: &Pairs) -> Meeting {
        if (self.budget.cancelled)() {
            return Meeting::Open;
        }
        let mut sides = [self.side(first), self.side(second)];
        // The element, the thread, and the values in both.
        let mut relation = vec![Relation::EQUAL, Relation::Different];
        for side in &mut sides {
            side.lower.push(self.form(self.regions.thread));
            side.lower.extend(relations.iter().map(|(id, _)| self.form(*id)));
        }
        relation.extend(relations.iter().map(|(_, relation)| *relation));
        let class = |number: usize| self.regions.classes.get(number);
        if let Some(together) = pairs.together.and_then(class) {
            for side in &mut sides {
                side.lower.push(self.form(together.instance));
                side.guards.extend(together.condition.map(|condition| (condition, true)));
            }
            relation.push(Relation::EQUAL);
        }
        if pairs.together.is_some() || !pairs.apart.is_empty() {
            // Both threads are in one block, and so in blocks of one rank.
            sides.iter_mut().for_each(|side| side.lower.push(self.form(self.regions.block)));
            relation.push(Relation::EQUAL);
        }
        let mut cases = vec![(sides, relation)];
        for class in pairs.apart.iter().filter_map(|number| class(*number)) {
            let conditions = class.condition.map_or_else(Vec::new, |condition| self.conjuncts(condition));
            let mut next = Vec::new();
            for (sides, relation) in cases {
                // One of both is in no instance …
                for place in 0..2 {
                    for condition in &conditions {
                        let mut sides = sides.clone();
                        sides[place].guards.push((*condition, false));
                        next.push((sides, relation.clone()));
                    }
                }
                // … or they are in different ones.
                let (mut sides, mut relation) = (sides, relation);
                sides.iter_mut().for_each(|side| side.lower.push(self.form(class.instance)));
                relation.push(Relation::Different);
                next.push((sides, relation));
            }
            cases = next;
        }
        let mut found = Meeting::Never;
        for (sides, relation) in cases {
            match self.case(&sides, &relation) {
                Meeting::Never => {}
                witness @ Meeting::Meet(_) => return witness,
                open => found = open,
            }
        }
        found
    }

    /// The conditions that hold together where a condition holds.
    fn conjuncts(&self, condition: ValueId) -> Vec<ValueId> {
        let (mut found, mut open) = (Vec::new(), vec![condition]);
        while let Some(condition) = open.pop() {
            match self.regions.loops.values.get(condition).map(|value| &value.truth) {
                Some(Truth::And(left, right)) => open.extend([*left, *right]),
                _ => found.push(condition),
            }
        }
        found
    }

    fn case(&self, sides: &[Side; 2], relation: &[Relation]) -> Meeting {
        let found = self.ask_prover(&self.regions.loops.values, [&sides[0], &sides[1]], relation);
        if !matches!(found, Meeting::Open | Meeting::Maybe(_)) {
            return found;
        }
        match self.by_iterations(sides, relation) {
            Meeting::Open => found,
            known => known,
        }
    }

    pub(super) fn ask_prover(
        &self,
        values: &Values<'_>,
        [first, second]: [&Side; 2],
        relation: &[Relation],
    ) -> Meeting {
        let (Some(left), Some(right)) = (values.build(first), values.build(second)) else { return Meeting::Open };
        match apart(&left.map, &right.map, relation, values.facts(), self.budget) {
            Verdict::Proven { .. } => Meeting::Never,
            Verdict::Refuted { counterexample, .. } => {
                let CounterexampleKind::Collision { first, second, lower } = &counterexample.kind else {
                    return Meeting::Open;
                };
                let witness = thread(&left, first).zip(thread(&right, second)).zip(lower.first());
                let Some(((first, second), position)) = witness else { return Meeting::Open };
                let witness = Witness { first, second, position: *position };
                match left.exact && right.exact && counterexample.sizes.is_empty() {
                    true => Meeting::Meet(witness),
                    false => Meeting::Maybe(witness),
                }
            }
            Verdict::Open { .. } => Meeting::Open,
        }
    }
}

/// The number of the thread at a point.
fn thread(built: &Built, point: &[i64]) -> Option<i64> {
    let place = built.map.upper.iter().position(|axis| axis.role == AxisRole::Thread)?;
    point.get(place).copied()
}
