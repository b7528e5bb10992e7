//! The reference interpreter: the definition of what a typed kernel means.
//!
//! It runs block after block, thread after thread, and evaluates every access through its map and coordinates, never
//! through the offset and mask that compiled code uses; so it checks the lowering of the others. Variables of a thread
//! are 0 until they are assigned, and so are shared arrays when a block starts. Where threads wait for each other, each
//! thread runs up to the barrier before any runs on. It is simple before it is fast.

pub(crate) mod arithmetic;
pub(crate) mod arrivals;
mod executor;
mod in_step;
pub mod map;
pub mod operation;
pub(crate) mod phases;
pub(crate) mod program;
pub(crate) mod run;
pub mod turns;

pub use arrivals::{BARRIERS, WARP, in_words};
pub use executor::Interpreter;
pub use program::Program;
