//! Loads files into the compiler's database.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use check::db::SourceFile;
use check::{library, names};
use ide::CompilerDatabase;

/// The largest text, about a hundred thousand lines. The cost of a check grows with the text, and this limit keeps it
/// within a second and a few hundred megabytes.
pub(crate) const MOST_BYTES: u64 = 4 << 20;

/// The name of standard input in messages.
pub(crate) const STANDARD_INPUT: &str = "<stdin>";

/// Files with everything that they use.
pub(crate) struct Loaded {
    /// The database.
    pub(crate) db: CompilerDatabase,
    /// The requested files in order, with the files of folders sorted.
    pub(crate) roots: Vec<SourceFile>,
    /// Files that could not be read, each with a sentence.
    pub(crate) problems: Vec<String>,
}

impl Loaded {
    /// Reads files and folders, and the files that they use.
    pub(crate) fn new(paths: &[PathBuf]) -> Self {
        let mut loaded = Self { db: CompilerDatabase::default(), roots: Vec::new(), problems: Vec::new() };
        for path in paths {
            if path.is_dir() {
                loaded.folder(path);
            } else {
                loaded.root(path);
            }
        }
        loaded.used();
        loaded
    }

    /// Reads one file and the files that it uses.
    ///
    /// # Errors
    /// A sentence if the file or one that it uses exists but cannot be read.
    pub(crate) fn one(path: &Path) -> Result<(CompilerDatabase, SourceFile), String> {
        if path.is_dir() {
            return Err(format!("{} is a folder, name a file in it", path.display()));
        }
        let loaded = Self::new(&[path.to_owned()]);
        match (loaded.problems.into_iter().next(), loaded.roots.first()) {
            (None, Some(root)) => Ok((loaded.db, *root)),
            (Some(problem), _) => Err(problem),
            (None, None) => Err(format!("{} cannot be read", path.display())),
        }
    }

    fn root(&mut self, path: &Path) {
        let read = if path == Path::new("-") {
            read_from(io::stdin().lock(), STANDARD_INPUT).map(|text| (STANDARD_INPUT.to_owned(), text))
        } else {
            name_of(path).and_then(|name| read(path).map(|text| (name, text)))
        };
        match read {
            Ok((name, text)) => {
                let file = self.db.set_text(&name, &text);
                if !self.roots.contains(&file) {
                    self.roots.push(file);
                }
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    fn folder(&mut self, folder: &Path) {
        let (files, problems) = shape_files(folder);
        self.problems.extend(problems);
        if files.is_empty() {
            crate::remarks::note(&format!("there is no `.shape` file in {}", folder.display()));
        }
        for file in files {
            self.root(&file);
        }
    }

    /// Reads used files transitively. The compiler reports a missing file at the place that uses it.
    fn used(&mut self) {
        let mut waiting: VecDeque<SourceFile> = self.roots.iter().copied().collect();
        while let Some(file) = waiting.pop_front() {
            for path in names::used_paths(&self.db, file) {
                if self.db.file(&path).is_some() {
                    continue;
                }
                if let Some(text) = library::text(&path) {
                    waiting.push_back(self.db.set_text(&path, text));
                    continue;
                }
                if !Path::new(&path).exists() {
                    continue;
                }
                match read_regular(Path::new(&path)) {
                    Ok(text) => waiting.push_back(self.db.set_text(&path, &text)),
                    Err(problem) => {
                        self.db.set_unreadable(&path, Some(problem.clone()));
                        self.problems.push(problem);
                    }
                }
            }
        }
    }
}

/// The `.shape` files below a folder, sorted, without those that `.gitignore` and similar files exclude.
pub(crate) fn shape_files(folder: &Path) -> (Vec<PathBuf>, Vec<String>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    let walk = ignore::WalkBuilder::new(folder).sort_by_file_name(Ord::cmp).build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && entry.path().extension().is_some_and(|extension| extension == "shape") {
                    files.push(entry.into_path());
                }
            }
            Err(error) => problems.push(format!("a folder cannot be read: {error}")),
        }
    }
    (files, problems)
}

/// The name of a file in the database: `/` between folders, with `.` and `..` resolved, so that a file has the same
/// name on the command line and in a `use`.
pub(crate) fn name_of(path: &Path) -> Result<String, String> {
    let text = path.to_str().ok_or_else(|| format!("the name of {} is not UTF-8", path.display()))?;
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    Ok(names::used_path("", &text))
}

/// The text of a file.
///
/// # Errors
/// A sentence that names the file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file {shown}"),
        io::ErrorKind::PermissionDenied => format!("{shown} cannot be read: permission denied"),
        _ => format!("{shown} cannot be read: {error}"),
    })?;
    read_from(file, &shown)
}

/// The text of a file not named on the command line; it must be a regular file, as a pipe or a device could block.
///
/// # Errors
/// A sentence that names the file.
pub(crate) fn read_regular(path: &Path) -> Result<String, String> {
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => {
            Err(format!("{} cannot be read: it is not a regular file", path.display()))
        }
        _ => read(path),
    }
}

/// The message for a text of more than [`MOST_BYTES`].
pub(crate) fn too_large(shown: &str) -> String {
    format!("{shown} is larger than {} MiB, which no source file is", MOST_BYTES >> 20)
}

/// The text of a reader, which is called `shown` in messages.
pub(crate) fn read_from(reader: impl Read, shown: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    reader.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(too_large(shown));
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(offset).copied().unwrap_or_default();
        let utf16 = error.as_bytes().starts_with(&[0xff, 0xfe]) || error.as_bytes().starts_with(&[0xfe, 0xff]);
        let advice = if utf16 { "; it looks like UTF-16, save it as UTF-8" } else { "" };
        let line = 1 + error.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count();
        format!("{shown} is not UTF-8: byte {offset}, in line {line}, is 0x{byte:02x}{advice}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_not_utf_8_says_where() {
        let error = read_from(&b"a\n\nb\xff"[..], "x.shape").unwrap_err();
        assert_eq!(error, "x.shape is not UTF-8: byte 4, in line 3, is 0xff");
    }

    #[test]
    fn a_text_that_nobody_wrote_is_not_read_to_its_end() {
        let most = usize::try_from(MOST_BYTES).unwrap();
        assert_eq!(read_from(io::repeat(b' ').take(MOST_BYTES), "x.shape").unwrap().len(), most);
        let error = read_from(io::repeat(b' '), "x.shape").unwrap_err();
        assert_eq!(error, "x.shape is larger than 4 MiB, which no source file is");
    }

    #[test]
    fn a_file_has_one_name() {
        assert_eq!(name_of(Path::new("./a/../b.shape")).unwrap(), "b.shape");
        assert_eq!(name_of(Path::new("/x/./b.shape")).unwrap(), "/x/b.shape");
    }
}
