//! The Shapewright compiler: text in, facts and code out. No files, no threads, no protocol, no GPU.

pub mod dims;
pub mod emit;
pub mod kernels;
pub mod maps;
pub mod proofs;
pub mod syntax;
