//! Indices as sums of counters, and how values change from lane to lane.

pub mod digits;
pub mod form;
pub mod forms;
pub mod shape;
mod sums;
