//! The accesses that no barrier orders yet, during placement.

use std::ops::{Deref, DerefMut};

use super::conflicts::Carried;
use super::uniform::BLOCK;
use crate::loops::AccessId;

/// The most classes whose barriers are tracked for one pending access.
const MOST_CLASSES_OF_ACCESS: usize = 2;

/// An access that has happened.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub access: AccessId,
    /// A barrier of each of these classes has followed: it orders the access for threads of the same instance.
    pub ordered: Vec<usize>,
    /// Whether a barrier of the block has followed, or the access is covered by another one.
    pub is_over: bool,
    /// Whether it happened on the other side of a branch: barriers on this side do not order its thread.
    pub is_across: bool,
    /// Whether its thread has waited for it, if it is an asynchronous copy.
    pub is_landed: bool,
}

/// The accesses that have happened, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub all: Vec<Pending>,
    /// The indices of those that may not be over, ascending; `None` if they must be recomputed. Most of a long list
    /// is over, and each access would otherwise scan all of it.
    open: Option<Vec<usize>>,
}

impl History {
    pub fn push(&mut self, pending: Pending) {
        if let Some(open) = &mut self.open {
            open.push(self.all.len());
        }
        self.all.push(pending);
    }

    /// The indices of those that are not over.
    pub fn open(&mut self) -> Vec<usize> {
        let is_open = |place: &usize| self.all.get(*place).is_some_and(|pending| !pending.is_over);
        let open: Vec<usize> = match self.open.take() {
            Some(open) => open.into_iter().filter(is_open).collect(),
            None => (0..self.all.len()).filter(is_open).collect(),
        };
        self.open = Some(open.clone());
        open
    }

    /// Marks an access as over: whatever conflicts with it conflicts with a later one.
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

/// The state of one pass over a list of statements.
pub(super) struct Pass {
    pub pending: History,
    pub carried: Carried,
    /// The first level that was entered again since the accesses of an earlier iteration.
    pub outermost: usize,
    /// Whether the pass adds its accesses to the pending ones.
    pub adds: bool,
}

impl Pass {
    /// A barrier of a class follows the first `count` pending accesses.
    pub fn order(&mut self, count: usize, class: usize) {
        self.pending.iter_mut().take(count).for_each(|pending| pending.order(class));
        // Whoever comes to a barrier has waited for its copies.
        self.land(count);
    }

    /// The threads have waited for the copies among the first `count` pending accesses.
    pub fn land(&mut self, count: usize) {
        self.pending.iter_mut().take(count).for_each(|pending| pending.is_landed = true);
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

    /// Keeps what holds on both of two joining paths.
    pub fn join(&mut self, other: &Pending) {
        self.ordered = match (self.is_over, other.is_over) {
            (true, _) => other.ordered.clone(),
            (_, true) => std::mem::take(&mut self.ordered),
            _ => self.ordered.iter().copied().filter(|class| other.ordered.contains(class)).collect(),
        };
        self.is_over &= other.is_over;
        self.is_landed &= other.is_landed;
    }
}
