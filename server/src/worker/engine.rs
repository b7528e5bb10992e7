//! The devices, behind one door: prepare a kernel once, run it, measure it.

use std::time::{Duration, Instant};

use kernel::typed::Kernel;
use kernel::{LaunchBounds, at_launch};
use shapewright_runtime::cache::Cache;
use shapewright_runtime::cpu::CompiledKernel;
use shapewright_runtime::cuda::launch::{LaunchError, LaunchReport, run_kernel};
use shapewright_runtime::devices::DeviceName;
use shapewright_runtime::execute::{self, Argument, BoundsMode, Control, Executor, Extent};

use super::failure::Failure;
use super::sizes::Sizes;
use super::timing;

/// Repetitions that a GPU measures; each takes little, and flushing its cache between them takes most.
const GPU_REPETITIONS: usize = 30;

/// A kernel with sizes, on a device.
pub(super) struct Engine<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) sizes: &'k Sizes,
    pub(super) device: DeviceName,
    /// Whether to measure after the run.
    pub(super) measure: bool,
}

/// How long a run took.
pub(super) struct Taken {
    /// The run whose results are kept, in microseconds.
    pub(super) first_us: f64,
    /// From the typed kernel to something that runs.
    pub(super) compile: Duration,
    /// Whether nothing had to be compiled.
    pub(super) cached: bool,
    /// The repetitions, in microseconds; empty where nothing was to be measured.
    pub(super) repetitions: Vec<f64>,
}

impl Engine<'_> {
    /// Runs the kernel, which writes its mutable tensors; hands them to `keep` and then measures, where that is
    /// wanted. What the repetitions write is nobody's result.
    pub(super) fn run<T>(
        &self,
        arguments: &mut [Argument],
        progress: &(dyn Fn(f64) + Sync),
        keep: impl FnOnce(&[Argument]) -> Result<T, Failure>,
    ) -> Result<(Taken, T), Failure> {
        let bounds = match at_launch(self.kernel, self.sizes) {
            Ok(LaunchBounds::Proven) => BoundsMode::Proven,
            Ok(LaunchBounds::Guarded) => BoundsMode::Guarded,
            Err(reasons) => {
                let kernel = &self.kernel.name;
                return Err(Failure::file(format!(
                    "the kernel {kernel} cannot run with these sizes: {}",
                    reasons.join("; ")
                )));
            }
        };
        let control = Control { progress: Some(progress), bounds, ..Control::default() };
        match self.device {
            DeviceName::Cuda(ordinal) => {
                let report = self.gpu(ordinal, arguments, &control)?;
                let kept = keep(arguments)?;
                Ok((Taken::of_gpu(report), kept))
            }
            DeviceName::Interp => {
                let timing = self.interpret(arguments, &control)?;
                let kept = keep(arguments)?;
                let again = || self.interpret(arguments, &control).map(|timing| timing.run);
                let repetitions = if self.measure { timing::repeat(again)? } else { Vec::new() };
                let (first_us, compile) = (microseconds(timing.run), timing.compile);
                Ok((Taken { first_us, compile, cached: false, repetitions }, kept))
            }
            DeviceName::Cpu | DeviceName::Auto => self.cpu(arguments, &control, keep),
        }
    }

    fn interpret(&self, arguments: &mut [Argument], control: &Control<'_>) -> Result<execute::Timing, Failure> {
        Ok(execute::run_kernel(self.kernel, self.sizes, arguments, Executor::Interpreter, control)?)
    }

    fn cpu<T>(
        &self,
        arguments: &mut [Argument],
        control: &Control<'_>,
        keep: impl FnOnce(&[Argument]) -> Result<T, Failure>,
    ) -> Result<(Taken, T), Failure> {
        execute::check::check(self.kernel)?;
        let extent = execute::bind::bind(self.kernel, self.sizes, arguments)?;
        let start = Instant::now();
        let code = CompiledKernel::new(self.kernel, control.bounds)?;
        let compile = start.elapsed();
        let first = self.once(&code, extent, arguments, control)?;
        let kept = keep(arguments)?;
        let silent = Control { progress: None, ..*control };
        let again = || self.once(&code, extent, arguments, &silent);
        let repetitions = if self.measure { timing::repeat(again)? } else { Vec::new() };
        Ok((Taken { first_us: microseconds(first), compile, cached: false, repetitions }, kept))
    }

    fn once(
        &self,
        code: &CompiledKernel,
        extent: Extent,
        arguments: &mut [Argument],
        control: &Control<'_>,
    ) -> Result<Duration, Failure> {
        let start = Instant::now();
        code.run(self.kernel, self.sizes, extent, arguments, control)?;
        Ok(start.elapsed())
    }

    fn gpu(&self, ordinal: u32, arguments: &mut [Argument], control: &Control<'_>) -> Result<LaunchReport, Failure> {
        let repetitions = if self.measure { GPU_REPETITIONS } else { 0 };
        let cache = Cache::from_environment();
        let report = run_kernel(self.kernel, self.sizes, arguments, ordinal, control, repetitions, &cache);
        report.map_err(|error| match error {
            LaunchError::Execute(error) => error.into(),
            LaunchError::Driver(_) | LaunchError::Nvrtc(_) => Failure::machine(error.to_string()),
            _ => Failure::file(error.to_string()),
        })
    }
}

impl Taken {
    fn of_gpu(report: LaunchReport) -> Self {
        Self {
            first_us: report.first_microseconds.unwrap_or(0.0),
            compile: report.compile,
            cached: report.cached,
            repetitions: report.microseconds,
        }
    }
}

fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
