//! The benchmark command, which runs a separate program.

use std::path::Path;
use std::process::Command;

use crate::environment::programs::{self, COMMAND};
use crate::environment::{Variables, python, run};

/// The benchmark's package, which is also its program's name.
const BENCHMARKS: &str = "shapewright-benchmarks";

/// Builds everything with optimisation, then measures the named parts, or all of them.
///
/// Without the peers the benchmark skips the comparisons with them.
///
/// # Errors
/// What could not be built or measured.
pub fn bench(root: &Path, parts: &[String]) -> Result<(), String> {
    let mut variables = (python::PEERS.prepare)(root).unwrap_or_else(|problem| {
        eprintln!("note: {} cannot be had: {problem}", python::PEERS.what);
        Variables::new()
    });
    let [command, benchmarks] = programs::optimised(root, [COMMAND, BENCHMARKS])?;
    variables.push(("SHAPEWRIGHT", command.into()));
    let mut benchmarks = Command::new(benchmarks);
    run(benchmarks.args(parts).envs(variables).current_dir(root), "cargo has just built it")
}
