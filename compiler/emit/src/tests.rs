//! What emitted kernels look like, and small questions about single expressions.

mod build;
mod kernels;
mod looks;
