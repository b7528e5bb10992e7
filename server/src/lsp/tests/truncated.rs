//! Examples, typed from its first character to its last, with all requests.
//!
//! After each character the text is the example up to there. A request at a byte inside a character refers to the start
//! of that character.

use serde_json::{Value, json};

use super::examples::examples;
use super::harness::{Client, with_client};
use super::questions::{about_a_place, everything};

const URI: &str = "untitled:Cut";

/// The end of the text is queried after every character; the whole document, and another position, only after several.
const WHOLE: usize = 5;

/// Asks, all at once, and looks at every answer: each comes once, and none is a defect of the server.
async fn ask_all(client: &mut Client, questions: Vec<(&'static str, Value)>, what: &str) {
    let mut asked = Vec::new();
    for (method, params) in questions {
        asked.push((method, client.ask(method, params).await));
    }
    for (method, id) in asked {
        let answer = client.answer(id).await;
        let refused = answer["error"]["code"].as_i64();
        // What has no name cannot be renamed.
        let allowed = refused.is_none() || (method.ends_with("ename") && refused != Some(-32603));
        assert!(allowed, "{method} of {what}: {answer}");
    }
}

/// Types a text and asks after each character.
async fn type_and_ask(client: &mut Client, name: &str, text: &str) {
    client.open(URI, "").await;
    let (mut line, mut column) = (0, 0);
    for (number, character) in text.chars().enumerate() {
        let at = json!({ "line": line, "character": column });
        let typed = json!([{ "range": { "start": at, "end": at }, "text": character.to_string() }]);
        client.change(URI, number as i32 + 2, typed).await;
        (line, column) = if character == '\n' { (line + 1, 0) } else { (line, column + character.len_utf8()) };
        let what = format!("{name} cut off at {line}:{column}");
        for inside in 0..character.len_utf8().min(column + 1) {
            ask_all(client, about_a_place(URI, line, column - inside), &what).await;
        }
        if number % WHOLE == 0 {
            // Some line and column that were typed already, or columns beyond the line.
            ask_all(client, everything(URI, number * 7 % (line + 1), number * 3 % 60), &what).await;
        }
    }
    client.close(URI).await;
}

/// Types every eighth example, from this one or the fourth after it on: the four tests below take turns on the cores, and each run
/// takes another half of the examples.
fn type_examples_from(first: usize) {
    let first = first + 4 * (seeds::seed() % 2) as usize;
    let capabilities = json!({ "general": { "positionEncodings": ["utf-8"] }, "textDocument": { "diagnostic": {} } });
    with_client(capabilities, json!({}), async |mut client| {
        for (name, text) in examples().into_iter().skip(first).step_by(8) {
            type_and_ask(&mut client, &name, &text).await;
        }
        client
    });
}

#[test]
fn after_every_character_of_an_example_all_is_answered() {
    type_examples_from(0);
}

#[test]
fn after_every_character_of_the_next_example_all_is_answered() {
    type_examples_from(1);
}

#[test]
fn after_every_character_of_the_third_example_all_is_answered() {
    type_examples_from(2);
}

#[test]
fn after_every_character_of_the_fourth_example_all_is_answered() {
    type_examples_from(3);
}
