//! Generated files: the pages of the diagnostics, and the word lists of the editors' grammars and settings.

use std::path::Path;
use std::process::Command;

use crate::environment::{programs, run};

/// Writes the word lists of the editors, which a test compares with the compiler's tables, and docs/diagnostics/, from
/// which it removes obsolete pages.
///
/// # Errors
/// If the command cannot be built, or a page cannot be written.
pub fn docs(root: &Path) -> Result<(), String> {
    let command = programs::server(root)?;
    let folder = root.join("docs").join("diagnostics");
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(format!("{} cannot be removed: {error}", folder.display()));
        }
        _ => {}
    }
    run(Command::new(command).args(["explain", "--write"]).arg(folder), "cargo has just built it")?;
    let mut words = Command::new(env!("CARGO"));
    words.current_dir(root).args(["test", "--workspace", "--test", "across", "the_editors_know_the_words"]);
    run(words.env("SHAPEWRIGHT_WRITE_WORDS", "1"), "cargo is running already")
}
