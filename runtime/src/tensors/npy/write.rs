//! Writing `.npy` files.

use super::super::Tensor;
use super::error::NpyError;
use super::header;
use crate::files;
use std::io::{self, Write};
use std::path::Path;

/// Writes a tensor as `numpy.save` would: version 1, little-endian, C order whatever the tensor's strides. The file
/// appears under its name only when it is complete ([`files::write`]). `parameter` is the kernel's parameter, for the
/// messages. The result is a sentence about the file that the user should know, if there is one.
pub fn write_npy(path: &Path, parameter: &str, tensor: &Tensor) -> Result<Option<String>, NpyError> {
    files::write(path, |writer| write_to(writer, tensor))
        .map_err(|error| NpyError::writing(path, parameter, error.into()))?;
    let element = tensor.element();
    let npy = element.definition().npy;
    let note = header::numbers_of(npy.written).filter(|numbers| *numbers != element).map(|numbers| {
        format!(
            "{} holds the bits of {element} as {numbers} (`{}`), since numpy has no such type; x.view({}) are the numbers",
            path.display(),
            npy.written,
            npy.python
        )
    });
    Ok(note)
}

fn write_to(writer: &mut dyn Write, tensor: &Tensor) -> io::Result<()> {
    writer.write_all(&header::write(tensor.element(), tensor.shape()))?;
    if tensor.is_row_major() {
        return writer.write_all(tensor.bytes());
    }
    let size = tensor.element().size_bytes();
    tensor.offsets(0, tensor.len()).try_for_each(|offset| writer.write_all(&tensor.bytes()[offset * size..][..size]))
}
