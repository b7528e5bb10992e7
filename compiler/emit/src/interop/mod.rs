//! Index maps for other tools: CUDA C++, C, numpy and CuTe.
//!
//! Each target has a file. CUDA C++, C and the index arrays of numpy share a writer, which knows the range of every
//! value; numpy's views and CuTe's layouts are both made from the map's strided form.

mod c;
mod cuda;
mod cute;
mod dialect;
mod emitted;
mod functions;
mod header;
mod masks;
mod numpy;
mod numpy_views;
mod operators;
mod strided;
mod swizzle;
mod width;
mod writer;

use dims::Facts;
use maps::IndexMap;
use proofs::Budget;

pub use emitted::{Emitted, Function, Gives, NoForm, Parameter, Target};

/// Emits a map for a target. `name` is its name in the source, `facts` are the facts about its symbols, and the budget
/// limits the proof that a swizzle equals the map.
///
/// # Errors
/// If a value overflows 64 bits, if a divisor is not known to be positive, or, for CuTe, if the map is no layout.
pub fn emit(name: &str, map: &IndexMap, facts: &Facts, target: Target, budget: &Budget<'_>) -> Result<Emitted, NoForm> {
    match target {
        Target::Cuda => cuda::emit(name, map, facts),
        Target::C => c::emit(name, map, facts),
        Target::Numpy => numpy::emit(name, map, facts),
        Target::Cute => cute::emit(name, map, facts, budget),
    }
}
