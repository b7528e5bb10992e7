//! Asynchronous copies: each happens at the last moment at which it may, when its thread waits for it. Who reads an element before
//! that finds what was there.

use std::collections::VecDeque;

use elements::ElementType;
use kernel::typed::{CopyOrder, Memory};

use super::program::{Node, Place};
use super::run::{Run, State};
use crate::tensors::Bits;

/// The copies of a thread that are on their way.
#[derive(Default)]
pub(super) struct Copies {
    /// The groups that were committed, the oldest first.
    groups: VecDeque<Vec<Copy>>,
    /// Those since the last commit.
    open: Vec<Copy>,
}

/// A value on its way to an element.
struct Copy {
    memory: Memory,
    element: ElementType,
    offset: usize,
    value: Bits,
}

impl State<'_> {
    /// Begins a copy, unless it is masked off. What it copies, nobody writes.
    pub(super) fn begin_copy(&mut self, place: &Place, value: &Node) -> Run<()> {
        if let Some(write) = self.prepare(place, value)? {
            let copy = Copy { memory: place.memory, element: place.element, offset: write.offset, value: write.value };
            self.copies.entry(self.thread).or_default().open.push(copy);
        }
        Ok(())
    }

    /// Ends a group of copies of the current thread, or waits for some.
    pub(super) fn order_copies(&mut self, order: CopyOrder) -> Run<()> {
        let Some(copies) = self.copies.get_mut(&self.thread) else { return Ok(()) };
        let mut landed = Vec::new();
        match order {
            CopyOrder::Commit => copies.groups.push_back(std::mem::take(&mut copies.open)),
            CopyOrder::Wait { pending } => {
                let pending = usize::try_from(pending).unwrap_or(usize::MAX);
                let complete = copies.groups.len().saturating_sub(pending);
                landed.extend(copies.groups.drain(..complete).flatten());
                if pending == 0 {
                    landed.append(&mut copies.open);
                }
            }
        }
        // The place was found when the copy began.
        landed.into_iter().for_each(|copy| {
            self.put(copy.memory, copy.element, copy.offset, copy.value);
        });
        Ok(())
    }
}
