//! Python environments with packages from the registry: one for the tests, in `.venv`, and those of the benchmark.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests need, each at one version: NVRTC and numpy.
const PACKAGES: &[&str] = &["nvidia-cuda-nvrtc-cu12==12.9.86", "numpy==2.4.6"];

/// The folder of the environment.
pub fn folder(root: &Path) -> PathBuf {
    root.join(".venv")
}

/// Makes the environment of the tests where it is missing or lacks a package.
///
/// # Errors
/// Where Python or a package cannot be had.
pub fn prepare(root: &Path) -> Result<(), String> {
    install(&folder(root), PACKAGES)
}

/// Makes an environment where it is missing or lacks one of these packages.
///
/// # Errors
/// Where Python or a package cannot be had.
pub fn install(folder: &Path, packages: &[&str]) -> Result<(), String> {
    let stamp = folder.join("installed.txt");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let python = if cfg!(windows) { "python" } else { "python3" };
    run(Command::new(python).args(["-m", "venv"]).arg(folder))?;
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    run(Command::new(inside).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages))?;
    std::fs::write(&stamp, wanted).map_err(|error| format!("{} cannot be written: {error}", stamp.display()))
}

fn run(command: &mut Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown} failed: {status}")),
        Err(error) => Err(format!("{shown} could not be started: {error}")),
    }
}
