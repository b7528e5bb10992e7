//! Every question that a client can ask, as the capabilities say.

use serde_json::{Value, json};

/// All questions about a place in a document, and about the document.
pub(super) fn everything(uri: &str, line: usize, character: usize) -> Vec<(&'static str, Value)> {
    let mut all = about_a_place(uri, line, character);
    all.extend(about_a_document(uri, line));
    all
}

/// What depends on a place.
pub(super) fn about_a_place(uri: &str, line: usize, character: usize) -> Vec<(&'static str, Value)> {
    let document = json!({ "uri": uri });
    let place = json!({ "line": line, "character": character });
    let range = json!({ "start": { "line": line.saturating_sub(1), "character": 0 }, "end": place });
    let at = json!({ "textDocument": document, "position": place });
    let with = |more: Value| {
        let mut params = at.clone();
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    vec![
        ("textDocument/hover", at.clone()),
        ("textDocument/completion", at.clone()),
        ("textDocument/signatureHelp", at.clone()),
        ("textDocument/definition", at.clone()),
        ("textDocument/references", with(json!({ "context": { "includeDeclaration": true } }))),
        ("textDocument/documentHighlight", at.clone()),
        ("textDocument/prepareRename", at.clone()),
        ("textDocument/rename", with(json!({ "newName": "renamed" }))),
        ("textDocument/selectionRange", json!({ "textDocument": document, "positions": [place] })),
        (
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }),
        ),
        ("textDocument/inlayHint", json!({ "textDocument": document, "range": range })),
        ("textDocument/semanticTokens/range", json!({ "textDocument": document, "range": range })),
    ]
}

/// What takes the whole document to answer, or the whole workspace; a part is formatted from a line on.
pub(super) fn about_a_document(uri: &str, line: usize) -> Vec<(&'static str, Value)> {
    let document = json!({ "textDocument": { "uri": uri } });
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let part = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 3, "character": 0 } });
    vec![
        ("textDocument/diagnostic", document.clone()),
        ("textDocument/documentSymbol", document.clone()),
        ("textDocument/semanticTokens/full", document.clone()),
        ("textDocument/semanticTokens/full/delta", json!({ "textDocument": { "uri": uri }, "previousResultId": "1" })),
        ("textDocument/codeLens", document.clone()),
        ("textDocument/foldingRange", document.clone()),
        ("textDocument/documentLink", document.clone()),
        ("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options })),
        ("textDocument/rangeFormatting", json!({ "textDocument": { "uri": uri }, "range": part, "options": options })),
        ("workspace/symbol", json!({ "query": "s" })),
        ("workspace/diagnostic", json!({ "previousResultIds": [] })),
    ]
}

/// The questions of a capability of the server; `None` where it is none that leads to questions.
fn questions_of(capability: &str) -> Option<Vec<&'static str>> {
    Some(match capability {
        "hoverProvider" => vec!["textDocument/hover"],
        "completionProvider" => vec!["textDocument/completion"],
        "signatureHelpProvider" => vec!["textDocument/signatureHelp"],
        "definitionProvider" => vec!["textDocument/definition"],
        "referencesProvider" => vec!["textDocument/references"],
        "documentHighlightProvider" => vec!["textDocument/documentHighlight"],
        "renameProvider" => vec!["textDocument/rename", "textDocument/prepareRename"],
        "selectionRangeProvider" => vec!["textDocument/selectionRange"],
        "codeActionProvider" => vec!["textDocument/codeAction"],
        "inlayHintProvider" => vec!["textDocument/inlayHint"],
        "semanticTokensProvider" => vec![
            "textDocument/semanticTokens/full",
            "textDocument/semanticTokens/full/delta",
            "textDocument/semanticTokens/range",
        ],
        "documentFormattingProvider" => vec!["textDocument/formatting"],
        "documentRangeFormattingProvider" => vec!["textDocument/rangeFormatting"],
        "diagnosticProvider" => vec!["textDocument/diagnostic", "workspace/diagnostic"],
        "documentSymbolProvider" => vec!["textDocument/documentSymbol"],
        "workspaceSymbolProvider" => vec!["workspace/symbol"],
        "codeLensProvider" => vec!["textDocument/codeLens"],
        "foldingRangeProvider" => vec!["textDocument/foldingRange"],
        "documentLinkProvider" => vec!["textDocument/documentLink"],
        // Commands have tests of their own.
        "positionEncoding" | "textDocumentSync" | "executeCommandProvider" | "workspace" => return None,
        other => panic!("the questions of {other} stand nowhere"),
    })
}

/// No capability was forgotten here.
#[test]
fn every_capability_is_asked_for() {
    let params = json!({ "processId": null, "capabilities": { "textDocument": { "diagnostic": {} } } });
    let session = super::super::session::Session::new(&serde_json::from_value(params).unwrap());
    let capabilities = serde_json::to_value(super::super::capabilities::for_client(&session)).unwrap();
    let provided = capabilities.as_object().unwrap().keys().filter_map(|capability| questions_of(capability));
    let mut provided: Vec<&str> = provided.flatten().collect();
    let mut asked: Vec<&str> = everything("", 0, 0).into_iter().map(|(method, _)| method).collect();
    provided.sort_unstable();
    asked.sort_unstable();
    assert_eq!(provided, asked);
}
