//! Running kernels for an editor: in the worker, with progress, without blocking edits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use check::db::{Db, Item, SourceFile, Workspace};
use check::diagnostics::Severity;
use ide::RunKey;
use serde_json::{Value, json};
use syntax::tree::ItemKind;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{MessageType, ProgressToken, Uri};

use super::owner::{Owner, Subject};
use super::progress::Progress;
use super::requests::refused;
use super::results::Outcome;
use super::running::Stop;
use super::settings::RunOnSave;
use super::snapshot::Snapshot;
use super::state::State;
use super::{notifications, paths};
use crate::ran::Run;
use crate::worker::{Client, Ending, Event, Job, Task};

/// A request to run a document's kernels.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) uri: Uri,
    pub(super) cause: Cause,
}

/// Why kernels run.
#[derive(Clone, Debug)]
pub(super) enum Cause {
    /// The document was saved. The settings choose which runs of the saved text start. Errors of the text prevent the
    /// runs without a report, since the document shows them already.
    Save,
    /// The user ran the command.
    Command {
        /// A run's name; without one, all runs of the document.
        name: Option<String>,
        /// Overrides the device of the settings.
        device: Option<String>,
        /// The client's token for the progress.
        token: Option<ProgressToken>,
    },
}

impl Request {
    fn token(&self) -> Option<ProgressToken> {
        match &self.cause {
            Cause::Save => None,
            Cause::Command { token, .. } => token.clone(),
        }
    }

    /// The runs after a save depend on the saved text, which a later edit invalidates. A command runs the latest text.
    fn subject(&self) -> Subject {
        let text = matches!(self.cause, Cause::Save).then(|| paths::path_of(&self.uri));
        Subject { place: text, ..Subject::default() }
    }
}

/// A number for each job of the process.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The message for a stopped run.
const STOPPED: &str = "the run was stopped";

/// A worker's task, and the runs that it makes.
struct Prepared {
    task: Task,
    runs: Vec<(String, Option<RunKey>)>,
    limit: Duration,
}

/// Runs a request; the answer is the JSON of `shapewright run`.
///
/// The task is sent to the owner when this is called, before the future is polled.
pub(super) fn run(owner: &Owner, request: Request) -> impl Future<Output = Result<Value>> + Send + use<> {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let stop = Arc::<Stop>::default();
    owner.send({
        let (token, stop) = (request.token(), stop.clone());
        move |state| state.running.insert(number, token, stop)
    });
    let asked = Asked { owner: owner.clone(), number, stop };
    let wanted = request.clone();
    let prepared = owner.read("shapewright.run", request.subject(), move |snapshot| prepare(snapshot, &wanted));
    async move {
        let Some(prepared) = prepared.await?.map_err(refused)? else {
            return Ok(json!({ "runs": [] }));
        };
        let owner = asked.owner.clone();
        let progress = owner.ask("shapewright.run", {
            let (token, title) = (request.token(), title(&prepared));
            move |state: &mut State| (Progress::begin(state, token, number, title), state.running.workers())
        });
        let (progress, workers) = progress.await?;
        if asked.stop.is_stopped() {
            return Err(stopped());
        }
        let client = Client::start(&prepared.task, &workers)
            .map_err(|error| refused(format!("a process for the run could not be started: {error}")))?;
        asked.stop.working(client.interrupter());
        owner.send(move |state| {
            state.running.works(number);
            state.tell_status();
        });
        let work = tokio::task::spawn_blocking(move || wait(client, prepared, &request.uri, &owner, progress));
        let answer = work.await.map_err(|_| super::guard::defect("shapewright.run"))?;
        drop(asked);
        answer
    }
}

/// A requested run. It ends with its answer, or when the client cancels the request, which ends the worker.
struct Asked {
    owner: Owner,
    number: u64,
    stop: Arc<Stop>,
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.stop.stop();
        let number = self.number;
        self.owner.send(move |state| {
            if state.running.remove(number) {
                state.tell_status();
            }
        });
    }
}

fn title(prepared: &Prepared) -> String {
    match prepared.runs.as_slice() {
        [(name, _)] => format!("Running {name}"),
        runs => format!("Running {} kernels", runs.len()),
    }
}

/// The answer for a stopped run, for which editors show nothing.
fn stopped() -> Error {
    Error { code: ErrorCode::RequestCancelled, message: STOPPED.into(), data: None }
}

/// Finds the runs; `None` if there are none. The error is a sentence for the user.
fn prepare(snapshot: &Snapshot, request: &Request) -> std::result::Result<Option<Prepared>, String> {
    if !snapshot.session.run_allowed {
        if matches!(request.cause, Cause::Save) {
            return Ok(None);
        }
        return Err("kernels do not run in a workspace that is not trusted; trust it first".to_owned());
    }
    let run_on_save = snapshot.settings.run_on_save;
    if matches!((&request.cause, run_on_save), (Cause::Save, RunOnSave::Off)) {
        return Ok(None);
    }
    let db = &snapshot.db;
    let Some(file) = snapshot.file(&request.uri) else {
        return Err(format!("{} is not open", request.uri.as_str()));
    };
    let path = file.path(db);
    if let Some(error) = ide::diagnostics(db, file).iter().find(|found| found.severity == Severity::Error) {
        return match request.cause {
            Cause::Save => Ok(None),
            Cause::Command { .. } => Err(format!("nothing runs while {path} has errors: {}", error.message)),
        };
    }
    let mut runs = ide::run_items(db, file);
    let mut device = None;
    match &request.cause {
        Cause::Save if run_on_save == RunOnSave::All => {}
        Cause::Save => {
            runs.retain(|run| snapshot.results.get(path, &run.id()).is_none_or(|known| known.is_stale(db, run.item)))
        }
        Cause::Command { name, device: wanted, .. } => {
            device = wanted.clone();
            if let Some(name) = name {
                let wanted = ide::runs_named(db, file, name);
                runs.retain(|run| wanted.contains(&run.item));
                if runs.is_empty() {
                    return Err(format!("there is no `run` of {name} in {path}"));
                }
            }
        }
    }
    if runs.is_empty() {
        return Ok(None);
    }
    let items: Vec<Item> = runs.iter().map(|run| run.item).collect();
    let device = device.unwrap_or_else(|| snapshot.settings.run_device.clone());
    let task = Task::Run(Box::new(job(db, file, &items, device)));
    let limit = Duration::try_from_secs_f64(snapshot.settings.run_time_limit).unwrap_or(Duration::MAX);
    let runs = runs.into_iter().map(|run| (run.id().to_string(), ide::run_key(db, run.item))).collect();
    Ok(Some(Prepared { task, runs, limit }))
}

/// The job to execute some runs of a file.
fn job(db: &dyn Db, file: SourceFile, runs: &[Item], device: String) -> Job {
    let is_run = |item: &Item| matches!(item.tree(db).item.as_ref().map(|parsed| &parsed.kind), Some(ItemKind::Run(_)));
    let all: Vec<Item> = file.items(db).iter().copied().filter(is_run).collect();
    let numbers = runs.iter().filter_map(|run| all.iter().position(|item| item == run));
    let files = Workspace::get(db).files(db);
    Job {
        files: files.iter().map(|(path, file)| (path.clone(), file.text(db).to_owned())).collect(),
        root: file.path(db).to_owned(),
        kernel: None,
        runs: Some(numbers.collect()),
        tunes: false,
        definitions: std::collections::BTreeMap::new(),
        generics: std::collections::BTreeMap::new(),
        inputs: std::collections::BTreeMap::new(),
        outputs: std::collections::BTreeMap::new(),
        device,
        time: false,
    }
}

/// Waits for the worker and forwards its events.
fn wait(client: Client, prepared: Prepared, uri: &Uri, owner: &Owner, progress: Progress) -> Result<Value> {
    let Prepared { runs: names, limit, .. } = prepared;
    let mut waiting = names.into_iter();
    let mut runs: Vec<Run> = Vec::new();
    let mut failed = None;
    let ending = client.wait(Some(limit), |event| {
        match event {
            Event::Started { kernel } => progress.report(&kernel, None),
            Event::Progress { fraction } => progress.report("", Some(fraction)),
            Event::Finished { run } => {
                if let Some((id, key)) = waiting.next() {
                    finished(owner, uri, &id, Outcome { key, ended: Ok(Arc::new((*run).clone())) });
                }
                runs.push(*run);
            }
            // Only requested by other commands, and the end is told by the wait.
            Event::Devices { .. }
            | Event::Ptx { .. }
            | Event::Doing { .. }
            | Event::Measured { .. }
            | Event::Unmeasured { .. }
            | Event::Ended { .. } => {}
            Event::Failed { message, .. } => failed = Some(message),
        }
        Ok::<(), std::convert::Infallible>(())
    });
    let Ok(ending) = ending;
    let interrupted = ending == Ending::Interrupted;
    let problem = match ending {
        Ending::Done => failed,
        Ending::Died(reason) | Ending::Unanswered(reason) => Some(reason),
        Ending::TimeLimit => Some(format!("the run took longer than {} s and was stopped", limit.as_secs_f64())),
        Ending::Interrupted => Some(STOPPED.to_owned()),
    };
    match problem {
        None => {
            progress.end("done");
            Ok(json!({ "runs": runs }))
        }
        Some(message) => {
            // The active run is the first without an outcome.
            if let Some((id, key)) = waiting.next() {
                finished(owner, uri, &id, Outcome { key, ended: Err(message.clone()) });
            }
            progress.end(&message);
            Err(if interrupted { stopped() } else { refused(message) })
        }
    }
}

/// Stores an outcome and notifies the client.
fn finished(owner: &Owner, uri: &Uri, id: &str, outcome: Outcome) {
    let (uri, id) = (uri.clone(), id.to_owned());
    owner.send(move |state| {
        let path = paths::path_of(&uri);
        if let Ok(run) = &outcome.ended {
            state.tell_notes(&run.notes);
        }
        if let (true, Ok(run)) = (state.session().own_editor, &outcome.ended) {
            let params = notifications::RunFinishedParams { uri, name: id.clone(), result: (**run).clone() };
            state.outbox().notify::<notifications::RunFinished>(params);
        }
        state.keep(&path, &id, outcome);
    });
}

/// Starts the runs that the settings request when a document is saved.
///
/// The request is queued during this call, so it comes before any later edit and sees the saved text.
pub(super) fn on_save(owner: &Owner, uri: Uri) {
    let work = run(owner, Request { uri, cause: Cause::Save });
    let owner = owner.clone();
    tokio::spawn(async move {
        match work.await {
            Err(error) if error.code != ErrorCode::ContentModified => {
                owner.send(move |state| state.outbox().show(MessageType::WARNING, error.message.into_owned()));
            }
            _ => {}
        }
    });
}
