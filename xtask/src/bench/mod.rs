//! The benchmark command: tables in which each figure stands beside its bound or as a ratio to a peer in the same run.

mod compiler;
mod kernels;
mod maps;
mod server;
mod shared;
mod sources;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use comfy_table::Table;

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The compiler, and kernels on the CPU
    Compiler,
    /// Verdicts about index maps, beside isl
    Maps,
    /// The language server, beside those of other languages
    Server,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Compiler => "compiler",
            Part::Maps => "maps",
            Part::Server => "server",
        }
    }
}

/// Builds everything with optimisation, then measures one part or all.
///
/// # Errors
/// What could not be built or measured.
pub fn build_and_measure(root: &Path, part: Option<Part>) -> Result<(), String> {
    cargo(root, &["build", "--release", "--quiet", "--package", "shapewright", "--package", "xtask"])?;
    let mut arguments = vec!["run", "--release", "--quiet", "--package", "xtask", "--", "measure"];
    arguments.extend(part.map(Part::name));
    cargo(root, &arguments)
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new(env!("CARGO")).args(arguments).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} failed: {status}", arguments.join(" "))),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}

/// Measures and prints the tables.
///
/// # Errors
/// What could not be measured.
pub fn measure(root: &Path, part: Option<Part>) -> Result<(), String> {
    let wanted = |this| part.is_none_or(|part| part == this);
    if wanted(Part::Compiler) {
        measure_compiler(root)?;
    }
    if wanted(Part::Maps) {
        maps::measure(root)?;
    }
    if wanted(Part::Server) {
        server::measure(root)?;
    }
    Ok(())
}

fn measure_compiler(root: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut table = Table::new();
    table.set_header(["what", "measured", "bound or peer", "ratio"]);
    // First, because the system tells the peak of all processes that were started so far.
    let memory = kernels::memory_of_a_run(root, folder.path())?;
    compiler::measure(root, folder.path(), &mut table)?;
    kernels::measure(&mut table)?;
    shared::measure(root, &mut table)?;
    table.add_row(memory);
    println!("{table}");
    println!("ratio: bound / measured, or peer's time / ours; above 1 is better than the bound or the peer");
    Ok(())
}

fn row(table: &mut Table, what: &str, measured: Duration, bound: Duration) {
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let ratio = bound.as_secs_f64() / measured.as_secs_f64();
    table.add_row([
        what.to_owned(),
        milliseconds(measured),
        format!("at most {}", milliseconds(bound)),
        format!("{ratio:.2}"),
    ]);
}

fn median(times: usize, mut once: impl FnMut() -> Result<Duration, String>) -> Result<Duration, String> {
    Ok(middle((0..times).map(|_| once()).collect::<Result<Vec<_>, _>>()?))
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The command, built with optimisation.
fn binary(root: &Path) -> PathBuf {
    root.join("target").join("release").join(format!("shapewright{}", std::env::consts::EXE_SUFFIX))
}

fn whole_process(root: &Path, arguments: &[&std::ffi::OsStr]) -> Result<Duration, String> {
    let binary = binary(root);
    let start = Instant::now();
    let output = Command::new(&binary).args(arguments).stdin(Stdio::null()).output();
    let time = start.elapsed();
    match output {
        Ok(output) if output.status.success() => Ok(time),
        Ok(output) => Err(format!("{} failed: {}", binary.display(), String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("{} could not be started: {error}", binary.display())),
    }
}
