//! The outline of a document, and names across the workspace.

use check::db::SourceFile;
use ide::SymbolKind;
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, Uri,
    WorkspaceSymbolParams,
};

use crate::lsp::snapshot::Snapshot;

/// The outline of a document: as a tree if the client shows trees.
pub(in crate::lsp) fn document(snapshot: &Snapshot, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    let file = snapshot.file(&params.text_document.uri)?;
    let found = ide::document_symbols(&snapshot.db, file);
    if snapshot.session.shows_trees() {
        let symbols = found.into_iter().map(|symbol| nested(snapshot, file, symbol));
        return Some(DocumentSymbolResponse::Nested(symbols.collect()));
    }
    let mut all = Vec::new();
    flat(snapshot, file, &params.text_document.uri, &found, None, &mut all);
    Some(DocumentSymbolResponse::Flat(all))
}

#[expect(deprecated, reason = "the protocol's types still have the field that tags replaced")]
fn nested(snapshot: &Snapshot, file: SourceFile, symbol: ide::DocumentSymbol) -> DocumentSymbol {
    let children = symbol.children.into_iter().map(|child| nested(snapshot, file, child)).collect();
    DocumentSymbol {
        name: symbol.name.to_string(),
        detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: snapshot.range(file, &symbol.range),
        selection_range: snapshot.range(file, &symbol.name_range),
        children: Some(children),
    }
}

#[expect(deprecated, reason = "the protocol's types still have the field that tags replaced")]
fn flat(
    snapshot: &Snapshot,
    file: SourceFile,
    uri: &Uri,
    symbols: &[ide::DocumentSymbol],
    container: Option<&str>,
    all: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        all.push(SymbolInformation {
            name: symbol.name.to_string(),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: Location { uri: uri.clone(), range: snapshot.range(file, &symbol.range) },
            container_name: container.map(str::to_owned),
        });
        flat(snapshot, file, uri, &symbol.children, Some(&symbol.name), all);
    }
}

/// Names of the workspace that match a query.
#[expect(deprecated, reason = "the protocol's types still have the field that tags replaced")]
pub(in crate::lsp) fn workspace(snapshot: &Snapshot, params: &WorkspaceSymbolParams) -> Vec<SymbolInformation> {
    let found = ide::workspace_symbols(&snapshot.db, &params.query).into_iter().filter_map(|symbol| {
        Some(SymbolInformation {
            name: symbol.name.to_string(),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: snapshot.location(&symbol.location)?,
            container_name: None,
        })
    });
    found.collect()
}

fn kind(kind: SymbolKind) -> tower_lsp::ls_types::SymbolKind {
    use tower_lsp::ls_types::SymbolKind as Lsp;
    match kind {
        SymbolKind::Shape => Lsp::STRUCT,
        SymbolKind::Dimensions => Lsp::NAMESPACE,
        SymbolKind::Dimension => Lsp::TYPE_PARAMETER,
        SymbolKind::Constant => Lsp::CONSTANT,
        SymbolKind::Map | SymbolKind::Kernel | SymbolKind::Function => Lsp::FUNCTION,
        SymbolKind::Unit | SymbolKind::Tiling => Lsp::CLASS,
        SymbolKind::Run => Lsp::EVENT,
        SymbolKind::Parameter | SymbolKind::View | SymbolKind::Variable => Lsp::VARIABLE,
    }
}
