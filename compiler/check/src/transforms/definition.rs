//! The definition of a transform or base layout.

use super::{Reading, Refusal, Transform};
use kernel::functions::Parameter;
use maps::IndexMap;

/// The definition of a word.
pub struct Definition {
    /// Its documentation.
    pub documentation: Documentation,
    /// Builds it from its arguments.
    pub(crate) read: fn(&Reading<'_>) -> Result<Built, Refusal>,
}

/// The documentation of a word.
#[derive(Clone, Copy, Debug)]
pub struct Documentation {
    /// The word.
    pub word: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The description, with the formula.
    pub text: &'static str,
    /// A complete example file.
    pub example: &'static str,
}

/// The result of a word with arguments.
#[derive(Clone, Debug)]
pub enum Built {
    /// A transform, which may need the lengths of the dimensions below it.
    Transform(Transform),
    /// A whole map.
    Map(IndexMap),
}
