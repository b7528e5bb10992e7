//! Errors of `.npy` files. Every message is a sentence that names the file and the parameter.

use super::super::{ElementType, TensorError, list};
use crate::files::WriteError;
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A `.npy` file that could not be read or written.
#[derive(Debug, Error)]
#[error("cannot {} {} {}: {problem}", if *.writing { "write" } else { "read" }, .file.display(), .argument)]
pub struct NpyError {
    /// The file.
    pub file: PathBuf,
    /// What the file is for.
    pub argument: Argument,
    /// Whether the file was being written.
    pub writing: bool,
    /// The error.
    pub problem: NpyProblem,
}

impl NpyError {
    pub(super) fn reading(file: &Path, parameter: &str, problem: NpyProblem) -> NpyError {
        NpyError {
            file: file.to_path_buf(),
            argument: Argument::Parameter(parameter.to_string()),
            writing: false,
            problem,
        }
    }

    pub(super) fn writing(file: &Path, parameter: &str, problem: NpyProblem) -> NpyError {
        NpyError {
            file: file.to_path_buf(),
            argument: Argument::Parameter(parameter.to_string()),
            writing: true,
            problem,
        }
    }
}

/// What a file is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The kernel's parameter of this name.
    Parameter(String),
    /// The condition of an `expect`.
    Expectation,
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(name) => write!(f, "for the parameter `{name}`"),
            Self::Expectation => f.write_str("for the `expect`"),
        }
    }
}

/// The error of a file.
#[derive(Debug, Error)]
pub enum NpyProblem {
    /// There is no such file.
    #[error("there is no such file; check the path, which is relative to {}", current_directory())]
    Missing,
    /// The path names a directory.
    #[error("it is a directory; name a .npy file in it")]
    Directory,
    /// The path names a pipe, a device or the like.
    #[error("it is not a regular file, whose length can be known before it is read; save the array to a file first")]
    NotAFile,
    /// The operating system refused.
    #[error("{0}")]
    Io(String),
    /// The file does not start like a `.npy` file.
    #[error(
        "it is not a .npy file: it starts with {found}, expected \\x93NUMPY; write it with numpy.save(path, x){}",
        if *.is_archive { " (this is an archive: numpy.savez was used)" } else { "" }
    )]
    NotNpy {
        /// The first bytes, printable.
        found: String,
        /// Whether it is a zip archive, as `numpy.savez` writes it.
        is_archive: bool,
    },
    /// An unknown version of the format.
    #[error("its format version is {major}.{minor}, expected 1.0, 2.0 or 3.0; write it with numpy.save(path, x)")]
    Version {
        /// The major version.
        major: u8,
        /// The minor version.
        minor: u8,
    },
    /// The header does not end within the file, or is larger than any real one.
    #[error(
        "its header claims {claimed} bytes, but {}; the file is damaged, write it again with numpy.save(path, x)",
        if .claimed > .limit { format!("no header is longer than {limit}") } else { format!("only {available} follow") }
    )]
    HeaderLength {
        /// The length the file states, in bytes.
        claimed: u64,
        /// What the file has after the length, in bytes.
        available: u64,
        /// The longest header that is read, in bytes.
        limit: u64,
    },
    /// The header differs from what numpy writes.
    #[error("its header cannot be read: {0}; the file is damaged, write it again with numpy.save(path, x)")]
    Header(String),
    /// Elements of a type that no parameter has.
    #[error("its elements are {found}, which no element type of the language is, expected {expected}; {}", advice(.found, *.expected))]
    UnknownElement {
        /// The type in the file, as the header writes it.
        found: String,
        /// The parameter's element type.
        expected: ElementType,
    },
    /// Elements of another type than the parameter's.
    #[error("its elements are {found} (`{}`), expected {expected}; {}", descr(*.found), conversion(*.expected))]
    Element {
        /// The type in the file.
        found: ElementType,
        /// The parameter's element type.
        expected: ElementType,
    },
    /// Elements with the most significant byte first.
    #[error("its elements are big-endian (`{found}`), expected little-endian; convert them with x.astype('{fixed}')")]
    BigEndian {
        /// The type in the file, as the header writes it.
        found: String,
        /// The same type, little-endian.
        fixed: String,
    },
    /// Another number of dimensions than the parameter's.
    #[error(
        "its rank is {} (shape {}), expected rank {} (shape {})",
        .found.len(), list(.found), .expected.len(), dimensions(.expected)
    )]
    Rank {
        /// The shape in the file.
        found: Vec<u64>,
        /// The parameter's shape; `None` where any size will do.
        expected: Vec<Option<u64>>,
    },
    /// A dimension of another size than the parameter's.
    #[error(
        "dimension {axis} is {} (shape {}), expected {} (shape {})",
        .found[*.axis], list(.found), .expected[*.axis].unwrap_or_default(), dimensions(.expected)
    )]
    Dimension {
        /// The first dimension that differs, counted from 0.
        axis: usize,
        /// The shape in the file.
        found: Vec<u64>,
        /// The parameter's shape; `None` where any size will do.
        expected: Vec<Option<u64>>,
    },
    /// The header's shape has more bytes than can be counted.
    #[error(
        "its header claims the shape {}, whose {element} elements no file can hold; the file is damaged",
        list(.shape)
    )]
    ShapeOverflow {
        /// The shape in the file.
        shape: Vec<u64>,
        /// The element type in the file.
        element: ElementType,
    },
    /// Fewer bytes than the shape needs.
    #[error(
        "it is truncated: {element}{} needs {expected} bytes after the header, found {found}; write it again with \
         numpy.save(path, x)",
        list(.shape)
    )]
    Truncated {
        /// The shape in the file.
        shape: Vec<u64>,
        /// The element type in the file.
        element: ElementType,
        /// What the shape needs, in bytes.
        expected: u64,
        /// What the file has after its header, in bytes.
        found: u64,
    },
    /// More bytes than the shape needs.
    #[error(
        "{} bytes follow the last element: {element}{} needs {expected} bytes after the header, found {found}; the \
         header and the elements do not belong together, write it again with numpy.save(path, x)",
        found - expected, list(.shape)
    )]
    TrailingBytes {
        /// The shape in the file.
        shape: Vec<u64>,
        /// The element type in the file.
        element: ElementType,
        /// What the shape needs, in bytes.
        expected: u64,
        /// What the file has after its header, in bytes.
        found: u64,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The tensor could not be allocated.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// numpy's name of an element type.
pub(super) fn descr(element: ElementType) -> &'static str {
    element.definition().npy.written
}

/// Advice for elements of an unsupported type; `found` is their type in the header.
fn advice(found: &str, expected: ElementType) -> String {
    let kind = found.trim_start_matches(['`', '<', '>', '|', '=']).chars().next();
    match kind {
        Some('c') => {
            format!(
                "they are complex: save the part that is meant, x.real.astype({})",
                expected.definition().npy.python
            )
        }
        Some('O') => format!("they are Python objects: where all of them are numbers, {}", conversion(expected)),
        Some('U' | 'S') => format!("they are text: where all of it is numbers, {}", conversion(expected)),
        Some('M' | 'm') => {
            format!("they are times: save their counts, x.astype('<i8').astype({})", expected.definition().npy.python)
        }
        Some('s') => "save one of its fields, x['name']".to_string(),
        _ => conversion(expected),
    }
}

/// The numpy expression that converts elements to a type.
fn conversion(element: ElementType) -> String {
    format!("convert them with x.astype({})", element.definition().npy.python)
}

/// `[64, _]`.
fn dimensions(shape: &[Option<u64>]) -> String {
    let shape: Vec<String> =
        shape.iter().map(|dimension| dimension.map_or("_".to_string(), |size| size.to_string())).collect();
    format!("[{}]", shape.join(", "))
}

fn current_directory() -> String {
    std::env::current_dir().map_or("the current directory".to_string(), |path| path.display().to_string())
}
