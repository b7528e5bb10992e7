//! Reading `.npy` files.

use super::super::{ElementType, Tensor};
use super::error::{Argument, NpyError, NpyProblem};
use super::header::{self, LONGEST_HEADER, NpyHeader};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The requirements of a kernel's parameter for its file.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The parameter's name.
    pub parameter: &'a str,
    /// Its element type.
    pub element: ElementType,
    /// Its shape in elements, `None` for a dimension that may have any size. `None` as a whole accepts any rank.
    pub shape: Option<&'a [Option<u64>]>,
}

/// A tensor read from a file.
#[derive(Debug)]
pub struct Loaded {
    /// The elements, row-major.
    pub tensor: Tensor,
    /// A sentence about a property of the accepted file that the user should know, if there is one.
    pub note: Option<String>,
}

/// Reads the header of a `.npy` file and checks it, the file's length included, against what is expected. Nothing is
/// allocated for the elements; the shape is what symbolic dimensions are inferred from.
pub fn read_npy_header(path: &Path, expected: &Expected<'_>) -> Result<NpyHeader, NpyError> {
    open(path, expected)
        .map(|(_, header)| header)
        .map_err(|problem| NpyError::reading(path, expected.parameter, problem))
}

/// Reads a `.npy` file into a row-major tensor of the expected element type. Elements in C order go straight into its
/// storage, those in Fortran order are brought into C order.
pub fn read_npy(path: &Path, expected: &Expected<'_>) -> Result<Loaded, NpyError> {
    read(path, expected).map_err(|problem| NpyError::reading(path, expected.parameter, problem))
}

/// Reads a `.npy` file of any shape and element type, for an expectation.
pub fn read_any_npy(path: &Path) -> Result<Tensor, NpyError> {
    let of = |element: ElementType| read(path, &Expected { parameter: "", element, shape: None });
    // What numpy makes unless told otherwise; the type of another file is found in its header.
    let loaded = match of(ElementType::F64) {
        Err(NpyProblem::Element { found, .. }) => of(found),
        other => other,
    };
    let problem = |problem| NpyError { argument: Argument::Expectation, ..NpyError::reading(path, "", problem) };
    loaded.map(|loaded| loaded.tensor).map_err(problem)
}

fn read(path: &Path, expected: &Expected<'_>) -> Result<Loaded, NpyProblem> {
    let (mut file, header) = open(path, expected)?;
    let mut tensor = Tensor::strided(expected.element, &header.shape, &header.strides())?;
    let body = tensor.bytes_mut();
    let length = body.len() as u64;
    let mut done = 0;
    while done < body.len() {
        match file.read(&mut body[done..]) {
            // The file was truncated after it was opened.
            Ok(0) => return Err(truncated(&header, length, done as u64)),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(NpyProblem::Io(error.to_string())),
        }
    }
    if expected.element == ElementType::Bool {
        // numpy treats every nonzero byte as true, whereas a kernel needs 0 or 1.
        body.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    if !tensor.is_row_major() {
        let mut in_order = Tensor::zeros(expected.element, &header.shape)?;
        in_order.copy_elements_from(&tensor)?;
        tensor = in_order;
    }
    let note = header::numbers_of(&header.descr).filter(|numbers| *numbers != expected.element).map(|numbers| {
        format!(
            "{} holds {numbers} (`{}`); its bits are taken as {} for the parameter `{}`",
            path.display(),
            header.descr,
            expected.element,
            expected.parameter
        )
    });
    Ok(Loaded { tensor, note })
}

/// Opens the file, and reads and checks its header.
fn open(path: &Path, expected: &Expected<'_>) -> Result<(File, NpyHeader), NpyProblem> {
    let problem = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => NpyProblem::Missing,
        _ => NpyProblem::Io(error.to_string()),
    };
    // Checked before opening, since opening a pipe would block.
    let metadata = fs::metadata(path).map_err(problem)?;
    if metadata.is_dir() {
        return Err(NpyProblem::Directory);
    }
    if !metadata.is_file() {
        return Err(NpyProblem::NotAFile);
    }
    let mut file = File::open(path).map_err(problem)?;
    let length = file.metadata().map_err(problem)?.len();
    let header = read_header(&mut file, length, expected.element)?;
    check(&header, length, expected)?;
    Ok((file, header))
}

fn read_header(file: &mut File, length: u64, expected: ElementType) -> Result<NpyHeader, NpyProblem> {
    let start = read_up_to(file, 8)?;
    if start.len() < 8 || !start.starts_with(b"\x93NUMPY") {
        let found =
            if start.is_empty() { "nothing (it is empty)".to_string() } else { start.escape_ascii().to_string() };
        return Err(NpyProblem::NotNpy { found, is_archive: start.starts_with(b"PK") });
    }
    let (major, minor) = (start[6], start[7]);
    let size_bytes = match (major, minor) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        _ => return Err(NpyProblem::Version { major, minor }),
    };
    let before = 8 + size_bytes;
    let available = length.saturating_sub(before);
    let mut claimed = [0; 4];
    let size = read_up_to(file, size_bytes)?;
    claimed[..size.len()].copy_from_slice(&size);
    let claimed = u64::from(u32::from_le_bytes(claimed));
    let wrong_length = || NpyProblem::HeaderLength { claimed, available, limit: LONGEST_HEADER };
    if (size.len() as u64) < size_bytes || claimed > LONGEST_HEADER || claimed > available {
        return Err(wrong_length());
    }
    let text = read_up_to(file, claimed)?;
    if (text.len() as u64) < claimed {
        return Err(wrong_length());
    }
    header::parse(&text, before + claimed, expected)
}

/// At most `count` bytes; fewer only at the end of the file. `count` is small.
fn read_up_to(file: &mut File, count: u64) -> Result<Vec<u8>, NpyProblem> {
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes).map_err(|error| NpyProblem::Io(error.to_string()))?;
    Ok(bytes)
}

fn check(header: &NpyHeader, length: u64, expected: &Expected<'_>) -> Result<(), NpyProblem> {
    if header.element != expected.element {
        return Err(NpyProblem::Element { found: header.element, expected: expected.element });
    }
    if let Some(shape) = expected.shape {
        if shape.len() != header.shape.len() {
            return Err(NpyProblem::Rank { found: header.shape.clone(), expected: shape.to_vec() });
        }
        let differs = |axis: &usize| shape[*axis].is_some_and(|size| size != header.shape[*axis]);
        if let Some(axis) = (0..shape.len()).find(differs) {
            return Err(NpyProblem::Dimension { axis, found: header.shape.clone(), expected: shape.to_vec() });
        }
    }
    let overflow = || NpyProblem::ShapeOverflow { shape: header.shape.clone(), element: header.element };
    let needed = header.body_bytes().ok_or_else(overflow)?;
    let found = length.saturating_sub(header.body_offset);
    if found < needed {
        return Err(truncated(header, needed, found));
    }
    if found > needed {
        let (shape, element) = (header.shape.clone(), header.element);
        return Err(NpyProblem::TrailingBytes { shape, element, expected: needed, found });
    }
    Ok(())
}

fn truncated(header: &NpyHeader, expected: u64, found: u64) -> NpyProblem {
    NpyProblem::Truncated { shape: header.shape.clone(), element: header.element, expected, found }
}
