//! What no client should send, and some do.

use serde_json::{Value, json};

use super::harness::{codes, with_client};
use super::questions::everything;

const URI: &str = "untitled:Untitled-1";

#[test]
fn damaged_frames_are_answered_and_the_session_goes_on() {
    with_client(json!({}), json!({}), async |mut client| {
        client.raw(b"{oops").await;
        client.raw(b"\xff\xfe").await;
        client.raw(b"[]").await;
        client.raw(br#"{"jsonrpc":"2.0","id":[1],"method":"shutdown"}"#).await;
        client.raw(br#"{"id":"x","method":"shutdown"}"#).await;
        client.bytes(b"Content-Length: many\r\n\r\n").await;
        client.bytes(b"no header at all\r\n").await;
        let mut found = Vec::new();
        for _ in 0..7 {
            let answer = client.find(|message| message.get("error").is_some()).await;
            found.push((answer["id"].clone(), answer["error"]["code"].as_i64().unwrap()));
        }
        let none = Value::Null;
        assert_eq!(
            found,
            [
                (none.clone(), -32700),
                (none.clone(), -32700),
                (none.clone(), -32600),
                (none.clone(), -32600),
                (json!("x"), -32600),
                (none.clone(), -32700),
                (none, -32700)
            ]
        );
        client.open(URI, "a : [1] [(5)];").await;
        assert_eq!(client.published(URI, 1).await, ["dimension-out-of-rank"]);
        client
    });
}

/// An editor that sends half of a character goes on with the text that it has: the server has the same, but for that half.
#[test]
fn half_a_character_is_one_that_is_unknown() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, "const a = 1;").await;
        let text = r#""// \ud83d and \\ud83d, but \ud83d\ude00\n""#;
        let change = format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},
            "contentChanges":[{{"range":{{"start":{{"line":0,"character":0}},"end":{{"line":0,"character":0}}}},"text":{text}}}]}}}}"#
        );
        client.raw(change.as_bytes()).await;
        assert_eq!(client.published(URI, 2).await, [""; 0]);
        let params = json!({ "textDocument": { "uri": URI } });
        let symbols = client.request("textDocument/documentSymbol", params).await;
        assert_eq!(symbols[0]["location"]["range"]["start"]["line"], 1, "{symbols}");
        client
    });
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    with_client(json!({}), json!({}), async |mut client| {
        assert_eq!(client.refused("textDocument/formatting", json!({ "a": 1 })).await["code"], -32602);
        assert_eq!(client.refused("no/such/method", json!({})).await["code"], -32601);
        let command = json!({ "command": "shapewright.nothing", "arguments": [] });
        let error = client.refused("workspace/executeCommand", command).await;
        assert_eq!(error["message"], "there is no command `shapewright.nothing`");
        let command = json!({ "command": "shapewright.explain", "arguments": [{ "code": 7 }] });
        let error = client.refused("workspace/executeCommand", command).await;
        assert!(error["message"].as_str().unwrap().starts_with("the argument of `shapewright.explain`"), "{error}");
        client
    });
}

#[test]
fn an_edit_of_a_document_that_is_not_open_is_ignored_and_told() {
    with_client(json!({}), json!({}), async |mut client| {
        client.replace("file:///nowhere/x.shape", 2, "a : [1];").await;
        let told = client.notification("window/showMessage").await;
        assert!(told["message"].as_str().unwrap().contains("without being opened"), "{told}");
        client.close("file:///nowhere/x.shape").await;
        let params = json!({ "textDocument": { "uri": "file:///nowhere/x.shape" }, "options": { "tabSize": 4, "insertSpaces": true } });
        assert_eq!(client.request("textDocument/formatting", params).await, Value::Null);
        client
    });
}

#[test]
fn settings_of_the_wrong_type_are_named() {
    let options = json!({ "settings": { "run": { "onSave": 5 } } });
    with_client(json!({}), options, async |mut client| {
        let told = client.notification("window/showMessage").await;
        assert!(
            told["message"].as_str().unwrap().starts_with("the setting `shapewright.run.onSave` must be"),
            "{told}"
        );
        let settings = json!({ "settings": { "shapewright": { "check": { "target": "sm_1" } } } });
        client.notify("workspace/didChangeConfiguration", settings).await;
        let told = client.notification("window/showMessage").await;
        assert!(told["message"].as_str().unwrap().contains("sm_90"), "{told}");
        client
    });
}

#[test]
fn a_panic_answers_its_own_request_only() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, "a : [1] [(5)];").await;
        assert_eq!(client.published(URI, 1).await, ["dimension-out-of-rank"]);
        for (version, place) in [(2, "reader"), (3, "owner"), (4, "handler")] {
            // Asked before and after it, and answered all the same.
            let hover = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 0 } });
            let before = client.ask("textDocument/hover", hover.clone()).await;
            let command = json!({ "command": "test.panic", "arguments": [place] });
            let panics = client.ask("workspace/executeCommand", command).await;
            let after = client.ask("textDocument/hover", hover).await;
            let error = client.answer(panics).await["error"].take();
            assert_eq!(error["code"], -32603, "{place}: {error}");
            assert!(error["message"].as_str().unwrap().starts_with("a defect of the server stopped"), "{error}");
            let (before, after) = (client.answer(before).await, client.answer(after).await);
            assert!(before["result"].is_object(), "{before}");
            assert_eq!(before["result"], after["result"], "{place}");
            // Edits go on from the text that was there.
            let end = json!({ "line": 0, "character": 14 });
            client
                .change(
                    URI,
                    version,
                    json!([{ "range": { "start": end, "end": end }, "text": format!(" b{version} : [missing];") }]),
                )
                .await;
            let found = client.published(URI, version).await;
            assert_eq!((found[0].as_str(), found.len()), ("dimension-out-of-rank", version as usize));
        }
        client
    });
}

#[test]
fn two_clients_worth_of_requests_are_all_answered() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, "a : [1, 2];\nb : a * 2;\n").await;
        client.published(URI, 1).await;
        // More than are begun at the same time.
        let mut asked = Vec::new();
        for number in 0..40 {
            for (method, params) in everything(URI, number % 3, number % 12) {
                asked.push((method, client.ask(method, params).await));
            }
        }
        assert!(asked.len() > 2 * super::super::MOST_REQUESTS);
        for (method, id) in asked {
            let answer = client.answer(id).await;
            // What has no name cannot be renamed.
            let allowed = answer.get("result").is_some() || answer["error"]["code"] == -32803;
            assert!(allowed, "{method}: {answer}");
        }
        client
    });
}

#[test]
fn files_that_are_no_text_are_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bytes.shape"), b"a : [1]; // \xff\xfe").unwrap();
    std::fs::create_dir(folder.path().join("folder.shape")).unwrap();
    let uri = |name: &str| super::super::paths::uri_of(folder.path().join(name).to_str().unwrap()).unwrap().to_string();
    let (main, bytes) = (uri("main.shape"), uri("bytes.shape"));
    with_client(json!({}), json!({}), async |mut client| {
        client.open(&main, "use \"bytes.shape\";\nuse \"folder.shape\";\nb : a;\n").await;
        let told = client.notification("textDocument/publishDiagnostics").await["diagnostics"].clone();
        assert_eq!(codes(&told), ["unresolved-use", "unresolved-use", "unknown-name"]);
        let message = |number: usize| told[number]["message"].as_str().unwrap();
        assert!(message(0).contains("bytes.shape is not UTF-8"), "{told}");
        assert!(message(1).contains("there is no file"), "{told}");
        // The editor shows it as text, however it does that.
        client.open(&bytes, "a : [1]; // \u{fffd}").await;
        assert_eq!(client.published(&main, 1).await, ["unresolved-use"]);
        client.close(&bytes).await;
        assert_eq!(client.published(&main, 1).await.len(), 3);
        client.forget_published();
        client
    });
}

#[test]
fn a_client_that_never_answers_is_served_all_the_same() {
    let capabilities = json!({
        "workspace": { "configuration": true, "didChangeWatchedFiles": { "dynamicRegistration": true } },
        "window": { "workDoneProgress": true },
    });
    with_client(capabilities, json!({}), async |mut client| {
        client.open(URI, "a : [1] [(5)];").await;
        assert_eq!(client.published(URI, 1).await, ["dimension-out-of-rank"]);
        for method in ["client/registerCapability", "workspace/configuration"] {
            client.find(|message| message["method"] == method).await;
        }
        client
    });
}
