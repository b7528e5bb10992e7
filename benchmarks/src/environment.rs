//! Locations: the repository, the command, and the Python packages of the peers.

use std::path::{Path, PathBuf};

/// The repository's root: the folder above this crate.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A file in the source folder of this crate.
pub fn beside(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path)
}

/// The command `shapewright`, built with optimisation.
///
/// # Errors
/// If its location is not set.
pub fn command() -> Result<PathBuf, String> {
    named("SHAPEWRIGHT")
}

/// The Python environment of the peers.
///
/// # Errors
/// If its location is not set.
pub fn python_folder() -> Result<PathBuf, String> {
    named("VIRTUAL_ENV")
}

/// The Python interpreter of the peers.
///
/// # Errors
/// If its location is not set.
pub fn python() -> Result<PathBuf, String> {
    Ok(program(&python_folder()?, "python"))
}

/// A program of a Python environment.
pub fn program(environment: &Path, name: &str) -> PathBuf {
    let programs = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(programs).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn named(variable: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    path.ok_or_else(|| format!("the variable {variable} is not set, which `cargo xtask bench` does"))
}
