//! Formatting.

use shapewright_compiler::names;
use shapewright_compiler::syntax::format;
use tower_lsp::ls_types::{DocumentFormattingParams, TextEdit};

use crate::lsp::snapshot::Snapshot;

/// The edits that format a document; none where nothing can be formatted.
pub(in crate::lsp) fn document(snapshot: &Snapshot, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let text = file.text(&snapshot.db);
    let visible = names::visible(&snapshot.db, file);
    let formatted = format::format(text, &|name| visible.contains_key(name));
    if formatted == text {
        return Some(Vec::new());
    }
    Some(vec![TextEdit { range: snapshot.range(file, &(0..text.len() as u32)), new_text: formatted }])
}
