//! Kernels: the typed program, its checks.

pub mod check;
pub mod element;
pub mod run;
pub mod typed;
