//! Measuring a kernel on a GPU: each repetition starts with its tensors in memory, and a launch of nothing is the floor.
//!
//! Before each repetition a buffer of twice the second-level cache is read. Reading leaves clean lines behind; written
//! ones would be written back while the kernel runs, and it would pay for them.

use dims::Sym;
use std::time::Duration;

use emit::Emitted;

use super::driver::{Argument, Buffer, Context, DriverError, LaunchShape, Module};
use super::executor::Compile;
use crate::execute::{ExecuteError, median};
use crate::tensors::Scalar;

/// The name of the function that reads a buffer.
const ENTRY: &str = "read_all";
/// The function that reads a buffer: of no element, it is a kernel that does nothing.
const SOURCE: &str = "extern \"C\" __global__ void read_all(const unsigned long long *data, unsigned long long count,
                                    unsigned long long step, unsigned long long *sink)
{
    unsigned long long bits = 0;
    for (unsigned long long i = (unsigned long long)blockIdx.x * 256 + threadIdx.x; i < count; i += step) {
        bits |= data[i];
    }
    // The data are zeros. Without this line nothing would be read.
    if (bits != 0) {
        *sink = bits;
    }
}
";
const THREADS: u32 = 256;
const BLOCKS_OF_A_MULTIPROCESSOR: u32 = 4;
/// The launches of nothing whose median is the floor.
const EMPTY_LAUNCHES: usize = 9;

/// A buffer that takes the place of everything in the second-level cache when it is read.
pub(super) struct Scratch<'c> {
    module: Module<'c>,
    buffer: Buffer<'c>,
    shape: LaunchShape,
}

impl<'c> Scratch<'c> {
    /// Allocates it.
    ///
    /// # Errors
    /// The device has no memory for it, or another error of the device or of the compiler.
    pub(super) fn new(context: &'c Context<'c>, compile: &Compile<'_>, arch: &str) -> Result<Self, ExecuteError> {
        let properties = context.properties();
        let bytes = usize::try_from(properties.l2_bytes.saturating_mul(2)).unwrap_or(usize::MAX).max(8) / 8 * 8;
        let buffer = context.allocate(bytes)?;
        buffer.fill(0)?;
        let module = context.load(&compile(&reader(), arch)?.compiled.code)?;
        let grid = properties.multiprocessors.max(1).saturating_mul(BLOCKS_OF_A_MULTIPROCESSOR);
        let shape = LaunchShape { grid: [grid, 1, 1], block: [THREADS, 1, 1], cluster: None, dynamic_shared_bytes: 0 };
        Ok(Self { module, buffer, shape })
    }

    /// Takes what is in the cache out of it.
    pub(super) fn empty_the_cache(&self) -> Result<(), DriverError> {
        self.read(&self.shape, self.buffer.len() as u64 / 8)
    }

    /// The time of a launch that does nothing.
    pub(super) fn floor(&self, context: &Context<'_>) -> Result<Duration, DriverError> {
        let shape = LaunchShape { grid: [1; 3], ..self.shape };
        // The first one also loads the code.
        self.read(&shape, 0)?;
        let times = (0..EMPTY_LAUNCHES).map(|_| context.time(|| self.read(&shape, 0)));
        Ok(median(&times.collect::<Result<Vec<_>, _>>()?))
    }

    fn read(&self, shape: &LaunchShape, count: u64) -> Result<(), DriverError> {
        let step = u64::from(shape.grid[0]) * u64::from(THREADS);
        let arguments = [
            Argument::Buffer(&self.buffer),
            Argument::Scalar(Scalar::U64(count)),
            Argument::Scalar(Scalar::U64(step)),
            Argument::Buffer(&self.buffer),
        ];
        let function = self.module.function(ENTRY)?;
        // SAFETY: these are the function's four parameters. It reads `count` elements of the buffer, which has as many,
        // and the buffer lives until its memory is freed, for which the driver waits.
        unsafe { function.launch(shape, &arguments) }
    }
}

/// The function that reads a buffer, as the compiler takes kernels.
fn reader() -> Emitted {
    Emitted {
        source: SOURCE.to_owned(),
        entry: ENTRY.to_owned(),
        parameters: Vec::new(),
        has_narrow_form: false,
        obligations: Vec::new(),
        limits: Vec::new(),
        dynamic_shared_bytes: Sym::zero(),
    }
}
