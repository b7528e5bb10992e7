//! What an executor is: its name, the devices that it has, and kernels that are ready to run on one of them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Argument, Control, ExecuteError, SizedKernel, repeat};

/// A way to run kernels. Each has a folder of its own and a line in the table, [`crate::executors`].
pub trait Executor: Sync {
    /// What `--device` takes: `cpu`, `cuda`.
    fn name(&self) -> &'static str;

    /// Where its kernels run, in a sentence for those who choose a device.
    fn about(&self) -> &'static str;

    /// Whether it may have several devices, which are told apart by a number: `cuda:1`. Without one the first is meant.
    fn is_numbered(&self) -> bool {
        false
    }

    /// What `auto` goes by: it takes the executor of the highest rank whose first device is available.
    fn rank(&self) -> u32;

    /// Every device, and for one that cannot be used what is missing.
    fn devices(&self) -> Vec<DeviceInfo>;

    /// Opens the device of this number; where devices have no numbers it is 0.
    ///
    /// # Errors
    /// [`ExecuteError::Unavailable`] where the device is not there or something that it needs is missing.
    fn open(&self, number: u32) -> Result<Box<dyn Device>, ExecuteError>;
}

/// A device that is open. Whatever serves more than one kernel (a connection to a driver, loaded code, memory) belongs
/// to it and lives as long as it does.
pub trait Device {
    /// The peak bandwidth of its memory, in GB/s (10^9 bytes per second), where it is known.
    fn peak_gb_per_s(&self) -> Option<f64> {
        None
    }

    /// Does all that can be done before there are arguments, so that the kernel can be run again and again.
    ///
    /// # Errors
    /// The kernel is more than the device can run, or the device fails.
    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError>;
}

/// A kernel that is ready to run on a device. [`super::Prepared`] calls it, with arguments that fit the kernel.
pub trait Executable {
    /// Whether nothing had to be compiled, because a cache had the code.
    fn is_cached(&self) -> bool {
        false
    }

    /// Runs the kernel once, which writes its mutable tensors, and gives the time that its blocks took.
    ///
    /// # Errors
    /// The run failed or was cancelled; the mutable tensors hold whatever was written until then.
    fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError>;

    /// Repeats the last run, on the same arguments, for the times that it takes. What the mutable tensors hold afterwards
    /// nobody knows, so whoever wants the results of that run has kept them.
    ///
    /// # Errors
    /// As [`Executable::run`].
    fn measure(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Vec<Duration>, ExecuteError> {
        repeat::repeat(|| self.run(arguments, control))
    }
}

/// What is said of a device. The field names are those of the JSON that `shapewright devices` prints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// What `--device` takes: `cpu`, `interp` or `cuda:N`.
    pub name: String,
    /// Whether kernels can run on it now.
    pub available: bool,
    /// What is missing and what to do, where it is not available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The processor or board.
    pub description: String,
    /// CPU threads, or multiprocessors of a GPU; `None` where there is no device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// The architecture kernels are compiled for, such as `sm_90`, of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// The device's own memory, in bytes, of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The peak bandwidth of its memory, in GB/s (10^9 bytes per second), where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_gb_per_s: Option<f64>,
}
