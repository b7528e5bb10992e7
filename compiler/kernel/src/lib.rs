//! The typed kernel: the program that every thread runs, and its launch.
//!
//! [`typed`] is the program: statements, expressions, and accesses that are index maps. [`collectives`] expands loops
//! over collectives into expressions of the thread index, [`raise`] raises index expressions to quasi-affine forms
//! under the conditions around them, [`loops`] numbers the values of a kernel that is compiled, and [`effects`] finds
//! where threads need barriers. [`distributed()`] is the form of a kernel of tiles for GPUs. `quasi_affine` defines the form of each operation for both `raise` and `loops`. [`run`]
//! is the typed form of a `run` item. The sizes are known at launch: [`at_launch()`] checks the claims that are still
//! open with them. A [`Target`] describes the limits of a GPU.
//!
//! It uses `dims`, `elements`, `maps`, `proofs`, and the spans of `syntax`. It knows no diagnostics: the crate that
//! checks kernels words the errors. Begin at [`typed::Kernel`].

pub mod assumed;
mod at_launch;
pub mod collectives;
mod distribution;
pub mod effects;
pub mod functions;
pub mod intervals;
pub mod loops;
mod quasi_affine;
pub mod raise;
mod room;
pub mod run;
pub mod stack;
pub mod storage;
mod table;
mod target;
pub mod typed;

pub use at_launch::{BoundsChecks, Evidence, LaunchProblem, at_launch};
pub use distribution::distributed;
pub use room::{NoRoom, array_lengths};
pub use stack::with_enough as with_enough_stack;
pub use table::{Id, Table};
pub use target::{LaunchLimits, Target, UnknownTarget};
