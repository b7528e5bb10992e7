//! What a server says that lived through many edits, and what is said by one that has seen only the texts.

use std::collections::{BTreeMap, HashSet};
use std::str::FromStr;
use std::sync::Arc;

use check::db::SourceFile;
use check::kernels;
use ide::CompilerDatabase;
use serde_json::{Value, json};
use syntax::tree::ItemKind;
use tower_lsp::ls_types::Uri;

use super::world::{Document, World};
use crate::lsp::session::Session;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::tests::examples;
use crate::lsp::tests::harness::Client;
use crate::lsp::{paths, requests};

/// Compares everything about every open document; fails with what differs. Documents learn whether they have errors.
pub(super) async fn compare(client: &mut Client, world: &mut World) -> Result<(), String> {
    let fresh = fresh(world);
    for document in world.documents.iter_mut().filter(|document| document.open) {
        let uri = document.uri.clone();
        let command = json!({ "command": "test.text", "arguments": [uri] });
        let texts = client.request("workspace/executeCommand", command).await;
        if texts != json!([document.text, document.text]) {
            return Err(format!("the text of {uri} is {texts} instead of {:?}", document.text));
        }
        let file = fresh.file(&Uri::from_str(&uri).unwrap()).unwrap();
        let expected = said_freshly(&fresh, &uri, file);
        let found = said(client, document, &expected).await;
        for (what, expected) in &expected {
            let found = &found[what];
            if found != expected {
                return Err(format!("the server says as {what} of {uri}\n{found}\ninstead of\n{expected}"));
            }
        }
        document.wrong = expected["diagnostics"].as_array().unwrap().iter().any(|found| found["severity"] == 1);
        if !document.wrong {
            document.good.clone_from(&document.text);
        }
    }
    Ok(())
}

/// A database that has seen nothing but the texts as they are.
fn fresh(world: &World) -> Snapshot {
    let mut db = CompilerDatabase::default();
    let path = |uri: &str| paths::path_of(&Uri::from_str(uri).unwrap());
    let folder = examples::folder().canonicalize().unwrap();
    for (name, text) in examples::examples() {
        db.set_text(folder.join(name).to_str().unwrap(), &text);
    }
    // Those that nobody uses show nowhere.
    for (name, text) in check::library::FILES {
        db.set_text(&format!("std://{name}"), text);
    }
    let mut open = crate::lsp::snapshot::Open::new();
    for document in &world.documents {
        match (document.open, &document.disk) {
            (true, _) => {
                db.set_text(&path(&document.uri), &document.text);
                open.insert(path(&document.uri), (Uri::from_str(&document.uri).unwrap(), document.version));
            }
            (false, Some(text)) => _ = db.set_text(&path(&document.uri), text),
            (false, None) => {}
        }
    }
    let params = json!({ "processId": null, "capabilities": super::capabilities(world.unit) });
    Snapshot {
        db,
        session: Arc::new(Session::new(&serde_json::from_value(params).unwrap())),
        settings: Arc::default(),
        open: Arc::new(open),
        results: Arc::default(),
        sent: Arc::default(),
        checked: Arc::default(),
        has_gpu: false,
        _reader: Arc::default(),
    }
}

/// The requests about a document as a whole.
const QUESTIONS: &[(&str, &str)] = &[
    ("symbols", "textDocument/documentSymbol"),
    ("folding ranges", "textDocument/foldingRange"),
    ("lenses", "textDocument/codeLens"),
    ("links", "textDocument/documentLink"),
];

fn whole() -> Value {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1_000_000, "character": 0 } })
}

/// What the server says of a document; kernels are those that the text has.
async fn said(
    client: &mut Client,
    document: &mut Document,
    expected: &BTreeMap<String, Value>,
) -> BTreeMap<String, Value> {
    let of = json!({ "textDocument": { "uri": document.uri } });
    let diagnostics = client.ask("textDocument/diagnostic", of.clone()).await;
    let mut asked = Vec::new();
    for (what, method) in QUESTIONS {
        asked.push(((*what).to_owned(), client.ask(method, of.clone()).await));
    }
    for what in expected.keys().filter(|what| what.starts_with("code of ")) {
        let argument = json!({ "uri": document.uri, "name": what["code of ".len()..] });
        let command = json!({ "command": "shapewright.emit", "arguments": [argument] });
        asked.push((what.clone(), client.ask("workspace/executeCommand", command).await));
    }
    let delta = json!({ "textDocument": { "uri": document.uri }, "previousResultId": document.tokens_id });
    let delta = client.request("textDocument/semanticTokens/full/delta", delta).await;
    take_over(document, &delta);
    // Hints do not wait for a check, and are all there once it has ended.
    let diagnostics = client.answer(diagnostics).await["result"]["items"].take();
    let hints = json!({ "textDocument": { "uri": document.uri }, "range": whole() });
    let mut said = BTreeMap::from([
        ("tokens".to_owned(), json!(document.tokens)),
        ("diagnostics".to_owned(), diagnostics),
        ("inlay hints".to_owned(), client.request("textDocument/inlayHint", hints).await),
    ]);
    for (what, id) in asked {
        let mut answer = client.answer(id).await;
        let result =
            if what.starts_with("code of ") { answer["result"]["text"].take() } else { answer["result"].take() };
        said.insert(what, result);
    }
    said
}

/// Changes the client's tokens as the server says.
fn take_over(document: &mut Document, answer: &Value) {
    document.tokens_id = answer["resultId"].as_str().unwrap().to_owned();
    if let Some(data) = answer["data"].as_array() {
        document.tokens.clone_from(data);
        return;
    }
    for edit in answer["edits"].as_array().unwrap() {
        let start = edit["start"].as_u64().unwrap() as usize;
        let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
        document.tokens.splice(start..end, edit["data"].as_array().cloned().unwrap_or_default());
    }
}

/// The same, said by a database that has seen nothing but the texts.
fn said_freshly(fresh: &Snapshot, uri: &str, file: SourceFile) -> BTreeMap<String, Value> {
    let of = json!({ "textDocument": { "uri": uri } });
    let hints = serde_json::from_value(json!({ "textDocument": { "uri": uri }, "range": whole() })).unwrap();
    fn asked<P: serde::de::DeserializeOwned, R: serde::Serialize>(of: &Value, answer: impl Fn(&P) -> R) -> Value {
        serde_json::to_value(answer(&serde_json::from_value(of.clone()).unwrap())).unwrap()
    }
    let mut tokens = asked(&of, |params| requests::semantic_tokens::full(fresh, params));
    let mut said = BTreeMap::from([
        ("tokens".to_owned(), tokens["data"].take()),
        ("diagnostics".to_owned(), json!(requests::diagnostics::of_file(fresh, file))),
        ("inlay hints".to_owned(), json!(requests::inlay_hints::hints(fresh, &hints))),
        ("symbols".to_owned(), asked(&of, |params| requests::symbols::document(fresh, params))),
        ("folding ranges".to_owned(), asked(&of, |params| requests::folding::ranges(fresh, params))),
        ("lenses".to_owned(), asked(&of, |params| requests::code_lens::lenses(fresh, params))),
        ("links".to_owned(), asked(&of, |params| requests::links::links(fresh, params))),
    ]);
    // The command means the first kernel or map of a name.
    let mut named = HashSet::new();
    for item in file.items(&fresh.db) {
        match item.tree(&fresh.db).item.as_ref().map(|parsed| &parsed.kind) {
            Some(ItemKind::Kernel(kernel)) if named.insert(kernel.name.text.clone()) => {
                let typed = kernels::checked_kernel(&fresh.db, *item).kernel.clone();
                let code = typed.map(|typed| emit::cuda(&typed).source);
                said.insert(format!("code of {}", kernel.name.text), json!(code));
            }
            Some(ItemKind::Map { name, .. } | ItemKind::Tiling { name, .. }) => {
                named.insert(name.text.clone());
            }
            _ => {}
        }
    }
    said
}
