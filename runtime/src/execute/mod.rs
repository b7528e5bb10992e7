//! Runs a typed kernel: one entrance for every executor of this machine's processor.

pub mod bind;
pub mod check;
pub mod control;
pub mod error;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dims::Symbol;
use kernel::typed::Kernel;

pub use bind::{Argument, Extent};
pub use control::{BoundsMode, Control};
pub use error::{ExecuteError, Place};

use crate::{cpu, interpreter};

/// Who runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// The reference interpreter: the definition of what a kernel means.
    Interpreter,
    /// Machine code for this processor, on all its cores.
    Cpu,
}

/// How long the two parts of a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// From the typed kernel to something that runs.
    pub compile: Duration,
    /// From the first block to the last.
    pub run: Duration,
}

/// Runs a kernel on arguments, one per parameter; mutable tensors are written.
///
/// After an error the mutable tensors hold whatever was written until then.
pub fn run_kernel(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    executor: Executor,
    control: &Control<'_>,
) -> Result<Timing, ExecuteError> {
    check::check(kernel)?;
    let extent = bind::bind(kernel, sizes, arguments)?;
    let start = Instant::now();
    match executor {
        Executor::Interpreter => {
            let program = interpreter::Program::new(kernel, sizes, arguments)?;
            let compile = start.elapsed();
            let start = Instant::now();
            program.run(extent, arguments, control)?;
            Ok(Timing { compile, run: start.elapsed() })
        }
        Executor::Cpu => {
            let compiled = cpu::CompiledKernel::new(kernel, control.bounds)?;
            let compile = start.elapsed();
            let start = Instant::now();
            compiled.run(kernel, sizes, extent, arguments, control)?;
            Ok(Timing { compile, run: start.elapsed() })
        }
    }
}
