//! The traits of executors, devices and kernels that are ready to run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Argument, Control, ExecuteError, SizedKernel, repeat};

/// A way to run kernels. Each has a folder of its own and a line in the table, [`crate::executors`].
pub trait Executor: Sync {
    /// What `--device` takes: `cpu`, `cuda`.
    fn name(&self) -> &'static str;

    /// A sentence on where its kernels run, for the choice of a device.
    fn about(&self) -> &'static str;

    /// Whether its devices are numbered: `cuda:1`. Without a number the first is meant.
    fn is_numbered(&self) -> bool {
        false
    }

    /// The rank for `auto`, which chooses the first available device of the highest-ranked executor that has one.
    fn rank(&self) -> u32;

    /// How many devices it has; 1 if that is not known.
    fn count(&self) -> u32 {
        1
    }

    /// Every device, with what is missing for unavailable ones.
    fn devices(&self) -> Vec<DeviceInfo>;

    /// Opens the device of this number, 0 if devices are not numbered.
    ///
    /// # Errors
    /// [`ExecuteError::Absent`] if there is no such device, [`ExecuteError::Unavailable`] if it cannot be used.
    fn open(&self, number: u32) -> Result<Box<dyn Device>, ExecuteError>;

    /// Opens a device on which this kernel is prepared next. What can be done for the kernel while the device opens is
    /// done then; its errors are those of preparing it.
    ///
    /// # Errors
    /// As of [`Executor::open`].
    fn open_for(&self, number: u32, _kernel: &SizedKernel<'_>) -> Result<Box<dyn Device>, ExecuteError> {
        self.open(number)
    }

    /// Begins in the background what opening a device would wait for, if that takes long.
    fn begin(&self) {}

    /// Forgets why devices could not be opened, so that it is found out again. Returns whether this process can find out;
    /// a new one can.
    fn forget_failures(&self) -> bool {
        true
    }
}

/// An open device. It owns everything that serves more than one kernel: a connection to a driver, loaded code,
/// memory.
pub trait Device {
    /// The peak bandwidth of its memory, in GB/s (10^9 bytes per second), where it is known.
    fn peak_gb_per_s(&self) -> Option<f64> {
        None
    }

    /// Which one it is, for a measurement: its name, its clocks, what tells it from others of the name.
    fn identity(&self) -> Option<String> {
        None
    }

    /// Does all work that does not depend on arguments, so that the kernel can be run repeatedly.
    ///
    /// # Errors
    /// The kernel exceeds the device's limits, or the device fails.
    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError>;
}

/// A kernel that is ready to run on a device. [`super::Prepared`] calls it, with arguments that fit the kernel.
pub trait Executable {
    /// Whether the code came from a cache.
    fn is_cached(&self) -> bool {
        false
    }

    /// How long it was compiled before it was prepared, while its device was opened.
    fn compiled_ahead(&self) -> Duration {
        Duration::ZERO
    }

    /// What the user should know about the code and the runs so far, a sentence each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Runs the kernel once, which writes its mutable tensors; returns the time of its blocks.
    ///
    /// # Errors
    /// The run failed or was cancelled; the mutable tensors are then partly written.
    fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError>;

    /// Repeats the last run on the same arguments, and returns the times. It overwrites the mutable tensors, so the
    /// caller must save the results of the run before.
    ///
    /// # Errors
    /// As [`Executable::run`].
    fn measure(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Measured, ExecuteError> {
        let times = repeat::repeat(|| self.run(arguments, control))?;
        Ok(Measured { times, ..Measured::default() })
    }
}

/// The times of repeated runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The time of each.
    pub times: Vec<Duration>,
    /// The time of a kernel that does nothing, on a device that takes a while to launch one.
    pub floor: Option<Duration>,
    /// Sentences for the user on what the times mean.
    pub notes: Vec<String>,
}

/// The description of a device. The field names are those of the JSON of `shapewright devices`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// What `--device` takes: `cpu`, `interp` or `cuda:N`.
    pub name: String,
    /// Whether kernels can run on it now.
    pub available: bool,
    /// What is missing and what to do, if it is not available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The processor or board.
    pub description: String,
    /// CPU threads, or multiprocessors of a GPU; `None` without a device.
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
    /// The highest clock of a GPU's multiprocessors, in MHz, where the driver tells it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock_mhz: Option<u32>,
    /// The highest clock of a GPU's memory, in MHz, where the driver tells it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub memory_clock_mhz: Option<u32>,
    /// What tells a GPU (`GPU-…`), or an instance of one that MIG divides (`MIG-…`), from all others, as
    /// `CUDA_VISIBLE_DEVICES` takes it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub uuid: Option<String>,
    /// The driver of a GPU, with the newest CUDA that it runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub driver: Option<LibraryInfo>,
    /// The compiler library of a GPU.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nvrtc: Option<LibraryInfo>,
}

impl DeviceInfo {
    /// The first line of what is missing, where there is room for no more.
    pub fn short_missing(&self) -> Option<String> {
        self.missing.as_deref().map(short)
    }

    /// Its clocks and what tells it from others, as far as they are known.
    pub fn identity(&self) -> Option<String> {
        let clocks = [("up to", self.clock_mhz), ("memory up to", self.memory_clock_mhz)];
        let clocks = clocks.into_iter().filter_map(|(what, clock)| Some(format!("{what} {} MHz", clock?)));
        let known: Vec<String> = clocks.chain(self.uuid.clone()).collect();
        (!known.is_empty()).then(|| known.join(", "))
    }

    /// The libraries that were found for it, with their versions and files, if it needs any.
    pub fn libraries(&self) -> Option<String> {
        let told = |name: &str, of: &str, library: &Option<LibraryInfo>| {
            let LibraryInfo { version, path } = library.as_ref()?;
            let version = version.as_ref().map_or_else(String::new, |version| format!("{of} {version}"));
            Some(format!("{name}{version}: {path}"))
        };
        let found = [told("driver", " for CUDA", &self.driver), told("NVRTC", "", &self.nvrtc)];
        let found: Vec<String> = found.into_iter().flatten().collect();
        (!found.is_empty()).then(|| found.join(", "))
    }
}

/// The first line of a reason. What follows it are details, which the list of devices tells.
pub(crate) fn short(reason: &str) -> String {
    let more = |(first, _): (&str, &str)| format!("{}; `shapewright devices` tells more", first.trim_end_matches(':'));
    let reason = reason.trim();
    reason.split_once('\n').map_or_else(|| reason.to_owned(), more)
}

/// A library that a device needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryInfo {
    /// Its version; `None` if it does not tell.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// Its file.
    pub path: String,
}
