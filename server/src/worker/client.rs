//! The client of a worker: gives it a task, and receives its events.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::process::Process;
use super::protocol::{Event, Task};
use super::workers::Workers;

/// A process that carries out tasks, one after the other.
pub(super) struct Worker {
    process: Process,
    events: Receiver<Incoming>,
    sender: Sender<Incoming>,
}

/// What a client waits for.
pub(super) enum Incoming {
    Event(Event),
    /// The worker's output has ended.
    End,
    /// The user interrupted the wait for the task of this number.
    Interrupt(u64),
}

impl Worker {
    fn start() -> io::Result<Self> {
        let (sender, events) = channel();
        Ok(Self { process: Process::start(sender.clone())?, events, sender })
    }

    /// Whether it can take a task.
    pub(super) fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }
}

/// A task that a worker carries out.
pub(crate) struct Client {
    worker: Worker,
    /// Those that wait for a task, to which the worker goes back.
    workers: Workers,
    /// The task, as long as another worker may take it: one that was idle may have died before it read the task.
    again: Option<Vec<u8>>,
    number: u64,
}

/// How a task ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The worker has finished.
    Done,
    /// The worker died; a sentence.
    Died(String),
    /// The time limit was exceeded.
    TimeLimit,
    /// A library did not answer before any kernel ran; a sentence.
    Unanswered(String),
    /// [`Interrupter::interrupt`] was called.
    Interrupted,
}

/// How long a library may take to open a device, in seconds; for tests, and for machines that take longer.
const PATIENCE_SETTING: &str = "SHAPEWRIGHT_DRIVER_LIMIT";
/// The same where nothing is set. A driver of a machine with many GPUs may take half a minute.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a library may take to open a device.
pub(super) fn patience() -> Duration {
    let chosen = std::env::var(PATIENCE_SETTING).ok().and_then(|seconds| seconds.parse().ok());
    chosen.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(PATIENCE)
}

/// What the worker asks of a library.
struct Asked {
    what: String,
    /// What to do if it does not answer while it opens a device.
    advice: Option<String>,
    /// When it has taken too long.
    end: Option<Instant>,
}

impl Asked {
    fn now(what: Option<String>, advice: Option<String>) -> Option<Self> {
        let end = advice.as_ref().and_then(|_| Instant::now().checked_add(patience()));
        what.map(|what| Self { what, advice, end })
    }

    /// What the worker was doing, for a sentence on its end.
    fn while_it(&self) -> String {
        format!(", while it {} {}", if self.advice.is_some() { "opened" } else { "used" }, self.what)
    }
}

/// Stops the wait for a task from another thread.
pub(crate) struct Interrupter {
    sender: Sender<Incoming>,
    number: u64,
}

impl Interrupter {
    /// Makes [`Client::wait`] kill the worker and return.
    pub(crate) fn interrupt(&self) {
        // A closed channel means that the wait is over.
        let _ = self.sender.send(Incoming::Interrupt(self.number));
    }
}

impl Client {
    /// Gives a task to an idle worker, or else to a new one.
    ///
    /// # Errors
    /// Those of starting a process.
    pub(crate) fn start(task: &Task, workers: &Workers) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut line = serde_json::to_vec(task)?;
        line.push(b'\n');
        let idle = workers.take();
        let was_idle = idle.is_some();
        let mut worker = idle.map_or_else(Worker::start, Ok)?;
        worker.process.send(&line)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { worker, workers: workers.clone(), again: was_idle.then_some(line), number })
    }

    /// A handle to stop the wait.
    pub(crate) fn interrupter(&self) -> Interrupter {
        Interrupter { sender: self.worker.sender.clone(), number: self.number }
    }

    /// Passes every event to `handle` until the task has ended or the time limit is exceeded.
    ///
    /// # Errors
    /// The error of `handle`; the worker is killed then.
    pub(crate) fn wait<E>(
        mut self,
        limit: Option<Duration>,
        mut handle: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Ending, E> {
        let start = Instant::now();
        let deadline = limit.and_then(|limit| start.checked_add(limit));
        let mut asked: Option<Asked> = None;
        loop {
            let next = asked.as_ref().and_then(|asked| asked.end).into_iter().chain(deadline).min();
            let incoming = match next {
                None => self.worker.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => self.worker.events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            };
            match incoming {
                Ok(Incoming::Event(Event::Ended { is_usable })) => {
                    if is_usable {
                        self.workers.keep(self.worker);
                    }
                    return Ok(Ending::Done);
                }
                Ok(Incoming::Event(Event::Doing { what, advice })) => {
                    if what.is_some() {
                        self.again = None;
                    }
                    asked = Asked::now(what, advice);
                }
                Ok(Incoming::Event(event)) => {
                    self.again = None;
                    handle(event)?;
                }
                Ok(Incoming::Interrupt(number)) if number == self.number => return Ok(Ending::Interrupted),
                Ok(Incoming::Interrupt(_)) => {}
                Ok(Incoming::End) | Err(RecvTimeoutError::Disconnected) => {
                    if !self.starts_again() {
                        let doing = asked.map_or_else(String::new, |asked| asked.while_it());
                        return Ok(Ending::Died(self.worker.process.obituary(&doing)));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let Some(Asked { what, advice: Some(advice), .. }) = asked else { return Ok(Ending::TimeLimit) };
                    let seconds = match limit {
                        Some(limit) if deadline == next => limit,
                        _ => patience(),
                    };
                    let seconds = seconds.as_secs_f64();
                    return Ok(Ending::Unanswered(format!(
                        "{what} did not answer within {seconds} s, and no kernel ran: {advice}"
                    )));
                }
            }
        }
    }

    /// Gives the task to a new worker, if the old one was idle and died before it began.
    fn starts_again(&mut self) -> bool {
        let Some(line) = self.again.take() else { return false };
        let Ok(process) = Process::start(self.worker.sender.clone()) else { return false };
        self.worker.process = process;
        self.worker.process.send(&line).is_ok()
    }
}
