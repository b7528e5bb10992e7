//! The texts that the tests begin with: what a person opens first.

use std::path::{Path, PathBuf};

/// The folder of the examples.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// The examples by name, sorted.
pub(super) fn examples() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "shape") {
            texts.push((path.file_name().unwrap().to_string_lossy().into(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(texts.len() > 5, "the examples are not in {}", folder().display());
    texts.sort();
    texts
}
