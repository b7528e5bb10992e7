//! The benchmark: tables in which each figure is compared with its bound or with a peer in the same run.
//!
//! `cargo xtask bench` installs the peers, builds this and the command with optimisation, and passes their locations in
//! environment variables.

mod checks;
mod compiler;
mod environment;
mod handwritten;
mod in_turn;
mod kernels;
mod maps;
mod server;
mod shared;
mod sources;
mod tiles;
mod timing;

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use comfy_table::Table;

/// The allocator of the command, since the system's is slower.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures speed and memory and prints tables with ratios
#[derive(Debug, Parser)]
struct Arguments {
    /// The parts to measure; all where none is named
    parts: Vec<Part>,
    /// Of the kernels beside their peers, those whose names contain this text
    #[arg(long, default_value = "")]
    only: String,
}

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The compiler, and saxpy on the CPU
    Compiler,
    /// Kernels on the CPU, beside Rust, a library and numpy
    Kernels,
    /// Checks of whatever somebody may open, and how long others wait for them
    Checks,
    /// Verdicts about index maps, beside isl
    Maps,
    /// The language server, beside those of other languages
    Server,
}

/// The stack of the command, which has room for every nesting: on a smaller one, a check moves to further stacks, and
/// their memory is new each time.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    let main = std::thread::Builder::new().stack_size(STACK_BYTES);
    let measured = std::thread::scope(|scope| {
        let measured = main.spawn_scoped(scope, || measure(&environment::root(), &Arguments::parse()));
        measured
            .map_err(|error| format!("a thread could not be started: {error}"))?
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and prints the tables.
///
/// # Errors
/// What could not be measured.
fn measure(root: &Path, Arguments { parts, only }: &Arguments) -> Result<(), String> {
    let wanted = |part| parts.is_empty() || parts.contains(&part);
    if wanted(Part::Checks) {
        checks::measure(root)?;
    }
    if wanted(Part::Compiler) {
        measure_compiler(root)?;
    }
    if wanted(Part::Kernels) {
        measure_kernels(only)?;
    }
    if wanted(Part::Maps) {
        maps::measure(root)?;
    }
    if wanted(Part::Server) {
        server::measure()?;
    }
    Ok(())
}

fn measure_compiler(root: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut table = Table::new();
    table.set_header(["what", "measured", "bound or peer", "ratio"]);
    // First, because the system reports the peak memory of all processes so far.
    let memory = kernels::memory_of_a_run(folder.path())?;
    compiler::measure(root, folder.path(), &mut table)?;
    kernels::measure(&mut table)?;
    table.add_row(memory);
    println!("{table}");
    println!("ratio: bound / measured, or peer's time / ours; above 1 is better than the bound or the peer");
    Ok(())
}

/// Measures and prints the table of the kernels beside their peers, those whose names contain a text.
fn measure_kernels(only: &str) -> Result<(), String> {
    let mut table = Table::new();
    table.set_header(["what", "measured", "peer", "ratio"]);
    handwritten::measure(&mut table, only)?;
    shared::measure(&mut table, only)?;
    println!("{table}");
    println!("ratio: the peer's time / ours; above 1 is better than the peer");
    Ok(())
}
