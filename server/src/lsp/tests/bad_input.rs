//! What no client should send, and some do.

use serde_json::{Value, json};

use super::harness::with_client;

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
        for where_ in ["reader", "owner", "handler"] {
            let command = json!({ "command": "test.panic", "arguments": [where_] });
            let error = client.refused("workspace/executeCommand", command).await;
            assert_eq!(error["code"], -32603, "{where_}: {error}");
        }
        client.open(URI, "a : [1] [(5)];").await;
        assert_eq!(client.published(URI, 1).await, ["dimension-out-of-rank"]);
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
