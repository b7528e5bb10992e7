//! Peers that are Python packages. Each question gets a process, which is stopped if it takes too long.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::microseconds;
use crate::environment::{beside, python};

/// The time limit of a peer for one question, including its start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A package in the project's Python environment, and the script that runs it.
pub(super) struct Peer {
    name: &'static str,
    python: PathBuf,
    script: PathBuf,
}

/// The result of a question.
pub(super) enum Answer {
    /// The median of its times.
    Within(Duration),
    /// It was stopped.
    TooLong,
    /// The peer cannot state the question: isl has no products of two unknowns.
    NotStatable,
}

impl Peer {
    /// A peer whose `script` is in this folder.
    ///
    /// # Errors
    /// The reason why it is missing.
    pub(super) fn new(name: &'static str, script: &str) -> Result<Peer, String> {
        Ok(Peer { name, python: python()?, script: beside("maps").join(script) })
    }

    /// Asks one question.
    ///
    /// # Errors
    /// A process that cannot be started, or an answer other than "true".
    pub(super) fn answer(&self, question: &str) -> Result<Answer, String> {
        let mut command = Command::new(&self.python);
        command.arg(&self.script).arg(question).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("{} could not be started: {error}", self.name))?;
        let start = Instant::now();
        while process.try_wait().map_err(|error| error.to_string())?.is_none() {
            if start.elapsed() > PATIENCE {
                process.kill().and_then(|()| process.wait()).map_err(|error| error.to_string())?;
                return Ok(Answer::TooLong);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = process.wait_with_output().map_err(|error| error.to_string())?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let words: Vec<&str> = printed.split_whitespace().collect();
        match words.as_slice() {
            ["unstatable"] => Ok(Answer::NotStatable),
            [seconds, "True"] => match seconds.parse().map(Duration::try_from_secs_f64) {
                Ok(Ok(time)) => Ok(Answer::Within(time)),
                _ => Err(format!("{} answers `{question}` with {printed:?}", self.name)),
            },
            _ => Err(format!("{} answers `{question}` with {printed:?}", self.name)),
        }
    }
}

impl Answer {
    /// The cells of the table for an answer, compared with our time.
    pub(super) fn cells(&self, ours: Duration) -> (String, String) {
        let ratio = |theirs: Duration| theirs.as_secs_f64() / ours.as_secs_f64();
        match self {
            Answer::Within(time) => (microseconds(*time), format!("{:.1}", ratio(*time))),
            Answer::TooLong => {
                (format!("more than {}", microseconds(PATIENCE)), format!("more than {:.0}", ratio(PATIENCE)))
            }
            Answer::NotStatable => ("cannot be stated".to_owned(), String::new()),
        }
    }
}
