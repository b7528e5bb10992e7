//! Kernels that an editor runs. The worker is this program's own; these tests cover what is decided before it starts.

use serde_json::json;

use super::harness::{Client, with_client};

const URI: &str = "untitled:Untitled-1";
const KERNEL: &str =
    "kernel k(y: mut f32[4]) { view ys = y via reshape_map([1] | [4] => layout: [i0, t0]); ys[0] = 1.0; }\n";

#[test]
fn nothing_runs_in_a_workspace_that_nobody_trusts() {
    with_client(json!({}), json!({ "runAllowed": false }), async |mut client| {
        client.open(URI, KERNEL).await;
        client.published(URI, 1).await;
        let command = json!({ "command": "shapewright.run", "arguments": [{ "uri": URI }] });
        let error = client.refused("workspace/executeCommand", command).await;
        assert!(error["message"].as_str().unwrap().contains("not trusted"), "{error}");
        client
    });
}

/// What the lenses of the document offer.
async fn offered(client: &mut Client) -> Vec<String> {
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": URI } })).await;
    lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn lenses_offer_what_can_run_here() {
    let text = format!("{KERNEL}run k(y: zeros);\n");
    let gpu =
        |available: bool| json!([{ "name": "cuda:0", "available": available, "description": "a GPU" }]).to_string();
    let devices = |available| json!({ "command": "test.devices", "arguments": [gpu(available)] });
    let refreshed = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    with_client(refreshed, json!({}), async |mut client| {
        client.open(URI, &text).await;
        client.published(URI, 1).await;
        assert_eq!(offered(&mut client).await, ["▶ Run"; 2]);
        client.request("workspace/executeCommand", devices(false)).await;
        assert_eq!(offered(&mut client).await, ["▶ Run"; 2]);
        client.request("workspace/executeCommand", devices(true)).await;
        let refresh = client.find(|message| message["method"] == "workspace/codeLens/refresh").await;
        client.send(json!({ "jsonrpc": "2.0", "id": refresh["id"], "result": null })).await;
        assert_eq!(offered(&mut client).await, ["▶ Run", "Run on GPU", "▶ Run", "Run on GPU"]);
        client
    });
    with_client(json!({}), json!({ "runAllowed": false }), async |mut client| {
        client.open(URI, &text).await;
        client.published(URI, 1).await;
        client.request("workspace/executeCommand", devices(true)).await;
        assert_eq!(offered(&mut client).await, [""; 0]);
        client
    });
}

#[test]
fn nothing_runs_while_the_file_has_errors() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, "a : [1] [(5)];").await;
        client.published(URI, 1).await;
        let command = json!({ "command": "shapewright.run", "arguments": [{ "uri": URI }] });
        let error = client.refused("workspace/executeCommand", command).await;
        assert!(error["message"].as_str().unwrap().starts_with("nothing runs while"), "{error}");
        client
    });
}

#[test]
fn a_map_can_be_read_as_device_functions() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, "map m = reshape_map([3] | [4]);\nmap bad = reshape_map([0] | [4]);").await;
        client.published(URI, 1).await;
        let command = json!({ "command": "shapewright.emit", "arguments": [{ "uri": URI, "name": "m" }] });
        let emitted = client.request("workspace/executeCommand", command).await;
        assert_eq!(emitted["title"], "m.cu");
        assert!(emitted["text"].as_str().unwrap().contains("__forceinline__ int m_offset(int i, int t)"), "{emitted}");
        let command = json!({ "command": "shapewright.emit", "arguments": [{ "uri": URI, "name": "bad" }] });
        let error = client.refused("workspace/executeCommand", command).await;
        assert_eq!(error["message"], "the map `bad` has errors");
        client
    });
}

#[test]
fn the_source_that_a_gpu_gets_can_be_read() {
    with_client(json!({}), json!({}), async |mut client| {
        client.open(URI, KERNEL).await;
        client.published(URI, 1).await;
        let command = json!({ "command": "shapewright.emit", "arguments": [{ "uri": URI, "name": "k" }] });
        let emitted = client.request("workspace/executeCommand", command).await;
        assert_eq!(emitted["language"], "cuda-cpp");
        assert!(emitted["text"].as_str().unwrap().contains("__global__"), "{emitted}");
        let command = json!({ "command": "shapewright.emit", "arguments": [{ "uri": URI, "name": "q" }] });
        let error = client.refused("workspace/executeCommand", command).await;
        assert_eq!(error["message"], "there is no kernel or map `q`");
        let command = json!({ "command": "shapewright.explain", "arguments": [{ "code": "rank-mismatch" }] });
        let page = client.request("workspace/executeCommand", command).await;
        assert!(page["markdown"].as_str().unwrap().starts_with("# `rank-mismatch`"), "{page}");
        client
    });
}
