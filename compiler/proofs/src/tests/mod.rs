//! Tests of the verdicts: vectors, cases that must be proven, and brute force.

mod apart;
mod brute_force;
pub(crate) mod oracle;
mod symbolic;
mod symbolic_random;
mod theorems;
mod transforms;
mod vectors;
