//! Writing `.npy` files.

use super::super::Tensor;
use super::error::{NpyError, NpyProblem};
use super::header;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a tensor as `numpy.save` would: version 1, little-endian, C order whatever the tensor's strides.
///
/// The file appears under its name only when it is complete: it is written beside it under a temporary name and renamed.
/// An existing file keeps its permissions, a new one gets those of the process (`0666` less the umask). `parameter` is
/// the kernel's parameter, for the messages.
pub fn write_npy(path: &Path, parameter: &str, tensor: &Tensor) -> Result<(), NpyError> {
    write(path, tensor).map_err(|problem| NpyError::writing(path, parameter, problem))
}

fn write(path: &Path, tensor: &Tensor) -> Result<(), NpyProblem> {
    // A link keeps being a link: the file behind it is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => return Err(NpyProblem::Directory),
        // A pipe or a device such as /dev/null: there is nothing to rename, the bytes go straight into it.
        Ok(metadata) if !metadata.is_file() => {
            let mut file = File::options().write(true).open(&target).map_err(io_problem)?;
            return write_to(&mut file, tensor).map_err(io_problem);
        }
        Ok(metadata) => Some(metadata.permissions()),
        Err(_) => None,
    };
    if existing.as_ref().is_some_and(Permissions::readonly) {
        return Err(NpyProblem::Io("the file exists and is read-only".to_string()));
    }
    let directory = match target.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_path_buf(),
        None => return Err(NpyProblem::Directory),
    };
    if !directory.is_dir() {
        return Err(NpyProblem::Io(format!("the folder {} does not exist; create it first", directory.display())));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".shapewright-").suffix(".npy.tmp");
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(permissions);
    // Dropping `temporary` on the way out of any error below removes the file.
    let mut temporary = builder.tempfile_in(&directory).map_err(|error| in_directory(&directory, error))?;
    write_to(temporary.as_file_mut(), tensor).map_err(io_problem)?;
    if let Some(permissions) = existing {
        // Best effort: the owner may be somebody else.
        let _ = temporary.as_file().set_permissions(permissions);
    }
    temporary.persist(&target).map_err(|error| io_problem(error.error))?;
    Ok(())
}

fn write_to(file: &mut File, tensor: &Tensor) -> io::Result<()> {
    file.write_all(&header::write(tensor.element(), tensor.shape()))?;
    if tensor.is_row_major() {
        return file.write_all(tensor.bytes());
    }
    let size = tensor.element().size_bytes();
    let mut writer = io::BufWriter::with_capacity(1 << 16, file);
    for offset in tensor.offsets(0, tensor.len()) {
        writer.write_all(&tensor.bytes()[offset * size..][..size])?;
    }
    writer.flush()
}

fn io_problem(error: io::Error) -> NpyProblem {
    NpyProblem::Io(error.to_string())
}

/// The library's message names the temporary file, which means nothing to the user: the folder and the reason do.
fn in_directory(directory: &Path, error: io::Error) -> NpyProblem {
    let reason = match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => error.kind().to_string(),
    };
    NpyProblem::Io(format!("no file can be created in {}: {reason}", directory.display()))
}
