//! Code actions: the fixes of diagnostics.

use shapewright_compiler::ide;
use tower_lsp::ls_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse};

use crate::lsp::snapshot::Snapshot;

/// What can be done to the text of a range.
pub(in crate::lsp) fn actions(snapshot: &Snapshot, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let file = snapshot.file(&params.text_document.uri)?;
    let range = snapshot.bytes(file, params.range);
    let mut actions = Vec::new();
    for finding in ide::diagnostics(&snapshot.db, file) {
        let place = &finding.location.range;
        if place.end < range.start || range.end < place.start {
            continue;
        }
        for repair in &finding.fixes {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: repair.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                edit: Some(snapshot.edits(&repair.edits)?),
                is_preferred: Some(finding.fixes.len() == 1),
                ..Default::default()
            }));
        }
    }
    Some(actions)
}
