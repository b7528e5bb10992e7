//! The server from a client's side, in this process.

mod bad_input;
mod editing;
mod harness;
mod running;
mod workspace;
