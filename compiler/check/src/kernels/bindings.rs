//! The names that are visible at the current place.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Binding;
use syntax::span::Span;

/// A name, the span of its declaration, and its meaning.
type Bound = (SmolStr, Span, Binding);

/// Names with their meanings. A name shadows earlier ones of the same name.
#[derive(Default)]
pub(super) struct Bindings {
    /// Innermost last.
    all: Vec<Bound>,
    /// The positions of each name in `all`, since a kernel may declare and use thousands of names.
    places: FxHashMap<SmolStr, Vec<usize>>,
}

impl Bindings {
    /// The number of names, for [`Bindings::truncate`].
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a name.
    pub(super) fn push(&mut self, name: SmolStr, span: Span, binding: Binding) {
        self.places.entry(name.clone()).or_default().push(self.all.len());
        self.all.push((name, span, binding));
    }

    /// Removes all names but the first `length`.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.all.len() > length
            && let Some((name, ..)) = self.all.pop()
        {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// The meaning of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Bound> {
        self.all.get(*self.places.get(name)?.last()?)
    }

    /// All meanings, also of names that others hide here.
    pub(super) fn meanings(&self) -> impl Iterator<Item = &Binding> {
        self.all.iter().map(|(_, _, binding)| binding)
    }

    /// The names, innermost last.
    pub(super) fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.all.iter().map(|(name, ..)| name)
    }
}
