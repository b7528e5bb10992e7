//! Renaming.

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit};

use super::refused;
use crate::lsp::snapshot::Snapshot;

/// The name at a place, if it can be renamed; otherwise why not.
pub(in crate::lsp) fn prepare(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let Some((file, offset)) = snapshot.at(params) else { return Ok(None) };
    let found = ide::prepare_rename(&snapshot.db, file, offset).map_err(refused)?;
    let range = snapshot.range(file, &found.range);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: found.placeholder.to_string() }))
}

/// The edits that rename the name at a place; otherwise why it cannot be renamed.
pub(in crate::lsp) fn rename(snapshot: &Snapshot, params: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let Some((file, offset)) = snapshot.at(&params.text_document_position) else { return Ok(None) };
    let edits = ide::rename(&snapshot.db, file, offset, &params.new_name).map_err(refused)?;
    Ok(snapshot.edits(&edits))
}
