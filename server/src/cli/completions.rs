//! `shapewright completions`

use clap::Args;
use clap_complete::Shell;

use super::output::Output;
use super::status::{Outcome, Status};

/// Prints a script that completes this command line in a shell
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "shapewright", &mut script);
    output.text(&String::from_utf8_lossy(&script))?;
    Ok(Status::Fine)
}
