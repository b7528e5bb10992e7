//! Finds the values that each barrier region takes from others, and those that it computes for others.

use std::collections::BTreeSet;

use kernel::loops::{Atomic, For, List, Loops, Node, Step, StepKind, ValueId};
use kernel::typed::Memory;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cut::{Cut, CutEnds, Joined, Piece};
use crate::cpu::known::Known;
use crate::cpu::program::{Taken, merged, place};

/// The values that a region takes and defines.
#[derive(Debug, Default)]
pub struct Uses {
    /// The values that its guard takes.
    pub guard: Taken,
    /// The values that its steps take.
    pub body: Taken,
    /// For each taken value, the first step that uses it: the number of steps if only joins of paths use it.
    pub first_taken: FxHashMap<ValueId, usize>,
    /// The values that it computes and a later region may use, with the steps that compute them.
    pub defined: Vec<(ValueId, usize)>,
    /// Those of them that it uses itself, behind the step that computes them.
    pub own: FxHashSet<ValueId>,
    /// The values that it stores into the arrays of joins.
    pub brings: Vec<(ValueId, ValueId)>,
    /// The memories that its steps write.
    pub written: FxHashSet<Memory>,
    /// The number of the list that contains it.
    list: usize,
}

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The region with this number computes it.
    Region(usize),
    /// Paths joined around a barrier; it is in the array of this merge.
    Join(ValueId),
}

/// A walk over the pieces in program order.
pub struct Walk<'a, 'k> {
    loops: &'a Loops<'k>,
    needed: &'a FxHashSet<ValueId>,
    known: Known<Origin>,
    /// The regions so far.
    pub regions: Vec<Uses>,
    /// The current step of the current region.
    step: usize,
    first_taken: FxHashMap<ValueId, usize>,
    /// The values of the current region that it has used.
    own: FxHashSet<ValueId>,
    /// The number of the current list of pieces, and the number of lists so far.
    list: usize,
    lists: usize,
    /// The values that are kept in arrays.
    pub carried: BTreeSet<ValueId>,
    /// The merges that share another one's array.
    pub aliases: Vec<(ValueId, ValueId)>,
}

impl<'a, 'k> Walk<'a, 'k> {
    /// Begins the walk; these values are known to be kept.
    pub fn new(loops: &'a Loops<'k>, needed: &'a FxHashSet<ValueId>, carried: BTreeSet<ValueId>) -> Self {
        let (known, regions, aliases) = (Known::default(), Vec::new(), Vec::new());
        let (first_taken, own) = (FxHashMap::default(), FxHashSet::default());
        Walk { loops, needed, known, regions, step: 0, first_taken, own, list: 0, lists: 0, carried, aliases }
    }

    /// Visits pieces.
    pub fn pieces(&mut self, pieces: &[Piece]) {
        self.lists += 1;
        let outer = std::mem::replace(&mut self.list, self.lists);
        pieces.iter().for_each(|piece| self.piece(piece));
        self.list = outer;
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Steps(cut) => self.cut(cut, &[]),
            Piece::Loop { ends, body, ending, .. } => {
                if let CutEnds::Widest { cut, ends } = ends {
                    self.cut(cut, ends);
                }
                self.scope(|walk| {
                    walk.pieces(body);
                    if let Some((cut, goes_on)) = ending {
                        walk.cut(cut, &[*goes_on]);
                    }
                });
            }
            Piece::If { then, otherwise, .. } => {
                self.scope(|walk| walk.pieces(then));
                self.scope(|walk| walk.pieces(otherwise));
            }
            Piece::Scope(pieces) => self.scope(|walk| walk.pieces(pieces)),
            Piece::Join(all) => all.iter().for_each(|joined| self.joined(*joined)),
        }
    }

    fn scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let mark = self.known.enter();
        visit(self);
        self.known.leave(mark);
    }

    fn joined(&mut self, Joined { merge, kept_as }: Joined) {
        self.known.add(merge, Origin::Join(kept_as));
        if merge != kept_as {
            self.aliases.push((merge, kept_as));
        }
    }

    /// Visits a region, whose guard is evaluated together with these values.
    fn cut(&mut self, cut: &Cut, with_guard: &[ValueId]) {
        let mut uses = Uses { list: self.list, ..Uses::default() };
        self.step = 0;
        cut.guard.iter().chain(with_guard).for_each(|value| self.need(*value, &mut uses.guard));
        let mark = self.known.enter();
        for (place, step) in cut.steps.iter().enumerate() {
            self.step = place;
            self.steps(std::slice::from_ref(step), &mut uses, !cut.is_branch);
        }
        if cut.is_branch {
            self.known.leave(mark);
        }
        self.step = cut.steps.len();
        for kept in &cut.kept {
            self.name(*kept, &mut uses, true);
        }
        self.brings(&cut.brings, &mut uses);
        uses.first_taken = std::mem::take(&mut self.first_taken);
        uses.own = std::mem::take(&mut self.own);
        self.regions.push(uses);
    }

    /// Visits the values that a path stores for the joins at its end. A value that an earlier region of the path has
    /// computed is stored there, if no use of the previous iteration's value follows.
    fn brings(&mut self, brings: &[(ValueId, ValueId)], uses: &mut Uses) {
        let kept: Vec<_> = brings.iter().copied().filter(|(merge, _)| self.carried.contains(merge)).collect();
        let mut asked = Taken::new();
        let carried = self.carried.clone();
        kept.iter().for_each(|(_, value)| self.need(*value, &mut asked));
        self.carried = carried;
        for (merge, value) in kept {
            let is_asked =
                |walk: &Self, taken: &Taken| taken.iter().any(|id| walk.known.get(*id) == Some(&Origin::Join(merge)));
            let is_free = |walk: &Self, from: usize| {
                let later = walk.regions[from + 1..].iter().flat_map(|uses| [&uses.guard, &uses.body]);
                !later.chain([&uses.guard, &uses.body, &asked]).any(|taken| is_asked(walk, taken))
            };
            match self.known.get(value) {
                Some(Origin::Region(from))
                    if *from < self.regions.len()
                        && self.regions[*from].list == self.list
                        && self.regions[*from].defined.iter().any(|(defined, _)| *defined == value)
                        && is_free(self, *from) =>
                {
                    let from = *from;
                    self.regions[from].brings.push((merge, value));
                }
                _ => {
                    self.need(value, &mut uses.body);
                    uses.brings.push((merge, value));
                }
            }
        }
    }

    /// Visits steps of the current region; names in its own list are visible later.
    fn steps(&mut self, steps: &[Step], uses: &mut Uses, is_own: bool) {
        for step in steps {
            match &step.kind {
                StepKind::Assign { value, .. } if self.needed.contains(value) => self.name(*value, uses, is_own),
                StepKind::Assign { .. } | StepKind::Barrier { .. } | StepKind::Copies(_) => {}
                kind => kind.values().for_each(|value| self.need(value, &mut uses.body)),
            }
            if let Some(access) = step.kind.written() {
                place(self.loops, access).for_each(|part| self.need(part, &mut uses.body));
                uses.written.extend(self.loops.access(access).map(|access| access.memory));
            }
            if let StepKind::For(For { heads, .. }) = &step.kind {
                heads.iter().for_each(|(_, head)| self.bring(*head, 0, uses));
            }
            for (side, list) in step.kind.lists().enumerate() {
                self.scope(|walk| walk.inner(step, side, list, uses));
            }
            if let StepKind::Atomic(Atomic { result: Some((_, value)), .. }) = &step.kind {
                self.define(*value, uses, is_own);
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

    /// Visits the value of a path at a join within the region.
    fn bring(&mut self, merge: ValueId, side: usize, uses: &mut Uses) {
        if self.needed.contains(&merge)
            && let Some(value) = merged(self.loops, merge).get(side)
        {
            self.need(*value, &mut uses.body);
        }
    }

    /// Visits a named value.
    fn name(&mut self, value: ValueId, uses: &mut Uses, is_own: bool) {
        if self.known.get(value) == Some(&Origin::Region(self.regions.len())) {
            // Another name is no use.
            return;
        }
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
            self.known.add(value, Origin::Region(self.regions.len()));
            if is_own {
                uses.defined.push((value, self.step));
            }
        }
    }

    /// Adds everything that computing a value takes.
    fn need(&mut self, value: ValueId, taken: &mut Taken) {
        let (mut open, mut seen) = (vec![value], FxHashSet::default());
        while let Some(id) = open.pop() {
            let Some(value) = self.loops.values.get(id).filter(|value| !value.is_lasting && seen.insert(id)) else {
                continue;
            };
            match self.known.get(id) {
                Some(Origin::Region(number)) if *number == self.regions.len() => {
                    self.own.insert(id);
                }
                Some(origin) => {
                    taken.insert(id);
                    self.first_taken.entry(id).or_insert(self.step);
                    self.carried.insert(if let Origin::Join(kept_as) = origin { *kept_as } else { id });
                }
                None => match &value.node {
                    Node::Load(access) => open.extend(place(self.loops, *access)),
                    node => open.extend(node.operands()),
                },
            }
        }
    }
}
