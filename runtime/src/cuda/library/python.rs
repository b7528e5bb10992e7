//! Python environments and the folders of their packages.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use super::names_in;
use super::places::{SearchPlaces, is_same, numbers};

/// The prefixes of Python installations, best first, and further folders of packages: the user's and the system's.
pub(super) fn prefixes_and_packages(places: &SearchPlaces) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut prefixes: Vec<PathBuf> = Vec::new();
    let named = places.environments.iter().cloned();
    for prefix in named.chain(prefixes_of_path(&places.path)) {
        for prefix in [base_of(&prefix), Some(prefix)].into_iter().flatten().rev() {
            if !prefixes.iter().any(|known| is_same(known, &prefix)) {
                prefixes.push(prefix);
            }
        }
    }
    let system = places.system.iter().flat_map(|root| [root.join("usr/local"), root.join("usr")]);
    let further = places.user.iter().cloned().chain(system).flat_map(|prefix| packages_of(&prefix));
    let known: Vec<PathBuf> = prefixes.iter().flat_map(|prefix| packages_of(prefix)).collect();
    let mut packages: Vec<PathBuf> = Vec::new();
    for folder in further {
        if !known.iter().chain(&packages).any(|known| is_same(known, &folder)) {
            packages.push(folder);
        }
    }
    (prefixes, packages)
}

/// The folders of installed packages of a Python installation that are there, the newest Python first.
pub(super) fn packages_of(prefix: &Path) -> Vec<PathBuf> {
    if cfg!(windows) {
        let mut found = vec![prefix.join("Lib").join("site-packages")];
        // The user's packages have a folder for each Python.
        found.extend(versions_in(prefix, "Python3").into_iter().map(|python| python.join("site-packages")));
        found.retain(|folder| folder.is_dir());
        return found;
    }
    let mut found = Vec::new();
    // Debian's pip installs into `local`, Fedora has libraries of machine code in `lib64`.
    for libraries in ["lib", "lib64", "local/lib", "local/lib64"] {
        for python in versions_in(&prefix.join(libraries), "python3") {
            found.push(python.join("site-packages"));
            found.push(python.join("dist-packages"));
        }
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in found.into_iter().filter(|folder| folder.is_dir()) {
        if !folders.iter().any(|known| is_same(known, &folder)) {
            folders.push(folder);
        }
    }
    folders
}

/// The entries of a folder that start with `name`, the highest version first.
fn versions_in(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = names_in(folder);
    found.retain(|entry| entry.starts_with(name));
    found.sort_by_key(|entry| Reverse(numbers(entry)));
    found.into_iter().map(|entry| folder.join(entry)).collect()
}

/// The installation that a virtual environment was made from, if it sees that one's packages.
fn base_of(environment: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(environment.join("pyvenv.cfg")).ok()?;
    let value = |key: &str| {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.map(|(name, value)| (name.trim(), value.trim())).find(|(name, _)| name.eq_ignore_ascii_case(key))
    };
    let (_, sees) = value("include-system-site-packages")?;
    let (_, home) = value("home")?;
    if !sees.eq_ignore_ascii_case("true") || home.is_empty() {
        return None;
    }
    prefix_of(Path::new(home))
}

/// The prefix of the folder that a Python program is in.
fn prefix_of(programs: &Path) -> Option<PathBuf> {
    if cfg!(windows) && programs.file_name().is_none_or(|name| !name.eq_ignore_ascii_case("Scripts")) {
        return Some(programs.to_path_buf());
    }
    programs.parent().map(Path::to_path_buf)
}

/// The prefixes of the first Python on the path: the one of the program as it is named there (a virtual environment
/// that is not activated is one), and the one behind its links. A shim of pyenv stands for the versions that its
/// installation has chosen.
fn prefixes_of_path(path: &[PathBuf]) -> Vec<PathBuf> {
    let programs: &[&str] = if cfg!(windows) { &["python.exe"] } else { &["python3", "python"] };
    let named = programs.iter().find_map(|program| {
        path.iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join(program)).find(|file| file.is_file())
    });
    let Some((program, folder)) = named.as_ref().and_then(|program| Some((program, program.parent()?))) else {
        return Vec::new();
    };
    if folder.file_name().is_some_and(|name| name == "shims") {
        return folder.parent().map(chosen_versions).unwrap_or_default();
    }
    let real = super::real(program);
    [Some(folder), real.parent()].into_iter().flatten().filter_map(prefix_of).collect()
}

/// The versions that an installation of pyenv uses where nothing else is said.
fn chosen_versions(pyenv: &Path) -> Vec<PathBuf> {
    let chosen = fs::read_to_string(pyenv.join("version")).unwrap_or_default();
    let versions = chosen.split_whitespace().map(|version| pyenv.join("versions").join(version));
    versions.filter(|prefix| prefix.is_dir()).collect()
}
