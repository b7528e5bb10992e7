//! Coordinate transforms and base layouts, with a file for each.
//!
//! A file holds the transform's formula, its documentation, the parsing of its arguments, and its tests. Every
//! transform gives lower coordinates as affine forms over upper ones, so that all other code handles index maps only. A
//! lower coordinate outside its length is never valid.

mod col_major;
mod cyclic_shift;
mod definition;
mod embed;
mod fit;
mod freeze;
mod insert;
mod left_pad;
mod lengths;
mod merge;
mod modulo;
mod offset;
mod pad;
mod partition;
mod pass_through;
mod reading;
mod replicate;
mod right_pad;
mod row_major;
mod rule;
mod slice;
mod stage;
mod strided;
mod table;
mod unmerge;
mod xor;

use crate::documentation::Documentation;
pub use definition::{Built, Definition};
pub use fit::{Fit, Misfit, Notice, alone, fit};
pub use lengths::Length;
pub(crate) use reading::Refusal;
pub use reading::{Amount, Given, Reading};
use rule::Rule;
pub use rule::Transform;
pub use stage::{Operator, Part, stage};
pub use table::{definition, definitions};
