//! Tests of the whole room: canonical forms, facts and proofs, and all of them against brute force.

mod admit;
mod brute_force;
mod canonical;
mod effort;
mod expression;
mod proofs;
mod solve;
mod wanted;
