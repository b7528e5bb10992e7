//! The messages between the worker and its client.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shapewright_runtime::execute::{DeviceInfo, Doing};

use crate::ran::{Run, Time};

/// A task for the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Task {
    /// Run kernels.
    Run(Box<Job>),
    /// List the devices, which loads driver libraries.
    Devices,
    /// Compile an emitted kernel to PTX.
    Ptx {
        /// The CUDA C++ source.
        source: String,
        /// The kernel's name in it.
        entry: String,
        /// The architecture, such as `sm_90`.
        target: String,
    },
}

/// The kernels to run, and their inputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Names and texts of the files when the job was created.
    pub(crate) files: Vec<(String, String)>,
    /// The name of the file whose kernels run.
    pub(crate) root: String,
    /// The kernel to run; `None`: every `run` item.
    pub(crate) kernel: Option<String>,
    /// Which of the file's `run` items, by number; `None`: all.
    pub(crate) runs: Option<Vec<usize>>,
    /// Whether the kernel is measured for other values of its generic parameters, too: it runs on what its first `run` item gives,
    /// and what was kept of earlier measurements is not looked at.
    pub(crate) tunes: bool,
    /// Values for symbols.
    pub(crate) definitions: BTreeMap<String, i64>,
    /// Values for generic parameters.
    pub(crate) generics: BTreeMap<String, String>,
    /// Values for parameters.
    pub(crate) inputs: BTreeMap<String, String>,
    /// Files for parameters.
    pub(crate) outputs: BTreeMap<String, String>,
    /// What `--device` takes.
    pub(crate) device: String,
    /// Whether to measure.
    pub(crate) time: bool,
}

/// An event of the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum Event {
    /// A run begins.
    Started {
        /// The kernel.
        kernel: String,
    },
    /// A library is asked for what it may not answer, or may end the process.
    Doing {
        /// The library and its function; `None` once it has answered.
        what: Option<String>,
        /// What to do if it does not answer while a device is opened; `None` while kernels run.
        advice: Option<String>,
    },
    /// A run makes progress.
    Progress {
        /// The finished fraction of its blocks, from 0 to 1.
        fraction: f64,
    },
    /// A run has ended, whether or not its expectation was met.
    Finished {
        /// Its result.
        run: Box<Run>,
    },
    /// The run that finished last was measured.
    Measured {
        /// Its times.
        time: Time,
    },
    /// The run that finished last could not be measured.
    Unmeasured {
        /// Why, as a sentence.
        note: String,
    },
    /// What the kernel was compiled to.
    Ptx {
        /// The text.
        text: String,
    },
    /// The devices of an executor.
    Devices {
        /// All of them, with what is missing.
        devices: Vec<DeviceInfo>,
    },
    /// The job cannot be done.
    Failed {
        /// The kind of failure.
        kind: FailureKind,
        /// A sentence.
        message: String,
    },
    /// The last event of a task.
    Ended {
        /// Whether the worker takes another task. After an error of a device it does not, since the device's context may
        /// be lost for good, nor where a driver did not start, which only a new process finds mended.
        is_usable: bool,
    },
}

impl Event {
    /// What a library is asked.
    pub(super) fn doing(doing: Option<Doing>) -> Self {
        match doing {
            None => Self::Doing { what: None, advice: None },
            Some(Doing::Opening { what, advice }) => {
                Self::Doing { what: Some(what.to_owned()), advice: Some(advice.to_owned()) }
            }
            Some(Doing::Using { what }) => Self::Doing { what: Some(what.to_owned()), advice: None },
        }
    }
}

/// The cause of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FailureKind {
    /// The source.
    File,
    /// The command line.
    Usage,
    /// The machine.
    Machine,
}
