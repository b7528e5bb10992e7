//! The pages of the diagnostics, as files that every editor can open.

use std::path::PathBuf;
use std::sync::OnceLock;

use check::diagnostics::PAGES;
use shapewright_runtime::files;
use tower_lsp::ls_types::Uri;

static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();

/// The URI of a diagnostic's page; `None` if it could not be written.
pub(super) fn uri(code: &str) -> Option<Uri> {
    let folder = FOLDER.get_or_init(write).as_ref()?;
    Uri::from_file_path(folder.join(format!("{code}.md")))
}

/// Writes all pages, once for each version of the program. A concurrent process writes the same content.
fn write() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "shapewright")?;
    let folder = folders.cache_dir().join("diagnostics").join(env!("CARGO_PKG_VERSION"));
    std::fs::create_dir_all(&folder).ok()?;
    for page in PAGES {
        let path = folder.join(format!("{}.md", page.code));
        let text = page.markdown();
        if std::fs::read_to_string(&path).is_ok_and(|written| written == text) {
            continue;
        }
        files::write_text(&path, &text).ok()?;
    }
    Some(folder)
}
