//! Kernels for tests: a builder that needs no source text, and two generators of random ones, typed and as text.
//!
//! Every executor is compared with the interpreter on these, in this crate and in others.

pub mod adversary;
pub mod build;
pub mod collectives;
pub mod compare;
pub mod excessive;
pub mod nests;
pub mod operators;
pub mod random;
pub mod samples;
pub mod shared;
pub mod source;
pub mod thread_nests;
