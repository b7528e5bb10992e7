//! Questions that are taken back some time after they were asked.

use std::time::Duration;

use serde_json::{Value, json};

use super::harness::{Client, codes, with_client};
use super::questions::everything;

const URI: &str = "untitled:Untitled-1";
/// Milliseconds between a question and its being taken back.
const DELAYS: &[u64] = &[0, 1, 5, 20];
const CANCELLED: i64 = -32800;

/// The place of a name, which has something to say to most questions: `ys[i]`.
const LINE: usize = 5;
const COLUMN: usize = 20;

/// A file whose kernels all depend on its first line, so that a question after an edit of that line takes a while.
fn text() -> String {
    let kernels = (0..24).map(|number| {
        format!(
            "kernel k{number}(a: f32, x: f32[N], y: mut f32[N]) {{\n    \
             view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;\n    \
             view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;\n    \
             for i in 0..4 {{ ys[i] = a * xs[i]; }}\n}}\n"
        )
    });
    format!("dim N where N < 1000000;\nconst wrong = missing;\n{}", kernels.collect::<String>())
}

/// Makes all that is known of the kernels out of date.
async fn edit(client: &mut Client, version: i32) {
    let digits = json!({ "start": { "line": 0, "character": 16 }, "end": { "line": 0, "character": 23 } });
    let change = json!([{ "range": digits, "text": (1_000_000 + version).to_string() }]);
    client.change(URI, version, change).await;
}

#[test]
fn a_question_that_is_taken_back_has_one_answer() {
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    with_client(capabilities, json!({}), async |mut client| {
        client.open(URI, &text()).await;
        let (mut version, mut taken_back) = (1, 0);
        for delay in DELAYS {
            for (method, params) in everything(URI, LINE, COLUMN) {
                version += 1;
                edit(&mut client, version).await;
                let id = client.ask(method, params).await;
                tokio::time::sleep(Duration::from_millis(*delay)).await;
                client.notify("$/cancelRequest", json!({ "id": id })).await;
                let answer = client.answer(id).await;
                let error = answer["error"]["code"].as_i64();
                taken_back += usize::from(error == Some(CANCELLED));
                assert!(answer.get("result").is_some() || error == Some(CANCELLED), "{method}, {delay} ms: {answer}");
            }
        }
        assert!(taken_back > 0, "every question was answered before it could be taken back");
        // Diagnostics after the interruption are complete. A second response to any request would be found at the end
        // of the session.
        let diagnostics = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } })).await;
        assert_eq!(codes(&diagnostics["items"]), ["unknown-name"]);
        for (method, params) in everything(URI, LINE, COLUMN) {
            let answer = client.request(method, params).await;
            assert!(!answer.is_null() || method == "textDocument/signatureHelp", "{method}");
        }
        client
    });
}

#[test]
fn a_question_is_taken_back_that_was_never_asked() {
    with_client(json!({}), json!({}), async |mut client| {
        for id in [json!(7), json!("seven"), Value::Null, json!({})] {
            client.notify("$/cancelRequest", json!({ "id": id })).await;
        }
        client.open(URI, "a : [1] [(5)];").await;
        assert_eq!(client.published(URI, 1).await, ["dimension-out-of-rank"]);
        client
    });
}
