//! Constants and maps that a kernel's body declares: names that are visible up to the end of their block.

use smol_str::SmolStr;

use super::Value;

/// A name that a kernel's body declares.
#[derive(Clone, Debug, PartialEq)]
struct Defined {
    name: SmolStr,
    /// How many names of the kernel were visible before it.
    place: usize,
    /// The constant or the map; `None` for a variable of the kernel, which hides a constant of the same name.
    definition: Option<Definition>,
}

/// A constant or a map that a kernel's body declares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Definition {
    /// Its value.
    Value(Value),
    /// It has an error, which has been reported.
    Broken,
}

/// The constants and maps of a kernel's body that are visible, innermost last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scope(Vec<Defined>);

impl Scope {
    /// Adds a name, which hides earlier ones of the same name.
    pub(crate) fn push(&mut self, name: SmolStr, place: usize, value: Option<Value>) {
        self.0.push(Defined { name, place, definition: Some(value.map_or(Definition::Broken, Definition::Value)) });
    }

    /// Hides the constant or the map of a name, which the kernel declares as something else.
    pub(crate) fn hide(&mut self, name: &SmolStr, place: usize) {
        if self.get(name).is_some() {
            self.0.push(Defined { name: name.clone(), place, definition: None });
        }
    }

    /// Removes those names that were declared when so many names of the kernel, or more, were visible.
    pub(crate) fn truncate(&mut self, place: usize) {
        while self.0.last().is_some_and(|defined| defined.place >= place) {
            self.0.pop();
        }
    }

    /// The names, outermost first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.0.iter().map(|defined| &defined.name)
    }

    /// The constant or the map of a name; `None` if it is none.
    pub(crate) fn get(&self, name: &str) -> Option<&Definition> {
        self.0.iter().rev().find(|defined| defined.name == name)?.definition.as_ref()
    }
}
