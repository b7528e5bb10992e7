//! Links to files that a document names.

use tower_lsp::ls_types::{DocumentLink, DocumentLinkParams};

use crate::lsp::paths;
use crate::lsp::snapshot::Snapshot;

/// The links of a document.
pub(in crate::lsp) fn links(snapshot: &Snapshot, params: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let found = ide::document_links(&snapshot.db, file).into_iter().filter_map(|link| {
        Some(DocumentLink {
            range: snapshot.range(file, &link.range),
            target: Some(paths::uri_of(&link.path)?),
            tooltip: Some(link.path),
            data: None,
        })
    });
    Some(found.collect())
}
