//! An open document of the client.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use super::client::{Client, Message, uri};
use crate::sources::{Language, Place};

/// A document, as the client knows it.
pub(super) struct Document {
    pub(super) uri: String,
    version: i64,
    /// Whether each edit requests its diagnostics at once, by clangd's extension.
    pub(super) at_once: bool,
}

impl Document {
    /// Opens a document; returns the time just before.
    pub(super) fn open(
        client: &mut Client,
        path: &Path,
        language: &Language,
        text: &str,
    ) -> Result<(Document, Instant), String> {
        let document = Document { uri: uri(path), version: 1, at_once: false };
        let item = json!({ "uri": document.uri, "languageId": language.id, "version": 1, "text": text });
        let start = client.notify("textDocument/didOpen", json!({ "textDocument": item }))?;
        Ok((document, start))
    }

    /// Replaces the word at a place; returns the time just before.
    pub(super) fn edit(&mut self, client: &mut Client, place: &mut Place, word: &str) -> Result<Instant, String> {
        self.version += 1;
        let change = json!({
            "range": {
                "start": { "line": place.line, "character": place.start },
                "end": { "line": place.line, "character": place.end },
            },
            "text": word,
        });
        place.end = place.start + word.len();
        let mut params = json!({
            "textDocument": { "uri": self.uri, "version": self.version },
            "contentChanges": [change],
        });
        if self.at_once {
            params["wantDiagnostics"] = Value::Bool(true);
        }
        client.notify("textDocument/didChange", params)
    }

    /// The diagnostics that the server publishes for the current text. Checks whether a line has an error.
    pub(super) fn published(&self, client: &mut Client, line: usize, wrong: bool) -> Result<Message, String> {
        client.find(|body| self.is_published(body) && has_error(&body["params"]["diagnostics"], line) == wrong)
    }

    /// The diagnostics that the server publishes for the current text.
    pub(super) fn published_any(&self, client: &mut Client) -> Result<Message, String> {
        client.find(|body| self.is_published(body))
    }

    fn is_published(&self, body: &Value) -> bool {
        let params = &body["params"];
        body["method"] == "textDocument/publishDiagnostics"
            && params["uri"] == self.uri
            && params["version"] == self.version
    }

    /// Requests the diagnostics, and checks whether a line has an error; returns the time of the response.
    pub(super) fn asked(&self, client: &mut Client, line: usize, wrong: bool) -> Result<Instant, String> {
        let mut answer = client.request("textDocument/diagnostic", self.named())?;
        let diagnostics = answer.body["result"]["items"].take();
        if has_error(&diagnostics, line) != wrong {
            let should = if wrong { "an error" } else { "no error" };
            return Err(format!("the diagnostics should have {should} in line {}: {diagnostics}", line + 1));
        }
        Ok(answer.at)
    }

    /// The parameters of a request about the document.
    pub(super) fn named(&self) -> Value {
        json!({ "textDocument": { "uri": self.uri } })
    }

    /// The parameters of a request about a position.
    pub(super) fn at(&self, line: usize, character: usize) -> Value {
        json!({ "textDocument": { "uri": self.uri }, "position": { "line": line, "character": character } })
    }
}

/// Whether one of the diagnostics is an error in a line.
fn has_error(diagnostics: &Value, line: usize) -> bool {
    let all = diagnostics.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().any(|one| one["severity"] == 1 && one["range"]["start"]["line"] == line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_in_its_line() {
        let at = |severity: i32, line: i32| json!([{ "severity": severity, "range": { "start": { "line": line } } }]);
        assert!(has_error(&at(1, 4), 4));
        assert!(!has_error(&at(1, 5), 4));
        assert!(!has_error(&at(2, 4), 4));
        assert!(!has_error(&json!([]), 4));
    }
}
