//! Errors of the driver and its devices.

use thiserror::Error;

/// A missing driver, or a failed call. The text is a sentence with what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DriverError {
    /// There is no driver on this machine.
    #[error("{library} not found; install the NVIDIA driver")]
    NotFound {
        /// The library's name.
        library: String,
    },
    /// The driver lacks a function.
    #[error("the NVIDIA driver is too old: it has no {function}; install one for CUDA {needs} or newer")]
    TooOld {
        /// The function's name.
        function: &'static str,
        /// The first CUDA version that has it.
        needs: &'static str,
    },
    /// The driver runs but sees no GPU.
    #[error("the NVIDIA driver sees no GPU; check nvidia-smi and CUDA_VISIBLE_DEVICES")]
    NoDevice,
    /// A number no device has.
    #[error("there is no device cuda:{ordinal}: the NVIDIA driver has {count}, cuda:0 to cuda:{}", count.saturating_sub(1))]
    NoSuchDevice {
        /// The requested number.
        ordinal: u32,
        /// How many devices there are.
        count: u32,
    },
    /// The device's memory does not suffice.
    #[error(
        "not enough memory on cuda:{ordinal}: {bytes} bytes could not be allocated, {free} of {total} bytes are free; use \
         smaller tensors or free the device"
    )]
    OutOfMemory {
        /// The device's number.
        ordinal: u32,
        /// The requested size, in bytes.
        bytes: u64,
        /// What is free, in bytes.
        free: u64,
        /// What the device has, in bytes.
        total: u64,
    },
    /// A copy between buffers of different sizes.
    #[error(
        "a copy of {found} bytes does not fit a device buffer of {expected} bytes: the two must have the same size"
    )]
    CopySize {
        /// The buffer's size, in bytes.
        expected: u64,
        /// The size of what was to be copied, in bytes.
        found: u64,
    },
    /// A launch whose shape no device takes.
    #[error("a launch of grid {grid:?}, block {block:?}, cluster {cluster:?} is impossible: {reason}")]
    LaunchShape {
        /// Blocks in x, y, z.
        grid: [u32; 3],
        /// Threads in x, y, z.
        block: [u32; 3],
        /// Blocks of a cluster in x, y, z.
        cluster: Option<[u32; 3]>,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// A kernel that is not in the code.
    #[error(
        "the machine code has no kernel `{name}`: the name in the code must be the one in the source (extern \"C\")"
    )]
    NoKernel {
        /// The kernel's name.
        name: String,
    },
    /// Machine code that is not the device's.
    #[error("the machine code does not run on {device}: {text} ({name}); compile it for that device's architecture")]
    WrongCode {
        /// The device, with its architecture.
        device: String,
        /// What the driver calls the error.
        name: String,
        /// What the driver says about it.
        text: String,
    },
    /// Any other refusal.
    #[error("{call} failed: {text} ({name}, {code}){}", hint(*.code))]
    Call {
        /// The driver's function.
        call: &'static str,
        /// The number of the error.
        code: i32,
        /// What the driver calls it.
        name: String,
        /// What the driver says about it.
        text: String,
    },
}

/// What to do about an error, where that is known.
fn hint(code: i32) -> &'static str {
    match code {
        34 => "; this is the toolkit's stub, not a driver: take its folder (lib64/stubs) out of LD_LIBRARY_PATH",
        100 => "; check nvidia-smi and CUDA_VISIBLE_DEVICES",
        700 | 714..=719 => "; the kernel was stopped and the device's context is lost: run again in a new process",
        701 => "; the kernel needs more registers or shared memory than a block may have: use a smaller block",
        702 => "; the display driver stopped a kernel that took too long: use a device without a display",
        802 | 803 => "; the driver's parts do not fit together: restart the machine or reinstall the driver",
        _ => "",
    }
}
