//! Formatting.

use check::db::SourceFile;
use ide::Edit;
use tower_lsp::ls_types::{DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit};

use crate::lsp::snapshot::Snapshot;

/// The edits that format a document.
pub(in crate::lsp) fn document(snapshot: &Snapshot, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let file = snapshot.file(&params.text_document.uri)?;
    Some(edits(snapshot, file, &ide::format_file(&snapshot.db, file)))
}

/// The edits that format the items that a range touches.
pub(in crate::lsp) fn range(snapshot: &Snapshot, params: &DocumentRangeFormattingParams) -> Option<Vec<TextEdit>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let range = snapshot.bytes(file, params.range);
    Some(edits(snapshot, file, &ide::format_range(&snapshot.db, file, range)))
}

fn edits(snapshot: &Snapshot, file: SourceFile, edits: &[Edit]) -> Vec<TextEdit> {
    let edit =
        |edit: &Edit| TextEdit { range: snapshot.range(file, &edit.location.range), new_text: edit.text.to_string() };
    edits.iter().map(edit).collect()
}
