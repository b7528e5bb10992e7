//! What the owner owns: the database, the open documents, and what is known of the client.

use std::collections::{HashMap, VecDeque};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rayon::ThreadPool;
use salsa::Database;
use serde_json::Value;
use shapewright_compiler::db::{CompilerDatabase, SourceFile, Workspace};
use shapewright_compiler::names;
use shapewright_runtime::devices::DeviceInfo;
use tower_lsp::ls_types::{MessageType, TextDocumentContentChangeEvent, Uri};

use super::checked::Checked;
use super::documents::Document;
use super::notifications::{Status, StatusParams};
use super::outbox::Outbox;
use super::owner::Owner;
use super::requests::semantic_tokens::Sent;
use super::results::{Outcome, Results};
use super::running::Running;
use super::session::{Refresh, Session};
use super::settings::Settings;
use super::snapshot::{Open, Snapshot};
use super::unread::Unread;
use super::{devices, paths, publish};
use crate::load;

/// The state of a session.
pub(super) struct State {
    db: CompilerDatabase,
    documents: HashMap<String, Document>,
    open: Arc<Open>,
    session: Arc<Session>,
    settings: Arc<Settings>,
    folders: Vec<PathBuf>,
    /// Files that could not be read, with the time of their last change.
    unreadable: HashMap<String, Option<SystemTime>>,
    unread: Unread,
    /// Whether files that nobody has open may hold more than their diagnostics and what they declare.
    littered: bool,
    outbox: Outbox,
    owner: Owner,
    pool: Arc<ThreadPool>,
    /// Held by every snapshot.
    readers: Arc<()>,
    /// Whether something changed since diagnostics were last asked for.
    changed: bool,
    pub(super) published: publish::Published,
    results: Arc<Results>,
    sent: Arc<Sent>,
    checked: Arc<Checked>,
    pub(super) running: Running,
    /// What can run kernels here, or why that is not known; `None` until somebody has looked.
    devices: Option<Result<Vec<DeviceInfo>, String>>,
}

impl State {
    pub(super) fn new(owner: Owner, outbox: Outbox, pool: Arc<ThreadPool>) -> Self {
        Self {
            db: CompilerDatabase::default(),
            documents: HashMap::new(),
            open: Arc::default(),
            session: Arc::default(),
            settings: Arc::default(),
            folders: Vec::new(),
            unreadable: HashMap::new(),
            unread: Unread::default(),
            littered: false,
            outbox,
            owner,
            pool,
            readers: Arc::default(),
            changed: false,
            published: publish::Published::default(),
            results: Arc::default(),
            sent: Arc::default(),
            checked: Arc::default(),
            running: Running::default(),
            devices: None,
        }
    }

    /// Begins the session.
    pub(super) fn begin(&mut self, session: Session, folders: Vec<PathBuf>) {
        self.session = Arc::new(session);
        self.folders = folders;
    }

    /// Takes over settings; tells the person what is wrong with them.
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

    /// Looks for the `.shape` files of all folders. They are read when nothing else is to be done.
    pub(super) fn load_folders(&mut self) {
        for folder in self.folders.clone() {
            let (files, problems) = load::shape_files(&folder);
            for problem in problems {
                self.outbox.show(MessageType::WARNING, problem);
            }
            self.unread.add(files.iter().filter_map(|file| load::name_of(file).ok()));
        }
    }

    /// Does something once all files of the folders are read.
    pub(super) fn when_all_is_read(&mut self, task: impl FnOnce(&mut State) + Send + 'static) {
        if self.unread.is_empty() {
            task(self);
        } else {
            self.unread.wait(Box::new(task));
        }
    }

    /// Whether something is to be done as soon as nobody reads the database.
    pub(super) fn waits_for_readers(&self) -> bool {
        !self.unread.is_empty() || self.is_littered()
    }

    /// Whether there is something for [`State::tidy`] to do.
    pub(super) fn is_littered(&self) -> bool {
        self.littered
    }

    /// Notes that something looks at files that nobody has open.
    pub(super) fn expect_litter(&mut self) {
        self.littered = true;
    }

    /// Lets go of what was needed to look at files that nobody has open; later, where somebody reads the database now: it
    /// would interrupt them.
    pub(super) fn tidy(&mut self) {
        self.littered = self.is_read();
        if self.littered {
            return;
        }
        let files = Workspace::get(&self.db).files(&self.db);
        for (_, file) in files.iter().filter(|(path, _)| !self.documents.contains_key(*path)) {
            file.let_go_of_trees(&self.db);
        }
        self.db.trigger_lru_eviction();
    }

    /// Lets go of what salsa keeps of files that were checked longest ago; not while somebody reads the database.
    pub(super) fn evict(&mut self) {
        if !self.is_read() {
            self.db.trigger_lru_eviction();
        }
    }

    fn is_read(&self) -> bool {
        Arc::strong_count(&self.readers) > 1
    }

    /// Reads a few files of the folders; says whether it did. While somebody reads the database it does not: a new file
    /// would interrupt them.
    pub(super) fn read_some(&mut self) -> bool {
        if self.unread.is_empty() || self.is_read() {
            return false;
        }
        for path in self.unread.next_few() {
            self.read_from_disk(&path);
            if let Some(file) = self.db.file(&path).filter(|_| !self.documents.contains_key(&path)) {
                file.let_go_of_trees(&self.db);
            }
        }
        for task in self.unread.ready() {
            task(self);
        }
        true
    }

    /// A document was opened; an editor that opens it twice means the newer text.
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: &str) {
        let path = paths::path_of(&uri);
        self.documents.insert(path.clone(), Document::new(version, text));
        Arc::make_mut(&mut self.open).insert(path.clone(), (uri, version));
        let file = self.db.set_text(&path, text);
        self.load_used(file);
        self.changed = true;
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
        if let Some((_, known)) = Arc::make_mut(&mut self.open).get_mut(&path) {
            *known = version;
        }
        let text = document.text();
        let file = self.db.set_text(&path, &text);
        self.load_used(file);
        self.changed = true;
    }

    /// A document was closed: what counts now is the file on disk, if there is one.
    pub(super) fn close(&mut self, uri: &Uri) {
        let path = paths::path_of(uri);
        if self.documents.remove(&path).is_none() {
            return;
        }
        Arc::make_mut(&mut self.open).remove(&path);
        self.read_from_disk(&path);
        self.sent.forget(&path);
        self.checked.forget(&path);
        publish::clear(self, uri.clone(), &path);
        self.changed = true;
    }

    /// Files were created, changed or deleted by others.
    pub(super) fn files_changed(&mut self, uris: &[Uri]) {
        // What changed may be who may read a file, which leaves its time as it was.
        self.unreadable.clear();
        for uri in uris {
            let path = paths::path_of(uri);
            if !self.documents.contains_key(&path) {
                self.read_from_disk(&path);
            }
        }
        self.checked.forget_all();
        // A file that is used may exist only now.
        let open: Vec<SourceFile> = self.documents.keys().filter_map(|path| self.db.file(path)).collect();
        open.into_iter().for_each(|file| self.load_used(file));
        self.changed = true;
        self.refresh(&[Refresh::Diagnostics, Refresh::InlayHints, Refresh::Lenses, Refresh::SemanticTokens]);
    }

    /// Reads a file that is not open; one that is not there is forgotten.
    fn read_from_disk(&mut self, path: &str) {
        if self.documents.contains_key(path) {
            return;
        }
        match self.text_on_disk(path) {
            Some(text) => {
                let file = self.db.set_text(path, &text);
                self.load_used(file);
                self.littered = true;
            }
            None => self.db.remove(path),
        }
    }

    /// The text of a file on disk. Of one that is there and cannot be read the compiler is told, which says it where the
    /// file is used; it is not read again until it changes.
    fn text_on_disk(&mut self, path: &str) -> Option<String> {
        let changed = match std::fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => metadata.modified().ok(),
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
            // A folder is no file: somebody may be typing the rest of its name.
            _ => {
                self.unreadable.remove(path);
                self.db.set_unreadable(path, None);
                return None;
            }
        };
        if self.unreadable.get(path) == Some(&changed) {
            return None;
        }
        match load::read_regular(Path::new(path)) {
            Ok(text) => {
                self.unreadable.remove(path);
                self.db.set_unreadable(path, None);
                Some(text)
            }
            Err(problem) => {
                self.unreadable.insert(path.to_owned(), changed);
                self.db.set_unreadable(path, Some(problem));
                None
            }
        }
    }

    /// Reads the files that a file uses, and those that these use. One that does not exist is the compiler's to report.
    fn load_used(&mut self, file: SourceFile) {
        let mut waiting = VecDeque::from([file]);
        while let Some(file) = waiting.pop_front() {
            for path in names::used_paths(&self.db, file) {
                if self.db.file(&path).is_none()
                    && let Some(text) = self.text_on_disk(&path)
                {
                    waiting.push_back(self.db.set_text(&path, &text));
                    self.littered = true;
                }
            }
        }
    }

    /// Keeps what a run gave.
    pub(super) fn keep(&mut self, path: &str, name: &str, outcome: Outcome) {
        Arc::make_mut(&mut self.results).set(path, name, outcome);
        self.changed = true;
        self.refresh(&[Refresh::Diagnostics, Refresh::Lenses, Refresh::InlayHints]);
    }

    /// Looks for devices, where the editor shows them; nobody waits for what is found.
    pub(super) fn look_for_devices(&self) {
        if self.session.own_editor {
            let owner = self.owner();
            self.outbox.spawn(async move {
                let found = devices::find().await;
                owner.send(move |state| state.set_devices(found));
            });
        }
    }

    /// Takes over what was found.
    pub(super) fn set_devices(&mut self, found: Result<Vec<DeviceInfo>, String>) {
        self.devices = Some(found);
        self.tell_status();
    }

    /// Tells an editor that shows it where kernels run and whether one does.
    pub(super) fn tell_status(&self) {
        if self.session.own_editor {
            let setting = &self.settings.run_device;
            let (device, problem) = match &self.devices {
                None => (setting.clone(), None),
                Some(Ok(devices)) => devices::described(setting, devices),
                Some(Err(problem)) => (setting.clone(), Some(problem.clone())),
            };
            let is_ready = !self.running.any_works();
            let state = if is_ready { "ready" } else { "running" };
            let message = problem.filter(|_| is_ready);
            self.outbox.notify::<Status>(StatusParams { device, state: state.to_owned(), message });
        }
    }

    /// Asks the client to ask again, where it can.
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

    /// What is left to do when nothing waits: fresh diagnostics for a client that does not ask for them.
    pub(super) fn settle(&mut self) {
        if std::mem::take(&mut self.changed) && !self.session.pulls_diagnostics() {
            publish::check(self);
        }
    }

    /// Everything as it is now.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            db: self.db.clone(),
            session: self.session.clone(),
            settings: self.settings.clone(),
            open: self.open.clone(),
            results: self.results.clone(),
            sent: self.sent.clone(),
            checked: self.checked.clone(),
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

    /// An open document as the editor names it, with its version.
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

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        &self.session
    }
}
