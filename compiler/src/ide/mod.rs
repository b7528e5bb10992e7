//! What an editor or a command line asks for, in the compiler's own types: no protocol, no I/O.
//!
//! Everything before this module counts an item's significant tokens; here, and only here, places become bytes of a
//! file, and lines and columns.

mod check;
mod colours;
mod cursor;
mod definition;
#[cfg(test)]
mod everywhere;
mod facts;
#[cfg(test)]
mod fixture;
mod folding;
mod lines;
mod links;
mod names;
mod nodes;
mod places;
mod plural;
mod references;
mod rename;
mod selection;
mod stages;
mod symbols;

pub use check::{Edit, Finding, Repair, diagnostics, item_diagnostics};
pub use colours::{Colour, Modifiers, SemanticToken, semantic_tokens};
pub use cursor::{Cursor, cursor, items_in, occurrence_at, occurrence_range};
pub use definition::{Definition, definition};
pub use facts::{Facts, ItemFacts, MapFacts, Question, item_facts, map_facts};
pub use folding::{Fold, FoldKind, folding_ranges};
pub use lines::{LineIndex, Position, line_index};
pub use links::{DocumentLink, LinkKind, document_links};
pub use names::{Access, LocalKind, Occurrence, Target, declaration, occurrences};
pub use nodes::{NameRole, Node};
pub use places::{Location, location, position};
pub use plural::count;
pub use references::{Reference, highlights, references};
pub use rename::{Renamable, prepare_rename, rename};
pub use selection::selection_ranges;
pub use stages::{check_all_but_kernels, check_item};
pub use symbols::{DocumentSymbol, MOST_SYMBOLS, SymbolKind, WorkspaceSymbol, document_symbols, workspace_symbols};
