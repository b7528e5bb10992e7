//! Texts that belong to the program, as files that every editor can open: the pages of the diagnostics, and the library that is
//! written in the language.

use std::path::PathBuf;
use std::sync::OnceLock;

use check::diagnostics::PAGES;
use check::library;
use shapewright_runtime::files;
use tower_lsp::ls_types::Uri;

static DIAGNOSTICS: OnceLock<Option<PathBuf>> = OnceLock::new();
static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();

/// The URI of a diagnostic's page; `None` if it could not be written.
pub(super) fn uri(code: &str) -> Option<Uri> {
    let pages = || PAGES.iter().map(|page| (format!("{}.md", page.code), page.markdown()));
    let folder = DIAGNOSTICS.get_or_init(|| write("diagnostics", pages())).as_ref()?;
    Uri::from_file_path(folder.join(format!("{code}.md")))
}

/// The URI of a file of the library; `None` if it could not be written.
pub(super) fn library_uri(name: &str) -> Option<Uri> {
    let texts = || library::FILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let folder = LIBRARY.get_or_init(|| write("std", texts())).as_ref()?;
    Uri::from_file_path(folder.join(name))
}

/// Writes all texts into a folder, once for each version of the program. A concurrent process writes the same content.
fn write(folder: &str, texts: impl Iterator<Item = (String, String)>) -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "shapewright")?;
    let folder = folders.cache_dir().join(folder).join(env!("CARGO_PKG_VERSION"));
    std::fs::create_dir_all(&folder).ok()?;
    for (name, text) in texts {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|written| written == text) {
            continue;
        }
        files::write_text(&path, &text).ok()?;
    }
    Some(folder)
}
