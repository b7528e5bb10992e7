//! What is known of a variable that a loop assigns.

use super::super::strides::Stride;
use super::super::value::ValueId;
use super::links::Link;
use super::progress::Progress;
use crate::typed::Local;
use dims::{CompareOp, Sym};
use elements::ElementType;
use maps::Range;

/// What is known of a variable that a loop assigns.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The variable.
    pub local: Local,
    /// Its type.
    pub element: ElementType,
    /// Its value before the loop.
    pub(super) first: ValueId,
    /// Where it lies at the beginning of every iteration.
    pub at_start: Range,
    /// Where it lies behind the loop.
    pub behind: Range,
    /// How it is related to its value before the loop, at the beginning of every iteration.
    pub(super) since_first: Vec<CompareOp>,
    /// The variables that it is never above, at the beginning of every iteration.
    pub(super) never_above: Vec<Local>,
    /// Whether that holds behind the loop, too.
    pub(super) holds_behind: bool,
    /// How far it lies from its value before the loop, at the beginning of every iteration and behind the loop.
    pub(super) stride: Option<Stride>,
    /// How it follows from others, at the beginning of every iteration and behind the loop.
    pub(super) link: Option<Link>,
    /// How every iteration changes it, if all of them do that alike.
    pub(super) progress: Option<Progress>,
    /// How many iterations there are.
    pub(super) iterations: Iterations,
    /// Whether the loop ends after [`MOST_HALVINGS`](super::MOST_HALVINGS) iterations at the latest.
    pub ends_by_halving: bool,
}

/// How many iterations a loop has.
#[derive(Clone, Debug)]
pub(super) enum Iterations {
    /// As many as this size says.
    Exactly(Sym),
    /// A number that is not known.
    Unknown,
    /// The loop may end early. What is said of an iteration holds where the loop still goes on.
    UntilLeft,
}
