//! Runs typed kernels: the one entrance, which is the same for every executor.
//!
//! A kernel goes from [`SizedKernel`] through [`SizedKernel::prepare`] to [`Prepared::run`]. What an executor brings with
//! it says [`executor`]; which there are says [`crate::executors`].

pub mod bind;
pub mod check;
pub mod control;
pub mod error;
pub mod executor;
mod prepared;
mod repeat;

pub use kernel::LaunchBounds;

pub use bind::{Argument, Extent};
pub use control::Control;
pub use error::{ExecuteError, Fault, Place};
pub use executor::{Device, DeviceInfo, Executable, Executor};
pub use prepared::{Prepared, SizedKernel, Timing};
pub use repeat::median;
