//! What has been computed where the code, or a plan for it, has got to.

use kernel::loops::ValueId;
use rustc_hash::FxHashMap;

/// Values with what they have been computed to be. What is added in a scope is forgotten at its end.
#[derive(Debug)]
pub struct Known<T> {
    values: FxHashMap<ValueId, T>,
    /// What was added, with what it replaced.
    added: Vec<(ValueId, Option<T>)>,
}

/// Where a scope begins.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known { values: FxHashMap::default(), added: Vec::new() }
    }
}

impl<T> Known<T> {
    /// Begins a scope.
    pub fn enter(&self) -> Mark {
        Mark(self.added.len())
    }

    /// Ends it.
    pub fn leave(&mut self, Mark(mark): Mark) {
        for (id, before) in self.added.drain(mark..).rev() {
            match before {
                Some(before) => self.values.insert(id, before),
                None => self.values.remove(&id),
            };
        }
    }

    /// Adds a value; whether it is a new one.
    pub fn add(&mut self, id: ValueId, known: T) -> bool {
        let before = self.values.insert(id, known);
        let is_new = before.is_none();
        self.added.push((id, before));
        is_new
    }

    /// What a value was computed to be.
    pub fn get(&self, id: ValueId) -> Option<&T> {
        self.values.get(&id)
    }
}
