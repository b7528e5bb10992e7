//! The values that are available at the current place of the code, or of a plan for it.

use kernel::loops::ValueId;
use rustc_hash::FxHashMap;

/// Results of values. Those added in a scope are removed at its end.
#[derive(Debug)]
pub struct Known<T> {
    values: FxHashMap<ValueId, T>,
    /// The added values, each with the result that it replaced.
    added: Vec<(ValueId, Option<T>)>,
}

/// The start of a scope.
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

    /// Ends a scope.
    pub fn leave(&mut self, Mark(mark): Mark) {
        for (id, before) in self.added.drain(mark..).rev() {
            match before {
                Some(before) => self.values.insert(id, before),
                None => self.values.remove(&id),
            };
        }
    }

    /// Adds a result; returns whether the value is new.
    pub fn add(&mut self, id: ValueId, known: T) -> bool {
        let before = self.values.insert(id, known);
        let is_new = before.is_none();
        self.added.push((id, before));
        is_new
    }

    /// The result of a value.
    pub fn get(&self, id: ValueId) -> Option<&T> {
        self.values.get(&id)
    }
}
