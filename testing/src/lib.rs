//! Kernels for tests: a builder of typed kernels, and generators of random kernels, typed and as source text.
//!
//! Tests here and in other crates compare every executor with the interpreter on these kernels.

pub mod adversary;
pub mod build;
pub mod collectives;
pub mod compare;
pub mod excessive;
pub mod exchanges;
pub mod gpu;
pub mod nests;
pub mod operators;
pub mod random;
pub mod samples;
pub mod shared;
pub mod source;
pub mod thread_nests;
pub mod tile_products;
pub mod tile_programs;
pub mod transposes;
