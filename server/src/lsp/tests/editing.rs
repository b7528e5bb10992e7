//! Texts as they are edited, and what is said about them.

use serde_json::{Value, json};

use super::harness::{codes, with_client};

const URI: &str = "untitled:Untitled-1";
const WRONG: &str = "dim M;\na : [M, 2] [(0), (3)];\n";

fn edit(line: u32, from: u32, to: u32, text: &str) -> Value {
    let at = |character| json!({ "line": line, "character": character });
    json!({ "range": { "start": at(from), "end": at(to) }, "text": text })
}

#[test]
fn diagnostics_are_sent_with_the_version_and_go_when_the_mistake_does() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, WRONG).await;
        assert_eq!(client.published(URI, 1).await, ["dimension-out-of-rank"]);
        client.change(URI, 2, json!([edit(1, 18, 19, "1")])).await;
        assert_eq!(client.published(URI, 2).await, [""; 0]);
        client
    });
}

#[test]
fn diagnostics_are_cleared_when_the_document_is_closed() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, WRONG).await;
        client.published(URI, 1).await;
        client.close(URI).await;
        let cleared = client.notification("textDocument/publishDiagnostics").await;
        assert_eq!((&cleared["uri"], &cleared["diagnostics"]), (&json!(URI), &json!([])));
        client
    });
}

#[test]
fn a_client_that_asks_for_diagnostics_is_told_when_nothing_changed() {
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    with_client(capabilities, json!({}), async |mut client| {
        client.open(URI, WRONG).await;
        let document = json!({ "uri": URI });
        let first = client.request("textDocument/diagnostic", json!({ "textDocument": document })).await;
        assert_eq!(
            (&first["kind"], codes(&first["items"])),
            (&json!("full"), vec!["dimension-out-of-rank".to_owned()])
        );
        let again = json!({ "textDocument": document, "previousResultId": first["resultId"] });
        assert_eq!(client.request("textDocument/diagnostic", again.clone()).await["kind"], "unchanged");
        client.change(URI, 2, json!([edit(1, 18, 19, "1")])).await;
        let mended = client.request("textDocument/diagnostic", again).await;
        assert_eq!((&mended["kind"], codes(&mended["items"])), (&json!("full"), vec![]));

        let all = client.request("workspace/diagnostic", json!({ "previousResultIds": [] })).await;
        assert_eq!(all["items"][0]["uri"], URI);
        client
    });
}

#[test]
fn columns_are_counted_in_what_was_agreed() {
    for (offered, agreed, column) in [
        (json!(["utf-16", "utf-8"]), "utf-8", 16),
        (json!(["utf-16"]), "utf-16", 13),
        (json!(["utf-32"]), "utf-32", 12),
        (Value::Null, "utf-16", 13),
    ] {
        with_client(json!({ "general": { "positionEncodings": offered } }), json!({}), async |mut client| {
            // The mistake stands behind a character of four bytes and one of two.
            client.open(URI, "/*😀ü*/ a : [0 - 1];").await;
            let found = client.notification("textDocument/publishDiagnostics").await;
            let start = &found["diagnostics"][0]["range"]["start"]["character"];
            assert_eq!(*start, column, "{agreed}: {found}");
            client
        });
    }
}

#[test]
fn a_burst_of_edits_is_applied_in_order_and_every_question_answered_once() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, "").await;
        let mut text = String::new();
        let mut asked = Vec::new();
        for number in 0..300 {
            let word = format!("s{number} : [{number} + 1, 2];\n");
            client.change(URI, number + 2, json!([edit(number as u32, 0, 0, &word)])).await;
            text += &word;
            if number % 10 == 0 {
                let params =
                    json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } });
                asked.push(client.ask("textDocument/formatting", params).await);
            }
        }
        for id in asked {
            let answer = client.answer(id).await;
            let code = answer["error"]["code"].as_i64();
            assert!(answer["result"].is_array() || code == Some(-32801), "{answer}");
        }
        client.replace(URI, 1000, &format!("{text}\nx : [1] [(5)];")).await;
        assert_eq!(client.published(URI, 1000).await, ["dimension-out-of-rank"]);
        client.forget_published();
        client
    });
}

#[test]
fn a_file_that_is_used_is_read_from_disk_and_from_the_editor() {
    let folder = tempfile::tempdir().unwrap();
    let used = folder.path().join("lib.shape");
    std::fs::write(&used, "const K = 0;\n").unwrap();
    let uri = |name: &str| super::super::paths::uri_of(folder.path().join(name).to_str().unwrap()).unwrap();
    let (main, lib) = (uri("main.shape").as_str().to_owned(), uri("lib.shape").as_str().to_owned());
    with_client(json!({}), json!({}), async |mut client| {
        client.open(&main, "use \"lib.shape\";\na : [4] [(K)];\n").await;
        assert_eq!(client.published(&main, 1).await, [""; 0]);
        // The editor's text counts, not the one on disk.
        client.open(&lib, "const K = 7;\n").await;
        assert_eq!(client.published(&main, 1).await, ["dimension-out-of-rank"]);
        client.close(&lib).await;
        assert_eq!(client.published(&main, 1).await, [""; 0]);
        // Another program damages it, corrects it, and deletes it.
        let changed = json!({ "changes": [{ "uri": lib, "type": 2 }] });
        std::fs::write(&used, b"const K = \xff;\n").unwrap();
        client.notify("workspace/didChangeWatchedFiles", changed.clone()).await;
        let wanted = |message: &Value| {
            message["params"]["diagnostics"][0]["message"].as_str().is_some_and(|text| text.contains("is not UTF-8"))
        };
        client.find(wanted).await;
        std::fs::write(&used, "const K = 1;\n").unwrap();
        client.notify("workspace/didChangeWatchedFiles", changed).await;
        assert_eq!(client.published(&main, 1).await, ["dimension-out-of-rank"]);
        std::fs::remove_file(&used).unwrap();
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": lib, "type": 3 }] })).await;
        assert!(client.published(&main, 1).await.contains(&"unresolved-use".to_owned()));
        client.forget_published();
        client
    });
}

#[test]
fn a_client_that_watches_no_files_learns_of_a_change_with_its_next_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let uri = |name: &str| super::super::paths::uri_of(path(name).to_str().unwrap()).unwrap().as_str().to_owned();
    std::fs::write(path("lib.shape"), "use \"base.shape\";\nconst K = B;\n").unwrap();
    std::fs::write(path("base.shape"), "const B = 0;\n").unwrap();
    with_client(json!({}), json!({}), async |mut client| {
        let main = uri("main.shape");
        client.open(&main, "use \"lib.shape\";\na : [4] [(K)];\n").await;
        assert_eq!(client.published(&main, 1).await, [""; 0]);
        let symbols = json!({ "textDocument": { "uri": main } });
        // Directly and indirectly used files change, one goes, and it comes back.
        let changes = [
            ("base.shape", Some("const B = 77;\n"), "dimension-out-of-rank"),
            ("lib.shape", Some("const L = 0;\n"), "unknown-name"),
            ("lib.shape", None, "unresolved-use"),
            ("lib.shape", Some("const K = 123;\n"), "dimension-out-of-rank"),
        ];
        for (name, text, code) in changes {
            match text {
                Some(text) => std::fs::write(path(name), text).unwrap(),
                None => std::fs::remove_file(path(name)).unwrap(),
            }
            client.request("textDocument/documentSymbol", symbols.clone()).await;
            let codes = client.published(&main, 1).await;
            assert!(codes.iter().any(|found| found == code), "{code} is not in {codes:?}");
        }
        client
    });
}

#[test]
fn a_fix_is_an_edit_that_mends() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, "dim M;\na : [M];\nb : [Q] |").await;
        client.forget_published();
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
        let params = json!({ "textDocument": { "uri": URI }, "range": whole, "context": { "diagnostics": [] } });
        let actions = client.request("textDocument/codeAction", params).await;
        assert!(actions.is_array(), "{actions}");
        client.published(URI, 1).await;
        client
    });
}
