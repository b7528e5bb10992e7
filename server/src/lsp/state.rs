//! The owner's state: the database, the open documents, and the session.

mod disk;
mod reading;
mod tidy;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use ide::CompilerDatabase;
use rayon::ThreadPool;
use serde_json::Value;
use shapewright_runtime::execute::DeviceInfo;
use tower_lsp::ls_types::{MessageType, TextDocumentContentChangeEvent, Uri};

use super::checked::Checked;
use super::documents::Document;
use super::notifications::{Status, StatusParams};
use super::outbox::Outbox;
use super::owner::Owner;
use super::published::Published;
use super::results::{Outcome, Results};
use super::running::Running;
use super::sent_tokens::Sent;
use super::session::{Refresh, Session};
use super::settings::Settings;
use super::snapshot::{Open, Snapshot};
use super::{devices, paths};
use crate::load;
use disk::Disk;
use reading::Readings;

/// The state of a session.
pub(super) struct State {
    db: CompilerDatabase,
    documents: HashMap<String, Document>,
    /// The documents whose text the compiler has, with its version.
    open: Arc<Open>,
    readings: Readings,
    session: Arc<Session>,
    settings: Arc<Settings>,
    folders: Vec<PathBuf>,
    disk: Disk,
    /// Whether files that are not open may hold more in memory than their diagnostics and declarations.
    stale: bool,
    outbox: Outbox,
    owner: Owner,
    pool: Arc<ThreadPool>,
    /// Held by every snapshot.
    readers: Arc<()>,
    /// Whether something changed since diagnostics were last computed.
    changed: bool,
    pub(super) published: Published,
    results: Arc<Results>,
    sent: Arc<Sent>,
    checked: Arc<Checked>,
    pub(super) running: Running,
    /// The devices, or why they are not known; `None` before the search.
    devices: Option<Result<Vec<DeviceInfo>, String>>,
    /// The notes on runs that the user was shown.
    told_notes: BTreeSet<String>,
}

impl State {
    pub(super) fn new(owner: Owner, outbox: Outbox, pool: Arc<ThreadPool>) -> Self {
        Self {
            db: CompilerDatabase::default(),
            documents: HashMap::new(),
            open: Arc::default(),
            readings: Readings::default(),
            session: Arc::default(),
            settings: Arc::default(),
            folders: Vec::new(),
            disk: Disk::default(),
            stale: false,
            outbox,
            owner,
            pool,
            readers: Arc::default(),
            changed: false,
            published: Published::default(),
            results: Arc::default(),
            sent: Arc::default(),
            checked: Arc::default(),
            running: Running::default(),
            devices: None,
            told_notes: BTreeSet::new(),
        }
    }

    /// Begins the session.
    pub(super) fn begin(&mut self, session: Session, folders: Vec<PathBuf>) {
        self.session = Arc::new(session);
        self.folders = folders;
    }

    /// Applies settings; reports errors in them to the user.
    pub(super) fn configure(&mut self, section: &Value) {
        let (settings, problems) = Settings::read(section);
        for problem in problems {
            self.outbox.show(MessageType::WARNING, problem);
        }
        if settings == *self.settings {
            return;
        }
        if settings.target != self.settings.target {
            self.db.set_target(settings.target);
            self.checked.forget_all();
        }
        self.settings = Arc::new(settings);
        self.tell_status();
        self.changed = true;
        self.refresh(&[Refresh::Diagnostics, Refresh::InlayHints, Refresh::Lenses]);
    }

    /// Adds and removes folders of the workspace.
    pub(super) fn change_folders(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.folders.retain(|folder| !removed.contains(folder));
        self.folders.extend(added);
        self.load_folders();
    }

    /// A document was opened; an editor that opens it twice means the newer text.
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: &str) {
        let path = paths::path_of(&uri);
        self.documents.insert(path.clone(), Document::new(uri, version, text));
        self.take_over(&path);
    }

    /// Sets the compiler's text of an open document; too large a text is refused as on the command line.
    fn take_over(&mut self, path: &str) {
        let Some(document) = self.documents.get(path) else { return };
        self.changed = true;
        if document.is_too_large() {
            self.end_reading(path);
            self.db.set_unreadable(path, Some(load::too_large(path)));
            self.db.remove(path);
            self.note_version(path);
            return;
        }
        let text = document.text();
        self.db.set_unreadable(path, None);
        self.read_document(path, &text);
    }

    /// Records that the compiler has the current text of a document.
    fn note_version(&mut self, path: &str) {
        if let Some(document) = self.documents.get(path) {
            Arc::make_mut(&mut self.open).insert(path.to_owned(), (document.uri.clone(), document.version));
        }
    }

    /// A document was edited. An edit of a document that is not open is an error of the editor; it changes nothing.
    pub(super) fn change(&mut self, uri: &Uri, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        let path = paths::path_of(uri);
        let Some(document) = self.documents.get_mut(&path) else {
            let message = format!("{} was edited without being opened; the edit is ignored", uri.as_str());
            self.outbox.show(MessageType::WARNING, message);
            return;
        };
        document.change(version, changes, self.session.unit);
        self.take_over(&path);
    }

    /// A document was closed: now the file on disk counts, if there is one.
    pub(super) fn close(&mut self, uri: &Uri) {
        let path = paths::path_of(uri);
        if self.documents.remove(&path).is_none() {
            return;
        }
        Arc::make_mut(&mut self.open).remove(&path);
        self.end_reading(&path);
        self.read_from_disk(&path);
        self.sent.forget(&path);
        self.checked.forget(&path);
        self.clear_published(uri.clone(), &path);
        self.changed = true;
    }

    /// Stores the outcome of a run.
    pub(super) fn keep(&mut self, path: &str, name: &str, outcome: Outcome) {
        Arc::make_mut(&mut self.results).set(path, name, outcome);
        self.changed = true;
        self.refresh(&[Refresh::Diagnostics, Refresh::Lenses, Refresh::InlayHints]);
    }

    /// Shows the user what a run notes, such as why `auto` passed over a GPU, each note once. Shapewright's own editors show
    /// it themselves, in the results and in the status.
    pub(super) fn tell_notes(&mut self, notes: &[String]) {
        if self.session.own_editor {
            return;
        }
        for note in notes {
            if self.told_notes.insert(note.clone()) {
                self.outbox.show(MessageType::INFO, note.clone());
            }
        }
    }

    /// Starts the search for devices in the background, if the editor shows them or offers to run kernels on them.
    pub(super) fn look_for_devices(&self) {
        if self.session.own_editor || self.session.shows_lenses() {
            let owner = self.owner();
            self.outbox.spawn(async move {
                let found = devices::find().await;
                owner.send(move |state| state.set_devices(found));
            });
        }
    }

    /// Sets the devices found.
    pub(super) fn set_devices(&mut self, found: Result<Vec<DeviceInfo>, String>) {
        let had_gpu = self.has_gpu();
        self.devices = Some(found);
        self.tell_status();
        if self.has_gpu() != had_gpu {
            self.refresh(&[Refresh::Lenses]);
        }
    }

    fn has_gpu(&self) -> bool {
        matches!(&self.devices, Some(Ok(devices)) if devices::has_gpu(devices))
    }

    /// Sends the device and the state to an editor that shows them.
    pub(super) fn tell_status(&self) {
        if self.session.own_editor {
            let setting = &self.settings.run_device;
            let devices::Described { device, problem, libraries } = match &self.devices {
                None => devices::Described { device: setting.clone(), ..Default::default() },
                Some(Ok(devices)) => devices::described(setting, devices),
                Some(Err(problem)) => {
                    let problem = Some(problem.clone());
                    devices::Described { device: setting.clone(), problem, ..Default::default() }
                }
            };
            let is_ready = !self.running.any_works();
            let state = if is_ready { "ready" } else { "running" };
            let message = problem.filter(|_| is_ready);
            self.outbox.notify::<Status>(StatusParams { device, state: state.to_owned(), message, libraries });
        }
    }

    /// Sends refresh requests, if the client supports them.
    pub(super) fn refresh(&self, what: &[Refresh]) {
        use tower_lsp::ls_types::request::{
            CodeLensRefresh, InlayHintRefreshRequest, SemanticTokensRefresh, WorkspaceDiagnosticRefresh,
        };
        for refresh in what.iter().filter(|refresh| self.session.refreshes(**refresh)) {
            match refresh {
                Refresh::Diagnostics => self.outbox.ask::<WorkspaceDiagnosticRefresh>((), |_| {}),
                Refresh::Lenses => self.outbox.ask::<CodeLensRefresh>((), |_| {}),
                Refresh::InlayHints => self.outbox.ask::<InlayHintRefreshRequest>((), |_| {}),
                Refresh::SemanticTokens => self.outbox.ask::<SemanticTokensRefresh>((), |_| {}),
            }
        }
    }

    /// Sends a refresh request for hints if a check may have added some.
    pub(super) fn refresh_waiting_hints(&self) {
        if self.checked.take_waiting_hints() {
            self.refresh(&[Refresh::InlayHints]);
        }
    }

    /// Idle work: publishes new diagnostics to a client that does not pull them.
    pub(super) fn settle(&mut self) {
        if std::mem::take(&mut self.changed) && !self.session.pulls_diagnostics() {
            self.check_open();
        }
    }

    /// A snapshot of the current state.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            db: self.db.clone(),
            session: self.session.clone(),
            settings: self.settings.clone(),
            open: self.open.clone(),
            results: self.results.clone(),
            sent: self.sent.clone(),
            checked: self.checked.clone(),
            has_gpu: self.has_gpu(),
            _reader: self.readers.clone(),
        }
    }

    /// The version of an open document.
    pub(super) fn version(&self, path: &str) -> Option<i32> {
        self.documents.get(path).map(|document| document.version)
    }

    /// The text of an open document.
    #[cfg(test)]
    pub(super) fn text(&self, path: &str) -> Option<String> {
        self.documents.get(path).map(Document::text)
    }

    /// Whether the compiler has the text of a document and of those that it uses.
    pub(super) fn is_read_in(&self, path: &str) -> bool {
        !self.readings.concern(&self.db, path)
    }

    /// The URI and the version of an open document.
    pub(super) fn document(&self, path: &str) -> Option<(Uri, i32)> {
        self.open.get(path).cloned()
    }

    pub(super) fn owner(&self) -> Owner {
        self.owner.clone()
    }

    pub(super) fn pool(&self) -> Arc<ThreadPool> {
        self.pool.clone()
    }

    pub(super) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        &self.session
    }
}
