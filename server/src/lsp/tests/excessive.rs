//! Excessive texts: all requests about them are answered, and other requests need not wait for their check.

use std::fmt::Write;

use serde_json::{Value, json};

use super::harness::{Client, codes, with_client};
use super::questions::everything;
use crate::load::MOST_BYTES;

const URI: &str = "file:///folder/excessive.shape";
const WRONG: &str = "a : [1] [(5)];";

fn hover(line: usize, character: usize) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

/// Opens each text, asks everything while it is being checked, and replaces it.
#[test]
fn everything_asked_about_excessive_texts_is_answered() {
    with_client(json!({}), json!({}), async |mut client| {
        for (number, excess) in testing::excessive::all().into_iter().enumerate() {
            let version = 1 + 2 * number as i32;
            if number == 0 {
                client.open(URI, &excess.text).await;
            } else {
                client.replace(URI, version, &excess.text).await;
            }
            let mut asked = Vec::new();
            for (method, params) in everything(URI, 1, 8) {
                asked.push((method, client.ask(method, params).await));
            }
            for (method, id) in asked {
                let answer = client.answer(id).await;
                // What has no name cannot be renamed.
                let allowed = answer.get("result").is_some() || answer["error"]["code"] == -32803;
                assert!(allowed, "{}, {method}: {answer}", excess.what);
            }
            client.published(URI, version).await;
            client.replace(URI, version + 1, WRONG).await;
            assert_eq!(client.published(URI, version + 1).await, ["dimension-out-of-rank"], "after {}", excess.what);
        }
        client
    });
}

/// A text whose check takes long: loops and shared arrays, again and again.
fn long_to_check() -> String {
    let mut text = String::from("const first = 6 * 7;\n");
    for number in 0..1500 {
        write!(
            text,
            "kernel k{number}(x: f32[4096], y: mut f32[4096]) grid(1) block(64) {{
    shared s : f32[3, 64];
    for k in 0..{} {{
        for t in threads(64, cuda_thread) {{ s[k % 3, t] = x[t]; }}
        for t in threads(64, cuda_thread) {{ y[t] = s[k % 3, 63 - t] + s[(k + 1) % 3, t]; }}
    }}
}}
",
            10 + number
        )
        .unwrap();
    }
    text
}

#[test]
fn nobody_waits_for_a_check_and_an_edit_ends_it() {
    with_client(json!({}), json!({}), async |mut client| {
        let text = long_to_check();
        let last = text.lines().position(|line| line.starts_with("kernel k1499")).unwrap();
        client.open(URI, &text).await;
        // A name elsewhere, a kernel's own name, and names in it: all are answered before the check has ended.
        let mut asked = vec![client.ask("textDocument/hover", hover(0, 8)).await];
        for (line, character) in [(last, 9), (last + 1, 12), (last + 3, 13)] {
            asked.push(client.ask("textDocument/hover", hover(line, character)).await);
        }
        let part = json!({ "start": { "line": last, "character": 0 }, "end": { "line": last + 8, "character": 0 } });
        let hints = json!({ "textDocument": { "uri": URI }, "range": part });
        asked.push(client.ask("textDocument/inlayHint", hints).await);
        for id in asked {
            let answer = client.answer(id).await;
            assert!(!answer["result"].is_null(), "{answer}");
        }
        assert!(!was_published(&client, 1), "the check was over before anything could be asked");
        client.replace(URI, 2, WRONG).await;
        assert_eq!(client.published(URI, 2).await, ["dimension-out-of-rank"]);
        assert!(!was_published(&client, 1), "the check went on to its end");
        client
    });
}

/// Whether the diagnostics of a version have come while something else was waited for.
fn was_published(client: &Client, version: i32) -> bool {
    client.has_unread(|message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
    })
}

#[test]
fn a_text_that_no_source_file_has_is_refused_as_on_the_command_line() {
    with_client(json!({}), json!({}), async |mut client| {
        let large = "a : [1];\n".repeat(usize::try_from(MOST_BYTES).unwrap() / 9 + 1);
        client.open(URI, &large).await;
        let told = client.notification("textDocument/publishDiagnostics").await;
        assert_eq!(codes(&told["diagnostics"]), ["text-too-large"]);
        let message = told["diagnostics"][0]["message"].as_str().unwrap();
        assert!(message.ends_with("is larger than 4 MiB, which no source file is; it is not checked"), "{message}");
        for (method, params) in everything(URI, 0, 0) {
            if method != "textDocument/rename" && method != "textDocument/prepareRename" {
                client.request(method, params).await;
            }
        }
        // Who uses it is told as of any file that cannot be read.
        let other = "file:///folder/other.shape";
        client.open(other, "use \"excessive.shape\";\n").await;
        assert_eq!(client.published(other, 1).await, ["unresolved-use"]);
        client.close(other).await;
        // The end of its diagnostics is told too.
        client.find(|message| message["params"]["uri"] == other).await;
        client.forget_published();

        client.replace(URI, 2, WRONG).await;
        assert_eq!(client.published(URI, 2).await, ["dimension-out-of-rank"]);
        // An edit that makes it too large, and one that takes that back.
        let start = json!({ "line": 0, "character": 0 });
        let grown = json!([{ "range": { "start": start, "end": start }, "text": large }]);
        client.change(URI, 3, grown).await;
        assert_eq!(client.published(URI, 3).await, ["text-too-large"]);
        let lines = large.lines().count();
        let shrunk = json!({ "start": start, "end": { "line": lines, "character": 0 } });
        client.change(URI, 4, json!([{ "range": shrunk, "text": "" }])).await;
        assert_eq!(client.published(URI, 4).await, ["dimension-out-of-rank"]);
        client
    });
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    with_client(capabilities, json!({}), async |mut client| {
        client.open(URI, &" ".repeat(usize::try_from(MOST_BYTES).unwrap() + 1)).await;
        let params = json!({ "textDocument": { "uri": URI } });
        let report = client.request("textDocument/diagnostic", params.clone()).await;
        assert_eq!(codes(&report["items"]), ["text-too-large"]);
        client.replace(URI, 2, WRONG).await;
        let report = client.request("textDocument/diagnostic", params).await;
        assert_eq!(codes(&report["items"]), ["dimension-out-of-rank"]);
        client
    });
}
