//! `cargo xtask docs`: a page for each diagnostic, written from the code.

use std::collections::BTreeMap;
use std::path::PathBuf;

use shapewright_compiler::diagnostics::{PAGES, Page};

use crate::step::workspace;

/// Writes the pages, and removes those of diagnostics that are gone.
pub fn write() -> Result<(), String> {
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let pages = pages();
    for name in written()?.keys().filter(|name| !pages.contains_key(*name)) {
        let path = folder.join(name);
        std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    for (name, text) in &pages {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("{} pages in {}", pages.len(), folder.display());
    Ok(())
}

fn folder() -> PathBuf {
    workspace().join("docs").join("diagnostics")
}

/// The files that should be there, by name.
fn pages() -> BTreeMap<String, String> {
    let mut pages: BTreeMap<String, String> =
        PAGES.iter().map(|page| (format!("{}.md", page.code), text(page))).collect();
    pages.insert("README.md".to_owned(), list());
    pages
}

/// The files that are there, by name.
fn written() -> Result<BTreeMap<String, String>, String> {
    let folder = folder();
    let mut files = BTreeMap::new();
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".md")) {
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            files.insert(name.to_owned(), text);
        }
    }
    Ok(files)
}

fn list() -> String {
    let rows = PAGES.iter().map(|page| {
        format!("| [`{code}`]({code}.md) | {severity} | {title} |\n", code = page.code, severity = page.severity.name(), title = page.title)
    });
    let rows: String = rows.collect();
    format!(
        "# Diagnostics\n\nWritten by `cargo xtask docs` from `compiler/src/diagnostics`; `shapewright explain CODE` prints the same \
         pages.\n\n| code | severity | what it says |\n|---|---|---|\n{rows}"
    )
}

fn text(page: &Page) -> String {
    format!(
        "# {}\n\n{}: {}.\n\n{}\n\nThis gives it:\n\n```shape\n{}\n```\n\nThis does not:\n\n```shape\n{}\n```\n",
        page.code,
        page.severity.name(),
        page.title,
        page.explanation.trim(),
        page.wrong.trim(),
        page.right.trim()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_are_those_of_the_code() {
        let written = written().unwrap();
        let pages = pages();
        let names: Vec<&String> = pages.keys().filter(|name| written.get(*name) != pages.get(*name)).collect();
        assert!(names.is_empty(), "out of date, run `cargo xtask docs`: {names:?}");
        let gone: Vec<&String> = written.keys().filter(|name| !pages.contains_key(*name)).collect();
        assert!(gone.is_empty(), "no longer in the code, run `cargo xtask docs`: {gone:?}");
    }
}
