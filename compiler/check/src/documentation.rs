//! What the documentation of a word has: the tables of functions and transforms hold it next to what the word does.

use kernel::functions::{Given, Parameter};

/// The documentation of a word that is called.
#[derive(Clone, Copy, Debug)]
pub struct Documentation {
    /// The word.
    pub word: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The description, with the formula where it has one.
    pub text: &'static str,
    /// A complete example file.
    pub example: &'static str,
}

impl Documentation {
    /// The names of the parameters that are given by position.
    pub(crate) fn by_position(&self) -> Vec<&'static str> {
        self.names(|given| given != Given::ByName)
    }

    /// The names of the parameters that are given by name.
    pub(crate) fn by_name(&self) -> Vec<&'static str> {
        self.names(|given| given == Given::ByName)
    }

    fn names(&self, wanted: impl Fn(Given) -> bool) -> Vec<&'static str> {
        let found = self.parameters.iter().filter(|parameter| wanted(parameter.given));
        found.map(|parameter| parameter.name).collect()
    }
}
