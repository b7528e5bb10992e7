//! The definition of a transform or base layout.

use super::{Reading, Refusal, Transform};
use crate::documentation::Documentation;
use maps::IndexMap;

/// The definition of a word.
pub struct Definition {
    /// Its documentation.
    pub documentation: Documentation,
    /// Builds it from its arguments.
    pub(crate) read: fn(&Reading<'_>) -> Result<Built, Refusal>,
}

/// The result of a word with arguments.
#[derive(Clone, Debug)]
pub enum Built {
    /// A transform, which may need the lengths of the dimensions below it.
    Transform(Transform),
    /// A whole map.
    Map(IndexMap),
}
