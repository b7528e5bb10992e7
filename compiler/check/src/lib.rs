//! From trees to values, typed kernels and diagnostics.

pub mod db;
pub mod diagnostics;
pub mod discard;
pub mod evaluate;
pub mod kernels;
pub mod names;
pub mod run_items;
pub mod settings;
pub mod transforms;
pub mod values;
