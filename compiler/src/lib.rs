//! The Shapewright compiler: text in, facts and code out. No files, no threads, no protocol, no GPU.

pub mod db;
pub mod diagnostics;
pub mod dims;
pub mod discard;
pub mod emit;
pub mod evaluate;
pub mod ide;
pub mod interop;
pub mod kernels;
pub mod maps;
pub mod memory;
pub mod names;
pub mod pictures;
pub mod proofs;
pub mod settings;
pub mod shapes;
pub mod syntax;
pub mod threads;
pub mod transforms;
pub mod values;
