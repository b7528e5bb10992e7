//! The time from a save to the results of its runs, with a worker that has run before.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, Introduction, uri};
use super::meanwhile::is_published;
use crate::environment;
use crate::timing::median;

/// How often the document is changed and saved.
const SAVES: usize = 31;

/// The median time from a save of a changed document to the results of its runs on a device, of a server with these
/// variables in its environment.
///
/// # Errors
/// What could not be measured.
pub(crate) fn save(source: &str, device: &str, variables: &[(&str, PathBuf)]) -> Result<Duration, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = folder.path().canonicalize().map_err(|error| error.to_string())?;
    let settings = json!({ "run": { "onSave": "all", "device": device } });
    // A client that shows lenses of its own is told of each run that has finished.
    let options = json!({ "settings": settings, "lenses": true });
    let introduction = Introduction { capabilities: json!({}), options, settings: Value::Null };
    let mut command = Command::new(environment::command()?);
    command.arg("lsp").envs(variables.iter().map(|(name, value)| (name, value)));
    let mut client = Client::start(&mut command, &folder, introduction)?;
    let document = uri(&folder.join("saved.shape"));
    let opened = json!({ "uri": document, "languageId": "shapewright", "version": 1, "text": source });
    client.notify("textDocument/didOpen", json!({ "textDocument": opened }))?;
    let mut version = 1;
    let mut saved = || {
        version += 1;
        let text = format!("{source}// {version}\n");
        let changed = json!({ "uri": document, "version": version });
        client.notify(
            "textDocument/didChange",
            json!({ "textDocument": changed, "contentChanges": [{ "text": text }] }),
        )?;
        client.find(|body| is_published(body, &document, version))?;
        client.forget();
        let start = client.notify("textDocument/didSave", json!({ "textDocument": { "uri": document } }))?;
        let message = client.find(|body| body["method"] == "shapewright/runFinished")?;
        let used = &message.body["params"]["result"]["device"];
        if used == device { Ok(message.at - start) } else { Err(format!("the run was on {used}, not on {device}")) }
    };
    // The first one starts the worker.
    saved()?;
    let time = median(SAVES, &mut saved)?;
    client.end()?;
    Ok(time)
}
