//! The server from a client's side, in this process.

mod bad_input;
mod editing;
mod examples;
mod harness;
mod questions;
mod running;
mod truncated;
