//! The typed kernel: one program for every thread, and what it is launched on.
//!
//! [`typed`] has the program: statements, expressions, and accesses that are index maps. [`collectives`] makes expressions
//! of the threads of a loop over collectives, [`raise`] states index expressions as forms where conditions hold, [`loops`] states
//! each value once for what is compiled, and [`effects`] finds where threads have to wait for each other. What the form of an
//! operation is, says `quasi_affine` for all of them. [`run`] is what a `run` item asks for. At launch the sizes
//! are known: [`at_launch()`] asks open claims again with them. A [`Target`] says what a GPU can do.
//!
//! It uses `dims`, `elements`, `maps`, `proofs`, and of `syntax` the spans. It knows no diagnostics: who checks a kernel
//! words what is wrong with it. Begin at [`typed::Kernel`].

mod at_launch;
pub mod collectives;
pub mod effects;
pub mod functions;
mod intervals;
pub mod loops;
mod quasi_affine;
pub mod raise;
pub mod run;
mod stack;
pub mod storage;
mod target;
pub mod typed;

pub use at_launch::{LaunchBounds, at_launch};
pub use stack::with_enough as with_enough_stack;
pub use target::{LaunchLimits, STATIC_SHARED, Target, UnknownTarget};
