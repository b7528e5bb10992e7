//! The client of the worker: starts the process, sends a task, and receives events.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::protocol::{Event, Task};

/// The most bytes kept of the worker's standard error.
const LAST_WORDS: usize = 4096;

/// A running worker.
pub(crate) struct Client {
    child: Child,
    /// Held open: when it closes, the worker ends.
    _input: ChildStdin,
    events: Receiver<Incoming>,
    interrupt: Sender<Incoming>,
    last_words: Option<JoinHandle<String>>,
}

enum Incoming {
    Event(Event),
    /// The worker's output has ended.
    End,
    /// The user interrupted the wait.
    Interrupt,
}

/// How a job ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The worker has finished.
    Done,
    /// The worker died; a sentence.
    Died(String),
    /// The time limit was exceeded.
    TimeLimit,
    /// [`Interrupter::interrupt`] was called.
    Interrupted,
}

/// Stops the wait for a worker from another thread.
pub(crate) struct Interrupter(Sender<Incoming>);

impl Interrupter {
    /// Makes [`Client::wait`] kill the worker and return.
    pub(crate) fn interrupt(&self) {
        // A closed channel means that the wait is over.
        let _ = self.0.send(Incoming::Interrupt);
    }
}

impl Client {
    /// Starts this program again as a worker and gives it a task.
    pub(crate) fn start(task: &Task) -> io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(crate::WORKER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("the worker has no pipes");
        let mut input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let errors = child.stderr.take().ok_or_else(missing)?;
        let (sender, events) = channel();
        let interrupt = sender.clone();
        std::thread::spawn(move || forward(output, &sender));
        let last_words = std::thread::spawn(move || last_words(errors));
        let mut line = serde_json::to_vec(task)?;
        line.push(b'\n');
        // A worker that died before it read the task is detected by waiting for it.
        match input.write_all(&line).and_then(|()| input.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            _ => {}
        }
        Ok(Self { child, _input: input, events, interrupt, last_words: Some(last_words) })
    }

    /// A handle to stop the wait.
    pub(crate) fn interrupter(&self) -> Interrupter {
        Interrupter(self.interrupt.clone())
    }

    /// Passes every event to `handle` until the worker has ended or the time limit is exceeded.
    ///
    /// # Errors
    /// The error of `handle`; the worker is killed then.
    pub(crate) fn wait<E>(
        mut self,
        limit: Option<Duration>,
        mut handle: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Ending, E> {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        loop {
            let incoming = match deadline {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            };
            match incoming {
                Ok(Incoming::Event(event)) => handle(event)?,
                Ok(Incoming::End) | Err(RecvTimeoutError::Disconnected) => return Ok(self.ending()),
                Ok(Incoming::Interrupt) => return Ok(Ending::Interrupted),
                Err(RecvTimeoutError::Timeout) => return Ok(Ending::TimeLimit),
            }
        }
    }

    /// How the worker ended, after its output has.
    fn ending(&mut self) -> Ending {
        let status = match self.child.wait() {
            Ok(status) => status,
            Err(error) => return Ending::Died(format!("the run's process was lost: {error}")),
        };
        // A worker with status 1 has reported its failure in an event.
        if status.success() || status.code() == Some(1) {
            return Ending::Done;
        }
        let words = self.last_words.take().and_then(|words| words.join().ok()).unwrap_or_default();
        Ending::Died(obituary(status, words.trim()))
    }
}

/// Kills the worker.
impl Drop for Client {
    fn drop(&mut self) {
        // Both fail only if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Parses lines as events, and ignores others, such as stray prints.
fn forward(output: impl Read, sender: &Sender<Incoming>) {
    for line in BufReader::new(output).lines() {
        let Ok(line) = line else { break };
        if let Ok(event) = serde_json::from_str(&line)
            && sender.send(Incoming::Event(event)).is_err()
        {
            return;
        }
    }
    let _ = sender.send(Incoming::End);
}

/// The end of the worker's standard error.
fn last_words(mut errors: impl Read) -> String {
    let mut words = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(count) = errors.read(&mut buffer) {
        if count == 0 {
            break;
        }
        words.extend_from_slice(&buffer[..count]);
        if words.len() > 2 * LAST_WORDS {
            words.drain(..words.len() - LAST_WORDS);
        }
    }
    String::from_utf8_lossy(&words).into_owned()
}

/// Why a process ended, as a sentence.
fn obituary(status: ExitStatus, words: &str) -> String {
    let cause = cause(status);
    if words.contains("memory allocation of") {
        return format!("the run needed more memory than there is ({cause}): {words}");
    }
    match words {
        "" => format!("the run's process ended before its time: {cause}"),
        words => format!("the run's process ended before its time, {cause}: {words}"),
    }
}

#[cfg(unix)]
fn cause(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(9) => "it was killed, which is what a system does when memory runs out".to_owned(),
        Some(11) => "it read or wrote memory that is not its own (signal 11)".to_owned(),
        Some(6) => "it gave up (signal 6)".to_owned(),
        Some(signal) => format!("it got signal {signal}"),
        None => status.to_string(),
    }
}

#[cfg(not(unix))]
fn cause(status: ExitStatus) -> String {
    status.to_string()
}
