//! Files of the workspace that are still to be read, and the tasks that wait for them.
//!
//! A folder may have thousands of files. Open documents are checked first, and these are read a few at a time when
//! idle.

use std::collections::VecDeque;

use super::state::State;

/// Files that are read before the owner takes other tasks again: a few milliseconds.
const AT_A_TIME: usize = 4;

/// A task that waits until all files are read.
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

    /// Whether there is nothing to read and no task waits.
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

    /// The tasks that no longer have to wait.
    pub(super) fn ready(&mut self) -> Vec<Task> {
        if self.paths.is_empty() { std::mem::take(&mut self.waiting) } else { Vec::new() }
    }
}
