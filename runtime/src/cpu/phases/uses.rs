//! What each stretch takes from others, and what it computes that others ask for.

use std::collections::BTreeSet;

use kernel::loops::{For, List, Loops, Node, Step, StepKind, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cut::{Cut, CutEnds, Met, Piece};
use crate::cpu::known::Known;
use crate::cpu::program::{Taken, merged, place};

/// What a stretch takes and defines.
#[derive(Debug, Default)]
pub struct Uses {
    /// What its guard takes.
    pub guard: Taken,
    /// What its steps take.
    pub body: Taken,
    /// By which of its steps each value is taken first: the number of its steps for what only meetings of paths ask for.
    pub first_taken: FxHashMap<ValueId, usize>,
    /// What it computes that a later stretch may ask for, with the step that computes it.
    pub defined: Vec<(ValueId, usize)>,
    /// What it writes into the arrays of meetings of paths.
    pub brings: Vec<(ValueId, ValueId)>,
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
pub struct Walk<'a, 'k> {
    loops: &'a Loops<'k>,
    needed: &'a FxHashSet<ValueId>,
    known: Known<Origin>,
    /// The stretches so far.
    pub stretches: Vec<Uses>,
    /// The step of the stretch under way.
    step: usize,
    first_taken: FxHashMap<ValueId, usize>,
    /// The list of pieces that the walk is in, and how many there were.
    list: usize,
    lists: usize,
    /// The values that are kept in arrays.
    pub carried: BTreeSet<ValueId>,
    /// The merges that another one's array holds.
    pub aliases: Vec<(ValueId, ValueId)>,
}

impl<'a, 'k> Walk<'a, 'k> {
    /// At the beginning, where these values are known to be kept.
    pub fn new(loops: &'a Loops<'k>, needed: &'a FxHashSet<ValueId>, carried: BTreeSet<ValueId>) -> Self {
        let (known, stretches, aliases) = (Known::default(), Vec::new(), Vec::new());
        let first_taken = FxHashMap::default();
        Walk { loops, needed, known, stretches, step: 0, first_taken, list: 0, lists: 0, carried, aliases }
    }

    /// Goes through pieces.
    pub fn pieces(&mut self, pieces: &[Piece]) {
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
                        && self.stretches[*from].defined.iter().any(|(defined, _)| *defined == value)
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
                uses.defined.push((value, self.step));
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
                Some(origin) => {
                    taken.insert(id);
                    self.first_taken.entry(id).or_insert(self.step);
                    self.carried.insert(if let Origin::Met(kept_as) = origin { *kept_as } else { id });
                }
                None => match &value.node {
                    Node::Load(access) => open.extend(place(self.loops, *access)),
                    node => open.extend(node.operands()),
                },
            }
        }
    }
}
