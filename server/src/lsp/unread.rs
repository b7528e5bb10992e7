//! Files of the workspace that are still to be read, and who waits for them.
//!
//! A folder may hold thousands of files. The document that was opened is checked before them, and they are read a few at
//! a time while nothing else is to be done.

use std::collections::VecDeque;

use super::state::State;

/// Files that are read before the owner looks for other work again: a few milliseconds.
const AT_A_TIME: usize = 4;

/// What waits until all files are read.
pub(super) type Task = Box<dyn FnOnce(&mut State) + Send>;

/// Files that are still to be read.
#[derive(Default)]
pub(super) struct Unread {
    paths: VecDeque<String>,
    waiting: Vec<Task>,
}

impl Unread {
    pub(super) fn add(&mut self, paths: impl Iterator<Item = String>) {
        self.paths.extend(paths);
    }

    /// Whether there is nothing to read and nobody waits.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.waiting.is_empty()
    }

    pub(super) fn wait(&mut self, task: Task) {
        self.waiting.push(task);
    }

    /// The files to read next.
    pub(super) fn next_few(&mut self) -> Vec<String> {
        self.paths.drain(..AT_A_TIME.min(self.paths.len())).collect()
    }

    /// Who does not have to wait any more.
    pub(super) fn ready(&mut self) -> Vec<Task> {
        if self.paths.is_empty() { std::mem::take(&mut self.waiting) } else { Vec::new() }
    }
}
