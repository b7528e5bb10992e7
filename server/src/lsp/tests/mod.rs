//! The server from a client's side, in this process.

mod bad_input;
mod cancelling;
pub(super) mod commands;
mod editing;
mod examples;
mod excessive;
mod harness;
mod hints;
mod markup;
mod pictures;
mod questions;
mod random;
mod running;
mod truncated;
mod workspace;
