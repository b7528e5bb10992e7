//! The typed kernel, what it may launch on, and what is asked when it is launched.

mod at_launch;
pub mod barriers;
pub mod collectives;
pub mod forms;
pub mod numbers;
pub mod run;
pub mod storage;
mod target;
pub mod typed;

pub use at_launch::{LaunchBounds, at_launch};
pub use target::{LaunchLimits, STATIC_SHARED, Target, UnknownTarget};
