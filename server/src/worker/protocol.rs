//! What the worker and whoever started it say to each other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shapewright_runtime::execute::DeviceInfo;

use crate::cli::json::Run;

/// What the worker is asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Task {
    /// To run kernels.
    Run(Job),
    /// To say what can run here: looking for it loads the libraries of drivers.
    Devices,
}

/// Which kernels are to run, and on what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Names and texts of the files, as they were when the job was given.
    pub(crate) files: Vec<(String, String)>,
    /// The name of the file whose kernels run.
    pub(crate) root: String,
    /// The kernel to run; `None`: every `run` item.
    pub(crate) kernel: Option<String>,
    /// Which of the file's `run` items, by number; `None`: all.
    pub(crate) runs: Option<Vec<usize>>,
    /// Values for symbols.
    pub(crate) definitions: BTreeMap<String, i64>,
    /// Values for parameters.
    pub(crate) inputs: BTreeMap<String, String>,
    /// Files for parameters.
    pub(crate) outputs: BTreeMap<String, String>,
    /// What `--device` takes.
    pub(crate) device: String,
    /// Whether to measure.
    pub(crate) time: bool,
}

/// What the worker tells.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum Event {
    /// A run begins.
    Started {
        /// What runs.
        kernel: String,
    },
    /// A run is on its way.
    Progress {
        /// Which part of its blocks is done, from 0 to 1.
        fraction: f64,
    },
    /// A run has ended, whether or not its expectation was met.
    Finished {
        /// What it gave.
        run: Box<Run>,
    },
    /// What can run here.
    Devices {
        /// All devices, with what is missing.
        devices: Vec<DeviceInfo>,
    },
    /// The job cannot be done.
    Failed {
        /// Whose fault it is.
        kind: FailureKind,
        /// A sentence.
        message: String,
    },
}

/// Whose fault a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FailureKind {
    /// The source's.
    File,
    /// The command line's.
    Usage,
    /// The machine's.
    Machine,
}
