//! CUDA: finding and calling NVRTC (CUDA C++ to machine code) and the driver (running it).
//!
//! Both libraries are opened when they are first needed. A machine without them gets an error that says what is missing.

mod cached;
mod compiled;
mod compiler;
pub mod driver;
mod executor;
mod found;
pub mod launch;
pub mod library;
mod loader;
mod measure;
pub mod nvrtc;
mod patient;
mod peak;
mod specialized;
mod target;

pub use cached::{FromCache, compile_cached};
pub use compiled::{Code, Compiled, KernelResources};
pub use executor::{Cuda, Gpu};
pub use nvrtc::{Nvrtc, NvrtcError, Request, nvrtc_required, tile_front_end_required};
pub use target::Target;
