//! Machine code for this processor, by Cranelift.
//!
//! A kernel becomes one function that runs a range of blocks. The threads of a block are loops, never fibres of their
//! own: where they wait for each other, the block's work is cut at the barriers. Loops whose iterations touch
//! neighbouring elements run several iterations at once in vectors.
//!
//! A kernel that comes here has passed [`crate::execute::check`], so its parameters are looked up by their numbers without
//! asking again whether there are such. It comes as loops ([`kernel::loops`]), which [`phases`] cuts at their barriers; [`steps`]
//! lowers what is left, with values by [`scalar`] and [`vector`], and [`plan`] decides which loops run in lanes.

mod access;
mod cast;
mod compile;
mod dependence;
mod digits;
mod emitter;
mod estimate;
mod executor;
mod forms;
mod half_floats;
mod half_runs;
mod helpers;
mod known;
mod lanes;
mod launch_table;
mod options;
mod phases;
mod plan;
mod program;
mod region;
mod run;
mod scalar;
mod scratch;
mod shape;
mod split_threads;
mod steps;
mod stretches;
mod strips;
mod swizzles;
mod table_layout;
mod threads;
mod vector;
mod vector_access;
mod vector_cast;

pub use executor::Cpu;
pub use options::LaneChoice;
