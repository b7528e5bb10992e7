//! Machine code for the values of several lanes at once.

pub mod half_runs;
pub mod lanes;
pub mod packs;
pub mod strips;
pub mod vector;
pub mod vector_access;
pub mod vector_cast;
