//! Kernels: the typed program, its checks.

pub mod element;
pub mod run;
pub mod typed;
