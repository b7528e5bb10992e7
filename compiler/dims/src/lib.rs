//! Symbolic integers in one canonical form, and facts about them.
//!
//! Every dimension, stride and offset of the language is a [`Sym`]: a polynomial over symbols that are known at
//! launch, with quotients rounded down, remainders, minima and maxima. A constant is the common case and costs
//! nothing extra. [`Facts`] hold the `where` clauses about the symbols; they decide comparisons and divisibility, and
//! let arithmetic simplify further.
//!
//! What is proven holds for all integers that satisfy the facts. What is refuted comes with an assignment that was
//! evaluated. Everything else is open.
//!
//! It uses no other crate of the compiler. Begin at [`Sym`], then [`Facts`].

mod admit;
mod answers;
mod assume;
mod atom;
mod divide;
pub mod effort;
mod enclose;
mod error;
mod fact;
mod facts;
mod integer;
mod known;
mod min_max;
mod natural;
mod polynomial;
mod print;
mod prove;
mod range;
mod rebuild;
mod remainder;
mod residues;
mod sample;
mod search;
mod settle;
mod solve;
mod sym;
mod symbol;
#[cfg(test)]
mod tests;
mod tidy;
mod wanted;

pub use error::{Arithmetic, EvaluateError};
pub use fact::{CompareOp, Contradiction, Fact, Others, ViolatedFact};
pub use facts::Facts;
pub use prove::Proof;
pub use range::Interval;
pub use sample::Samples;
pub use solve::Solved;
pub use sym::{Atom, Sym};
pub use symbol::Symbol;
pub use wanted::{exact_divisions, orders};
