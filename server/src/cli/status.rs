//! How a command ends.

use std::io;
use std::process::ExitCode;

/// How a command that was carried out ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Everything is fine: 0.
    Fine,
    /// The file has errors, or an expectation failed: 1.
    Wrong,
    /// It was only partly possible on this machine; the reason has been printed: 3.
    Machine,
}

impl Status {
    /// [`Status::Wrong`] if something is wrong.
    pub(crate) fn wrong_if(wrong: bool) -> Self {
        if wrong { Self::Wrong } else { Self::Fine }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Fine => Self::SUCCESS,
            Status::Wrong => Self::from(1),
            Status::Machine => Self::from(3),
        }
    }
}

/// Why a command was not carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The file lacks what was requested, or has errors; a sentence: 1.
    File(String),
    /// The command line is wrong; a sentence: 2.
    Usage(String),
    /// It failed because of the machine; a sentence: 3.
    Machine(String),
    /// The reader of the output is gone; nothing to report: 0.
    ReaderGone,
    /// The user pressed Ctrl-C: 130, as shells have it.
    Interrupted,
}

/// How a command ends.
pub(crate) type Outcome = Result<Status, Failure>;

impl Failure {
    /// Reports the failure on standard error.
    pub(crate) fn report(self) -> ExitCode {
        let (status, text) = match self {
            Self::File(text) => (1, text),
            Self::Usage(text) => (2, text),
            Self::Machine(text) => (3, text),
            Self::ReaderGone => return ExitCode::SUCCESS,
            Self::Interrupted => (130, "interrupted".to_owned()),
        };
        crate::remarks::complain(&text);
        ExitCode::from(status)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Machine(format!("the output cannot be written: {error}")),
        }
    }
}
