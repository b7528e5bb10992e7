//! Indices as sums of counters, and how values change from lane to lane.

pub mod digits;
pub mod forms;
pub mod shape;
