//! Markdown and plain text: each client is sent the kind that it prefers.

use serde_json::{Value, json};

use super::harness::{Client, with_client};

const URI: &str = "file:///markup.shape";

/// A map with a comment of its author, and a call.
const TEXT: &str = "/// Rows of *four*.\nmap m = row_major([3, 4]);\nconst c = cdiv(10, 4);\n";

/// The capabilities of a client that names these formats for all that has one.
fn formats(formats: &Value) -> Value {
    json!({
        "textDocument": {
            "hover": { "contentFormat": formats },
            "completion": { "completionItem": { "documentationFormat": formats } },
            "signatureHelp": { "signatureInformation": { "documentationFormat": formats } },
        },
    })
}

/// What a hover, a completion, a signature and the tooltip of a hint say, each with its kind.
async fn shown(client: &mut Client) -> [(String, String); 4] {
    client.open(URI, TEXT).await;
    client.published(URI, 1).await;
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let hover = client.request("textDocument/hover", at(1, 4)).await;
    let completion = client.request("textDocument/completion", at(2, 12)).await;
    let item = completion["items"].as_array().unwrap().iter().find(|item| item["label"] == "cdiv").unwrap();
    let signature = client.request("textDocument/signatureHelp", at(2, 15)).await;
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 3, "character": 0 } });
    let hints = json!({ "textDocument": { "uri": URI }, "range": range });
    let hints = client.request("textDocument/inlayHint", hints).await;
    let described = |content: &Value| match content {
        Value::String(text) => ("plaintext".to_owned(), text.clone()),
        content => (content["kind"].as_str().unwrap().to_owned(), content["value"].as_str().unwrap().to_owned()),
    };
    [&hover["contents"], &item["documentation"], &signature["signatures"][0]["documentation"], &hints[0]["tooltip"]]
        .map(described)
}

#[test]
fn a_client_that_prefers_markdown_is_sent_markdown() {
    for named in [json!(["markdown"]), json!(["markdown", "plaintext"])] {
        with_client(formats(&named), json!({}), async |mut client| {
            let [hover, completion, signature, hint] = shown(&mut client).await;
            for (kind, _) in [&hover, &completion, &signature, &hint] {
                assert_eq!(kind, "markdown");
            }
            let title = "```shapewright\nmap m = row_major([3, 4])\n```\n\nRows of *four*.\n\n";
            assert!(hover.1.starts_with(title) && hover.1.contains("\n\n```text\n"), "{}", hover.1);
            assert!(completion.1.contains("```shapewright\ndim N;\n"), "{}", completion.1);
            client
        });
    }
}

#[test]
fn a_client_that_prefers_plain_text_or_says_nothing_is_sent_plain_text() {
    for named in [json!(["plaintext"]), json!(["plaintext", "markdown"]), json!([]), Value::Null] {
        with_client(formats(&named), json!({ "pictures": true }), async |mut client| {
            let [hover, completion, signature, hint] = shown(&mut client).await;
            for (kind, text) in [&hover, &completion, &signature, &hint] {
                assert_eq!(kind, "plaintext");
                assert!(!text.contains("```") && !text.contains("data:"), "{text}");
            }
            let title = "map m = row_major([3, 4])\n\nRows of *four*.\n\nupper shape `[3, 4]`, lower shape `[12]`\n\n";
            assert!(hover.1.starts_with(title), "{}", hover.1);
            // The picture is drawn with characters.
            assert!(hover.1.contains("\n\ni0\\i1    0   1   2   3\n"), "{}", hover.1);
            assert!(
                completion.1.ends_with("\n\ndim N;\ntiles : [cdiv(N, 64)];\nassert tiles(0) * 64 >= N;"),
                "{completion:?}"
            );
            client
        });
    }
}
