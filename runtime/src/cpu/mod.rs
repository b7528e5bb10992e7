//! Machine code for this processor, by Cranelift.
//!
//! A kernel becomes one function that runs a range of blocks. The threads of a block are iterations of loops rather
//! than fibres: the program is split at barriers into regions, each with loops over the threads. Loops whose iterations
//! access adjacent elements are vectorised.
//!
//! A kernel has passed [`crate::execute::check`] before, so its parameters are looked up by number without further
//! checks. It comes as loops ([`kernel::loops`]), which [`phases`] splits at barriers; [`steps`] lowers the result,
//! with values by [`scalar`] and [`vector`], and [`plan`] decides which loops are vectorised.

mod access;
mod alike;
mod atomics;
mod butterflies;
mod cast;
mod compile;
mod copies;
mod copy_calls;
mod counted;
mod dependence;
mod digits;
mod emitter;
mod estimate;
mod executor;
mod forms;
mod gathered;
mod half_floats;
mod half_runs;
mod helpers;
mod in_place;
mod known;
mod lane_sums;
mod lanes;
mod launch_table;
mod options;
mod packs;
mod phases;
mod places;
mod plain_layouts;
mod plan;
mod prefetch;
mod products;
mod program;
mod regions;
mod row_copies;
mod run;
mod scalar;
mod scratch;
mod shape;
mod shuffles;
mod sinking;
mod split_threads;
mod steps;
mod strips;
mod swizzles;
mod table_layout;
mod thread_arrays;
mod thread_variables;
mod threads;
mod tile_calls;
mod tile_copies;
mod tile_guards;
mod tiles;
mod transposition;
mod vector;
mod vector_access;
mod vector_cast;
mod vector_forms;
mod works;

pub use executor::Cpu;
pub use options::LaneChoice;
