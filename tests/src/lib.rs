//! What tests across the crates share.

pub mod counting;
