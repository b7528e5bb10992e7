//! What a stretch takes from those before it: values that cannot be computed again are kept in arrays, with an element for
//! each thread.
//!
//! A value is kept where it gets a name, if a later stretch asks for it. An integer is not kept itself: what its sum is
//! made of is, since whoever computes with the integer adds up that. What a variable holds where paths meet around a barrier is
//! written into the array of that meeting at the end of each path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dims::Sym;
use kernel::loops::{Access, AccessId, For, List, Loops, Node, Step, StepKind, ValueId};
use kernel::typed::{Local, Memory, Scope, SharedId};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, Term, TermId, UpperAxis};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::span::Span;

use super::cut::{Cut, CutEnds, Met, Piece};
use super::members::Members;
use super::{ArrayLength, BlockArray, Ends, Phase, Phased, Stretch};
use crate::cpu::known::Known;
use crate::cpu::program::{Program, Taken, merged, place};

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

/// What a stretch takes and defines.
#[derive(Debug, Default)]
struct Uses {
    /// What its guard takes.
    guard: Taken,
    /// What its steps take.
    body: Taken,
    /// What it computes that a later stretch may ask for.
    defined: Vec<ValueId>,
    /// What it writes into the arrays of meetings of paths.
    brings: Vec<(ValueId, ValueId)>,
    /// The list that it stands in.
    list: usize,
}

/// Where a value is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The stretch with this number computes it.
    Stretch(usize),
    /// Paths met around a barrier; it is in the array of this merge.
    Met(ValueId),
}

/// A walk over the pieces in the order of execution.
struct Walk<'a, 'k> {
    loops: &'a Loops<'k>,
    needed: &'a FxHashSet<ValueId>,
    known: Known<Origin>,
    stretches: Vec<Uses>,
    /// The list of pieces that the walk is in, and how many there were.
    list: usize,
    lists: usize,
    carried: BTreeSet<ValueId>,
    /// The merges that another one's array holds.
    aliases: Vec<(ValueId, ValueId)>,
}

impl<'a, 'k> Walk<'a, 'k> {
    fn new(loops: &'a Loops<'k>, needed: &'a FxHashSet<ValueId>, carried: BTreeSet<ValueId>) -> Self {
        let (known, stretches, aliases) = (Known::default(), Vec::new(), Vec::new());
        Walk { loops, needed, known, stretches, list: 0, lists: 0, carried, aliases }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        self.lists += 1;
        let outer = std::mem::replace(&mut self.list, self.lists);
        pieces.iter().for_each(|piece| self.piece(piece));
        self.list = outer;
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Steps(cut) => self.cut(cut, &[]),
            Piece::Loop { ends, body, .. } => {
                if let CutEnds::Widest { cut, ends } = ends {
                    self.cut(cut, ends);
                }
                self.scope(|walk| walk.pieces(body));
            }
            Piece::If { then, otherwise, .. } => {
                self.scope(|walk| walk.pieces(then));
                self.scope(|walk| walk.pieces(otherwise));
            }
            Piece::Scope(pieces) => self.scope(|walk| walk.pieces(pieces)),
            Piece::Met(all) => all.iter().for_each(|met| self.met(*met)),
        }
    }

    fn scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let mark = self.known.enter();
        visit(self);
        self.known.leave(mark);
    }

    fn met(&mut self, Met { merge, kept_as }: Met) {
        self.known.add(merge, Origin::Met(kept_as));
        if merge != kept_as {
            self.aliases.push((merge, kept_as));
        }
    }

    /// A stretch, whose guard is asked together with these values.
    fn cut(&mut self, cut: &Cut, with_guard: &[ValueId]) {
        let mut uses = Uses { list: self.list, ..Uses::default() };
        cut.guard.iter().chain(with_guard).for_each(|value| self.need(*value, &mut uses.guard));
        if cut.is_branch {
            self.scope(|walk| walk.steps(&cut.steps, &mut uses, false));
        } else {
            self.steps(&cut.steps, &mut uses, true);
        }
        for kept in &cut.kept {
            self.name(*kept, &mut uses, true);
        }
        self.brings(&cut.brings, &mut uses);
        self.stretches.push(uses);
    }

    /// What a path brings to the meetings at its end. What an earlier stretch of the path has computed is brought by that, if
    /// nobody asks afterwards what the iteration before has left there.
    fn brings(&mut self, brings: &[(ValueId, ValueId)], uses: &mut Uses) {
        let kept: Vec<_> = brings.iter().copied().filter(|(merge, _)| self.carried.contains(merge)).collect();
        let mut asked = Taken::new();
        let carried = self.carried.clone();
        kept.iter().for_each(|(_, value)| self.need(*value, &mut asked));
        self.carried = carried;
        for (merge, value) in kept {
            let is_asked =
                |walk: &Self, taken: &Taken| taken.iter().any(|id| walk.known.get(*id) == Some(&Origin::Met(merge)));
            let is_free = |walk: &Self, from: usize| {
                let later = walk.stretches[from + 1..].iter().flat_map(|uses| [&uses.guard, &uses.body]);
                !later.chain([&uses.guard, &uses.body, &asked]).any(|taken| is_asked(walk, taken))
            };
            match self.known.get(value) {
                Some(Origin::Stretch(from))
                    if *from < self.stretches.len()
                        && self.stretches[*from].list == self.list
                        && self.stretches[*from].defined.contains(&value)
                        && is_free(self, *from) =>
                {
                    let from = *from;
                    self.stretches[from].brings.push((merge, value));
                }
                _ => {
                    self.need(value, &mut uses.body);
                    uses.brings.push((merge, value));
                }
            }
        }
    }

    /// Steps of the stretch under way; names in its own list can be seen later.
    fn steps(&mut self, steps: &[Step], uses: &mut Uses, is_own: bool) {
        for step in steps {
            match &step.kind {
                StepKind::Assign { value, .. } if self.needed.contains(value) => self.name(*value, uses, is_own),
                StepKind::Assign { .. } | StepKind::Barrier { .. } => {}
                kind => kind.values().for_each(|value| self.need(value, &mut uses.body)),
            }
            if let StepKind::Store { access, .. } = &step.kind {
                place(self.loops, *access).for_each(|part| self.need(part, &mut uses.body));
            }
            if let StepKind::For(For { heads, .. }) = &step.kind {
                heads.iter().for_each(|(_, head)| self.bring(*head, 0, uses));
            }
            for (side, list) in step.kind.lists().enumerate() {
                self.scope(|walk| walk.inner(step, side, list, uses));
            }
            for (_, merge) in &step.after {
                self.define(*merge, uses, is_own);
            }
        }
    }

    fn inner(&mut self, step: &Step, side: usize, list: &List, uses: &mut Uses) {
        if let StepKind::For(For { heads, .. }) = &step.kind {
            heads.iter().for_each(|(_, head)| self.define(*head, uses, false));
            self.steps(&list.steps, uses, false);
            heads.iter().for_each(|(_, head)| self.bring(*head, 1, uses));
        } else {
            self.steps(&list.steps, uses, false);
            step.after.iter().for_each(|(_, merge)| self.bring(*merge, side, uses));
        }
    }

    /// What a path brings to a meeting within the stretch.
    fn bring(&mut self, merge: ValueId, side: usize, uses: &mut Uses) {
        if self.needed.contains(&merge)
            && let Some(value) = merged(self.loops, merge).get(side)
        {
            self.need(*value, &mut uses.body);
        }
    }

    /// A value that gets a name.
    fn name(&mut self, value: ValueId, uses: &mut Uses, is_own: bool) {
        self.need(value, &mut uses.body);
        if !self.loops.values.element(value).is_integer() {
            return self.define(value, uses, is_own);
        }
        let loops = self.loops;
        for part in loops.values.parts(value) {
            self.define(part, uses, is_own);
        }
    }

    fn define(&mut self, value: ValueId, uses: &mut Uses, is_own: bool) {
        let is_lasting = self.loops.values.get(value).is_none_or(|value| value.is_lasting);
        if !is_lasting && self.known.get(value).is_none() {
            self.known.add(value, Origin::Stretch(self.stretches.len()));
            if is_own {
                uses.defined.push(value);
            }
        }
    }

    /// Takes what computing a value takes.
    fn need(&mut self, value: ValueId, taken: &mut Taken) {
        let (mut open, mut seen) = (vec![value], FxHashSet::default());
        while let Some(id) = open.pop() {
            let Some(value) = self.loops.values.get(id).filter(|value| !value.is_lasting && seen.insert(id)) else {
                continue;
            };
            match self.known.get(id) {
                Some(Origin::Stretch(number)) if *number == self.stretches.len() => {}
                Some(Origin::Stretch(_)) => {
                    taken.insert(id);
                    self.carried.insert(id);
                }
                Some(Origin::Met(kept_as)) => {
                    taken.insert(id);
                    self.carried.insert(*kept_as);
                }
                None => match &value.node {
                    Node::Load(access) => open.extend(place(self.loops, *access)),
                    node => open.extend(node.operands()),
                },
            }
        }
    }
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
            like: id,
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
        let (uses, done) = self.done(cut);
        if done.is_empty() {
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
        Some(self.guarded(threads, guard, uses, done))
    }

    /// The stretch that computes the ends of a loop.
    fn widest(&mut self, cut: Cut) -> Stretch {
        let guard = cut.guard;
        let (uses, done) = self.done(cut);
        self.guarded(None, guard, uses, done)
    }

    /// What a stretch takes, and its steps with what it leaves to later ones.
    fn done(&mut self, cut: Cut) -> (Uses, Vec<Step>) {
        let uses = self.stretches.next().unwrap_or_default();
        let mut steps = cut.steps;
        let leaves = uses.defined.iter().map(|value| (*value, *value)).chain(uses.brings.iter().copied());
        for (kept_as, value) in leaves {
            if let Some(array) = self.arrays.get(&kept_as) {
                steps.push(step(StepKind::Store { access: array.store, value }, vec![array.store]));
            }
        }
        (uses, steps)
    }

    fn guarded(
        &self,
        threads: Option<std::ops::Range<i64>>,
        guard: Option<ValueId>,
        uses: Uses,
        done: Vec<Step>,
    ) -> Stretch {
        let Uses { guard: mut taken, body, .. } = uses;
        let scope = Scope::Block;
        let takes = |values: &mut dyn Iterator<Item = &ValueId>| -> Vec<Step> {
            values.map(|value| step(StepKind::Assign { local: NO_VARIABLE, value: *value }, Vec::new())).collect()
        };
        let mut steps = takes(&mut taken.iter());
        let mut inside = takes(&mut body.difference(&taken));
        inside.extend(done);
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
