//! The processor as an executor.

use super::options::{LaneChoice, Options};
use crate::cpu::launch::run::CompiledKernel;
use crate::execute::{Device, DeviceInfo, Executable, ExecuteError, Executor, SizedKernel};

/// All cores of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// The loops that are vectorised. Only tests choose; otherwise [`Cpu::DEFAULT`] is used.
    pub lanes: LaneChoice,
}

impl Cpu {
    /// The executor that runs kernels by default.
    pub const DEFAULT: Self = Self { lanes: LaneChoice::WhereItPays };
}

impl Executor for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn about(&self) -> &'static str {
        "Machine code on this computer's processor."
    }

    fn rank(&self) -> u32 {
        1
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
        vec![DeviceInfo {
            name: self.name().to_owned(),
            available: true,
            description: processor(),
            cores: Some(cores),
            ..DeviceInfo::default()
        }]
    }

    fn open(&self, _number: u32) -> Result<Box<dyn Device>, ExecuteError> {
        Ok(Box::new(*self))
    }
}

impl Device for Cpu {
    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError> {
        let options = Options { bounds: kernel.bounds(), lanes: self.lanes };
        Ok(Box::new(CompiledKernel::new(kernel, options)?))
    }
}

/// The processor's name, if the system reports it, and its architecture.
fn processor() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_string())
    });
    let architecture = std::env::consts::ARCH;
    model.map_or_else(|| architecture.to_string(), |model| format!("{model} ({architecture})"))
}
