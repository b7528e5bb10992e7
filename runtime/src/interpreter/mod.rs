//! The reference interpreter, which defines the meaning of a typed kernel.
//!
//! It runs one block after another and one thread after another, and evaluates every access by its map and coordinates,
//! never by the offset and mask that compiled code uses; so comparing results tests the lowering of the other
//! executors. Variables of a thread are 0 until they are assigned, and so are shared arrays when a block starts. At a
//! barrier, every thread runs up to it before any continues. Simplicity takes precedence over speed.

pub(crate) mod arithmetic;
pub(crate) mod arrivals;
mod atomics;
mod copies;
mod executor;
mod in_step;
pub mod map;
pub mod operation;
pub(crate) mod phases;
pub(crate) mod program;
pub(crate) mod run;
pub mod turns;

pub use arrivals::{WARP, in_words};
pub use executor::Interpreter;
pub use program::Program;
