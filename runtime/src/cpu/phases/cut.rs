//! Splits the steps of a program at barriers.

use elements::ElementType;
use kernel::loops::{For, List, LoopId, Loops, Node, Step, StepKind, ValueId};
use kernel::typed::{BinaryOp, UnaryOp};
use kernel::with_enough_stack;
use rustc_hash::FxHashSet;

use super::members::Members;
use crate::cpu::program::merged;

/// A piece that becomes a phase.
pub enum Piece {
    /// Steps between barriers.
    Steps(Cut),
    /// A loop with a trip count that is uniform in the block.
    Loop { iterator: ValueId, ends: CutEnds, body: Vec<Piece>, ending: Option<(Cut, ValueId)> },
    /// A branch whose condition is uniform in the block.
    If { condition: ValueId, then: Vec<Piece>, otherwise: Vec<Piece> },
    /// Pieces whose names are not visible outside.
    Scope(Vec<Piece>),
    /// A join of paths: from here on, the joined values are in arrays.
    Join(Vec<Joined>),
}

/// The value of a variable at a join of paths with barriers.
#[derive(Clone, Copy)]
pub struct Joined {
    pub merge: ValueId,
    /// The merge whose array holds it: after a loop, the merge of its iterations.
    pub kept_as: ValueId,
}

/// The bounds of a loop.
pub enum CutEnds {
    Uniform([ValueId; 2]),
    Widest { cut: Cut, ends: [ValueId; 2] },
}

/// Steps between barriers.
#[derive(Default)]
pub struct Cut {
    /// The condition of the threads that run them.
    pub guard: Option<ValueId>,
    pub steps: Vec<Step>,
    /// Whether they are from a branch, so that names in them are not visible later.
    pub is_branch: bool,
    /// Values without a name that are computed here and used later.
    pub kept: Vec<ValueId>,
    /// The values that this path stores for merges.
    pub brings: Vec<(ValueId, ValueId)>,
}

impl Cut {
    fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.kept.is_empty() && self.brings.is_empty()
    }
}

/// The program without its body, and the pieces of the body. Unused names are removed.
pub fn cut<'k>(
    mut loops: Loops<'k>,
    needed: &FxHashSet<ValueId>,
    own_regions: &FxHashSet<LoopId>,
) -> (Loops<'k>, Vec<Piece>) {
    let scope = loops.body.scope;
    let body = std::mem::replace(&mut loops.body, List { scope, steps: Vec::new() });
    let mut cutter = Cutter { loops, needed, own_regions, guards: Vec::new() };
    let pieces = cutter.list(body.steps, Vec::new());
    (cutter.loops, pieces)
}

struct Cutter<'a, 'k> {
    loops: Loops<'k>,
    needed: &'a FxHashSet<ValueId>,
    /// The loops that become regions of their own.
    own_regions: &'a FxHashSet<LoopId>,
    /// The conditions of the threads that run the current steps.
    guards: Vec<ValueId>,
}

impl Cutter<'_, '_> {
    /// The pieces of a list of steps, at the end of which values are stored for merges.
    fn list(&mut self, steps: Vec<Step>, brings: Vec<(ValueId, ValueId)>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut open = Cut::default();
        for step in steps {
            if self.is_own_region(&step) {
                self.close(open, &mut pieces);
                self.close(Cut { steps: vec![step], ..Cut::default() }, &mut pieces);
                open = Cut::default();
                continue;
            }
            if !has_barrier(&step) && !self.has_own_region(&step) {
                open.steps.push(step);
                continue;
            }
            let after: Vec<ValueId> = step.after.iter().map(|(_, merge)| *merge).collect();
            match step.kind {
                StepKind::For(counted) => self.counted(counted, &after, open, &mut pieces),
                StepKind::Branch { condition, then, otherwise } => {
                    self.branch(condition, [then, otherwise], &after, open, &mut pieces);
                }
                // The barrier itself.
                _ => self.close(open, &mut pieces),
            }
            open = Cut::default();
        }
        open.brings = brings;
        self.close(open, &mut pieces);
        pieces
    }

    /// Ends a barrier region.
    fn close(&mut self, mut cut: Cut, pieces: &mut Vec<Piece>) {
        // Values that can be recomputed anywhere are computed where they are used.
        cut.steps.retain(|step| match &step.kind {
            StepKind::Assign { value, .. } => self.needed.contains(value) && !self.is_lasting(*value),
            _ => true,
        });
        if cut.is_empty() {
            return;
        }
        cut.guard = self.guard();
        while let Some((condition, then)) = self.only_branch(&mut cut) {
            cut.steps = then;
            cut.is_branch = true;
            cut.guard = Some(match cut.guard {
                Some(guard) => self.bool(BinaryOp::And, guard, condition),
                None => condition,
            });
        }
        pieces.push(Piece::Steps(cut));
    }

    /// If a region consists of a single branch that stores nothing for later ones: the condition of the branch, which
    /// becomes that of the threads, and its steps.
    fn only_branch(&self, cut: &mut Cut) -> Option<(ValueId, Vec<Step>)> {
        let [Step { kind: StepKind::Branch { condition, then, otherwise }, after, .. }] = cut.steps.as_mut_slice()
        else {
            return None;
        };
        let is_all = otherwise.steps.is_empty() && cut.kept.is_empty() && cut.brings.is_empty();
        let is_seen_later = after.iter().any(|(_, merge)| self.needed.contains(merge));
        (is_all && !is_seen_later).then(|| (*condition, std::mem::take(&mut then.steps)))
    }

    fn is_lasting(&self, id: ValueId) -> bool {
        self.loops.values.get(id).is_some_and(|value| value.is_lasting)
    }

    /// The condition of the threads that run the current steps.
    fn guard(&mut self) -> Option<ValueId> {
        let guards = self.guards.clone();
        guards.into_iter().reduce(|left, right| self.bool(BinaryOp::And, left, right))
    }

    fn branch(
        &mut self,
        condition: ValueId,
        sides: [List; 2],
        after: &[ValueId],
        mut open: Cut,
        pieces: &mut Vec<Piece>,
    ) {
        let brings = |cutter: &Self, side: usize| cutter.brought(after, side);
        let [then_brings, otherwise_brings] = [brings(self, 0), brings(self, 1)];
        let [then, otherwise] = sides.map(|list| list.steps);
        if self.is_uniform(condition) {
            self.close(open, pieces);
            let (then, otherwise) = (self.list(then, then_brings), self.list(otherwise, otherwise_brings));
            pieces.push(Piece::If { condition, then, otherwise });
        } else {
            if !self.is_lasting(condition) {
                open.kept.push(condition);
            }
            self.close(open, pieces);
            let fails = self.loops.values.made(Node::Unary(UnaryOp::Not, condition), ElementType::Bool);
            for (guard, side, brings) in [(condition, then, then_brings), (fails, otherwise, otherwise_brings)] {
                self.guards.push(guard);
                pieces.push(Piece::Scope(self.list(side, brings)));
                self.guards.pop();
            }
        }
        pieces.push(Piece::Join(after.iter().map(|merge| Joined { merge: *merge, kept_as: *merge }).collect()));
    }

    /// The values that one of two paths stores for merges.
    fn brought(&self, merges: &[ValueId], side: usize) -> Vec<(ValueId, ValueId)> {
        let value = |merge: &ValueId| merged(&self.loops, *merge).get(side).map(|value| (*merge, *value));
        merges.iter().filter_map(value).collect()
    }

    fn counted(&mut self, counted: For, after: &[ValueId], mut open: Cut, pieces: &mut Vec<Piece>) {
        let For { iterator, ends, heads, ending, body, .. } = counted;
        let heads: Vec<ValueId> = heads.into_iter().map(|(_, head)| head).collect();
        open.brings = self.brought(&heads, 0);
        let left = self.brought(&heads, 1);
        self.close(open, pieces);
        let uniform = ends.into_iter().all(|end| self.is_uniform(end));
        // A loop that no thread may reach may have bounds far apart.
        let known = ends.into_iter().all(|end| matches!(self.loops.values.node(end), Some(Node::Constant(_))));
        let (ends, guard) = if uniform && (known || self.is_reached()) {
            (CutEnds::Uniform(ends), None)
        } else {
            let guard = (!uniform).then(|| {
                let from = self.bool(BinaryOp::LessEqual, ends[0], iterator);
                let to = self.bool(BinaryOp::Less, iterator, ends[1]);
                self.bool(BinaryOp::And, from, to)
            });
            (self.widest(ends), guard)
        };
        let depth = self.guards.len();
        self.guards.extend(guard);
        let kept = |head: &ValueId| Joined { merge: *head, kept_as: *head };
        let mut inside = vec![Piece::Join(heads.iter().map(kept).collect())];
        inside.extend(self.list(body.steps, left));
        self.guards.truncate(depth);
        let ending = ending.map(|goes_on| self.ending(goes_on));
        pieces.push(Piece::Loop { iterator, ends, body: inside, ending });
        let last = |merge: &ValueId| Some(Joined { merge: *merge, kept_as: *merged(&self.loops, *merge).first()? });
        pieces.push(Piece::Join(after.iter().filter_map(last).collect()));
    }

    /// The bounds of a loop whose trip count differs between threads.
    fn widest(&mut self, [low, high]: [ValueId; 2]) -> CutEnds {
        let runs = self.bool(BinaryOp::Less, low, high);
        let takes_part = match self.guard() {
            Some(guard) => self.bool(BinaryOp::And, guard, runs),
            None => runs,
        };
        // A thread that never runs the loop does not widen its bounds.
        let ends = [(low, i64::MAX), (high, i64::MIN)].map(|(end, never)| {
            let never = self.loops.values.int(never);
            self.loops.values.made(Node::Select(takes_part, end, never), ElementType::I64)
        });
        let guard = self.guard();
        CutEnds::Widest { cut: Cut { guard, kept: vec![low, high], ..Cut::default() }, ends }
    }

    /// Whether a thread goes on with a loop that may end before its last iteration.
    fn ending(&mut self, goes_on: ValueId) -> (Cut, ValueId) {
        let guard = self.guard();
        let goes_on = match guard {
            Some(guard) => self.bool(BinaryOp::And, guard, goes_on),
            None => goes_on,
        };
        (Cut { guard, ..Cut::default() }, goes_on)
    }

    fn bool(&mut self, op: BinaryOp, left: ValueId, right: ValueId) -> ValueId {
        self.loops.values.made(Node::Binary(op, left, right), ElementType::Bool)
    }

    /// Whether some thread is known to run the current steps.
    fn is_reached(&mut self) -> bool {
        let Some(guard) = self.guard() else { return true };
        let members = Members::among(guard, &mut self.loops.values);
        members.is_some_and(|members| !members.range.is_empty() && members.rest.is_none())
    }

    /// Whether a step is a loop that becomes a region here.
    fn is_own_region(&self, step: &Step) -> bool {
        let StepKind::For(counted) = &step.kind else { return false };
        self.own_regions.contains(&counted.id) && self.guards.iter().all(|guard| self.is_lasting(*guard))
    }

    /// Whether there is such a loop in a step, in loops that all threads run alike and branches on conditions that can
    /// be tested anywhere.
    fn has_own_region(&self, step: &Step) -> bool {
        let may_be_cut = !self.own_regions.is_empty()
            && match &step.kind {
                StepKind::For(own) => self.guards.is_empty() && own.ends.into_iter().all(|end| self.is_uniform(end)),
                StepKind::Branch { condition, .. } => self.is_lasting(*condition),
                _ => false,
            };
        let has_one = |step: &Step| self.is_own_region(step) || with_enough_stack(|| self.has_own_region(step));
        may_be_cut && step.kind.lists().flat_map(|list| &list.steps).any(has_one)
    }

    /// Whether a value is uniform in the block and can be computed outside the loops over threads.
    fn is_uniform(&self, id: ValueId) -> bool {
        let (mut open, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = open.pop() {
            match self.loops.values.node(id).filter(|_| seen.insert(id)) {
                Some(Node::Thread | Node::Load(_) | Node::Merge(_)) => return false,
                Some(node) => open.extend(node.operands()),
                None => {}
            }
        }
        true
    }
}

/// Whether a step contains a barrier.
fn has_barrier(step: &Step) -> bool {
    let mut open = vec![step];
    while let Some(step) = open.pop() {
        if matches!(step.kind, StepKind::Barrier { .. }) {
            return true;
        }
        open.extend(step.kind.lists().flat_map(|list| &list.steps));
    }
    false
}
