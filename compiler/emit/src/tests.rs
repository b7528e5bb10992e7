//! Tests of emitted kernels and of single expressions.

mod build;
mod kernels;
mod looks;
