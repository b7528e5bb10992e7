//! The values of variables at the current program point.
//!
//! Every assignment gives a variable a new value (static single assignment). Where two branches join, the variable
//! holds a selection between the two values; at the start of a loop, every variable that the body assigns is unknown.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::ConditionMark;
use super::contents::Changed;
use super::raiser::{LoopRange, Raiser};
use super::value::{Kind, ValueId};
use crate::typed::{Expr, Local, Memory};
use elements::ElementType;
use maps::Range;

/// The start of a scope.
#[derive(Clone, Copy, Debug)]
pub struct ScopeMark(usize);

/// A branch of control flow that joins another one.
#[derive(Debug)]
pub struct Branch {
    /// The number of assignments before the branch.
    before: usize,
    /// The conditions before the branch.
    held: ConditionMark,
    /// The ranges at the end of the first branch of the variables that it assigns.
    ranges: BTreeMap<Local, Range>,
    /// The values at the end of the first branch of the variables that it assigns.
    other: BTreeMap<Local, Option<ValueId>>,
    /// The number of changes of memories before the branch.
    contents_before: usize,
    /// What is known at the end of the first branch of the memories that it changes.
    other_contents: Changed,
}

impl Raiser {
    /// Declares that the kernel never writes a memory.
    pub fn add_read_only(&mut self, memory: Memory) {
        self.variables.read_only.push(memory);
    }

    pub(super) fn is_read_only(&self, memory: Memory) -> bool {
        self.variables.read_only.contains(&memory)
    }

    /// The value that a variable holds.
    pub(super) fn variable(&mut self, local: Local, element: ElementType) -> ValueId {
        match self.current(local) {
            Some(value) => value,
            None => {
                let value = self.unknown(element);
                let value = self.named(value);
                self.set(local, Some(value));
                value
            }
        }
    }

    pub(super) fn current(&self, Local(index): Local) -> Option<ValueId> {
        self.variables.current.get(index as usize).copied().flatten()
    }

    fn set(&mut self, local: Local, value: Option<ValueId>) {
        let index = local.0 as usize;
        if self.variables.current.len() <= index {
            self.variables.current.resize(index + 1, None);
        }
        self.variables.current[index] = value;
        if let Some(value) = value {
            let bare = self.plainly(value);
            if self.variables.held.insert((bare, local)) {
                self.variables.holders.entry(bare).or_default().push(local);
            }
        }
    }

    /// Gives an immutable variable its value.
    pub fn declare(&mut self, local: Local, expr: &Expr) {
        let value = self.raised(expr);
        let value = self.named(value);
        self.replace(local, Some(value));
    }

    /// Assigns a value to a mutable variable.
    pub fn assign(&mut self, local: Local, expr: &Expr) {
        let value = self.raised(expr);
        self.hold_in(local, value);
    }

    /// The value of an expression. Its form is computed at once, while the forms of its operands are known, which keeps
    /// recursion shallow.
    fn raised(&mut self, expr: &Expr) -> ValueId {
        let value = self.value(expr);
        self.form(value);
        self.order_mean(value);
        value
    }

    pub(super) fn hold_in(&mut self, local: Local, value: ValueId) {
        let value = self.plainly(value);
        let held = self.intern(Kind::Held(value), self.element(value));
        self.replace(local, Some(held));
    }

    fn replace(&mut self, local: Local, value: Option<ValueId>) {
        let before = self.current(local);
        self.variables.replaced.push((local, before));
        if before.is_none() {
            self.variables.declared.push(local);
        }
        self.set(local, value);
    }

    /// Makes the value of a variable unknown.
    pub fn forget(&mut self, local: Local, element: ElementType) {
        let value = self.unknown(element);
        self.hold_in(local, value);
    }

    /// The value as held by an immutable variable.
    pub(super) fn named(&mut self, value: ValueId) -> ValueId {
        match self.kind(value) {
            Kind::Named(_) | Kind::Held(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Size(_) => value,
            Kind::Iterator(_) | Kind::Block | Kind::Thread => value,
            _ => self.intern(Kind::Named(value), self.element(value)),
        }
    }

    /// Enters a loop whose iterator lies in `low..low + extent`; the iteration is not known.
    pub fn enter_loop(&mut self, local: Local, range: LoopRange) {
        self.loops.insert(local, range);
        let value = self.intern(Kind::Iterator(local), ElementType::I64);
        self.replace(local, Some(value));
    }

    /// A variable that holds a value now.
    pub(super) fn holder(&self, value: ValueId) -> Option<Local> {
        let holds = |local: &&Local| self.current(**local).is_some_and(|held| self.plainly(held) == value);
        self.variables.holders.get(&value)?.iter().rev().find(holds).copied()
    }

    /// The number of assignments so far.
    pub(super) fn assignments(&self) -> usize {
        self.variables.replaced.len()
    }

    /// Begins a scope.
    pub fn begin_scope(&self) -> ScopeMark {
        ScopeMark(self.variables.declared.len())
    }

    /// Ends a scope and drops the variables declared in it.
    pub fn end_scope(&mut self, ScopeMark(mark): ScopeMark) {
        for local in self.variables.declared.split_off(mark) {
            self.set(local, None);
        }
    }

    /// Begins the first of two branches.
    pub fn begin_branch(&self) -> Branch {
        Branch {
            before: self.variables.replaced.len(),
            held: self.held(),
            ranges: BTreeMap::new(),
            other: BTreeMap::new(),
            contents_before: self.contents_changed(),
            other_contents: Changed::new(),
        }
    }

    /// Ends the first branch, with the conditions in it, and begins the second.
    pub fn other_branch(&mut self, branch: &mut Branch) {
        branch.other = self.assigned_since(branch.before);
        let assigned: Vec<Local> = branch.other.keys().copied().collect();
        branch.ranges = self.ranges_of(assigned.into_iter());
        self.leave(branch.held);
        self.undo(branch.before);
        branch.other_contents = self.take_contents_since(branch.contents_before);
    }

    /// Ends the second branch, with the conditions in it. Each variable that a branch assigned now holds a selection between
    /// the two values by the condition, or by an unknown one.
    pub fn end_branch(&mut self, condition: Option<&Expr>, branch: Branch) {
        let here = self.assigned_since(branch.before);
        let locals: BTreeSet<Local> = branch.other.keys().chain(here.keys()).copied().collect();
        let second = self.ranges_of(locals.iter().copied());
        self.leave(branch.held);
        self.undo(branch.before);
        let contents = self.take_contents_since(branch.contents_before);
        self.join_contents(&branch.other_contents, &contents);
        if locals.is_empty() {
            return;
        }
        // What only the second branch assigns keeps its value in the first one, where the condition says more of it.
        let mut first = branch.ranges;
        if let Some(condition) = condition {
            self.assume(condition, false);
            first.extend(self.ranges_of(here.keys().filter(|local| !branch.other.contains_key(local)).copied()));
            self.leave(branch.held);
        }
        let condition = match condition {
            Some(condition) => self.value(condition),
            None => self.unknown(ElementType::Bool),
        };
        for local in locals {
            let before = self.current(local);
            let at_end = |ends: &BTreeMap<Local, Option<ValueId>>| ends.get(&local).copied().unwrap_or(before);
            // A variable declared in one of the branches is out of scope.
            let (Some(_), Some(one), Some(other)) = (before, at_end(&branch.other), at_end(&here)) else { continue };
            let values = [one, other].map(|value| self.plainly(value));
            let ends = [&first, &second].map(|ranges| ranges.get(&local).cloned().unwrap_or_default());
            let chosen = self.joined(condition, values, ends);
            self.hold_in(local, chosen);
        }
    }

    /// The current values of the variables that were assigned since the mark.
    fn assigned_since(&self, mark: usize) -> BTreeMap<Local, Option<ValueId>> {
        self.variables.replaced[mark..].iter().map(|(local, _)| (*local, self.current(*local))).collect()
    }

    /// The ranges of variables here.
    fn ranges_of(&mut self, locals: impl Iterator<Item = Local>) -> BTreeMap<Local, Range> {
        let mut found = BTreeMap::new();
        for local in locals {
            if let Some(value) = self.current(local) {
                found.insert(local, self.range_here(value));
            }
        }
        found
    }

    pub(super) fn undo(&mut self, mark: usize) {
        for (local, before) in self.variables.replaced.split_off(mark).into_iter().rev() {
            self.set(local, before);
        }
    }
}
