//! The register of transforms and base layouts, by their words.

use super::{
    Reading, Transform, col_major, cyclic_shift, embed, freeze, insert, left_pad, merge, modulo, offset, pad,
    partition, pass_through, replicate, right_pad, row_major, slice, strided, unmerge, xor,
};
use crate::diagnostics::Diagnostic;
use maps::IndexMap;

/// Why arguments make no sense.
pub(crate) type Refusal = Box<Diagnostic>;

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
    /// How it is written.
    pub signature: &'static str,
    /// The parameters in the signature, in its order, each with a few words.
    pub parameters: &'static [(&'static str, &'static str)],
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

static DEFINITIONS: [&Definition; 19] = [
    &row_major::DEFINITION,
    &col_major::DEFINITION,
    &strided::DEFINITION,
    &pass_through::DEFINITION,
    &pad::DEFINITION,
    &left_pad::DEFINITION,
    &right_pad::DEFINITION,
    &embed::DEFINITION,
    &merge::DEFINITION,
    &unmerge::DEFINITION,
    &replicate::DEFINITION,
    &insert::DEFINITION,
    &freeze::DEFINITION,
    &offset::DEFINITION,
    &slice::DEFINITION,
    &xor::DEFINITION,
    &modulo::DEFINITION,
    &cyclic_shift::DEFINITION,
    &partition::DEFINITION,
];

/// Every base layout and transform.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    DEFINITIONS.iter().copied()
}

/// What a word means, if it is a base layout or a transform.
pub fn definition(word: &str) -> Option<&'static Definition> {
    definitions().find(|definition| definition.documentation.word == word)
}
