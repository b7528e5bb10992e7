//! Runs compiled kernels: blocks on all cores, in chunks.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use kernel::typed::{Kernel, Memory};

use super::scratch::Scratch;
use crate::cpu::compile::{Code, Lowered, compile};
use crate::cpu::lowering::helpers::FaultRecord;
use crate::cpu::options::Options;
use crate::cpu::passes::executed;
use crate::cpu::passes::gathered::Gathered;
use crate::execute::{Argument, Control, Executable, ExecuteError, SizedKernel};

/// The intended duration of a chunk of blocks: long enough that the overhead is negligible, short enough that
/// cancellation takes effect quickly.
const CHUNK: Duration = Duration::from_millis(2);

/// A kernel in machine code; dropping it frees the code.
pub struct CompiledKernel<'k> {
    kernel: SizedKernel<'k>,
    /// What is executed in its place.
    executed: Cow<'k, Kernel>,
    /// The tensors in whose places cores have arrays.
    gathered: Vec<Gathered>,
    /// The entries of the launch table.
    launch: Vec<i64>,
    code: Code,
}

impl Executable for CompiledKernel<'_> {
    fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError> {
        let start = Instant::now();
        self.run_launch(arguments, control)?;
        Ok(start.elapsed())
    }
}

impl<'k> CompiledKernel<'k> {
    /// Compiles a kernel.
    pub fn new(kernel: SizedKernel<'k>, options: Options) -> Result<Self, ExecuteError> {
        let (executed, gathered) = executed(kernel)?;
        let code = compile(&executed, options, gathered.len())?;
        let launch = code.lowered.launch.evaluate(&executed, kernel.sizes())?;
        Ok(Self { kernel, executed, gathered, launch, code })
    }

    /// Runs every block on arguments that fit the kernel. With [`kernel::BoundsChecks::Proven`] its accesses are not
    /// checked: memory safety rests on the proofs that went before, as it does for every kernel that the compiler builds.
    fn run_launch(&self, arguments: &mut [Argument], control: &Control<'_>) -> Result<(), ExecuteError> {
        let kernel = self.kernel.kernel();
        let layout = self.code.lowered.layout;
        let record = FaultRecord::default();
        let mut table = vec![0u64; layout.slot(self.launch.len())];
        table[layout.fault_record()] = &raw const record as u64;
        for (position, argument) in arguments.iter_mut().enumerate() {
            match argument {
                Argument::Scalar(scalar) => table[layout.param(position)] = scalar.to_bits(),
                Argument::Tensor(tensor) => {
                    table[layout.length(position)] = tensor.storage_len() as u64;
                    table[layout.param(position)] = tensor.bytes_mut().as_mut_ptr() as u64;
                }
            }
        }
        for (slot, value) in self.launch.iter().enumerate() {
            table[layout.slot(slot)] = *value as u64;
        }
        self.run_blocks(&table, control)?;
        control.poll(kernel)?;
        if record.count() > 0 {
            let (place, offset) = record.first();
            let memory = layout.memory(place as usize);
            let length = match memory {
                Memory::Param(_) => table.get(layout.length(place as usize)).copied(),
                Memory::Shared(array) => {
                    let array = self.executed.shared.get(array);
                    array.and_then(|array| u64::try_from(array.known_length()?).ok())
                }
            };
            return Err(ExecuteError::Faults {
                kernel: kernel.name.to_string(),
                count: record.count(),
                tensor: kernel.memory_name(memory).map_or_else(String::new, ToString::to_string),
                offset,
                length: length.unwrap_or(0),
            });
        }
        Ok(())
    }

    /// Distributes the blocks over the worker threads, each of which takes chunks of about [`CHUNK`] until none is
    /// left.
    fn run_blocks(&self, table: &[u64], control: &Control<'_>) -> Result<(), ExecuteError> {
        let extent = self.kernel.extent();
        let threads = self.executed.launch.threads.as_constant().unwrap_or(extent.threads);
        let Lowered { function, layout, arrays, .. } = &self.code.lowered;
        let next = AtomicI64::new(0);
        let done = AtomicI64::new(0);
        let adding = Mutex::new(());
        let workers = i64::try_from(rayon::current_num_threads()).unwrap_or(1).clamp(1, extent.blocks.max(1));
        let work = |mut scratch: Scratch| {
            let tensors = table;
            let mut table = table.to_vec();
            scratch.enter(*layout, &mut table);
            // The first chunk is small, to measure the time of a block.
            let mut size = (4096 / threads.max(1)).clamp(1, (extent.blocks / workers).max(1));
            loop {
                let first = next.fetch_add(size, Ordering::Relaxed);
                if first >= extent.blocks || first < 0 || control.is_cancelled() {
                    break;
                }
                let last = first.saturating_add(size).min(extent.blocks);
                let start = Instant::now();
                // SAFETY: the table holds what the code was compiled to read from it: pointers to the tensors' storage,
                // exclusively borrowed for the whole run, and to the worker's own memory for blocks, their lengths,
                // scalars, and the launch's values; it outlives the call. The kernel's checks have proven that blocks
                // write different elements, so workers may run them at the same time.
                unsafe { function(table.as_ptr(), first, last) };
                let taken = start.elapsed();
                let before = done.fetch_add(last - first, Ordering::Relaxed);
                control.report((before + last - first) as f64 / extent.blocks as f64);
                size = next_size(size, taken, extent.blocks - last, workers);
            }
            for own in &self.gathered {
                let place = layout.place(Memory::Shared(own.array));
                let (array, length) = (table[layout.param(place)], table[layout.length(place)]);
                let tensor = tensors[layout.param(layout.place(Memory::Param(own.param)))];
                // SAFETY: the array has an element for each one of the tensor, whose accesses the code has in the array.
                unsafe { own.add(array, tensor, length as usize, &adding) };
            }
        };
        let scratch = || Scratch::new(&self.executed, arrays, threads);
        let own = scratch()?;
        let others = (1..workers).map(|_| scratch()).collect::<Result<Vec<Scratch>, ExecuteError>>()?;
        // This thread is one of the workers, so that a short run does not wait for another one to wake up.
        rayon::in_place_scope(|scope| {
            for scratch in others {
                let work = &work;
                scope.spawn(move |_| work(scratch));
            }
            work(own);
        });
        Ok(())
    }
}

/// The size of a worker's next chunk: towards [`CHUNK`], but leaving enough blocks for the other workers at the end.
fn next_size(size: i64, taken: Duration, left: i64, workers: i64) -> i64 {
    let grown = if taken < CHUNK / 4 {
        size.saturating_mul(4)
    } else if taken < CHUNK / 2 {
        size.saturating_mul(2)
    } else if taken > CHUNK * 2 {
        size / 2
    } else {
        size
    };
    grown.min(left / (2 * workers)).max(1)
}
