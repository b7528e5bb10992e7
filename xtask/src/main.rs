//! The project's own commands: `cargo xtask test`, `cargo xtask docs`, `cargo xtask bench`.

mod bench;
mod environment;
mod pages;
mod steps;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "The project's own commands")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Installs what the tests need and runs them all, or the named steps
    Test {
        /// The steps to run; all where none is named
        #[arg(value_parser = steps())]
        steps: Vec<String>,
    },
    /// Writes docs/diagnostics/ from the code
    Docs,
    /// Measures speed and memory and prints tables with ratios
    Bench {
        /// Only this part
        part: Option<bench::Part>,
    },
    /// What `bench` runs once everything is built with optimisation
    #[command(hide = true)]
    Measure { part: Option<bench::Part> },
}

fn main() -> ExitCode {
    let root = root();
    let result = match Arguments::parse().command {
        Command::Test { steps } => test::test(&root, &steps),
        Command::Docs => pages::write(&root),
        Command::Bench { part } => bench::build_and_measure(&root, part),
        Command::Measure { part } => bench::measure(&root, part),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The names of the steps, for the command line and its help.
fn steps() -> PossibleValuesParser {
    PossibleValuesParser::new(steps::STEPS.iter().map(|step| PossibleValue::new(step.name).help(step.about)))
}

/// The repository's root: the folder above this crate.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
