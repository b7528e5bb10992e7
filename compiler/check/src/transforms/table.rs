//! The table of transforms and base layouts, a line for each.

use super::{
    Definition, col_major, cyclic_shift, embed, freeze, insert, left_pad, merge, modulo, offset, pad, partition,
    pass_through, replicate, right_pad, row_major, slice, strided, unmerge, xor,
};

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

/// The base layout or transform with this name.
pub fn definition(word: &str) -> Option<&'static Definition> {
    definitions().find(|definition| definition.documentation.word == word)
}
