//! The command line: one file per command.

mod check;
mod completions;
mod define;
mod devices;
mod draw;
mod emit;
mod eval;
mod explain;
mod fmt;
mod format;
mod interrupts;
mod json;
mod launch;
mod lsp;
mod output;
mod progress;
mod report;
mod run;
mod sarif;
mod show;
mod status;
mod table;
mod threads_json;
mod tune;
mod value_json;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use output::Output;

/// Shapes, index maps and GPU kernels: check them, ask them, run them.
#[derive(Debug, Parser)]
#[command(name = "shapewright", version, propagate_version = false, disable_help_subcommand = true)]
#[command(after_help = "Exit status: 0 fine, 1 the file has errors or an expectation failed, 2 the command line is \
                        wrong, 3 the machine is (no such device, out of memory, unreadable file).\n\
                        A path `-` is standard input.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Show(show::Arguments),
    Eval(eval::Arguments),
    Table(table::Arguments),
    Draw(draw::Arguments),
    Run(run::Arguments),
    Tune(tune::Arguments),
    Emit(emit::Arguments),
    Fmt(fmt::Arguments),
    Explain(explain::Arguments),
    Devices(devices::Arguments),
    Lsp(lsp::Arguments),
    Completions(completions::Arguments),
}

/// Parses and executes the command line.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // `--help` and `--version` come here too, on standard output and with status 0. Errors in printing are
            // ignored, as they cannot be reported.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut output = Output::standard();
    let outcome = match cli.command {
        Command::Check(arguments) => check::run(&arguments, &mut output),
        Command::Show(arguments) => show::run(&arguments, &mut output),
        Command::Eval(arguments) => eval::run(&arguments, &mut output),
        Command::Table(arguments) => table::run(&arguments, &mut output),
        Command::Draw(arguments) => draw::run(&arguments, &mut output),
        Command::Run(arguments) => run::run(&arguments, &mut output),
        Command::Tune(arguments) => tune::run(&arguments, &mut output),
        Command::Emit(arguments) => emit::run(&arguments, &mut output),
        Command::Fmt(arguments) => fmt::run(&arguments, &mut output),
        Command::Explain(arguments) => explain::run(&arguments, &mut output),
        Command::Devices(arguments) => devices::run(&arguments, &mut output),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, &mut output),
    };
    let outcome = outcome.and_then(|status| output.finish().map(|()| status));
    match outcome {
        Ok(status) => status.into(),
        Err(failure) => failure.report(),
    }
}

/// The command line as clap sees it, for completions.
fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
