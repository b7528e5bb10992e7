//! The pages that are written from the code.

use std::path::Path;
use std::process::Command;

use crate::environment::{programs, run};

/// Writes docs/diagnostics/; pages of diagnostics that are gone are removed.
///
/// # Errors
/// Where the command cannot be built, or a page cannot be written.
pub fn docs(root: &Path) -> Result<(), String> {
    let command = programs::server(root)?;
    let folder = root.join("docs").join("diagnostics");
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(format!("{} cannot be removed: {error}", folder.display()));
        }
        _ => {}
    }
    run(Command::new(command).args(["explain", "--write"]).arg(folder), "cargo has just built it")
}
