//! isl, from the Python package that has it: a process for each question, stopped when it takes too long.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::microseconds;
use crate::environment::python;

/// What isl gets for one question, its start included.
const PATIENCE: Duration = Duration::from_secs(20);

/// isl in the environment of the project.
pub(super) struct Isl {
    python: PathBuf,
    script: PathBuf,
}

/// What came of a question.
pub(super) enum Answer {
    /// The median of its times.
    Within(Duration),
    /// It was stopped.
    TooLong,
    /// isl knows no products of two unknowns.
    NotStatable,
}

impl Isl {
    /// Installs it.
    ///
    /// # Errors
    /// Why it is missing.
    pub(super) fn new(root: &Path) -> Result<Isl, String> {
        (python::MAP_PEERS.prepare)(root)?;
        Ok(Isl { python: python::interpreter(root), script: root.join("xtask/src/bench/maps/isl.py") })
    }

    /// Asks one question.
    ///
    /// # Errors
    /// A process that cannot be started, or an answer other than "true".
    pub(super) fn answer(&self, question: &str) -> Result<Answer, String> {
        let mut command = Command::new(&self.python);
        command.arg(&self.script).arg(question).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("isl could not be started: {error}"))?;
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
                _ => Err(format!("isl answers `{question}` with {printed:?}")),
            },
            _ => Err(format!("isl answers `{question}` with {printed:?}")),
        }
    }
}

impl Answer {
    /// What the table says of it, beside our time.
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
