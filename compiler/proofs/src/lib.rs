//! Verdicts about index maps, each with its evidence.
//!
//! Every question has its file. All of them proceed in one order: a proof in normal form, with symbols (T1, T3, T9);
//! for known sizes the exact theorems (T2, T10, T5) and then every point; for symbols a search for sizes that refute;
//! then, in a deep check, an SMT solver if there is one. Otherwise the question stays open, with the reason and, if
//! known, the fact that would settle it.
//!
//! [`memory`] has the costs of an access: vectors, the banks of shared memory, the sectors of global memory.
//!
//! It uses `dims`, `elements` and `maps`, and knows nothing of source text. Begin at [`Verdict`], then [`injective`]
//! and [`in_bounds`].

mod apart;
mod bits;
mod bounds;
mod budget;
mod check;
mod collisions;
mod coverage;
mod covers;
mod differences;
mod display;
mod enumerate;
mod equal;
mod evidence;
mod first_points;
mod integers;
pub mod memory;
mod premises;
mod small_values;
mod solver;
mod stages;
mod strided;
mod tables;
mod verdict;
mod width;

pub use apart::{Relation, apart, meet_at_first};
pub use bounds::{conditions_within_guards, in_bounds, without_implied_conditions, without_implied_masks};
pub use budget::{Budget, Effort};
pub use collisions::{injective, race_free};
pub use covers::covers;
pub use equal::equal;
pub use evidence::{Found, Reason, Rule};
pub use solver::Solver;
pub use verdict::{Counterexample, CounterexampleKind, Verdict};
pub use width::fits_bits;

#[cfg(test)]
mod tests;
