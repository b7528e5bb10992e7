//! The library that is written in the language: `use "std/activations.shape";`.

/// Before the name of a file of the library, where files have paths.
const SCHEME: &str = "std://";

/// The folder of a `use` that names a file of the library.
const FOLDER: &str = "std/";

/// The files, each with its text.
pub const FILES: &[(&str, &str)] = &[
    ("activations.shape", include_str!("../library/activations.shape")),
    ("layouts.shape", include_str!("../library/layouts.shape")),
    ("reductions.shape", include_str!("../library/reductions.shape")),
];

/// The path of the file that `use "text"` names, if that is one of the library.
pub(crate) fn path_of_use(text: &str) -> Option<String> {
    match text.strip_prefix(FOLDER) {
        Some(name) => Some(format!("{SCHEME}{name}")),
        None => text.starts_with(SCHEME).then(|| text.to_owned()),
    }
}

/// The name of the file of the library at a path, as a `use` writes it after the folder.
pub fn name(path: &str) -> Option<&str> {
    path.strip_prefix(SCHEME)
}

/// The text of the file of the library at a path.
pub fn text(path: &str) -> Option<&'static str> {
    let name = name(path)?;
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The path by which a `use` takes in the file that declares a function.
pub(crate) fn file_with(function: &str) -> Option<String> {
    let declares = |text: &str| {
        let declared = text.lines().filter_map(|line| line.strip_prefix("fn "));
        declared.filter_map(|rest| rest.split_once('(')).any(|(name, _)| name == function)
    };
    FILES.iter().find(|(_, text)| declares(text)).map(|(name, _)| format!("{FOLDER}{name}"))
}

/// The paths that a `use` writes.
pub fn uses() -> impl Iterator<Item = String> {
    FILES.iter().map(|(name, _)| format!("{FOLDER}{name}"))
}
