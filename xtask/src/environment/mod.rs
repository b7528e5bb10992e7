//! The requirements of the test steps: a file for each kind, installed once from the package registries.

pub mod browser;
pub mod node;
pub mod portable;
pub mod programs;
pub mod python;
pub mod seed;
pub mod tree_sitter;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Something that has to be available before a step can run.
pub struct Need {
    /// Its description, for messages.
    pub what: &'static str,
    /// Whether it comes from the package registries and needs nothing of cargo, so that it is installed while the first steps
    /// build.
    pub ahead: bool,
    /// Makes it available, and returns the environment variables with its location. The error is a sentence on what is
    /// missing and how to get it.
    pub prepare: fn(&Path) -> Result<Variables, String>,
}

/// Environment variables of a step.
pub type Variables = Vec<(&'static str, OsString)>;

/// Runs a program to its end. `advice` says how to get a missing program.
///
/// # Errors
/// If the program cannot be started or fails.
pub fn run(command: &mut Command, advice: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| not_started(command, &error, advice))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", shown(command))) }
}

fn not_started(command: &Command, error: &std::io::Error, advice: &str) -> String {
    format!("`{}` could not be started ({error}); {advice}", command.get_program().display())
}

/// A command as it would be typed.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
