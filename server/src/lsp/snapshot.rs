//! The state that a question is answered from: the texts at one moment, and the session.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use check::db::SourceFile;
use ide::CompilerDatabase;
use tower_lsp::ls_types::{self as lsp, Uri};

use super::checked::Checked;
use super::results::Results;
use super::sent_tokens::Sent;
use super::session::Session;
use super::settings::Settings;
use super::{encoding, paths};

/// The open documents by path, with the editor's URIs and versions.
pub(super) type Open = HashMap<String, (Uri, i32)>;

/// The state at one moment.
pub(super) struct Snapshot {
    pub(super) db: CompilerDatabase,
    pub(super) session: Arc<Session>,
    pub(super) settings: Arc<Settings>,
    pub(super) open: Arc<Open>,
    pub(super) results: Arc<Results>,
    pub(super) sent: Arc<Sent>,
    pub(super) checked: Arc<Checked>,
    /// Whether kernels are known to run on a GPU here.
    pub(super) has_gpu: bool,
    /// Shows the owner that there is a reader. The last field, so that the database is dropped before it.
    pub(super) _reader: Arc<()>,
}

impl Snapshot {
    /// The file of a document; `None` if it is not open and no file uses it.
    pub(super) fn file(&self, uri: &Uri) -> Option<SourceFile> {
        self.db.file(&paths::path_of(uri))
    }

    /// The URI of a file: the editor's own if it is open.
    pub(super) fn uri(&self, file: SourceFile) -> Option<Uri> {
        let path = file.path(&self.db);
        match self.open.get(path) {
            Some((uri, _)) => Some(uri.clone()),
            None => paths::uri_of(path),
        }
    }

    /// The file and the byte of a place in a document.
    pub(super) fn at(&self, place: &lsp::TextDocumentPositionParams) -> Option<(SourceFile, u32)> {
        let file = self.file(&place.text_document.uri)?;
        Some((file, encoding::offset(&self.db, file, place.position, self.session.unit)))
    }

    /// Bytes as lines and columns.
    pub(super) fn range(&self, file: SourceFile, bytes: &Range<u32>) -> lsp::Range {
        encoding::range(&self.db, file, bytes, self.session.unit)
    }

    /// Lines and columns as bytes.
    pub(super) fn bytes(&self, file: SourceFile, range: lsp::Range) -> Range<u32> {
        encoding::bytes(&self.db, file, range, self.session.unit)
    }

    /// A place in another document.
    pub(super) fn location(&self, location: &ide::Location) -> Option<lsp::Location> {
        let uri = self.uri(location.file)?;
        Some(lsp::Location { uri, range: self.range(location.file, &location.range) })
    }

    /// Edits as the protocol has them, by document; `None` where a file has no URI.
    pub(super) fn edits(&self, edits: &[ide::Edit]) -> Option<lsp::WorkspaceEdit> {
        let mut by_document: HashMap<Uri, Vec<lsp::TextEdit>> = HashMap::new();
        for edit in edits {
            let lsp::Location { uri, range } = self.location(&edit.location)?;
            by_document.entry(uri).or_default().push(lsp::TextEdit { range, new_text: edit.text.to_string() });
        }
        Some(lsp::WorkspaceEdit { changes: Some(by_document), ..Default::default() })
    }
}
