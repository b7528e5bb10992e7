//! Runs typed kernels: the one entry point for every executor.
//!
//! A kernel goes from [`SizedKernel`] through [`SizedKernel::prepare`] to [`Prepared::run`]. [`executor`] has the
//! traits of executors; [`crate::executors`] lists them.

pub mod bind;
pub mod check;
pub mod control;
pub mod doing;
pub mod error;
pub mod executor;
mod prepared;
mod repeat;

pub use kernel::BoundsChecks;

pub use bind::{Argument, Extent};
pub use control::Control;
pub use doing::Doing;
pub use error::{ExecuteError, Fault, Place};
pub use executor::{Device, DeviceInfo, Executable, Executor, LibraryInfo, Measured};
pub use prepared::{Prepared, SizedKernel, Timing};
pub use repeat::{median, repeat};
