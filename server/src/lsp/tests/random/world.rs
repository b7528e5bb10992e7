//! The open documents of the client, and its next action.

use std::path::Path;

use seeds::Draw;
use serde_json::Value;

use super::edits::random_edit;
use super::text::{Change, Unit};
use crate::lsp::tests::examples;
use crate::lsp::tests::harness::Client;

/// A document of the client.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) uri: String,
    /// As the person last had it without errors.
    pub(super) good: String,
    pub(super) text: String,
    /// Whether the text has errors.
    pub(super) wrong: bool,
    pub(super) version: i32,
    pub(super) open: bool,
    /// What is on the disk; the last document is only in the editor.
    pub(super) disk: Option<String>,
    /// The semantic tokens that the client has, as numbers, and the server's id for them.
    pub(super) tokens: Vec<Value>,
    pub(super) tokens_id: String,
}

/// One thing that the client did.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Change(Vec<Change>),
    Close,
    Open(String),
}

/// Everything that the client knows.
pub(super) struct World {
    pub(super) unit: Unit,
    pub(super) documents: Vec<Document>,
    pub(super) history: Vec<Step>,
    random: Draw,
}

/// What was done, and with which documents.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) before: Vec<Document>,
    pub(super) document: usize,
    pub(super) action: Action,
}

impl World {
    /// An example, and two files that use each other, of which one is not on the disk.
    pub(super) fn new(unit: Unit, seed: u64) -> Self {
        let mut random = Draw::new(seed.wrapping_mul(4) + unit as u64);
        let all = examples::examples();
        let (name, example) = random.pick(&all).clone();
        // No action writes to this folder, so the files on disk stay unchanged.
        let folder = examples::folder();
        let symbolic = all.iter().find(|(name, _)| name == "symbolic.shape").unwrap().1.clone();
        let user = "use \"symbolic.shape\";\nuse \"quickstart.shape\";\nuse \"only_in_the_editor.shape\";\n\n\
                    more : [tiles, B, own];\nassert rank(more) == 4;\n\nmap again = strided;\n\n\
                    kernel twice(x: f32[12], y: mut f32[12]) grid(1) block(4) {\n    view xs = x via strided;\n    \
                    view ys = y via strided;\n    for i in 0..3 { ys[i] = 2.0 * xs[i]; }\n}\n\n\
                    run twice(x: arange, y: zeros) expect y == 2.0 * x;\n";
        let editor = "use \"user.shape\";\nconst own = 3 + 4;\nsquare : [own, own];\nassert size(square) == 49;\n";
        let mut documents = vec![
            Document::new(&folder, "symbolic.shape", &symbolic, Some(&symbolic)),
            Document::new(&folder, "user.shape", user, None),
            Document::new(&folder, "only_in_the_editor.shape", editor, None),
        ];
        if name != "symbolic.shape" {
            documents.push(Document::new(&folder, &name, &example, Some(&example)));
        }
        Self { unit, documents, history: Vec::new(), random }
    }

    /// Opens all documents that are open.
    pub(super) async fn begin(&mut self, client: &mut Client) {
        for document in self.documents.iter_mut().filter(|document| document.open) {
            document.version = 1;
            document.tokens = Vec::new();
            document.tokens_id = String::new();
            client.open(&document.uri, &document.text).await;
        }
    }

    /// Does something.
    pub(super) async fn step(&mut self, client: &mut Client) {
        let wrong = self.documents.iter().position(|document| document.open && document.wrong);
        let mends = self.random.index(2) == 0;
        let any = self.random.index(self.documents.len());
        let document = wrong.filter(|_| mends).unwrap_or(any);
        let Document { text, good, open, .. } = &self.documents[document];
        let action = match self.random.index(14) {
            _ if !open => Action::Open(good.clone()),
            0 => Action::Close,
            // People take back what went wrong.
            _ if wrong == Some(document) && mends && text != good => {
                Action::Change(vec![Change { range: None, text: good.clone() }])
            }
            _ => Action::Change(random_edit(text, self.unit, &mut self.random)),
        };
        let step = Step { before: self.documents.clone(), document, action };
        self.replay(client, &step).await;
        self.history.push(step);
    }

    /// Does what was done before.
    pub(super) async fn replay(&mut self, client: &mut Client, step: &Step) {
        let document = &mut self.documents[step.document];
        match &step.action {
            Action::Change(changes) => {
                document.version += 1;
                let sent = changes.iter().map(Change::json).collect();
                document.text =
                    changes.iter().fold(document.text.clone(), |text, change| change.apply(&text, self.unit));
                client.change(&document.uri, document.version, sent).await;
            }
            Action::Close => {
                document.open = false;
                (document.tokens, document.tokens_id) = (Vec::new(), String::new());
                client.close(&document.uri).await;
            }
            Action::Open(text) => {
                (document.open, document.version) = (true, 1);
                document.text.clone_from(text);
                client.open(&document.uri, text).await;
            }
        }
    }

    /// How many documents are open.
    pub(super) fn open(&self) -> usize {
        self.documents.iter().filter(|document| document.open).count()
    }

    /// How many of them have no errors.
    pub(super) fn right(&self) -> usize {
        self.documents.iter().filter(|document| document.open && !document.wrong).count()
    }

    /// The world before the last steps.
    pub(super) fn before_last(&self, count: usize) -> Self {
        let documents = self.history[self.history.len() - count].before.clone();
        Self { unit: self.unit, documents, history: Vec::new(), random: self.random.clone() }
    }

    /// The last steps, for a person who wants to see them again.
    pub(super) fn describe(&self, count: usize) -> String {
        let steps = &self.history[self.history.len() - count..];
        let mut shown = format!("it takes the last {count} steps; before them these were open:\n");
        for document in steps[0].before.iter().filter(|document| document.open) {
            shown += &format!("{}: {:?}\n", document.uri, document.text);
        }
        for step in steps {
            shown += &format!("{}: {:?}\n", self.documents[step.document].uri, step.action);
        }
        shown
    }
}

impl Document {
    fn new(folder: &Path, name: &str, text: &str, disk: Option<&str>) -> Self {
        let uri = crate::lsp::paths::uri_of(folder.canonicalize().unwrap().join(name).to_str().unwrap()).unwrap();
        Self {
            uri: uri.as_str().to_owned(),
            good: text.to_owned(),
            text: text.to_owned(),
            wrong: false,
            version: 1,
            open: true,
            disk: disk.map(str::to_owned),
            tokens: Vec::new(),
            tokens_id: String::new(),
        }
    }
}
