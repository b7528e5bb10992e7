//! Passes values between barrier regions: values that cannot be recomputed are kept in arrays with an element for each
//! thread.
//!
//! A value is stored where it is named, if a later region uses it. One that was loaded from an array which nothing writes until
//! its last use stands there already ([`standing`]): it is loaded again. An integer sum is not stored itself; its terms are,
//! since uses of the integer add them up again. The value of a variable at a join of paths around a barrier is stored
//! in the array of that join at the end of each path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dims::Sym;
use kernel::Id;
use kernel::loops::{Access, AccessId, List, Loops, Node, Step, StepKind, ValueId};
use kernel::typed::{AccessKind, Memory, Scope, SharedId};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, Term, TermId, UpperAxis};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::span::Span;

use super::cut::{Cut, CutEnds, Piece};
use super::members::Members;
use super::phase::{ArrayLength, BlockArray, Ending, Ends, Phase, Phased, Region};
use super::standing::standing;
use super::uses::{Uses, Walk};
use crate::cpu::program::Program;

/// Decides which values are kept, and makes each region a list of its own. If `all` is set, every access is made once, so what
/// stands in an array is kept, too.
pub fn carry<'k>(loops: Loops<'k>, needed: FxHashSet<ValueId>, pieces: Vec<Piece>, all: bool) -> Phased<'k> {
    let mut carried = BTreeSet::new();
    // A join of paths adds uses at the end of each path, so the analysis is repeated until nothing is added.
    let (regions, aliases) = loop {
        let known = carried.len();
        let mut walk = Walk::new(&loops, &needed, carried);
        walk.pieces(&pieces);
        carried = walk.carried;
        if carried.len() == known {
            break (walk.regions, walk.aliases);
        }
    };
    let standing = if all { FxHashMap::default() } else { standing(&loops, &regions, &carried) };
    let mut builder = Builder { loops, regions: regions.into_iter(), arrays: BTreeMap::new(), standing, made: 0 };
    let arrays = builder.declare(&carried);
    let body = builder.phases(pieces);
    let Builder { loops, arrays: accesses, standing, .. } = builder;
    let mut taken = standing;
    taken.extend(accesses.iter().map(|(value, array)| (*value, array.load)));
    taken.extend(aliases.into_iter().filter_map(|(merge, kept)| Some((merge, accesses.get(&kept)?.load))));
    Phased { program: Program::new(loops, arrays, &taken, needed), body }
}

/// The array of a value, with the accesses to it.
#[derive(Clone, Copy)]
struct Array {
    load: AccessId,
    store: AccessId,
}

/// Builds the phases.
struct Builder<'k> {
    loops: Loops<'k>,
    /// The values that each region takes, in program order.
    regions: std::vec::IntoIter<Uses>,
    arrays: BTreeMap<ValueId, Array>,
    /// The values that are loaded again, with their loads.
    standing: FxHashMap<ValueId, AccessId>,
    /// The number of regions so far.
    made: usize,
}

impl Builder<'_> {
    /// Declares the arrays; returns all arrays of a block, the kernel's own first.
    fn declare(&mut self, carried: &BTreeSet<ValueId>) -> Vec<BlockArray> {
        let kernel = self.loops.values.kernel;
        let own = kernel.shared.iter().map(|array| BlockArray {
            element: array.element,
            // The lengths of what is compiled are known.
            length: ArrayLength::Elements(array.known_length().unwrap_or(0)),
            cleared: array.cleared,
        });
        let mut arrays: Vec<BlockArray> = own.collect();
        let map = map_of_threads(&kernel.launch.threads);
        let thread = self.loops.values.made(Node::Thread, elements::ElementType::I64);
        for value in carried {
            if self.standing.contains_key(value) {
                continue;
            }
            let memory = Memory::Shared(SharedId(arrays.len() as u32));
            let element = self.loops.values.element(*value);
            arrays.push(BlockArray { element, length: ArrayLength::PerThread, cleared: false });
            let [load, store] =
                [AccessKind::Load, AccessKind::Store].map(|kind| self.access(memory, kind, &map, thread));
            self.arrays.insert(*value, Array { load, store });
        }
        arrays
    }

    fn access(&mut self, memory: Memory, kind: AccessKind, map: &Arc<IndexMap>, thread: ValueId) -> AccessId {
        let id = AccessId::next(&self.loops.accesses);
        self.loops.accesses.push(Access {
            memory,
            kind,
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
                Piece::Steps(cut) => phases.extend(self.region(cut).map(Phase::Threads)),
                Piece::Loop { iterator, ends, body, ending } => {
                    let ends = match ends {
                        CutEnds::Uniform(ends) => Ends::Uniform(ends),
                        CutEnds::Widest { cut, ends } => Ends::Widest { region: self.widest(cut), ends },
                    };
                    let body = self.phases(body);
                    let ending = ending.map(|(cut, goes_on)| Ending { region: self.widest(cut), goes_on });
                    phases.push(Phase::Loop { iterator, ends, body, ending });
                }
                Piece::If { condition, then, otherwise } => {
                    let (then, otherwise) = (self.phases(then), self.phases(otherwise));
                    phases.push(Phase::If { condition, then, otherwise });
                }
                Piece::Scope(pieces) => phases.extend(self.phases(pieces)),
                Piece::Join(_) => {}
            }
        }
        phases
    }

    /// A barrier region; `None` if it is empty.
    fn region(&mut self, cut: Cut) -> Option<Region> {
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

    /// The region that computes the bounds of a loop, or whether it goes on.
    fn widest(&mut self, cut: Cut) -> Region {
        let guard = cut.guard;
        let done = self.done(cut);
        self.guarded(None, guard, done)
    }

    /// A region's steps with the loads and stores of arrays. Each value is loaded just before its first use and stored
    /// just after its computation, so that few values are held in registers at a time.
    fn done(&mut self, cut: Cut) -> Done {
        let uses = self.regions.next().unwrap_or_default();
        let end = cut.steps.len();
        let mut taken_at: Vec<Vec<ValueId>> = vec![Vec::new(); end + 1];
        for value in uses.body.difference(&uses.guard) {
            taken_at[uses.first_taken.get(value).copied().unwrap_or(0)].push(*value);
        }
        let mut kept_at: Vec<Vec<(ValueId, ValueId)>> = vec![Vec::new(); end + 1];
        for (value, place) in &uses.defined {
            kept_at[*place].push((*value, *value));
        }
        // A value that a path stores replaces the previous path's value, which any step may still use.
        kept_at[end].extend(&uses.brings);
        let mut done = Done { uses, steps: Vec::new(), is_idle: true };
        let mut own = cut.steps.into_iter();
        for (taken, kept) in taken_at.into_iter().zip(kept_at) {
            done.steps.extend(self.takes(taken));
            let own = own.next().filter(|step| !self.is_for_later(step, &done.uses));
            done.is_idle &= own.is_none();
            done.steps.extend(own);
            for (kept_as, value) in kept {
                if let Some(array) = self.arrays.get(&kept_as) {
                    done.steps.push(step(StepKind::Store { access: array.store, value }, vec![array.store]));
                    done.is_idle = false;
                }
            }
        }
        done
    }

    /// Whether a step only names a value that later regions load again.
    fn is_for_later(&self, step: &Step, uses: &Uses) -> bool {
        matches!(&step.kind, StepKind::Assign { value, .. }
            if self.standing.contains_key(value) && !uses.own.contains(value))
    }

    /// Steps that load values from arrays.
    fn takes(&self, values: impl IntoIterator<Item = ValueId>) -> impl Iterator<Item = Step> {
        let take = |value| {
            let loads = self.standing.get(&value).copied().into_iter().collect();
            step(StepKind::Assign { local: None, value }, loads)
        };
        values.into_iter().map(take)
    }

    fn guarded(&mut self, threads: Option<std::ops::Range<i64>>, guard: Option<ValueId>, done: Done) -> Region {
        let Done { uses: Uses { guard: mut taken, body, .. }, steps: inside, .. } = done;
        let scope = Scope::Block;
        let mut steps: Vec<Step> = self.takes(taken.iter().copied()).collect();
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
        let number = self.made;
        self.made += 1;
        Region { number, threads, body: List { scope, steps }, taken }
    }
}

/// The steps of a barrier region.
struct Done {
    uses: Uses,
    steps: Vec<Step>,
    /// Whether they only load values.
    is_idle: bool,
}

/// A step without a place in the text.
fn step(kind: StepKind, accesses: Vec<AccessId>) -> Step {
    Step { number: 0, span: Span::default(), accesses, kind, after: Vec::new() }
}

/// The map from a thread's id to its element.
pub fn map_of_threads(threads: &Sym) -> Arc<IndexMap> {
    let value = Affine { constant: Sym::zero(), terms: vec![(TermId(0), Sym::one())] };
    Arc::new(IndexMap {
        upper: vec![UpperAxis { extent: Some(threads.clone()), role: AxisRole::Thread }],
        terms: vec![Term::Coordinate(0)],
        lower: vec![LowerAxis { value, extent: Some(threads.clone()) }],
        masks: Vec::new(),
    })
}
