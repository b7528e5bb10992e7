//! The one thread that owns the database.
//!
//! Other threads send it tasks, which run in order. A task that only reads takes a snapshot and continues on another
//! thread, so that an edit never waits for an answer.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use salsa::{CancellationToken, Cancelled, Database};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

use super::guard::defect;
use super::snapshot::Snapshot;
use super::state::State;
use crate::stack;

/// A task on the state.
type Task = Box<dyn FnOnce(&mut State) + Send>;

/// The interval for polling whether readers are active.
const PAUSE: Duration = Duration::from_millis(2);
/// How often a read is retried after an edit cancelled it.
const MOST_TRIES: u32 = 50;

/// A handle for sending tasks to the owner.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    tasks: Sender<Task>,
}

/// The texts that a read depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Subject {
    /// The path of the document for a question about a place in it or about its saved text, which an edit of the
    /// document invalidates. Any other read uses the latest texts.
    pub(super) place: Option<String>,
    /// The path of the document for a question about a whole document. Without it and without a place, the read
    /// depends on all texts, and waits until all are read.
    pub(super) document: Option<String>,
    /// Whether it depends on all files of the workspace, and has to wait until they are read.
    pub(super) everywhere: bool,
}

impl Owner {
    /// Starts the thread.
    pub(super) fn start(state: impl FnOnce(Owner) -> State + Send + 'static) -> std::io::Result<Owner> {
        let (tasks, waiting) = channel::<Task>();
        let owner = Owner { tasks };
        let own = owner.clone();
        std::thread::Builder::new()
            .name("owner".to_owned())
            .stack_size(stack::BYTES)
            .spawn(move || serve(&waiting, state(own)))?;
        Ok(owner)
    }

    /// A handle without an owner, which discards tasks.
    pub(super) fn nobody() -> Owner {
        Owner { tasks: channel().0 }
    }

    /// Sends a task.
    pub(super) fn send(&self, task: impl FnOnce(&mut State) + Send + 'static) {
        // The owner ends with the process; then the task is discarded.
        let _ = self.tasks.send(Box::new(task));
    }

    /// Sends a task, and waits for its result.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        what: &'static str,
        task: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        self.send(move |state| {
            let _ = answer.send(task(state));
        });
        answered.await.map_err(|_| defect(what))
    }

    /// Answers a question about the texts after all tasks sent before.
    ///
    /// # Errors
    /// `ContentModified` if an edit invalidated the question, an internal error if `read` panicked.
    pub(super) fn read<T, R>(
        &self,
        what: &'static str,
        subject: Subject,
        read: R,
    ) -> impl Future<Output = Result<T>> + Send + use<T, R>
    where
        T: Send + 'static,
        R: Fn(&Snapshot) -> T + Send + Sync + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let token = Arc::new(OnceLock::new());
        let question = Question { what, read: Arc::new(read), answer, token: token.clone(), tries: 0 };
        self.send(move |state| {
            state.look_at_used();
            let version = subject.place.clone().and_then(|path| Some((path.clone(), state.version(&path)?)));
            let document = subject.place.or(subject.document).filter(|_| !subject.everywhere);
            state.when_read(document, move |state| {
                if subject.everywhere {
                    state.expect_litter();
                    state.when_all_is_read(move |state| question.ask(state, version));
                } else {
                    question.ask(state, version);
                }
            });
        });
        // If the client cancels its request, this future is dropped, and the work for it ends.
        let asked = CancelOnDrop(token);
        async move {
            let result = answered.await.unwrap_or_else(|_| Err(defect(what)));
            drop(asked);
            result
        }
    }
}

struct CancelOnDrop(Arc<OnceLock<CancellationToken>>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(token) = self.0.get() {
            token.cancel();
        }
    }
}

/// An unanswered read.
struct Question<T> {
    what: &'static str,
    read: Arc<dyn Fn(&Snapshot) -> T + Send + Sync>,
    answer: oneshot::Sender<Result<T>>,
    token: Arc<OnceLock<CancellationToken>>,
    tries: u32,
}

impl<T: Send + 'static> Question<T> {
    /// Reads on another thread. `version` is the path and version of the document for a question about a place.
    fn ask(self, state: &State, version: Option<(String, i32)>) {
        if self.answer.is_closed() {
            return;
        }
        if let Some((path, version)) = &version
            && state.version(path) != Some(*version)
        {
            let _ = self.answer.send(Err(Error {
                code: ErrorCode::ContentModified,
                message: "the document was edited meanwhile".into(),
                data: None,
            }));
            return;
        }
        let snapshot = state.snapshot();
        let owner = state.owner();
        // Only the first attempt can be cancelled while it runs; later ones are short.
        let _ = self.token.set(snapshot.db.cancellation_token());
        state.pool().spawn_fifo(move || {
            let found = std::panic::catch_unwind(AssertUnwindSafe(|| {
                Cancelled::catch(AssertUnwindSafe(|| (self.read)(&snapshot)))
            }));
            // The owner waits for every snapshot before it writes.
            drop(snapshot);
            match found {
                Ok(Ok(value)) => _ = self.answer.send(Ok(value)),
                // A wait for another thread's computation does not tell why it failed: mostly an edit. After a panic,
                // the next attempt panics itself.
                Ok(Err(Cancelled::PendingWrite | Cancelled::PropagatedPanic)) if self.tries < MOST_TRIES => {
                    let again = Question { tries: self.tries + 1, ..self };
                    owner.send(move |state| again.ask(state, version));
                }
                Ok(Err(why)) => _ = self.answer.send(Err(unanswered(&why, self.what))),
                Err(_panic) => _ = self.answer.send(Err(defect(self.what))),
            }
        });
    }
}

/// Why a question has no answer: repeated edits, a panic in another thread, or cancellation by the client.
fn unanswered(why: &Cancelled, what: &str) -> Error {
    let (code, message) = match why {
        // The protocol's `ServerCancelled`.
        Cancelled::PendingWrite => (ErrorCode::ServerError(-32802), "edits came between again and again; ask later"),
        Cancelled::PropagatedPanic => return defect(what),
        _ => (ErrorCode::RequestCancelled, "the question was taken back"),
    };
    Error { code, message: message.into(), data: None }
}

/// Runs tasks, and does maintenance when idle.
fn serve(waiting: &Receiver<Task>, mut state: State) {
    loop {
        let task = match waiting.try_recv() {
            Ok(task) => task,
            Err(TryRecvError::Empty) => {
                state.settle();
                // A panicked read is not retried.
                if std::panic::catch_unwind(AssertUnwindSafe(|| state.read_some())).unwrap_or(true) {
                    continue;
                }
                if std::panic::catch_unwind(AssertUnwindSafe(|| state.tidy())).unwrap_or(false) {
                    continue;
                }
                // Polls for the end of reads while maintenance waits for it.
                let next = match state.waits_for_readers() {
                    true => waiting.recv_timeout(PAUSE),
                    false => waiting.recv().map_err(RecvTimeoutError::from),
                };
                match next {
                    Ok(task) => task,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
            Err(TryRecvError::Disconnected) => return,
        };
        // Every step leaves the state consistent, so a panic is safe; the dropped channel reports it to the waiting
        // handler.
        let _ = std::panic::catch_unwind(AssertUnwindSafe(|| task(&mut state)));
    }
}
