//! Opening a library at run time, with the loader's own words where that fails.

mod elf;
mod places;

use libloading::Library;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Why a library was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LoadError {
    /// There is no such library.
    Absent,
    /// It is there and cannot be used; the loader's words.
    Broken(String),
}

/// Opens a library: a path, or a bare name that the loader looks up in its own places.
///
/// # Safety
/// The library's initialisers may be run.
pub(super) unsafe fn open(library: &Path) -> Result<Library, LoadError> {
    let is_bare = library.components().count() == 1;
    if !is_bare && !library.exists() {
        let is_link = library.is_symlink();
        let reason = || LoadError::Broken("it is a link to a file that is not there".to_string());
        return Err(if is_link { reason() } else { LoadError::Absent });
    }
    // Opening a pipe would wait for somebody who writes to it.
    if !is_bare && !library.is_file() {
        return Err(LoadError::Broken("it is not a regular file".to_owned()));
    }
    // The loader does not look whether a file is whole, and a damaged one would end this process.
    let file = if is_bare { places::file_of(library) } else { Some(library.to_path_buf()) };
    if let Some((file, damage)) = file.and_then(|file| Some((file.clone(), elf::damage(&file)?))) {
        let place = if is_bare { format!("{}: ", file.display()) } else { String::new() };
        return Err(LoadError::Broken(format!("{place}{damage}")));
    }
    // SAFETY: the caller vouches for the initialisers.
    unsafe { Library::new(library) }.map_err(|error| {
        let words = words(&error);
        if is_bare && says_absent(library, &words) { LoadError::Absent } else { LoadError::Broken(words) }
    })
}

/// The operating system's words about a failure, which are in the error's source.
pub(super) fn words(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Whether the loader found no library of this name. A library that was found and lacks one that it needs is reported
/// under the other one's name.
fn says_absent(library: &Path, words: &str) -> bool {
    if cfg!(windows) {
        // A missing module; Windows uses the same words if one that it needs is missing.
        return words.contains("could not be found");
    }
    let name = library.display();
    words.starts_with(&format!("{name}: cannot open shared object file: No such file"))
        || words.starts_with(&format!("Error loading shared library {name}: No such file"))
        || words.starts_with(&format!("dlopen({name}"))
}

/// The file of an opened library: the one that was opened for a bare name, if the system lists a process's libraries.
pub(super) fn loaded_path(library: &Path) -> PathBuf {
    if library.components().count() > 1 {
        return std::fs::canonicalize(library).unwrap_or_else(|_| library.to_path_buf());
    }
    let name = library.to_string_lossy();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut loaded = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let found = loaded.find(|file| file.rsplit('/').next().is_some_and(|file| file.starts_with(&*name)));
    found.map_or_else(|| library.to_path_buf(), PathBuf::from)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use testing::gpu;

    fn failure(path: &Path) -> LoadError {
        // SAFETY: a stand-in, or no library.
        unsafe { open(path) }.err().unwrap()
    }

    fn broken(path: &Path) -> String {
        match failure(path) {
            LoadError::Broken(words) => words.replace(&format!("{}", path.display()), "LIBRARY"),
            LoadError::Absent => panic!("{} is there", path.display()),
        }
    }

    #[test]
    fn what_is_not_there_is_told_from_what_is_broken() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(failure(&folder.path().join("libnone.so")), LoadError::Absent);
        assert_eq!(failure(Path::new("libcuda-that-is-not-there.so.1")), LoadError::Absent);
        let library = folder.path().join("libtext.so");
        std::fs::write(&library, "this is a text, and long enough for the header of a library, which has 64 bytes")
            .unwrap();
        assert_eq!(broken(&library), "LIBRARY: invalid ELF header");
        std::fs::write(&library, "").unwrap();
        assert_eq!(broken(&library), "LIBRARY: file too short");
        let link = folder.path().join("liblink.so");
        std::os::unix::fs::symlink("libnone.so", &link).unwrap();
        assert_eq!(broken(&link), "it is a link to a file that is not there");
    }

    #[test]
    fn a_file_that_was_cut_off_anywhere_is_not_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let whole = std::fs::read(gpu::nvrtc(&folder.path().join("libwhole.so"), "")).unwrap();
        let cut = folder.path().join("libcut.so");
        for parts in 0..16 {
            std::fs::write(&cut, &whole[..whole.len() * parts / 32]).unwrap();
            assert!(!broken(&cut).is_empty(), "{parts}");
        }
        std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
        assert!(broken(&cut).ends_with(": it was cut off"), "{}", broken(&cut));
    }

    #[test]
    fn a_file_that_was_overwritten_is_not_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let whole = std::fs::read(gpu::driver(&folder.path().join("libwhole.so"), "")).unwrap();
        let damaged = folder.path().join("libdamaged.so");
        // As a disk leaves it that was full, or a machine that lost its power: the size is right, the end is zeros.
        for parts in 1..16 {
            let mut bytes = whole.clone();
            bytes[whole.len() * parts / 32..].fill(0);
            std::fs::write(&damaged, &bytes).unwrap();
            assert!(!broken(&damaged).is_empty(), "{parts}");
        }
    }

    #[test]
    fn the_wrong_class_and_a_missing_dependency_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let library = gpu::nvrtc(&folder.path().join("libother.so"), "");
        let mut bytes = std::fs::read(&library).unwrap();
        // The byte that says how wide addresses are.
        bytes[4] = 1;
        let narrow = folder.path().join("libnarrow.so");
        std::fs::write(&narrow, bytes).unwrap();
        assert_eq!(broken(&narrow), "LIBRARY: wrong ELF class: ELFCLASS32");

        let needed = library.display().to_string();
        let needing = gpu::nvrtc_with(&folder.path().join("libneeding.so"), &["-Wl,--no-as-needed", &needed]);
        std::fs::remove_file(&library).unwrap();
        let words = broken(&needing);
        assert!(words.contains("libother.so: cannot open shared object file: No such file"), "{words}");
    }
}
