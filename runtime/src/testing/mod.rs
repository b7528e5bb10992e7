//! Kernels for tests: a builder that needs no source text, and a generator of random ones.
//!
//! Every executor is compared with the interpreter on these, in this crate and in others.

pub mod build;
pub mod compare;
pub mod operators;
pub mod random;
pub mod samples;
