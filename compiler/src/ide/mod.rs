//! What an editor or a command line asks for, in the compiler's own types: no protocol, no I/O.
//!
//! Everything before this module counts an item's significant tokens; here, and only here, places become bytes of a
//! file, and lines and columns.

mod check;
mod completion;
mod cursor;
mod describe;
pub mod documentation;
mod expressions;
mod facts;
#[cfg(test)]
mod fixture;
mod hover;
mod inlay_hints;
mod lines;
mod markdown;
mod names;
mod places;
mod plural;
mod receiver;
mod signature_help;
mod stages;
#[cfg(test)]
mod tests;
mod value_at;

pub use check::{Edit, Finding, Repair, diagnostics, item_diagnostics};
pub use completion::{Completion, CompletionKind, completions};
pub use cursor::{Cursor, cursor, items_in, occurrence_at};
pub use facts::{Facts, ItemFacts, MapFacts, Question, item_facts, map_facts};
pub use hover::{Hover, hover};
pub use inlay_hints::{InlayHint, inlay_hints};
pub use lines::{LineIndex, Position, line_index};
pub use names::{Access, LocalKind, Occurrence, Target, declaration, occurrences};
pub use places::{Location, location, position};
pub use plural::count;
pub use signature_help::{Parameter, Signature, signature_help};
pub use stages::{check_all_but_kernels, check_item};
