//! The accesses that are not ordered yet, while barriers are placed.

use std::ops::{Deref, DerefMut};

use super::meetings::Carried;
use super::uniform::BLOCK;
use crate::loops::AccessId;

/// The classes whose barriers are taken into account for one pending access.
const MOST_CLASSES_OF_ACCESS: usize = 2;

/// An access that has happened.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub access: AccessId,
    /// Threads in one instance of these classes have waited for each other since.
    pub ordered: Vec<usize>,
    /// Whether all threads have.
    pub is_over: bool,
    /// Whether it happened on the other side of a branch: no barrier on this side is for its thread.
    pub is_across: bool,
}

/// The accesses that have happened, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub all: Vec<Pending>,
    /// The places of those that may not be over, ascending; `None` where they have to be looked for. Most of a long list is
    /// over, and each access would go through all of it.
    open: Option<Vec<usize>>,
}

impl History {
    pub fn push(&mut self, pending: Pending) {
        if let Some(open) = &mut self.open {
            open.push(self.all.len());
        }
        self.all.push(pending);
    }

    /// The places of those that are not over.
    pub fn open(&mut self) -> Vec<usize> {
        let is_open = |place: &usize| self.all.get(*place).is_some_and(|pending| !pending.is_over);
        let open: Vec<usize> = match self.open.take() {
            Some(open) => open.into_iter().filter(is_open).collect(),
            None => (0..self.all.len()).filter(is_open).collect(),
        };
        self.open = Some(open.clone());
        open
    }

    /// An access is over: whatever meets it met another one before.
    pub fn close(&mut self, place: usize) {
        if let Some(pending) = self.all.get_mut(place) {
            pending.is_over = true;
        }
    }
}

impl From<Vec<Pending>> for History {
    fn from(all: Vec<Pending>) -> History {
        History { all, open: None }
    }
}

impl Deref for History {
    type Target = Vec<Pending>;

    fn deref(&self) -> &Vec<Pending> {
        &self.all
    }
}

impl DerefMut for History {
    fn deref_mut(&mut self) -> &mut Vec<Pending> {
        self.open = None;
        &mut self.all
    }
}

/// The accesses that a pass meets.
pub(super) struct Pass {
    pub pending: History,
    pub carried: Carried,
    /// The first level whose lists have begun anew since the accesses of an earlier iteration.
    pub outermost: usize,
    /// Whether the accesses of the pass are pending after it.
    pub adds: bool,
}

impl Pass {
    /// A barrier of a class comes after the first pending accesses.
    pub fn order(&mut self, count: usize, class: usize) {
        self.pending.iter_mut().take(count).for_each(|pending| pending.order(class));
    }
}

impl Pending {
    pub fn order(&mut self, class: usize) {
        if class == BLOCK {
            self.is_over = true;
        } else if !self.ordered.contains(&class) {
            self.ordered.push(class);
            let surplus = self.ordered.len().saturating_sub(MOST_CLASSES_OF_ACCESS);
            self.ordered.drain(..surplus);
        }
    }

    /// What holds on two paths that meet.
    pub fn meet(&mut self, other: &Pending) {
        self.ordered = match (self.is_over, other.is_over) {
            (true, _) => other.ordered.clone(),
            (_, true) => std::mem::take(&mut self.ordered),
            _ => self.ordered.iter().copied().filter(|class| other.ordered.contains(class)).collect(),
        };
        self.is_over &= other.is_over;
    }
}
