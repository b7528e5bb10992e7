//! The queries of editors and of the command line, in the compiler's own types: no protocol, no I/O.
//!
//! All other crates use token positions relative to an item; here, and only here, these become bytes, lines and
//! columns of a file.
//!
//! [`database`] is the concrete database: texts go in, and an edit changes only what it can reach. Every question has a
//! file named after it, such as `hover`, `rename` and `drawings`.
//!
//! It uses all crates of the compiler but `emit`. Begin at [`CompilerDatabase`] and [`diagnostics`].

mod assists;
mod called;
mod candidates;
mod colours;
mod completion;
mod cursor;
pub mod database;
mod definition;
mod describe;
mod document;
pub mod documentation;
mod drawings;
mod enclosing;
#[cfg(test)]
mod everywhere;
mod expressions;
mod facts;
mod findings;
#[cfg(test)]
mod fixture;
mod folding;
mod formatting;
mod hover;
mod inlay_hints;
mod lenses;
mod lines;
mod links;
mod meaning;
mod names;
mod nodes;
mod patches;
mod places;
mod plural;
mod receiver;
mod references;
mod rename;
mod results;
mod selection;
mod shorten;
mod signature_help;
mod stages;
mod symbols;
#[cfg(test)]
mod tests;
mod value_at;

pub use assists::{Assist, AssistKind, assists, fix_all};
pub use candidates::{Candidate, Judgement, candidates};
pub use colours::{Colour, Modifiers, SemanticToken, semantic_tokens};
pub use completion::{Completion, CompletionKind, Completions, Insertion, Piece, completions};
pub use cursor::{Cursor, cursor};
pub use database::{CompilerDatabase, Observer, Read, Reading};
pub use definition::{Definition, definition};
pub use document::Document;
pub use drawings::{
    Drawing, DrawnMap, RefutedClaim, drawable_names, drawing, drawing_at, drawing_of_claim, refuted_claims,
};
pub use facts::{Facts, ItemFacts, MapFacts, Question, item_facts, map_facts, program};
pub use findings::{Edit, Finding, Repair, diagnostics, obstacle};
pub use folding::{Fold, FoldKind, folding_ranges};
pub use formatting::{format_file, format_range};
pub use hover::{Hover, hover};
pub use inlay_hints::{InlayHint, InlayHints, inlay_hints};
pub use lenses::{Lens, LensKind, RunItem, lenses, run_items, runs_named};
pub use lines::{ColumnUnit, LineIndex, Position, column_to_byte, line_index};
pub use links::{DocumentLink, LinkKind, document_links};
pub use meaning::{RunKey, run_key};
pub use names::Access;
pub use places::Location;
pub use plural::count;
pub use references::{Reference, highlights, references};
pub use rename::{Renamable, prepare_rename, rename};
pub use results::{Ending, Mismatch, RunPlaces, RunResult, RunTexts, run_places, run_texts};
pub use selection::selection_ranges;
pub use signature_help::{Parameter, Signature, signature_help};
pub use stages::{check_all_but_kernels, check_item};
pub use symbols::{DocumentSymbol, MOST_SYMBOLS, SymbolKind, WorkspaceSymbol, document_symbols, workspace_symbols};
