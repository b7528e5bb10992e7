//! Thread collectives: units of threads, and tilings that give the threads of a cluster to the iterations of loops.
//!
//! A *unit* says how many threads belong together and how they lie in the cluster, relative to the launch: one warp,
//! the same warp of every block. A *tiling* begins with all threads of a cluster and narrows them step by step, each
//! step counted in a unit. Everything here is a pure function of the launch and the steps, and nothing goes through
//! the threads one by one, except where a claim about a tiling cannot be decided in another way.
//!
//! Threads are numbered by their *natural index*, `cluster_rank * blockDim + threadIdx`.

mod assignment;
mod derive;
mod digits;
mod error;
mod index;
mod launch;
mod matches;
mod operation;
mod scale;
mod sets;
mod size;
mod split;
mod standard;
mod tiling;
mod typing;
mod unit;

pub use digits::{Digits, Linear};
pub use error::ThreadsError;
pub use index::{Index, Part, Predicate, Step, Test};
pub use launch::Launch;
pub use matches::{Iteration, Match, Matched, Mismatch};
pub use operation::{Iterator, Operation};
pub use scale::Scale;
pub use sets::ThreadSet;
pub use size::{Parameter, Size};
pub use standard::{STANDARD_UNITS, StandardUnit, standard_unit};
pub use tiling::{Dimension, Notation, Tiling};
pub use unit::{Unit, UnitDimension};

#[cfg(test)]
mod tests;
