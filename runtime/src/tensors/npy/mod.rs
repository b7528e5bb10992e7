//! `.npy` files, the format of `numpy.save`: a header (versions 1 to 3) and the elements in row-major order.
//!
//! The header is read and written here rather than by a crate: a file is untrusted, and its header must neither panic,
//! nor recurse without bound, nor make anything allocate before its claims were compared with the file's length.
//!
//! numpy lacks some element types. `bf16` is written as `<V2`, which numpy reads as two opaque bytes
//! (`.view(ml_dtypes.bfloat16)` brings the numbers back), and read from `V2` and from `u2` arrays that hold the bits. The floats
//! of 8 bits are written as `u1`, with a note, and read from that and from what `numpy.save` makes of the types of `ml_dtypes`.

mod error;
mod header;
mod read;
mod write;

pub use error::{Argument, NpyError, NpyProblem};
pub use header::NpyHeader;
pub use read::{Expected, Loaded, read_any_npy, read_npy, read_npy_header};
pub use write::write_npy;

#[cfg(target_endian = "big")]
compile_error!(".npy bodies are read and written as they lie in memory, which is right on little-endian machines only");

#[cfg(test)]
mod tests;
