//! The way of a kernel to its results, the same on every device: checked, given sizes, prepared, run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dims::Symbol;
use kernel::typed::Kernel;
use kernel::{LaunchBounds, at_launch};

use super::bind::{self, Argument, Extent};
use super::{Control, Device, Executable, ExecuteError, check};

/// A kernel that is well formed, with values of its symbols that it can be launched with.
#[derive(Clone, Copy, Debug)]
pub struct SizedKernel<'a> {
    kernel: &'a Kernel,
    sizes: &'a BTreeMap<Symbol, i64>,
    extent: Extent,
    bounds: LaunchBounds,
}

impl<'a> SizedKernel<'a> {
    /// A kernel whose accesses a device checks where `bounds` says so. [`LaunchBounds::Proven`] is a promise of the
    /// caller: memory safety rests on it.
    ///
    /// # Errors
    /// The kernel is malformed, or the sizes do not fit it.
    pub fn new(
        kernel: &'a Kernel,
        sizes: &'a BTreeMap<Symbol, i64>,
        bounds: LaunchBounds,
    ) -> Result<Self, ExecuteError> {
        check::check(kernel)?;
        Ok(Self { kernel, sizes, extent: bind::extent(kernel, sizes)?, bounds })
    }

    /// A kernel whose open claims are asked again for these sizes; what stays open is checked as it runs.
    ///
    /// # Errors
    /// As of [`SizedKernel::new`], and where a claim fails.
    pub fn at_launch(kernel: &'a Kernel, sizes: &'a BTreeMap<Symbol, i64>) -> Result<Self, ExecuteError> {
        let sized = Self::new(kernel, sizes, LaunchBounds::Guarded)?;
        let failed = |reasons| ExecuteError::Claims { kernel: kernel.name.to_string(), reasons };
        Ok(Self { bounds: at_launch(kernel, sizes).map_err(failed)?, ..sized })
    }

    /// The kernel.
    pub fn kernel(&self) -> &'a Kernel {
        self.kernel
    }

    /// The values of its symbols, and perhaps of others.
    pub fn sizes(&self) -> &'a BTreeMap<Symbol, i64> {
        self.sizes
    }

    /// Its blocks and threads.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether its accesses are to be checked.
    pub fn bounds(&self) -> LaunchBounds {
        self.bounds
    }

    /// Makes it ready to run on a device.
    ///
    /// # Errors
    /// As of [`Device::prepare`].
    pub fn prepare(self, device: &'a dyn Device) -> Result<Prepared<'a>, ExecuteError> {
        let start = Instant::now();
        let code = device.prepare(self)?;
        Ok(Prepared { kernel: self, compile: start.elapsed(), code })
    }

    /// Prepares and runs it once, on arguments that are one for each parameter; mutable tensors are written.
    ///
    /// # Errors
    /// As of [`SizedKernel::prepare`] and [`Prepared::run`].
    pub fn run(
        self,
        device: &dyn Device,
        arguments: &mut [Argument],
        control: &Control<'_>,
    ) -> Result<Timing, ExecuteError> {
        let mut prepared = self.prepare(device)?;
        Ok(Timing { compile: prepared.compile, run: prepared.run(arguments, control)? })
    }
}

/// How long the two parts of a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// From the typed kernel to something that runs.
    pub compile: Duration,
    /// From the first block to the last.
    pub run: Duration,
}

/// A kernel that is ready to run on a device, as often as one likes.
pub struct Prepared<'a> {
    kernel: SizedKernel<'a>,
    compile: Duration,
    code: Box<dyn Executable + 'a>,
}

impl Prepared<'_> {
    /// How long it took from the typed kernel to something that runs.
    pub fn compile_time(&self) -> Duration {
        self.compile
    }

    /// Whether nothing had to be compiled, because a cache had the code.
    pub fn is_cached(&self) -> bool {
        self.code.is_cached()
    }

    /// Runs the kernel on arguments, one for each parameter; mutable tensors are written. Gives the time from the first
    /// block to the last.
    ///
    /// # Errors
    /// The arguments do not fit the kernel, the caller stopped the run, or it failed. The mutable tensors then hold
    /// whatever was written until then.
    pub fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError> {
        bind::arguments(self.kernel.kernel, self.kernel.sizes, arguments)?;
        control.poll(self.kernel.kernel)?;
        if self.kernel.extent.is_empty() {
            return Ok(Duration::ZERO);
        }
        self.code.run(arguments, control)
    }

    /// Repeats the last run, on the same arguments, for the times that it takes; nobody is told of its progress. The
    /// results of that run are to be kept before: what the mutable tensors hold afterwards is no result.
    ///
    /// # Errors
    /// As of [`Prepared::run`].
    pub fn measure(
        &mut self,
        arguments: &mut [Argument],
        control: &Control<'_>,
    ) -> Result<Vec<Duration>, ExecuteError> {
        bind::arguments(self.kernel.kernel, self.kernel.sizes, arguments)?;
        control.poll(self.kernel.kernel)?;
        if self.kernel.extent.is_empty() {
            return Ok(Vec::new());
        }
        self.code.measure(arguments, &Control { progress: None, ..*control })
    }
}
