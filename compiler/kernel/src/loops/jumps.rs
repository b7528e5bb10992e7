//! Where text in which statements jump may leave a loop or an iteration.
//!
//! In a program nothing jumps: `break` gives `false` to a variable, and whatever follows stands under an `if` on it. If nothing is
//! left to do in an iteration wherever a variable became false, each of its assignments may jump, and the variable is true
//! wherever the iteration goes on:
//!
//! ```text
//! if goes_on { if a { goes_on = false; } else { b; } }      if (a) { break; } b;
//! ```

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::node::{LoopId, Node, ValueId};
use super::{Atomic, For, List, Loops, Shuffle, Step, StepKind};
use crate::typed::{Constant, Local};

/// What leaves a loop or an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// The loop ends.
    Break,
    /// The next iteration begins.
    Continue,
}

/// The jumps in the loops of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Jumps {
    /// The assignments after which nothing is left to do, by the numbers of their steps.
    pub after: BTreeMap<usize, Jump>,
    /// The values of variables that are true wherever they are read, if the assignments jump.
    pub holding: FxHashSet<ValueId>,
    /// The loops whose variable is true before each iteration, if the assignments jump.
    pub untested: BTreeSet<LoopId>,
}

/// The jumps in the loops of a kernel; `poll` is called for each loop, and may unwind to cancel the work.
pub fn jumps(loops: &Loops<'_>, poll: &dyn Fn()) -> Jumps {
    let mut found = Jumps::default();
    let mut open: Vec<&List> = vec![&loops.body];
    while let Some(list) = open.pop() {
        for step in &list.steps {
            if let StepKind::For(counted) = &step.kind {
                poll();
                found.add(loops, counted);
            }
            open.extend(step.kind.lists());
        }
    }
    found
}

impl Jumps {
    fn add(&mut self, loops: &Loops<'_>, counted: &For) {
        let ending = counted.ending.and_then(|ending| Some((ending, loops.merge(ending)?)));
        let mut body = &counted.body;
        if let Some((head, merge)) = ending {
            let found = Leaving::by_variable(loops, merge.local, body, None, Jump::Break);
            if let Some(mut leaving) = found {
                leaving.values.push(head);
                self.take(leaving);
                if merge.values.first().is_some_and(|first| loops.is_truth(*first, true)) {
                    self.untested.insert(counted.id);
                }
            }
            // The iteration begins within the `if` on the variable.
            body = body.steps.last().and_then(|last| last.kind.lists().next()).unwrap_or(body);
        }
        let Some(first) = body.steps.first() else { return };
        if let StepKind::Assign { local: Some(local), value } = first.kind
            && loops.is_truth(value, true)
            && let Some(leaving) = Leaving::by_variable(loops, local, body, Some(first.number), Jump::Continue)
        {
            self.take(leaving);
        }
    }

    fn take(&mut self, Leaving { jump, assignments, values, .. }: Leaving<'_, '_>) {
        self.after.extend(assignments.into_iter().map(|number| (number, jump)));
        self.holding.extend(values);
    }
}

/// A variable that says whether a loop or an iteration goes on.
struct Leaving<'a, 'k> {
    loops: &'a Loops<'k>,
    local: Local,
    jump: Jump,
    /// The step that makes the variable true.
    opening: Option<usize>,
    /// The steps that make it false.
    assignments: Vec<usize>,
    /// Its values where paths have joined.
    values: Vec<ValueId>,
}

impl<'a, 'k> Leaving<'a, 'k> {
    /// The variable's part in the body of a loop; `None` if something is left to do after an assignment, or if the variable
    /// may become true again.
    fn by_variable(
        loops: &'a Loops<'k>,
        local: Local,
        body: &List,
        opening: Option<usize>,
        jump: Jump,
    ) -> Option<Leaving<'a, 'k>> {
        let mut leaving = Leaving { loops, local, jump, opening, assignments: Vec::new(), values: Vec::new() };
        leaving.list(body)?;
        (!leaving.assignments.is_empty()).then_some(leaving)
    }

    /// Goes through a list. Returns whether the list may make the variable false.
    fn list(&mut self, list: &List) -> Option<bool> {
        // The value of the variable once the list may have made it false.
        let mut left: Option<ValueId> = None;
        for step in &list.steps {
            if let Some(left) = left
                && !self.is_skipped(step, left)
            {
                return None;
            }
            if self.step(step)? {
                left = Some(self.value_after(step)?);
            }
        }
        Some(left.is_some())
    }

    /// Goes through a step. Returns whether it may make the variable false.
    fn step(&mut self, step: &Step) -> Option<bool> {
        match &step.kind {
            StepKind::Assign { local: Some(local), value } if *local == self.local => {
                if self.opening == Some(step.number) {
                    return Some(false);
                }
                self.assignments.push(step.number);
                self.loops.is_truth(*value, false).then_some(true)
            }
            StepKind::Atomic(Atomic { result: Some((local, _)), .. }) | StepKind::Shuffle(Shuffle { local, .. })
                if *local == self.local =>
            {
                None
            }
            // What jumps in a loop within this one leaves that one.
            StepKind::For(inner) => inner.heads.iter().all(|(local, _)| *local != self.local).then_some(false),
            kind => {
                let mut leaves = false;
                for inner in kind.lists() {
                    leaves |= self.list(inner)?;
                }
                let after = step.after.iter().filter(|(local, _)| *local == self.local);
                self.values.extend(after.map(|(_, value)| *value));
                Some(leaves)
            }
        }
    }

    /// The value of the variable after a step that may make it false.
    fn value_after(&self, step: &Step) -> Option<ValueId> {
        match &step.kind {
            StepKind::Assign { value, .. } => Some(*value),
            _ => step.after.iter().find(|(local, _)| *local == self.local).map(|(_, value)| *value),
        }
    }

    /// Whether a step does nothing where the variable has this value and is false.
    fn is_skipped(&self, step: &Step, left: ValueId) -> bool {
        match &step.kind {
            StepKind::Branch { condition, otherwise, .. } => {
                otherwise.steps.is_empty() && self.loops.values.conjuncts(*condition).contains(&left)
            }
            _ => false,
        }
    }
}

impl Loops<'_> {
    /// The merge that a value is.
    fn merge(&self, value: ValueId) -> Option<&super::Merge> {
        match self.values.node(value) {
            Some(Node::Merge(number)) => self.merges.get(*number as usize),
            _ => None,
        }
    }

    /// Whether a value is this constant.
    fn is_truth(&self, value: ValueId, truth: bool) -> bool {
        self.values.node(value) == Some(&Node::Constant(Constant::Bool(truth)))
    }
}
