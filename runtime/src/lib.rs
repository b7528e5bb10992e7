//! Runs Shapewright kernels: tensors and their files, the devices of this machine, CUDA, and the compile cache.
//!
//! Everything works on a machine without a GPU: missing libraries give an error that says what to install, never a
//! panic. Sizes are in bytes and offsets in elements unless a name says otherwise.

pub mod cache;
pub mod cpu;
pub mod cuda;
pub mod execute;
pub mod executors;
pub mod expect;
pub mod files;
pub mod interpreter;
pub mod tensors;
