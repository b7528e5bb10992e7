//! Tests of the verdicts: vectors, cases that must be proven, and brute force.

mod brute_force;
mod oracle;
mod symbolic;
mod symbolic_random;
mod theorems;
mod transforms;
mod vectors;
