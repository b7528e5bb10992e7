//! The search for what the iterations of a loop keep.

use super::super::raiser::Raiser;
use super::super::value::ValueId;
use crate::typed::{Local, Locals, Statement};
use dims::Sym;
use elements::ElementType;
use maps::Range;

/// A loop with a body that has been typed.
pub struct Iterated<'a> {
    /// Its iterator.
    pub iterator: Local,
    /// The ends of the iterator's range, as sizes and as values.
    pub ends: [(Option<Sym>, ValueId); 2],
    /// Its body.
    pub body: &'a [Statement],
    /// All variables, also those of the body.
    pub locals: &'a Locals,
    /// The variables before the loop that the body assigns.
    pub carried: &'a [Local],
    /// The variable that says whether the loop goes on, if it may end early: its whole body stands under it.
    pub goes_on: Option<Local>,
}

/// The search for what is kept.
pub(super) struct Search<'r, 'a> {
    pub(super) raiser: &'r mut Raiser,
    pub(super) looped: &'r Iterated<'a>,
    pub(super) poll: &'r dyn Fn(),
    pub(super) steps: u32,
    /// The conditional statements so far.
    pub(super) joins: usize,
    /// The range that is assumed of each carried variable, and whether it is kept on both sides in loops within the body.
    pub(super) ranges: Vec<Assumed>,
    /// Where only iterations are followed after which the loop goes on, the variable that says so.
    pub(super) goes_on: Option<Local>,
    /// Two variables of which the first one is at most the second one at the beginning of the iteration that is followed.
    pub(super) ordered: Option<[usize; 2]>,
}

/// A carried variable before the loop.
pub(super) struct First {
    pub(super) local: Local,
    pub(super) value: ValueId,
    pub(super) element: ElementType,
    pub(super) range: Range,
}

/// What is assumed of a variable.
#[derive(Clone, Debug)]
pub(super) struct Assumed {
    pub(super) local: Local,
    pub(super) element: ElementType,
    pub(super) range: Range,
    pub(super) kept: [bool; 2],
    /// Where the variable lies at the end of the body, or at a place within it where the range is not kept.
    pub(super) reached: Range,
}
