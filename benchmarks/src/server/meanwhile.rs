//! The delay of other requests while our server checks an excessive text.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use testing::excessive::Excess;

use super::client::{Client, Introduction, uri};
use crate::environment;
use crate::timing::middle;

/// The time that a check runs before an edit ends it.
const BEFORE_EDIT: Duration = Duration::from_millis(10);
/// The most hovers during one check.
const MOST_HOVERS: usize = 50;
/// How often each delay is measured.
const REPETITIONS: usize = 3;
/// The text after the edit, with one error.
const WRONG: &str = "a : [1] [(5)];\n";

/// The longest delays, each with the text that was being checked.
pub(crate) struct Waits {
    pub(crate) hover: (Duration, &'static str),
    pub(crate) edit: (Duration, &'static str),
}

/// Opens each text and hovers over a name in another document until the diagnostics of the text arrive; then opens it
/// again, and replaces it while it is being checked.
///
/// # Errors
/// What could not be measured.
pub(crate) fn meanwhile(texts: &[Excess]) -> Result<Waits, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = folder.path().canonicalize().map_err(|error| error.to_string())?;
    let introduction = Introduction { capabilities: json!({}), ..Introduction::default() };
    let mut client = Client::start(Command::new(environment::command()?).arg("lsp"), &folder, introduction)?;
    let elsewhere = uri(&folder.join("elsewhere.shape"));
    open(&mut client, &elsewhere, "const a = 6 * 7;\n")?;
    published(&mut client, &elsewhere, 1)?;
    let mut waits = Waits { hover: (Duration::ZERO, "nothing"), edit: (Duration::ZERO, "nothing") };
    for (number, Excess { what, text }) in texts.iter().enumerate() {
        let hover = several(|time| {
            hovers(&mut client, &document(&folder, number, &format!("hovers-{time}")), text, &elsewhere)
        })?;
        waits.hover = waits.hover.max((hover, what));
        let edit = several(|time| edit(&mut client, &document(&folder, number, &format!("edit-{time}")), text))?;
        waits.edit = waits.edit.max((edit, what));
        eprintln!("{what}: hover elsewhere {hover:.1?}, edit to diagnostics {edit:.1?}");
    }
    client.end()?;
    Ok(waits)
}

/// The median of several measurements: a single one may have been interrupted by the system.
fn several(mut measure: impl FnMut(usize) -> Result<Duration, String>) -> Result<Duration, String> {
    Ok(middle((0..REPETITIONS).map(&mut measure).collect::<Result<_, _>>()?))
}

fn document(folder: &Path, number: usize, purpose: &str) -> String {
    uri(&folder.join(format!("{number}-{purpose}.shape")))
}

/// The longest hover elsewhere between the opening of a text and its diagnostics.
fn hovers(client: &mut Client, uri: &str, text: &str, elsewhere: &str) -> Result<Duration, String> {
    open(client, uri, text)?;
    let place = json!({ "textDocument": { "uri": elsewhere }, "position": { "line": 0, "character": 6 } });
    let mut longest = Duration::ZERO;
    for _ in 0..MOST_HOVERS {
        let (found, time) = client.timed("textDocument/hover", place.clone())?;
        if found.is_null() {
            return Err("a hover over a constant says nothing".to_owned());
        }
        longest = longest.max(time);
        if client.has_unread(|body| is_published(body, uri, 1)) {
            break;
        }
    }
    published(client, uri, 1)?;
    close(client, uri)?;
    Ok(longest)
}

/// The time from an edit that replaces a text during its check to the diagnostics of the new text.
fn edit(client: &mut Client, uri: &str, text: &str) -> Result<Duration, String> {
    open(client, uri, text)?;
    std::thread::sleep(BEFORE_EDIT);
    let change = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": WRONG }] });
    let start = client.notify("textDocument/didChange", change)?;
    let message = client.find(|body| is_published(body, uri, 2))?;
    close(client, uri)?;
    Ok(message.at - start)
}

fn open(client: &mut Client, uri: &str, text: &str) -> Result<(), String> {
    let document = json!({ "uri": uri, "languageId": "shapewright", "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }))?;
    Ok(())
}

fn close(client: &mut Client, uri: &str) -> Result<(), String> {
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }))?;
    client.forget();
    Ok(())
}

fn published(client: &mut Client, uri: &str, version: i64) -> Result<(), String> {
    client.find(|body| is_published(body, uri, version))?;
    Ok(())
}

/// Whether a message has the diagnostics of a version of a document.
pub(super) fn is_published(body: &Value, uri: &str, version: i64) -> bool {
    let params = &body["params"];
    body["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri && params["version"] == version
}
