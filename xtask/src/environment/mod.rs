//! What the steps of the test command need: one file for each kind, installed once from the package registries.

pub mod browser;
pub mod node;
pub mod programs;
pub mod python;
pub mod seed;
pub mod tree_sitter;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Something that has to be there before a step can run.
pub struct Need {
    /// What it is, in messages.
    pub what: &'static str,
    /// Makes sure that it is there, and says which variables tell the step where; an error is a sentence on what is
    /// missing and how to get it.
    pub prepare: fn(&Path) -> Result<Variables, String>,
}

/// Environment variables of a step.
pub type Variables = Vec<(&'static str, OsString)>;

/// Runs a program to its end. `advice` says how to get the program where it is missing.
///
/// # Errors
/// Where the program cannot be started or fails.
pub fn run(command: &mut Command, advice: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| not_started(command, &error, advice))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", shown(command))) }
}

fn not_started(command: &Command, error: &std::io::Error, advice: &str) -> String {
    format!("`{}` could not be started ({error}); {advice}", command.get_program().display())
}

/// A command as a person would type it.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
