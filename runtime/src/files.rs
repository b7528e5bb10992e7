//! Writes output files. All files that this program writes go through here.
//!
//! A regular file is replaced atomically: the bytes are written to a temporary file beside it, which is then renamed,
//! so that readers find either the old or the new content. Symbolic links are followed, and stay links. If the path is
//! no regular file (a pipe, a terminal, `/dev/null`), the bytes are written to it directly.
//!
//! A killed process leaves its temporary file behind. Writers lock their temporary file, and the operating system
//! releases the lock when the process ends; so the next process that writes to the same path can distinguish abandoned
//! temporary files, and removes them.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file could not be written, as the end of a sentence that names it.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The path is a folder.
    #[error("it is a directory; name a file in it")]
    Directory,
    /// The file exists and is read-only.
    #[error("the file exists and is read-only")]
    ReadOnly,
    /// The file's folder does not exist.
    #[error("the folder {} does not exist; create it first", .0.display())]
    NoFolder(PathBuf),
    /// No file can be created in the folder.
    #[error("no file can be created in {}: {reason}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The reason that the operating system gives.
        reason: String,
    },
    /// Any other error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The most symbolic links that are followed, the limit of Linux.
const MOST_LINKS: usize = 40;
/// The most attempts to create a temporary file, since another process may remove one as abandoned before it is locked.
const MOST_ATTEMPTS: usize = 8;
/// The part of a temporary file's name between the file's name and the random part.
const MARK: &str = ".shapewright-";
/// The end of a temporary file's name.
const SUFFIX: &str = ".tmp";

/// Writes what `content` writes to `path`. A replaced file keeps its permissions; a new one gets those of the process
/// (`0666` less the umask).
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), WriteError> {
    let existing = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(WriteError::Directory),
        Ok(metadata) if !metadata.is_file() => {
            let mut writer = BufWriter::new(File::options().write(true).open(path)?);
            content(&mut writer)?;
            return Ok(writer.flush()?);
        }
        Ok(metadata) if metadata.permissions().readonly() => return Err(WriteError::ReadOnly),
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(WriteError::Io(error)),
    };
    replace(&behind_links(path)?, existing, content)
}

/// Writes a text to `path`, as [`write`] does.
pub fn write_text(path: &Path, text: &str) -> Result<(), WriteError> {
    write(path, |writer| writer.write_all(text.as_bytes()))
}

/// The target of a path after all symbolic links, even if it does not exist.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // A relative link is relative to its folder.
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("it is a symbolic link that leads round in a circle"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn replace(
    target: &Path,
    existing: Option<Permissions>,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let folder = folder_of(target);
    let Some(name) = target.file_name().map(|name| name.to_string_lossy()) else { return Err(WriteError::Directory) };
    if !folder.is_dir() {
        return Err(WriteError::NoFolder(folder.to_path_buf()));
    }
    let prefix = format!(".{name}{MARK}");
    remove_abandoned(folder, &prefix);
    // Any error drops the temporary file, which removes it.
    let temporary = create(folder, &prefix).map_err(|error| refused(folder, &error))?;
    let mut writer = BufWriter::with_capacity(1 << 16, temporary.as_file());
    content(&mut writer)?;
    writer.flush()?;
    drop(writer);
    if let Some(permissions) = existing {
        // Best effort: another user may own the file.
        let _ = temporary.as_file().set_permissions(permissions);
        // Without this, a power failure after the rename could leave an empty file instead of the old content.
        temporary.as_file().sync_all()?;
    }
    temporary.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// Creates a temporary file and locks it.
fn create(folder: &Path, prefix: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(SUFFIX);
    #[cfg(unix)]
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    for _ in 0..MOST_ATTEMPTS {
        let temporary = builder.tempfile_in(folder)?;
        match temporary.as_file().try_lock() {
            // Another process may have removed it as abandoned before it was locked.
            Ok(()) if !temporary.path().exists() => {}
            Err(TryLockError::WouldBlock) => {}
            // On a file system without locks, no other process can lock the file in order to remove it.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(temporary),
        }
    }
    Err(io::Error::other("other processes write to the same file"))
}

/// Removes abandoned temporary files of the same path. Failures are harmless.
fn remove_abandoned(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(random) = name.to_str().and_then(|name| name.strip_prefix(prefix)?.strip_suffix(SUFFIX)) else {
            continue;
        };
        let is_own = random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_own {
            continue;
        }
        if let Ok(file) = File::options().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The library's message names the temporary file; users need the folder and the reason.
fn refused(folder: &Path, error: &io::Error) -> WriteError {
    let reason = match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => error.kind().to_string(),
    };
    WriteError::Folder { folder: folder.to_path_buf(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.svg");
        write_text(&path, "old").unwrap();
        let failed = write(&path, |writer| {
            writer.write_all(b"half of")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write_text(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.svg"]);
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [
            ".out.svg.shapewright-a1B2c3.tmp",
            ".out.svg.shapewright-busy00.tmp",
            ".out.svg.shapewright-not.ours.tmp",
            ".other.svg.shapewright-a1B2c3.tmp",
            "out.svg.shapewright-a1B2c3.tmp",
            ".out.svg.tmp",
        ] {
            fs::write(at(name), "left").unwrap();
        }
        // Another process is alive and holds the lock of its file.
        let busy = File::options().write(true).open(at(".out.svg.shapewright-busy00.tmp")).unwrap();
        busy.lock().unwrap();
        write_text(&at("out.svg"), "new").unwrap();
        let mut kept = [
            ".out.svg.shapewright-busy00.tmp",
            ".out.svg.shapewright-not.ours.tmp",
            ".other.svg.shapewright-a1B2c3.tmp",
            "out.svg.shapewright-a1B2c3.tmp",
            ".out.svg.tmp",
            "out.svg",
        ];
        kept.sort_unstable();
        assert_eq!(names(folder.path()), kept);
        drop(busy);
        write_text(&at("out.svg"), "newer").unwrap();
        assert!(!at(".out.svg.shapewright-busy00.tmp").exists());
    }

    #[test]
    fn several_writers_of_one_file_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..50 {
                        write_text(path, &writer.to_string().repeat(1000)).unwrap();
                    }
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.len() == 1000 && text.bytes().all(|byte| byte == text.as_bytes()[0]));
        assert_eq!(names(folder.path()), ["out.txt"]);
    }

    #[test]
    fn places_that_take_no_file_say_why() {
        let folder = tempfile::tempdir().unwrap();
        let why = |path: &Path| {
            let text = write_text(path, "x").unwrap_err().to_string();
            text.replace(&folder.path().display().to_string(), "FOLDER")
        };
        assert_eq!(why(folder.path()), "it is a directory; name a file in it");
        assert_eq!(why(&folder.path().join("none/x")), "the folder FOLDER/none does not exist; create it first");
        let kept = folder.path().join("kept");
        fs::write(&kept, "kept").unwrap();
        let mut permissions = fs::metadata(&kept).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&kept, permissions).unwrap();
        assert_eq!(why(&kept), "the file exists and is read-only");
        assert_eq!(fs::read(&kept).unwrap(), b"kept");
        #[cfg(target_os = "linux")]
        assert!(why(Path::new("/proc/x")).starts_with("no file can be created in /proc: "));
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::io::Read;
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

        #[test]
        fn links_are_followed_and_stay_links() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::create_dir(at("inner")).unwrap();
            symlink("inner/out.txt", at("first")).unwrap();
            symlink("first", at("second")).unwrap();
            // At first the target of the links does not exist.
            for text in ["new", "newer"] {
                write_text(&at("second"), text).unwrap();
                assert_eq!(fs::read_to_string(at("inner/out.txt")).unwrap(), text);
                assert!(fs::symlink_metadata(at("second")).unwrap().is_symlink());
                assert!(fs::symlink_metadata(at("first")).unwrap().is_symlink());
            }
            assert_eq!(names(folder.path()), ["first", "inner", "second"]);
            assert_eq!(names(&at("inner")), ["out.txt"]);
            symlink("round", at("round")).unwrap();
            assert!(write_text(&at("round"), "x").is_err());
        }

        #[test]
        fn permissions_are_kept_and_otherwise_those_of_the_process() {
            let folder = tempfile::tempdir().unwrap();
            let (plain, fresh) = (folder.path().join("plain"), folder.path().join("fresh"));
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            fs::write(&plain, "").unwrap();
            write_text(&fresh, "x").unwrap();
            assert_eq!(mode(&fresh), mode(&plain));
            fs::set_permissions(&plain, Permissions::from_mode(0o640)).unwrap();
            write_text(&plain, "x").unwrap();
            assert_eq!(mode(&plain), 0o640);
        }

        #[test]
        fn devices_and_pipes_are_written_to() {
            write_text(Path::new("/dev/null"), "x").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            #[cfg(target_os = "linux")]
            {
                let error = write_text(Path::new("/dev/full"), "x").unwrap_err().to_string();
                assert!(error.starts_with("No space left on device"), "{error}");
                assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
            }
            let folder = tempfile::tempdir().unwrap();
            let pipe = folder.path().join("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let reader = std::thread::spawn({
                let pipe = pipe.clone();
                move || {
                    let mut text = String::new();
                    File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
                    text
                }
            });
            write_text(&pipe, "through the pipe").unwrap();
            assert_eq!(reader.join().unwrap(), "through the pipe");
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        }
    }
}
