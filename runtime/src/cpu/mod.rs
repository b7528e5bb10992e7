//! Machine code for this processor, by Cranelift.
//!
//! A kernel becomes one function that runs a range of blocks. The threads of a block are iterations of loops rather
//! than fibres: the program is split at barriers into regions, each with loops over the threads. Loops whose iterations
//! access adjacent elements are vectorised.
//!
//! A kernel has passed [`crate::execute::check`] before, so its parameters are looked up by number without further
//! checks. On its way to machine code it goes through these modules:
//!
//! 1. [`passes`] change the typed kernel, for instance operations on tiles and shuffles;
//! 2. it becomes loops ([`kernel::loops`]), a [`program`], which [`phases`] split at barriers;
//! 3. [`calls`] find regions that are one call, such as products and copies of tiles;
//! 4. [`plan`] decides which loops are vectorised, by what [`indices`] say of their accesses;
//! 5. [`lowering`] writes the code, with [`vectors`] for several lanes at once;
//! 6. [`launch`] has what the code needs when it runs, and runs it on all cores.
//!
//! [`compile`] puts 2 to 5 together.

mod calls;
mod compile;
mod executor;
mod indices;
mod known;
mod launch;
mod lowering;
mod options;
mod passes;
mod phases;
mod plan;
mod program;
mod vectors;

pub use executor::Cpu;
pub use options::LaneChoice;
