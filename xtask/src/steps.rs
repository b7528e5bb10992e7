//! The test command, step by step.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::environment;

/// Everything that must hold of the code.
const STEPS: &[(&str, &[&str])] = &[
    ("format", &["fmt", "--all", "--", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
    ("tests", &["test", "--workspace", "--quiet", "--no-fail-fast"]),
];

/// Runs every step; the first that fails ends the command.
///
/// # Errors
/// The name of the step that failed.
pub fn test(root: &Path) -> Result<(), String> {
    if let Err(error) = environment::prepare(root) {
        if std::env::var_os("CI").is_some() {
            return Err(format!("the Python environment is missing: {error}"));
        }
        eprintln!("note: without the Python environment, tests of CUDA and numpy are left out: {error}");
    }
    for (name, arguments) in STEPS {
        let started = Instant::now();
        eprintln!("== {name}");
        let status = Command::new(env!("CARGO"))
            .args(*arguments)
            .current_dir(root)
            .env("VIRTUAL_ENV", environment::folder(root))
            .status()
            .map_err(|error| format!("cargo could not be started: {error}"))?;
        if !status.success() {
            return Err(format!("the step `{name}` failed"));
        }
        eprintln!("== {name}: fine, {:.0} s", started.elapsed().as_secs_f64());
    }
    Ok(())
}
