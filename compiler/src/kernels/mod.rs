//! Kernels: the typed program, its checks.

pub mod check;
pub mod element;
pub mod run;
pub mod run_items;
pub mod typed;
