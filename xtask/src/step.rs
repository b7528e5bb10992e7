//! Steps: commands that are announced in one line and stop everything when they fail.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// Whether a CI runs this: there, nothing may be missing.
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// The cargo that runs this.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace());
    command
}

/// Runs a step.
pub fn run(name: &str, command: &mut Command) -> Result<(), String> {
    println!("── {name}");
    let start = Instant::now();
    let status = command.status().map_err(|error| format!("{name}: {} {error}", command.get_program().display()))?;
    if !status.success() {
        return Err(format!("{name} failed ({status})"));
    }
    println!("   {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs the benchmarks, which are a program of their own so that they are built in release.
pub fn bench(arguments: &[&str]) -> Result<(), String> {
    run("build the program", cargo().args(["build", "--release", "--package", "shapewright"]))?;
    let mut command = cargo();
    command.args(["run", "--release", "--package", "xtask", "--bin", "bench", "--"]).args(arguments);
    run("measure", &mut command)
}

/// Whether a program is there and answers `--version`.
pub fn answers(program: impl AsRef<OsStr>) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
