//! Where a name is declared, and everywhere it is used.

use ide::Access;
use tower_lsp::ls_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams, GotoDefinitionResponse,
    Location, LocationLink, ReferenceParams,
};

use crate::lsp::snapshot::Snapshot;

/// Where the name at a place is declared.
pub(in crate::lsp) fn definition(snapshot: &Snapshot, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let (file, offset) = snapshot.at(&params.text_document_position_params)?;
    let found = ide::definition(&snapshot.db, file, offset)?;
    let target = snapshot.location(&found.name)?;
    if !snapshot.session.takes_links() {
        return Some(GotoDefinitionResponse::Scalar(target));
    }
    Some(GotoDefinitionResponse::Link(vec![LocationLink {
        origin_selection_range: Some(snapshot.range(file, &found.origin)),
        target_range: snapshot.range(found.name.file, &found.whole),
        target_uri: target.uri,
        target_selection_range: target.range,
    }]))
}

/// Everywhere the name at a place is used.
pub(in crate::lsp) fn references(snapshot: &Snapshot, params: &ReferenceParams) -> Option<Vec<Location>> {
    let (file, offset) = snapshot.at(&params.text_document_position)?;
    let found = ide::references(&snapshot.db, file, offset, params.context.include_declaration);
    Some(found.iter().filter_map(|reference| snapshot.location(&reference.location)).collect())
}

/// Where the name at a place is used in its document.
pub(in crate::lsp) fn highlights(
    snapshot: &Snapshot,
    params: &DocumentHighlightParams,
) -> Option<Vec<DocumentHighlight>> {
    let (file, offset) = snapshot.at(&params.text_document_position_params)?;
    let found = ide::highlights(&snapshot.db, file, offset).into_iter().map(|(range, access)| DocumentHighlight {
        range: snapshot.range(file, &range),
        kind: Some(match access {
            Access::Read => DocumentHighlightKind::READ,
            Access::Write | Access::Declare => DocumentHighlightKind::WRITE,
        }),
    });
    Some(found.collect())
}
