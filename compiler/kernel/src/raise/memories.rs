//! The contents of memories, as statements change them.
//!
//! A load is made of what is known of the memory where it is read, so it keeps that when the memory is assigned something else.
//! Where two branches join, what both know holds.

use super::contents::{Changed, Contents};
use super::ends::Ends;
use super::raiser::{MOST_BOUNDED, Raiser};
use super::value::{ContentsId, ValueId};
use crate::typed::{Expr, Memory};
use dims::Interval;
use maps::Range;

impl Raiser {
    /// Says what is known of all elements of a memory from the current statement on; `None` if that is nothing.
    pub fn know_contents(&mut self, memory: Memory, contents: Option<Contents>) {
        let id = contents.map(|contents| {
            self.memories.all.push(contents);
            ContentsId(self.memories.all.len() as u32 - 1)
        });
        self.set_contents(memory, id);
    }

    /// What is known of a value, if it is stored as the elements of a memory.
    pub fn contents_of(&mut self, value: ValueId) -> Contents {
        let range = self.bounds_of_operand(value, &mut MOST_BOUNDED.clone());
        Contents::within(self.numbers(value), range)
    }

    /// What is known of floats, if they are stored as the elements of a memory; `None` if that is nothing.
    pub fn contents_of_floats(&mut self, float: &Expr) -> Option<Contents> {
        let floats = self.ends(float);
        (floats != Ends::ALL).then(|| Contents { floats, ..Contents::within(Interval::EVERYTHING, Range::default()) })
    }

    /// What is known of a memory here.
    pub(super) fn contents_here(&self, memory: Memory) -> Option<ContentsId> {
        self.memories.current.get(&memory).copied()
    }

    pub(super) fn contents(&self, ContentsId(id): ContentsId) -> &Contents {
        &self.memories.all[id as usize]
    }

    /// The number of changes so far.
    pub(super) fn contents_changed(&self) -> usize {
        self.memories.replaced.len()
    }

    /// What is known now of the memories that have changed since then, and makes the changes undone.
    pub(super) fn take_contents_since(&mut self, mark: usize) -> Changed {
        let replaced = self.memories.replaced.split_off(mark);
        let changed = replaced.iter().map(|(memory, _)| (*memory, self.contents_here(*memory))).collect();
        for (memory, before) in replaced.into_iter().rev() {
            self.restore_contents(memory, before);
        }
        changed
    }

    /// Joins what two branches know of the memories that one of them changes.
    pub(super) fn join_contents(&mut self, one: &Changed, other: &Changed) {
        for memory in one.keys().chain(other.keys()) {
            let before = self.contents_here(*memory);
            let at_end = |changed: &Changed| changed.get(memory).copied().unwrap_or(before);
            let joined = match [one, other].map(at_end) {
                [first, second] if first == second => first,
                [Some(first), Some(second)] => {
                    let union = self.contents(first).union(self.contents(second), &self.facts);
                    self.know_contents(*memory, Some(union));
                    continue;
                }
                _ => None,
            };
            self.set_contents(*memory, joined);
        }
    }

    fn set_contents(&mut self, memory: Memory, contents: Option<ContentsId>) {
        self.memories.replaced.push((memory, self.contents_here(memory)));
        self.restore_contents(memory, contents);
    }

    fn restore_contents(&mut self, memory: Memory, contents: Option<ContentsId>) {
        match contents {
            Some(contents) => drop(self.memories.current.insert(memory, contents)),
            None => drop(self.memories.current.remove(&memory)),
        }
    }
}
