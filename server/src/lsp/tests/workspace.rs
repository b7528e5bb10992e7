//! Questions about all files of a workspace.

use std::path::Path;

use serde_json::{Value, json};

use super::harness::with_client;
use crate::lsp::paths;

/// More files than are read at a time.
const FILES: usize = 50;

fn uri(path: &Path) -> String {
    paths::uri_of(path.to_str().unwrap()).unwrap().as_str().to_owned()
}

#[test]
fn questions_about_all_files_wait_until_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::write(root.join("common.shape"), "const size = 4;").unwrap();
    for number in 0..FILES {
        let text = format!("use \"common.shape\";\ns{number} : [size];");
        std::fs::write(root.join(format!("f{number}.shape")), text).unwrap();
    }
    with_client(json!({}), Value::Null, async |mut client| {
        let added = json!([{ "uri": uri(&root), "name": "all" }]);
        client
            .notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": added, "removed": [] } }))
            .await;
        let common = uri(&root.join("common.shape"));
        client.open(&common, "const size = 4;").await;
        let place = json!({ "line": 0, "character": 7 });
        let params =
            json!({ "textDocument": { "uri": common }, "position": place, "context": { "includeDeclaration": false } });
        let references = client.ask("textDocument/references", params).await;
        let symbols = client.ask("workspace/symbol", json!({ "query": "s" })).await;
        // What is about the open document alone is answered meanwhile.
        assert_eq!(client.published(&common, 1).await, [""; 0]);
        assert_eq!(client.answer(references).await["result"].as_array().unwrap().len(), FILES);
        assert_eq!(client.answer(symbols).await["result"].as_array().unwrap().len(), FILES + 1);
        client
    });
}
