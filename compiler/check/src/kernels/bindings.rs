//! The names that can be seen where the check stands.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Binding;
use syntax::span::Span;

/// A name, where it is declared, and what it means.
type Bound = (SmolStr, Span, Binding);

/// Names with their meanings. A name hides those before it that are called the same.
#[derive(Default)]
pub(super) struct Bindings {
    /// Innermost last.
    all: Vec<Bound>,
    /// The places of each name among them: a kernel may have thousands, and each word of it is looked up.
    places: FxHashMap<SmolStr, Vec<usize>>,
}

impl Bindings {
    /// How many there are, for [`Bindings::truncate`].
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a name.
    pub(super) fn push(&mut self, name: SmolStr, span: Span, binding: Binding) {
        self.places.entry(name.clone()).or_default().push(self.all.len());
        self.all.push((name, span, binding));
    }

    /// Ends the visibility of all names but the first so many.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.all.len() > length
            && let Some((name, ..)) = self.all.pop()
        {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// What a name means here.
    pub(super) fn get(&self, name: &str) -> Option<&Bound> {
        self.all.get(*self.places.get(name)?.last()?)
    }

    /// The names, innermost last.
    pub(super) fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.all.iter().map(|(name, ..)| name)
    }
}
