//! Names of documents: URIs of the protocol to paths of the compiler, and back.

use std::path::Path;
use std::str::FromStr;

use tower_lsp::ls_types::Uri;

use super::pages;
use crate::load;
use check::library;

/// The path of a document in the compiler: its URI if it is not a file.
pub(super) fn path_of(uri: &Uri) -> String {
    let file = if uri.scheme().as_str().eq_ignore_ascii_case("file") { uri.to_file_path() } else { None };
    file.and_then(|path| load::name_of(&path).ok()).unwrap_or_else(|| uri.as_str().to_owned())
}

/// The URI of a path of the compiler; `None` if it has none.
pub(super) fn uri_of(path: &str) -> Option<Uri> {
    if let Some(name) = library::name(path) {
        return pages::library_uri(name);
    }
    if path.contains("://") || path.starts_with("untitled:") {
        return Uri::from_str(path).ok();
    }
    Uri::from_file_path(Path::new(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_paths() {
        let uri = Uri::from_str("file:///tmp/a%20b/x.shape").unwrap();
        assert_eq!(path_of(&uri), "/tmp/a b/x.shape");
        assert_eq!(uri_of("/tmp/a b/x.shape").unwrap().as_str(), uri.as_str());
    }

    #[test]
    fn other_documents_are_known_by_their_uris() {
        let uri = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(path_of(&uri), "untitled:Untitled-1");
        assert_eq!(uri_of("untitled:Untitled-1"), Some(uri));
    }
}
