//! The stages of a kernel, the same on every device: checked, sized, prepared, run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dims::Symbol;
use kernel::typed::Kernel;
use kernel::{BoundsChecks, at_launch};

use super::bind::{self, Argument, Extent};
use super::{Control, Device, Executable, ExecuteError, Measured, check};

/// A well-formed kernel with valid values of its symbols.
#[derive(Clone, Copy, Debug)]
pub struct SizedKernel<'a> {
    kernel: &'a Kernel,
    sizes: &'a BTreeMap<Symbol, i64>,
    extent: Extent,
    bounds: BoundsChecks,
}

impl<'a> SizedKernel<'a> {
    /// A kernel whose accesses are checked at run time if `bounds` says so. With [`BoundsChecks::Proven`] the caller
    /// guarantees memory safety.
    ///
    /// # Errors
    /// The kernel is malformed, or the sizes do not fit it.
    pub fn new(
        kernel: &'a Kernel,
        sizes: &'a BTreeMap<Symbol, i64>,
        bounds: BoundsChecks,
    ) -> Result<Self, ExecuteError> {
        check::check(kernel)?;
        Ok(Self { kernel, sizes, extent: bind::extent(kernel, sizes)?, bounds })
    }

    /// A kernel whose open claims are decided again for these sizes; those that stay open are checked at run time.
    ///
    /// # Errors
    /// As of [`SizedKernel::new`], or a failed claim.
    pub fn at_launch(kernel: &'a Kernel, sizes: &'a BTreeMap<Symbol, i64>) -> Result<Self, ExecuteError> {
        let sized = Self::new(kernel, sizes, BoundsChecks::Guarded)?;
        let failed = |problems| ExecuteError::Claims { kernel: kernel.name.to_string(), problems };
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

    /// The number of elements of each of its shared arrays, or of the part of each thread.
    ///
    /// # Errors
    /// If an array has none, or if they do not fit into the memory of a block.
    pub fn array_lengths(&self) -> Result<Vec<i64>, ExecuteError> {
        bind::array_lengths(self.kernel, self.sizes)
    }

    /// Whether its accesses are checked at run time.
    pub fn bounds(&self) -> BoundsChecks {
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
        Ok(Timing { compile: prepared.compile_time(), run: prepared.run(arguments, control)? })
    }
}

/// How long the two parts of a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// From the typed kernel to executable code.
    pub compile: Duration,
    /// From the first block to the last.
    pub run: Duration,
}

/// A kernel that is ready to run on a device, repeatedly.
pub struct Prepared<'a> {
    kernel: SizedKernel<'a>,
    compile: Duration,
    code: Box<dyn Executable + 'a>,
}

impl Prepared<'_> {
    /// The time from the typed kernel to executable code.
    pub fn compile_time(&self) -> Duration {
        self.compile + self.code.compiled_ahead()
    }

    /// Whether the code came from a cache.
    pub fn is_cached(&self) -> bool {
        self.code.is_cached()
    }

    /// What the user should know about the code and the runs so far, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.code.notes()
    }

    /// Runs the kernel on arguments, one for each parameter; mutable tensors are written. Returns the time from the
    /// first block to the last.
    ///
    /// # Errors
    /// The arguments do not fit the kernel, the caller stopped the run, or it failed. The mutable tensors are then
    /// partly written.
    pub fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError> {
        bind::arguments(self.kernel.kernel, self.kernel.sizes, arguments)?;
        control.poll(self.kernel.kernel)?;
        if self.kernel.extent.is_empty() {
            return Ok(Duration::ZERO);
        }
        self.code.run(arguments, control)
    }

    /// Repeats the last run on the same arguments, and returns the times, without reporting progress. It overwrites
    /// the mutable tensors, so the results must be saved before.
    ///
    /// # Errors
    /// As of [`Prepared::run`].
    pub fn measure(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Measured, ExecuteError> {
        bind::arguments(self.kernel.kernel, self.kernel.sizes, arguments)?;
        control.poll(self.kernel.kernel)?;
        if self.kernel.extent.is_empty() {
            return Ok(Measured::default());
        }
        self.code.measure(arguments, &Control { progress: None, ..*control })
    }
}
