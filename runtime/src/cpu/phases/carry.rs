//! What a stretch takes from those before it: values that cannot be computed again are kept in arrays, with an element for
//! each thread.
//!
//! A value is kept where it gets a name, if a later stretch asks for it. An integer is not kept itself: what its sum is
//! made of is, since whoever computes with the integer adds up that. What a variable holds where paths meet around a barrier is
//! written into the array of that meeting at the end of each path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dims::Sym;
use kernel::loops::{Access, AccessId, List, Loops, Node, Step, StepKind, ValueId};
use kernel::typed::{Local, Memory, Scope, SharedId};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, Term, TermId, UpperAxis};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::span::Span;

use super::cut::{Cut, CutEnds, Piece};
use super::members::Members;
use super::uses::{Uses, Walk};
use super::{ArrayLength, BlockArray, Ends, Phase, Phased, Stretch};
use crate::cpu::program::Program;

/// Decides what is kept, and makes each stretch a list of its own.
pub fn carry<'k>(loops: Loops<'k>, needed: FxHashSet<ValueId>, pieces: Vec<Piece>) -> Phased<'k> {
    let mut carried = BTreeSet::new();
    // What is kept of a meeting of paths is needed at the end of each path, so the walk is repeated until nothing is added.
    let (stretches, aliases) = loop {
        let known = carried.len();
        let mut walk = Walk::new(&loops, &needed, carried);
        walk.pieces(&pieces);
        carried = walk.carried;
        if carried.len() == known {
            break (walk.stretches, walk.aliases);
        }
    };
    let mut builder = Builder { loops, stretches: stretches.into_iter(), arrays: BTreeMap::new() };
    let arrays = builder.declare(&carried);
    let body = builder.phases(pieces);
    let Builder { loops, arrays: accesses, .. } = builder;
    let mut taken: FxHashMap<ValueId, AccessId> = accesses.iter().map(|(value, array)| (*value, array.load)).collect();
    taken.extend(aliases.into_iter().filter_map(|(merge, kept)| Some((merge, accesses.get(&kept)?.load))));
    Phased { program: Program::new(loops, arrays, &taken, needed), body }
}

/// How the array of a value is reached.
#[derive(Clone, Copy)]
struct Array {
    load: AccessId,
    store: AccessId,
}

/// Makes the phases.
struct Builder<'k> {
    loops: Loops<'k>,
    /// What each stretch takes, in the order of the walk.
    stretches: std::vec::IntoIter<Uses>,
    arrays: BTreeMap<ValueId, Array>,
}

impl Builder<'_> {
    /// Declares the arrays; gives all of a block, the kernel's own first.
    fn declare(&mut self, carried: &BTreeSet<ValueId>) -> Vec<BlockArray> {
        let kernel = self.loops.values.kernel;
        let own = kernel.shared.iter().map(|array| BlockArray {
            element: array.element,
            length: ArrayLength::Elements(array.length),
            cleared: array.cleared,
        });
        let mut arrays: Vec<BlockArray> = own.collect();
        let map = map_of_threads(&kernel.launch.threads);
        let thread = self.loops.values.made(Node::Thread, elements::ElementType::I64);
        for value in carried {
            let memory = Memory::Shared(SharedId(arrays.len() as u32));
            let element = self.loops.values.element(*value);
            arrays.push(BlockArray { element, length: ArrayLength::PerThread, cleared: false });
            let [load, store] = [false, true].map(|store| self.access(memory, store, &map, thread));
            self.arrays.insert(*value, Array { load, store });
        }
        arrays
    }

    fn access(&mut self, memory: Memory, store: bool, map: &Arc<IndexMap>, thread: ValueId) -> AccessId {
        let id = AccessId(self.loops.accesses.len() as u32);
        self.loops.accesses.push(Access {
            memory,
            store,
            is_constant: false,
            span: Span::default(),
            map: map.clone(),
            coordinates: vec![thread],
            offset: thread,
            mask: None,
            tested: None,
            unconditional: true,
            guards: [].into(),
            loops: [].into(),
            representative: id,
        });
        id
    }

    fn phases(&mut self, pieces: Vec<Piece>) -> Vec<Phase> {
        let mut phases = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Steps(cut) => phases.extend(self.stretch(cut).map(Phase::Threads)),
                Piece::Loop { iterator, ends, body } => {
                    let ends = match ends {
                        CutEnds::Uniform(ends) => Ends::Uniform(ends),
                        CutEnds::Widest { cut, ends } => Ends::Widest { stretch: self.widest(cut), ends },
                    };
                    phases.push(Phase::Loop { iterator, ends, body: self.phases(body) });
                }
                Piece::If { condition, then, otherwise } => {
                    let (then, otherwise) = (self.phases(then), self.phases(otherwise));
                    phases.push(Phase::If { condition, then, otherwise });
                }
                Piece::Scope(pieces) => phases.extend(self.phases(pieces)),
                Piece::Met(_) => {}
            }
        }
        phases
    }

    /// A stretch; `None` where nothing is left to be done.
    fn stretch(&mut self, cut: Cut) -> Option<Stretch> {
        let guard = cut.guard;
        let done = self.done(cut);
        if done.is_idle {
            return None;
        }
        let members = guard.and_then(|guard| Members::among(guard, &mut self.loops.values));
        let (threads, guard) = match members {
            Some(members) if members.range.is_empty() => return None,
            Some(Members { range, rest }) => {
                let all = self.loops.values.kernel.launch.threads.as_constant();
                (Some(range).filter(|range| all != Some(range.end - range.start)), rest)
            }
            None => (None, guard),
        };
        Some(self.guarded(threads, guard, done))
    }

    /// The stretch that computes the ends of a loop.
    fn widest(&mut self, cut: Cut) -> Stretch {
        let guard = cut.guard;
        let done = self.done(cut);
        self.guarded(None, guard, done)
    }

    /// What a stretch takes, and its steps, with what they take and leave: each value is taken just before the first step that asks
    /// for it and kept just after the one that computes it, so that few values are held in registers at a time.
    fn done(&mut self, cut: Cut) -> Done {
        let uses = self.stretches.next().unwrap_or_default();
        let end = cut.steps.len();
        let mut taken_at: Vec<Vec<ValueId>> = vec![Vec::new(); end + 1];
        for value in uses.body.difference(&uses.guard) {
            taken_at[uses.first_taken.get(value).copied().unwrap_or(0)].push(*value);
        }
        let mut kept_at: Vec<Vec<(ValueId, ValueId)>> = vec![Vec::new(); end + 1];
        for (value, place) in &uses.defined {
            kept_at[*place].push((*value, *value));
        }
        // What a path brings replaces what the path before it has brought, which any step may still ask for.
        kept_at[end].extend(&uses.brings);
        let mut done = Done { uses, steps: Vec::new(), is_idle: end == 0 };
        let mut own = cut.steps.into_iter();
        for (taken, kept) in taken_at.into_iter().zip(kept_at) {
            done.steps.extend(takes(taken));
            done.steps.extend(own.next());
            for (kept_as, value) in kept {
                if let Some(array) = self.arrays.get(&kept_as) {
                    done.steps.push(step(StepKind::Store { access: array.store, value }, vec![array.store]));
                    done.is_idle = false;
                }
            }
        }
        done
    }

    fn guarded(&self, threads: Option<std::ops::Range<i64>>, guard: Option<ValueId>, done: Done) -> Stretch {
        let Done { uses: Uses { guard: mut taken, body, .. }, steps: inside, .. } = done;
        let scope = Scope::Block;
        let mut steps: Vec<Step> = takes(taken.iter().copied()).collect();
        match guard {
            Some(_) if inside.is_empty() => {}
            Some(condition) => {
                let then = List { scope, steps: inside };
                let otherwise = List { scope, steps: Vec::new() };
                steps.push(step(StepKind::Branch { condition, then, otherwise }, Vec::new()));
            }
            None => steps.extend(inside),
        }
        taken.extend(body);
        Stretch { threads, body: List { scope, steps }, taken }
    }
}

/// The steps of a stretch.
struct Done {
    uses: Uses,
    steps: Vec<Step>,
    /// Whether they do nothing but take values.
    is_idle: bool,
}

/// Steps that take values from arrays.
fn takes(values: impl IntoIterator<Item = ValueId>) -> impl Iterator<Item = Step> {
    let take = |value| step(StepKind::Assign { local: NO_VARIABLE, value }, Vec::new());
    values.into_iter().map(take)
}

/// What is taken from an array needs no variable.
const NO_VARIABLE: Local = Local(u32::MAX);

/// A step that no text stands for.
fn step(kind: StepKind, accesses: Vec<AccessId>) -> Step {
    Step { number: 0, span: Span::default(), accesses, kind, after: Vec::new() }
}

/// From a thread's id to its element.
fn map_of_threads(threads: &Sym) -> Arc<IndexMap> {
    let value = Affine { constant: Sym::zero(), terms: vec![(TermId(0), Sym::one())] };
    Arc::new(IndexMap {
        upper: vec![UpperAxis { extent: Some(threads.clone()), role: AxisRole::Thread }],
        terms: vec![Term::Coordinate(0)],
        lower: vec![LowerAxis { value, extent: Some(threads.clone()) }],
        masks: Vec::new(),
    })
}
