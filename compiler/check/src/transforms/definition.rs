//! What one word of the table says of itself.

use super::{Reading, Refusal, Transform};
use kernel::functions::Parameter;
use maps::IndexMap;

/// What one word means.
pub struct Definition {
    /// What is shown of it.
    pub documentation: Documentation,
    /// Makes it from its arguments.
    pub(crate) read: fn(&Reading<'_>) -> Result<Built, Refusal>,
}

/// What is said of a word.
#[derive(Clone, Copy, Debug)]
pub struct Documentation {
    /// The word.
    pub word: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// What it does, with its formula.
    pub text: &'static str,
    /// A file that uses it.
    pub example: &'static str,
}

/// What a word with its arguments makes.
#[derive(Clone, Debug)]
pub enum Built {
    /// A transform; it may need the dimensions below it.
    Transform(Transform),
    /// A whole map.
    Map(IndexMap),
}
