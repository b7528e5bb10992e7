//! Which values are uniform: the same in all threads of one instance of a collective.
//!
//! Block ids, sizes and scalars are uniform, and so are operations on uniform values, loads from a uniform address (a
//! kernel without races writes nothing there meanwhile), and a variable after paths join that a uniform condition
//! chose between. An expression of the thread id is uniform if no two threads of an instance have different values of
//! it, which the prover decides.

use rustc_hash::FxHashMap;

use super::lanes::SameInLanes;
use super::regions::Regions;
use crate::loops::{Access, AccessId, Loops, Merge, Node, Shuffle, Side, Truth, ValueId, Values};
use crate::typed::AccessKind;
use dims::{CompareOp, Sym};
use maps::Affine;
use maps::hardware::WARP_LANES;
use proofs::{Budget, Relation, apart};

/// A set of classes, as bits.
pub(super) type Classes = u64;

/// A kind of collective, or the block: the threads of one instance run a list of statements together.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// Which threads are in an instance; `None`: all.
    pub condition: Option<ValueId>,
    /// The number of a thread's instance.
    pub instance: ValueId,
    /// Whether an instance is one thread.
    pub is_thread: bool,
    /// If an instance is a part of a warp, the bits by which the numbers of its lanes differ.
    pub lanes: Option<u32>,
}

/// The class of all threads of a block.
pub(super) const BLOCK: usize = 0;

/// In a kernel with shuffles, the class of the threads of a warp.
pub(super) const WARP: usize = 1;

/// The bits of the number of a lane.
pub(super) const ALL_LANES: u32 = WARP_LANES as u32 - 1;

/// The classes for which each value is uniform.
pub(super) struct Uniform {
    of: Vec<Classes>,
    /// Whether the steps for the kernel ran out, so that more values may be uniform.
    pub is_cut_short: bool,
}

impl Uniform {
    /// Computes the uniform classes of all values of a kernel.
    pub fn new(regions: &Regions<'_>, budget: &Budget<'_>, poll: &dyn Fn()) -> Uniform {
        let Regions { loops, classes, wanted, block, shuffles, .. } = regions;
        let Loops { values, accesses, merges, .. } = loops;
        let threads = classes.iter().enumerate().filter(|(_, class)| class.is_thread);
        let threads: Classes = threads.map(|(number, _)| 1 << number).sum();
        let all: Classes = (0..classes.len()).map(|number| 1 << number).sum();
        let mut solver = Solver {
            values,
            shuffles,
            classes,
            merges,
            accesses,
            budget,
            poll,
            block: *block,
            threads,
            all,
            constant: FxHashMap::default(),
        };
        let asked = solver.asked(wanted);
        // A greatest fixed point: merges start as uniform, since a loop may keep them so, and sets only shrink, so
        // this terminates.
        let mut merged = vec![all; merges.len()];
        loop {
            let of = solver.round(&merged, &asked);
            let within =
                |ids: &[ValueId]| ids.iter().fold(all, |known, id| known & of.get(id.0 as usize).unwrap_or(&0));
            let next: Vec<Classes> =
                merges.iter().map(|merge| (within(&merge.values) & within(&merge.conditions)) | threads).collect();
            if next == merged {
                return Uniform { of, is_cut_short: (budget.cancelled)() };
            }
            merged = next;
            if (budget.cancelled)() {
                // Without a fixed point, nothing is assumed to be uniform.
                return Uniform { of: solver.round(&vec![threads; merges.len()], &[]), is_cut_short: true };
            }
        }
    }

    /// The classes for which a value is uniform.
    pub fn classes(&self, id: ValueId) -> Classes {
        self.of.get(id.0 as usize).copied().unwrap_or(0)
    }

    /// Whether it is uniform for a class.
    pub fn is(&self, id: ValueId, class: usize) -> bool {
        self.classes(id) & (1 << class) != 0
    }
}

struct Solver<'a, 'k> {
    values: &'a Values<'k>,
    /// The shuffles, by the numbers of their statements.
    shuffles: &'a FxHashMap<usize, Shuffle>,
    classes: &'a [Class],
    merges: &'a [Merge],
    accesses: &'a [Access],
    budget: &'a Budget<'a>,
    poll: &'a dyn Fn(),
    block: ValueId,
    /// The classes of single threads.
    threads: Classes,
    all: Classes,
    /// Whether a value is uniform for a class given that its operands other than the thread id are.
    constant: FxHashMap<(Decisive, usize), bool>,
}

/// What determines a value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Decisive {
    /// The form, whose constant is left out: it changes nothing in whether two threads have the same value.
    Form(Affine),
    /// The truth of a comparison of the form with zero.
    Truth(Affine, CompareOp),
}

impl Decisive {
    fn form(&self) -> &Affine {
        match self {
            Decisive::Form(form) | Decisive::Truth(form, _) => form,
        }
    }
}

impl Solver<'_, '_> {
    /// The values on which the wanted ones depend, for which the prover may be asked.
    fn asked(&self, wanted: &[ValueId]) -> Vec<bool> {
        let mut asked = Vec::new();
        let mut open = wanted.to_vec();
        while let Some(id) = open.pop() {
            let place = id.0 as usize;
            if asked.len() <= place {
                asked.resize(place + 1, false);
            }
            if std::mem::replace(&mut asked[place], true) {
                continue;
            }
            match self.values.node(id) {
                Some(Node::Merge(number)) => {
                    let merge = self.merges.get(*number as usize).into_iter();
                    open.extend(merge.flat_map(|merge| merge.values.iter().chain(&merge.conditions)));
                }
                Some(Node::Load(load)) => open.extend(self.read_at(*load)),
                Some(Node::Iterator(number)) => open.extend(self.values.bounds_of_loop(*number).into_iter().flatten()),
                Some(Node::Shuffled(number)) => {
                    let shuffle = self.shuffles.get(number).into_iter();
                    open.extend(shuffle.flat_map(|shuffle| [shuffle.value].into_iter().chain(shuffle.number())));
                }
                Some(node) => open.extend(node.operands()),
                None => {}
            }
        }
        asked
    }

    /// The coordinates of a load.
    fn read_at(&self, load: AccessId) -> &[ValueId] {
        self.accesses.get(load.0 as usize).map_or(&[], |access| &access.coordinates)
    }

    /// The uniform classes of all values, given those of the merges.
    fn round(&mut self, merged: &[Classes], asked: &[bool]) -> Vec<Classes> {
        let mut of: Vec<Classes> = Vec::with_capacity(self.values.len());
        let mut same = SameInLanes::new(self.values, self.classes, self.shuffles);
        for id in self.values.ids() {
            (self.poll)();
            let known = self.value(id, &of, merged, asked.get(id.0 as usize) == Some(&true));
            of.push(same.add(id, known | self.threads));
        }
        of
    }

    fn value(&mut self, id: ValueId, of: &[Classes], merged: &[Classes], asked: bool) -> Classes {
        let all = |ids: &[ValueId]| ids.iter().fold(self.all, |known, id| known & of.get(id.0 as usize).unwrap_or(&0));
        let Some(node) = self.values.node(id) else { return 0 };
        let known = match node {
            Node::Constant(_) | Node::Size(_) | Node::Scalar(_) | Node::Block => return self.all,
            Node::Thread => return self.threads,
            // Each thread takes that of another lane, which may be the same one: see `SameInLanes`.
            Node::Shuffled(_) => return self.threads,
            Node::Iterator(number) => return self.values.bounds_of_loop(*number).map_or(0, |[low, _]| all(&[low])),
            Node::Merge(number) => return merged.get(*number as usize).copied().unwrap_or(0),
            Node::Load(load) => {
                let access = self.accesses.get(load.0 as usize);
                // What an atomic access gives differs between threads, and may between iterations. Each thread has its own
                // elements of an array that threads hold. What several threads read of a tensor, none of them writes meanwhile.
                let is_settled = access.is_some_and(|access| {
                    access.kind == AccessKind::Load && !self.values.kernel.is_held_by_thread(access.memory)
                });
                if is_settled { all(self.read_at(*load)) } else { 0 }
            }
            node => all(&node.operands()),
        };
        if known == self.all || !asked {
            return known;
        }
        let Some(decisive) = self.decisive(id) else { return known };
        let others: Vec<ValueId> = self.values.terms.values_of(decisive.form()).collect();
        if !others.iter().any(|other| self.values.node(*other) == Some(&Node::Thread)) {
            return known;
        }
        let others: Vec<ValueId> =
            others.into_iter().filter(|other| self.values.node(*other) != Some(&Node::Thread)).collect();
        let possible = all(&others) & !known;
        let found = (0..self.classes.len()).filter(|class| possible & (1 << class) != 0);
        let found: Classes = found
            .collect::<Vec<_>>()
            .into_iter()
            .filter(|class| self.is_constant(&decisive, *class, &others))
            .map(|class| 1 << class)
            .sum();
        known | found
    }

    /// What determines a value, as far as it is known.
    fn decisive(&self, id: ValueId) -> Option<Decisive> {
        let value = self.values.get(id)?;
        let form = match &value.truth {
            Truth::Compare(form, CompareOp::Eq | CompareOp::Ne) => form,
            Truth::Compare(form, op) => return Some(Decisive::Truth(form.clone(), *op)),
            _ => value.form.as_ref()?,
        };
        Some(Decisive::Form(Affine { constant: Sym::zero(), ..form.clone() }))
    }

    /// Whether two threads of an instance always have the same value if they have the same `others`.
    fn is_constant(&mut self, value: &Decisive, class: usize, others: &[ValueId]) -> bool {
        let question = (value.clone(), class);
        if let Some(known) = self.constant.get(&question) {
            return *known;
        }
        let found = self.ask(value, class, others).unwrap_or(false);
        self.constant.insert(question, found);
        found
    }

    fn ask(&self, value: &Decisive, class: usize, others: &[ValueId]) -> Option<bool> {
        let class = self.classes.get(class)?;
        let own = |id: ValueId| self.values.get(id).and_then(|value| value.form.clone());
        let mut lower = vec![own(class.instance)?];
        let mut relation = vec![Relation::EQUAL];
        for other in others {
            lower.push(own(*other)?);
            relation.push(Relation::EQUAL);
        }
        // Both threads are in one block.
        lower.push(own(self.block)?);
        relation.push(Relation::EQUAL);
        let guards: Vec<(ValueId, bool)> = class.condition.into_iter().map(|condition| (condition, true)).collect();
        let side = Side { reached: None, lower, guards, comparisons: Vec::new() };
        let mut sides = [side.clone(), side];
        match value {
            Decisive::Truth(form, op) => {
                for (side, op) in sides.iter_mut().zip([*op, op.negated()]) {
                    side.comparisons.push((form.clone(), op));
                }
            }
            Decisive::Form(form) => {
                sides.iter_mut().for_each(|side| side.lower.push(form.clone()));
                relation.push(Relation::Different);
            }
        }
        let [first, second] = [self.values.build(&sides[0])?, self.values.build(&sides[1])?];
        Some(apart(&first.map, &second.map, &relation, self.values.facts(), self.budget).is_proven())
    }
}
