//! The reference interpreter: the definition of what a typed kernel means.
//!
//! It runs block after block, thread after thread, and evaluates every access through its map and coordinates, never
//! through the offset and mask that compiled code uses; so it checks the lowering of the others. Variables of a thread
//! are 0 until they are assigned. It is simple before it is fast.

pub(crate) mod arithmetic;
pub mod map;
pub mod operation;
pub(crate) mod program;
mod run;

pub use program::Program;
