//! The process of a worker: how it is started, how it is ended, and what its end means.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::client::Incoming;

/// The hidden command of the worker process.
pub(crate) const WORD: &str = "worker";

/// The most bytes kept of the worker's standard error.
const LAST_WORDS: usize = 4096;

/// How long an ended task waits for the end of its worker, which frees its memory meanwhile.
const GRACE: Duration = Duration::from_millis(200);

/// A running worker. Dropping it ends it, and kills it if that takes long.
pub(super) struct Process {
    /// `None` only while it is dropped.
    child: Option<Child>,
    /// When it closes, the worker ends. `None` only while it is dropped.
    input: Option<ChildStdin>,
    last_words: Option<JoinHandle<String>>,
    /// How often the system had ended a process for want of memory when this one started.
    ended_for_memory: Option<u64>,
}

impl Process {
    /// Starts this program again as a worker, whose events are sent to `events`.
    pub(super) fn start(events: Sender<Incoming>) -> io::Result<Self> {
        let ended_for_memory = ended_for_memory();
        let mut child = Command::new(std::env::current_exe()?)
            .arg(WORD)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("the worker has no pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let errors = child.stderr.take().ok_or_else(missing)?;
        std::thread::spawn(move || forward(output, &events));
        let last_words = std::thread::spawn(move || last_words(errors));
        Ok(Self { child: Some(child), input: Some(input), last_words: Some(last_words), ended_for_memory })
    }

    /// Sends a task, a line. A worker that has died is detected by waiting for its events.
    pub(super) fn send(&mut self, line: &[u8]) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        match input.write_all(line).and_then(|()| input.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether it has not ended.
    pub(super) fn is_alive(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Why it ended, as a sentence, after its output has; `doing` is a clause on what it did.
    pub(super) fn obituary(&mut self, doing: &str) -> String {
        let status = match self.child.as_mut().map(Child::wait) {
            Some(Ok(status)) => status,
            Some(Err(error)) => return format!("the run's process was lost: {error}"),
            None => return "the run's process was lost".to_owned(),
        };
        let words = self.last_words.take().and_then(|words| words.join().ok()).unwrap_or_default();
        obituary(status, doing, words.trim(), ended_for_memory() > self.ended_for_memory)
    }
}

impl Drop for Process {
    /// A process that waits for a device may take its time to die, which nobody waits for.
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        self.input = None;
        let end = Instant::now() + GRACE;
        while Instant::now() < end {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // It fails only if the process has ended already.
        let _ = child.kill();
        let reaper = std::thread::Builder::new().spawn(move || child.wait());
        // Without a thread, the system keeps the ended process until this one ends, which does no harm.
        drop(reaper);
    }
}

/// Ends this process at once: the handlers that a driver's library registers for the end may wait for a device that does
/// not answer.
pub(super) fn leave(status: i32) -> ! {
    #[cfg(target_os = "linux")]
    // SAFETY: it ends the process, and every event was flushed when it was written.
    unsafe {
        nix::libc::_exit(status)
    }
    #[cfg(not(target_os = "linux"))]
    std::process::exit(status)
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
    // Nobody may wait any more.
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

/// How often the system has ended a process for want of memory, where it says so. It counts those of all programs.
fn ended_for_memory() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

/// Why a process ended, as a sentence; `short` is whether the system ended any process for want of memory meanwhile.
fn obituary(status: ExitStatus, doing: &str, words: &str, short: bool) -> String {
    let cause = cause(status, short);
    if words.contains("memory allocation of") {
        return format!("the run needed more memory than there is ({cause}): {words}");
    }
    match words {
        "" => format!("the run's process ended before its time{doing}: {cause}"),
        words => format!("the run's process ended before its time{doing}, {cause}: {words}"),
    }
}

#[cfg(unix)]
fn cause(status: ExitStatus, short: bool) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(9) if short => "it was killed (signal 9) while the system ran out of memory".to_owned(),
        Some(9) => "it was killed (signal 9)".to_owned(),
        Some(11) => "it read or wrote memory that is not its own (signal 11)".to_owned(),
        Some(7) => "it used a part of a file or of memory that is not there (signal 7)".to_owned(),
        Some(6) => "it gave up (signal 6)".to_owned(),
        Some(signal) => format!("it got signal {signal}"),
        None => status.to_string(),
    }
}

#[cfg(not(unix))]
fn cause(status: ExitStatus, _short: bool) -> String {
    status.to_string()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn why_a_worker_ended_is_said_and_not_guessed() {
        let said = |signal, short| obituary(ExitStatus::from_raw(signal), "", "", short);
        assert_eq!(said(9, false), "the run's process ended before its time: it was killed (signal 9)");
        assert_eq!(
            said(9, true),
            "the run's process ended before its time: it was killed (signal 9) while the system ran out of memory"
        );
        assert_eq!(
            obituary(ExitStatus::from_raw(7), ", while it opened the NVIDIA driver (cuInit)", "", false),
            "the run's process ended before its time, while it opened the NVIDIA driver (cuInit): it used a part of a file or \
             of memory that is not there (signal 7)"
        );
        assert_eq!(
            said(11, true),
            "the run's process ended before its time: it read or wrote memory that is not its own (signal 11)"
        );
    }
}
