//! The project's own commands: `cargo xtask test`, `bench`, `docs`.

mod docs;
mod python;
mod step;
mod test;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND

  test   formats, lints, tests and documents everything: what has to pass
  bench  measures the program, in release
  docs   writes docs/diagnostics from the code
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["test"] => test::run(),
        ["bench", rest @ ..] => step::bench(rest),
        ["docs"] => docs::write(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}
