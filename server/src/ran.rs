//! What came of a run. The worker gives it to the command and to the language server, and both print it as JSON: the field names
//! are stable, others build on them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) kernel: String,
    pub(crate) device: String,
    pub(crate) bindings: BTreeMap<String, i64>,
    pub(crate) outputs: BTreeMap<String, Tensor>,
    pub(crate) expect: Expect,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) first_mismatch: Option<Mismatch>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) mismatches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) max_error: Option<f64>,
    /// The run's own time in microseconds, without compiling.
    pub(crate) run_us: f64,
    /// Where outputs were written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) saved: BTreeMap<String, String>,
    /// Notes on a successful run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) time: Option<Time>,
}

/// The result of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expect {
    Passed,
    Failed,
    None,
}

/// A tensor that was written, and its first elements in row-major order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tensor {
    pub(crate) dtype: String,
    pub(crate) shape: Vec<u64>,
    pub(crate) sample: Vec<Value>,
}

/// The first element that is not as expected.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mismatch {
    pub(crate) index: Vec<u64>,
    pub(crate) expected: Value,
    pub(crate) actual: Value,
}

/// How long it takes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Time {
    pub(crate) compile_ms: f64,
    pub(crate) run_us_median: f64,
    pub(crate) runs: usize,
    pub(crate) bytes: u64,
    pub(crate) gb_per_s: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) percent_of_peak: Option<f64>,
    pub(crate) cached: bool,
    /// What it was measured on: the device, its clocks, its UUID.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) device: Option<String>,
    /// The time of a kernel that does nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) floor_us: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) notes: Vec<String>,
}
