//! A page for each diagnostic, written from the code.

use std::fmt::Write;
use std::path::Path;

use check::diagnostics::PAGES;

/// Writes docs/diagnostics/; pages of diagnostics that are gone are removed.
///
/// # Errors
/// Where a file cannot be written.
pub fn write(root: &Path) -> Result<(), String> {
    let folder = root.join("docs").join("diagnostics");
    let failed = |error: std::io::Error| format!("{} cannot be written: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(failed)?;
    }
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let mut index = String::from("# Diagnostics\n\nThese pages are written from the code by `cargo xtask docs`.\n\n");
    for page in PAGES {
        std::fs::write(folder.join(format!("{}.md", page.code)), page.markdown()).map_err(failed)?;
        let _infallible =
            writeln!(index, "- [`{}`]({}.md) ({}): {}", page.code, page.code, page.severity.name(), page.title);
    }
    std::fs::write(folder.join("README.md"), index).map_err(failed)
}
