//! Pictures: in hovers, for panels, and of refuted claims.

use serde_json::{Value, json};

use super::harness::{Client, with_client};

const URI: &str = "untitled:Untitled-1";
const TEXT: &str = "map m = reshape_map([3] | [4]);
assert m.covers(13);
kernel k(y: mut f32[12]) { view ys = y via m; for i in 0..3 { ys[i] = 1.0; } }
s : [3];
";

/// A client that shows Markdown in hovers.
fn markdown() -> Value {
    json!({ "textDocument": { "hover": { "contentFormat": ["markdown", "plaintext"] } } })
}

async fn open(client: &mut Client) {
    client.open(URI, TEXT).await;
    assert_eq!(client.published(URI, 1).await, ["assertion-failed"]);
}

async fn hover(client: &mut Client, line: u32, character: u32) -> String {
    let at = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let answer = client.request("textDocument/hover", at).await;
    answer["contents"]["value"].as_str().unwrap().to_owned()
}

async fn show(client: &mut Client, argument: Value) -> Value {
    let params = json!({ "command": "shapewright.show", "arguments": [argument] });
    client.request("workspace/executeCommand", params).await
}

#[test]
fn hover_of_a_map_has_its_picture_in_words() {
    with_client(markdown(), json!({}), async |mut client| {
        open(&mut client).await;
        let map = hover(&mut client, 0, 4).await;
        assert!(map.contains("```text\nslot") && map.contains("t3 i2") && !map.contains("data:"), "{map}");
        // The place of a view, and the word that asks what was refuted.
        assert!(hover(&mut client, 2, 33).await.contains("t3 i2"));
        let claim = hover(&mut client, 1, 10).await;
        assert!(claim.contains("[·]") && claim.contains("counterexample: nothing reaches 12"), "{claim}");
        assert!(!hover(&mut client, 3, 0).await.contains("```text"));
        client
    });
}

#[test]
fn a_client_that_shows_images_in_hovers_gets_one() {
    for (option, paper) in [(json!(true), "#ffffff"), (json!("dark"), "#1b1f24")] {
        with_client(markdown(), json!({ "pictures": option }), async |mut client| {
            open(&mut client).await;
            let map = hover(&mut client, 0, 4).await;
            let (_, image) = map.split_once("](data:image/svg+xml;base64,").unwrap();
            let (image, rest) = image.split_once(')').unwrap();
            // It stands below the title, where it is seen first.
            assert!(rest.contains("upper shape") && map.starts_with("```shapewright\nmap m ="), "{map}");
            let svg = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, image).unwrap();
            let svg = String::from_utf8(svg).unwrap();
            assert!(svg.starts_with("<svg") && svg.contains(paper) && !map.contains("```text"), "{svg}");
            let claim = hover(&mut client, 1, 10).await;
            assert!(claim.contains("data:image") && claim.contains("nothing reaches 12"), "{claim}");
            client
        });
    }
}

#[test]
fn no_image_in_a_hover_is_longer_than_editors_show() {
    let text = "map m = reshape_map([64] | [1024] => layout: [t0, i0]);\n";
    with_client(markdown(), json!({ "pictures": true }), async |mut client| {
        client.open(URI, text).await;
        client.published(URI, 1).await;
        let map = hover(&mut client, 0, 4).await;
        assert!(map.contains("data:image") && map.len() < 100_000, "{}", map.len());
        client
    });
}

#[test]
fn a_panel_gets_the_picture_and_its_cells() {
    with_client(markdown(), json!({}), async |mut client| {
        open(&mut client).await;
        let shown = show(&mut client, json!({ "uri": URI, "name": "m" })).await;
        assert!(shown["svg"].as_str().unwrap().starts_with("<svg") && shown["markdown"].is_string());
        assert!(shown["text"].as_str().unwrap().starts_with("m : [3, 4] -> [12]"));
        assert_eq!(shown["picture"]["panels"][0]["grid"]["cells"][5]["thread"], 1);
        let asked = json!({ "uri": URI, "name": "m", "by": "bank", "label": "thread", "interactive": true });
        let shown = show(&mut client, asked).await;
        assert!(shown["svg"].as_str().unwrap().contains("data-cell=\"11\""));
        assert_eq!(shown["picture"]["panels"][0]["grid"]["space"], "points");
        let kernel = show(&mut client, json!({ "uri": URI, "name": "k" })).await;
        assert_eq!(kernel["picture"]["panels"][0]["title"], "ys");
        let shape = show(&mut client, json!({ "uri": URI, "name": "s" })).await;
        assert_eq!((&shape["svg"], &shape["picture"], &shape["text"]), (&Value::Null, &Value::Null, &Value::Null));

        let claim = show(&mut client, json!({ "uri": URI, "name": "m.covers(13)", "claim": true })).await;
        assert_eq!(claim["picture"]["caption"], "counterexample: nothing reaches 12");
        assert_eq!(claim["picture"]["panels"][0]["grid"]["cells"][12]["marked"], true);
        for (argument, words) in [
            (json!({ "uri": URI, "name": "m.injective", "claim": true }), "there is no refuted claim `m.injective`"),
            (json!({ "uri": URI, "name": "m", "by": "colour" }), "unknown variant `colour`"),
            (json!({ "uri": URI, "name": "none" }), "nothing here is called `none`"),
        ] {
            let params = json!({ "command": "shapewright.show", "arguments": [argument] });
            let refused = client.refused("workspace/executeCommand", params).await;
            assert!(refused["message"].as_str().unwrap().contains(words), "{refused}");
        }
        client
    });
}

#[test]
fn only_own_editors_are_offered_to_show_a_counterexample() {
    for own in [true, false] {
        with_client(json!({}), json!({ "lenses": own }), async |mut client| {
            open(&mut client).await;
            let place = json!({ "line": 1, "character": 12 });
            let range = json!({ "start": place, "end": place });
            let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
            let actions = client.request("textDocument/codeAction", params).await;
            let offered = actions.as_array().unwrap().iter().find(|action| action.get("command").is_some());
            assert_eq!(offered.is_some(), own, "{actions}");
            if let Some(action) = offered {
                assert_eq!(action["diagnostics"][0]["code"], "assertion-failed");
                let argument = &action["command"]["arguments"][0];
                assert_eq!(argument, &json!({ "uri": URI, "name": "m.covers(13)", "claim": true }));
                assert!(show(&mut client, argument.clone()).await["svg"].is_string());
                // The last status says what can run here; how many come before it depends on time.
                let last = |message: &Value| message["params"]["message"].is_string();
                client.find(|message| message["method"] == "shapewright/status" && last(message)).await;
                client.forget("shapewright/status");
            }
            client
        });
    }
}
