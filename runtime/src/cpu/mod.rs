//! Machine code for this processor, by Cranelift.
//!
//! A kernel becomes one function that runs a range of blocks. The threads of a block are loops, never fibres of their
//! own. Loops whose iterations touch neighbouring elements run several iterations at once in vectors.

mod access;
mod compile;
mod emitter;
mod expression;
mod forms;
mod half_floats;
mod helpers;
mod lanes;
mod launch_table;
mod run;
mod statement;
mod usage;

pub use run::CompiledKernel;
