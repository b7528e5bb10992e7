//! What an editor or a command line asks for, in the compiler's own types: no protocol, no I/O.
//!
//! Everything before this module counts an item's significant tokens; here, and only here, places become bytes of a
//! file, and lines and columns.

mod check;
mod cursor;
mod facts;
#[cfg(test)]
mod fixture;
mod lines;
mod names;
mod places;
mod plural;
mod stages;

pub use check::{Edit, Finding, Repair, diagnostics, item_diagnostics, obstacle};
pub use cursor::{Cursor, cursor, items_in, occurrence_at};
pub use facts::{Facts, ItemFacts, MapFacts, Question, item_facts, map_facts};
pub use lines::{LineIndex, Position, line_index};
pub use names::{Access, LocalKind, Occurrence, Target, declaration, occurrences};
pub use places::{Location, location, position};
pub use plural::count;
pub use stages::{check_all_but_kernels, check_item};
