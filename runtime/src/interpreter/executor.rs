//! The reference interpreter as an executor.

use std::time::{Duration, Instant};

use super::program::Program;
use crate::execute::{Argument, Control, Device, DeviceInfo, Executable, ExecuteError, Executor, SizedKernel};

/// The reference interpreter.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter;

impl Executor for Interpreter {
    fn name(&self) -> &'static str {
        "interp"
    }

    fn about(&self) -> &'static str {
        "The reference interpreter: slow, and checks every access."
    }

    fn rank(&self) -> u32 {
        0
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        vec![DeviceInfo {
            name: self.name().to_owned(),
            available: true,
            description: "the reference interpreter, for checking and debugging".to_owned(),
            cores: Some(1),
            ..DeviceInfo::default()
        }]
    }

    fn open(&self, _number: u32) -> Result<Box<dyn Device>, ExecuteError> {
        Ok(Box::new(*self))
    }
}

impl Device for Interpreter {
    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError> {
        Ok(Box::new(Program::new(kernel)?))
    }
}

impl Executable for Program<'_> {
    fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError> {
        let start = Instant::now();
        self.run_blocks(arguments, control)?;
        Ok(start.elapsed())
    }
}
