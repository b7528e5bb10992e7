//! Inlay hints, and when their tooltips come.

use serde_json::{Value, json};

use super::harness::{Client, with_client};

const URI: &str = "untitled:Untitled-1";
const TEXT: &str = "a : [2, 3];\nb : a * 2;\n";

async fn hints(client: &mut Client) -> Vec<Value> {
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": whole });
    client.request("textDocument/inlayHint", params).await.as_array().unwrap().clone()
}

#[test]
fn a_client_that_asks_for_tooltips_gets_each_when_it_asks() {
    let capabilities = json!({ "textDocument": { "inlayHint": { "resolveSupport": { "properties": ["tooltip"] } } } });
    with_client(capabilities, json!({}), async |mut client| {
        client.open(URI, TEXT).await;
        client.published(URI, 1).await;
        let [hint] = &hints(&mut client).await[..] else { panic!("one hint") };
        assert_eq!((&hint["label"], hint.get("tooltip")), (&json!("= [4, 6]"), None));
        let resolved = client.request("inlayHint/resolve", hint.clone()).await;
        assert_eq!((&resolved["label"], &resolved["position"]), (&hint["label"], &hint["position"]));
        assert!(resolved["tooltip"]["value"].as_str().unwrap().contains("[4, 6]"), "{resolved}");

        // An edit has made it another hint, whose tooltip would be no answer.
        client.replace(URI, 2, "a : [2, 3];\nb : a * 3;\n").await;
        let stale = client.request("inlayHint/resolve", hint.clone()).await;
        assert_eq!((&stale["label"], stale.get("tooltip")), (&hint["label"], None));
        let strange = json!({ "position": hint["position"], "label": "?", "data": { "uri": 3 } });
        assert_eq!(client.request("inlayHint/resolve", strange.clone()).await["label"], "?");
        client.published(URI, 2).await;
        client
    });
}

#[test]
fn any_other_client_gets_the_tooltips_with_the_hints() {
    let other = json!({ "textDocument": { "inlayHint": { "resolveSupport": { "properties": ["textEdits"] } } } });
    for capabilities in [json!({}), other] {
        with_client(capabilities, json!({}), async |mut client| {
            client.open(URI, TEXT).await;
            client.published(URI, 1).await;
            let [hint] = &hints(&mut client).await[..] else { panic!("one hint") };
            assert!(hint["tooltip"]["value"].as_str().unwrap().contains("[4, 6]"), "{hint}");
            assert_eq!(hint.get("data"), None);
            client
        });
    }
}

/// A kernel whose threads wait for each other once.
const WAITS: &str = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[64];
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }
}
";

/// Hints never wait for a check: those that it finds come once it has ended, and the client is told so.
#[test]
fn barriers_come_when_the_check_has_ended() {
    let diagnostics = json!({ "textDocument": { "diagnostic": {} } });
    for pulls in [false, true] {
        let mut capabilities = if pulls { diagnostics.clone() } else { json!({}) };
        capabilities["workspace"] = json!({ "inlayHint": { "refreshSupport": true } });
        with_client(capabilities, json!({}), async |mut client| {
            client.open(URI, WAITS).await;
            // A client that is sent diagnostics cannot see whether they were there before its hints.
            let first = hints(&mut client).await;
            if pulls {
                assert!(!has_barrier(&first), "{first:?}");
                let asked = json!({ "textDocument": { "uri": URI } });
                client.request("textDocument/diagnostic", asked).await;
            } else {
                client.published(URI, 1).await;
            }
            if !has_barrier(&first) {
                let refresh = client.find(|message| message["method"] == "workspace/inlayHint/refresh").await;
                client.send(json!({ "jsonrpc": "2.0", "id": refresh["id"], "result": null })).await;
            }
            let then = hints(&mut client).await;
            assert!(has_barrier(&then), "{then:?}");
            // Where the check ended while the first hints were computed, they are asked for again though they were complete.
            client.forget("workspace/inlayHint/refresh");
            client
        });
    }
}

fn has_barrier(hints: &[Value]) -> bool {
    hints.iter().any(|hint| hint["label"].as_str().unwrap().starts_with('⟂'))
}
