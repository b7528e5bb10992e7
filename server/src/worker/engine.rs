//! The devices, behind one door: prepare a kernel once, run it as often as needed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use shapewright_compiler::dims::Symbol;
use shapewright_compiler::kernels::typed::Kernel;
use shapewright_runtime::cpu::CompiledKernel;
use shapewright_runtime::devices::DeviceName;
use shapewright_runtime::execute::{self, Argument, BoundsMode, Control, Executor, Extent};

use super::failure::Failure;

/// A kernel that is ready to run with certain sizes.
pub(super) struct Engine<'k> {
    kernel: &'k Kernel,
    sizes: &'k BTreeMap<Symbol, i64>,
    extent: Extent,
    machine: Machine,
    /// From the typed kernel to something that runs.
    pub(super) compile: Duration,
    /// Whether nothing had to be compiled.
    pub(super) cached: bool,
}

enum Machine {
    Cpu(CompiledKernel),
    Interpreter,
}

impl<'k> Engine<'k> {
    /// Compiles a kernel for a device and checks that the arguments fit.
    pub(super) fn new(
        device: DeviceName,
        kernel: &'k Kernel,
        sizes: &'k BTreeMap<Symbol, i64>,
        arguments: &[Argument],
    ) -> Result<Self, Failure> {
        execute::check::check(kernel)?;
        let extent = execute::bind::bind(kernel, sizes, arguments)?;
        let start = Instant::now();
        let machine = match device {
            DeviceName::Cpu => Machine::Cpu(CompiledKernel::new(kernel, BoundsMode::Proven)?),
            DeviceName::Interp => Machine::Interpreter,
            DeviceName::Cuda(_) | DeviceName::Auto => {
                return Err(Failure::machine(format!("{device} cannot run kernels yet, use --device cpu")));
            }
        };
        Ok(Self { kernel, sizes, extent, machine, compile: start.elapsed(), cached: false })
    }

    /// Runs the kernel; mutable tensors are written.
    pub(super) fn run(&self, arguments: &mut [Argument], progress: &(dyn Fn(f64) + Sync)) -> Result<Duration, Failure> {
        let control = Control { progress: Some(progress), ..Control::default() };
        let start = Instant::now();
        match &self.machine {
            Machine::Cpu(code) => {
                code.run(self.kernel, self.sizes, self.extent, arguments, &control)?;
                Ok(start.elapsed())
            }
            Machine::Interpreter => {
                let timing =
                    execute::run_kernel(self.kernel, self.sizes, arguments, Executor::Interpreter, &control)?;
                Ok(timing.run)
            }
        }
    }
}
