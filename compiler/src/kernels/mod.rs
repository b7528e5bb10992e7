//! Kernels: the typed program, its checks, and the runs of a file.

mod at_launch;
mod check;
mod collectives;
mod effects;
pub mod element;
mod numbers;
pub mod run;
mod run_items;
pub(crate) mod storage;
mod target;
pub mod typed;

pub use at_launch::{LaunchBounds, at_launch};
pub use check::{
    CheckedKernel, CollectiveLoop, Meaning, RefutedAccess, SharedMeaning, ViewMeaning, kernel, kernel_functions,
};
pub use run_items::{CheckedRun, run as run_item};
pub use target::{LaunchLimits, STATIC_SHARED, Target, UnknownTarget};

pub(crate) use check::{Form, build_form, grid_domain, threads_domain};
pub(crate) use run_items::{INITIAL_FUNCTIONS, INITIAL_VALUES, is_expectation_function};
