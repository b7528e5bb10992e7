//! A kernel on a GPU: emitting, compiling and loading it; its runs: copy, launch, copy back.

use std::collections::BTreeMap;
use std::time::Duration;

use dims::{Sym, Symbol};
use emit::{Emitted, FAULTS_BYTES, Parameter};
use kernel::typed::{Kernel, ParamKind};
use maps::hardware::{MOST_GRID_BLOCKS, PORTABLE_CLUSTER};
use thiserror::Error;

use super::driver::{self, Buffer, Context, DeviceProperties, DriverError, LaunchShape, Module};
use super::executor::Compile;
use super::measure::Scratch;
use super::specialized::emit;
use super::{FromCache, Target};
use crate::execute::bind;
use crate::execute::error::SizeOf;
use crate::execute::{Argument, Control, Doing, Executable, ExecuteError, Extent, Measured, SizedKernel, repeat};
use crate::tensors::Scalar;

/// Why a GPU cannot run a kernel; the text is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LaunchError {
    /// More blocks than a grid has.
    #[error(
        "kernel {kernel} would run {blocks} blocks, but a grid on cuda has at most {MOST_GRID_BLOCKS}: give each block more \
         work, or run with --device cpu"
    )]
    TooManyBlocks {
        /// The kernel.
        kernel: String,
        /// Its blocks.
        blocks: i64,
    },
    /// More threads than a block has.
    #[error(
        "kernel {kernel} would run blocks of {threads} threads, but {device} runs at most {most} of them in a block: \
         write a smaller `block(…)`, or run with --device cpu"
    )]
    TooManyThreads {
        /// The kernel.
        kernel: String,
        /// The threads of a block.
        threads: i64,
        /// The most there can be.
        most: u32,
        /// The device.
        device: String,
    },
    /// Clusters on a device that has none.
    #[error(
        "kernel {kernel} runs clusters of {cluster} blocks, but {device} ({architecture}) has no clusters, sm_90 is the \
         first: write it without `cluster(…)`, or run with --device cpu"
    )]
    NoClusters {
        /// The kernel.
        kernel: String,
        /// The blocks of a cluster.
        cluster: i64,
        /// The device.
        device: String,
        /// The device's architecture.
        architecture: String,
    },
    /// More shared memory than a block has.
    #[error(
        "the shared arrays of kernel {kernel} take {}, but a block of {device} has at most {most}: use smaller sizes, or run with \
         --device cpu",
        bytes_of(.formula, *.bytes)
    )]
    SharedMemory {
        /// The kernel.
        kernel: String,
        /// The bytes, as a formula.
        formula: Sym,
        /// The bytes.
        bytes: i64,
        /// What a block has.
        most: u32,
        /// The device.
        device: String,
    },
    /// An index overflows 64 bits.
    #[error("kernel {kernel} cannot run with these sizes: an index would not fit in 64 bits; use smaller sizes")]
    IndexOverflow {
        /// The kernel.
        kernel: String,
    },
}

/// `4 * N bytes, which are 300000 with these sizes`
fn bytes_of(formula: &Sym, bytes: i64) -> String {
    match formula.as_constant() {
        Some(_) => format!("{bytes} bytes"),
        None => format!("{formula} bytes, which are {bytes} with these sizes"),
    }
}

/// A kernel loaded on a GPU, with the tensors of its last run.
pub(super) struct LoadedKernel<'a> {
    sized: SizedKernel<'a>,
    context: &'a Context<'a>,
    emitted: Emitted,
    module: Module<'a>,
    /// `None` without blocks: such a grid cannot be launched, and has nothing to do.
    shape: Option<LaunchShape>,
    cached: bool,
    ahead: Duration,
    compile: &'a Compile<'a>,
    target: &'a Target,
    tensors: Option<Tensors<'a>>,
    /// Why the compiled code is not kept.
    not_kept: Option<String>,
    /// A note if the device did not tell the time of the last run.
    untimed: Option<String>,
}

/// The tensors of a launch, on the device.
struct Tensors<'a> {
    /// One for each argument; `None` for scalars.
    buffers: Vec<Option<Buffer<'a>>>,
    /// The buffer in which guarded code counts accesses outside.
    faults: Buffer<'a>,
}

impl<'a> LoadedKernel<'a> {
    /// Emits a kernel, compiles it and loads it.
    pub(super) fn new(
        sized: SizedKernel<'a>,
        context: &'a Context<'a>,
        compile: &'a Compile<'a>,
        target: &'a Target,
    ) -> Result<Self, ExecuteError> {
        let mut shape = shape(&sized, context)?;
        let emitted = emit(&sized)?;
        if let Some(shape) = &mut shape {
            shape.dynamic_shared_bytes = dynamic_shared_bytes(&sized, &emitted, context)?;
        }
        let FromCache { compiled, cached, not_kept, ahead } = compile(&emitted, &target.arch)?;
        let module = context.load(&compiled.code)?;
        let function = module.function(&emitted.entry)?;
        if sized.kernel().launch.cluster > PORTABLE_CLUSTER {
            function.allow_large_clusters()?;
        }
        Ok(Self {
            sized,
            context,
            emitted,
            module,
            shape,
            cached,
            ahead,
            compile,
            target,
            tensors: None,
            untimed: None,
            not_kept,
        })
    }

    /// Launches it on the tensors on the device; `time` tells the time of the launch, after its end.
    fn launch<T: Default>(
        &self,
        arguments: &[Argument],
        tensors: &Tensors<'_>,
        time: impl FnOnce(&dyn Fn() -> Result<(), DriverError>) -> Result<T, DriverError>,
    ) -> Result<T, ExecuteError> {
        let Some(shape) = &self.shape else { return Ok(T::default()) };
        let function = self.module.function(&self.emitted.entry)?;
        let values = values(&self.emitted, arguments, tensors, self.sized.sizes())?;
        let launch = || {
            // SAFETY: `values` has one entry for each parameter of the function, in its order and of its size, as the
            // emitter that wrote both says. The arguments were found to have the shapes that the kernel's proofs are
            // about, so it stays within the buffers, or tests that where a proof is missing; they live until after
            // `time` has waited for its end.
            unsafe { function.launch(shape, &values) }
        };
        Ok(time(&launch)?)
    }
}

impl Executable for LoadedKernel<'_> {
    fn is_cached(&self) -> bool {
        self.cached
    }

    fn compiled_ahead(&self) -> Duration {
        self.ahead
    }

    fn notes(&self) -> Vec<String> {
        let notes = self.target.note.iter().cloned().chain(self.context.note_on_copies());
        let not_kept =
            self.not_kept.iter().map(|why| format!("the compiled code is not kept for the next time: {why}"));
        notes.chain(self.untimed.clone()).chain(not_kept).collect()
    }

    fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError> {
        let _asked = Doing::Using { what: "the NVIDIA driver" }.begin();
        // Frees the tensors of the previous run first: both may not fit.
        self.tensors = None;
        let buffers = upload(self.context, arguments)?;
        let tensors = Tensors { buffers, faults: uploaded(self.context, &[0; FAULTS_BYTES])? };
        let (time, untimed) = self.launch(arguments, &tensors, |launch| self.context.time_or_wait(launch))?;
        self.untimed =
            untimed.map(|error| format!("the time of the run is the host's, and so includes the launch: {error}"));
        download(self.sized.kernel(), arguments, &tensors.buffers)?;
        check_faults(self.sized.kernel(), arguments, &tensors.faults)?;
        self.tensors = Some(tensors);
        control.report(1.0);
        Ok(time)
    }

    fn measure(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Measured, ExecuteError> {
        let (Some(tensors), Some(_)) = (&self.tensors, &self.shape) else { return Ok(Measured::default()) };
        let mut measured = Measured::default();
        let scratch = match Scratch::new(self.context, self.compile, &self.target.arch) {
            Ok(scratch) => {
                match scratch.floor(self.context) {
                    Ok(floor) => measured.floor = Some(floor),
                    Err(error) => measured.notes.push(format!("the time of an empty kernel is not known: {error}")),
                }
                Some(scratch)
            }
            Err(error) if is_out_of_memory(&error) => {
                measured.notes.push(
                    "the times are of tensors that may be in the device's cache: there is no memory left to empty it"
                        .to_owned(),
                );
                None
            }
            // The kernel itself has run.
            Err(error) => {
                measured.notes.push(format!(
                    "the times are of tensors that may be in the device's cache, and that of an empty kernel is not known: \
                     {error}"
                ));
                None
            }
        };
        measured.times = repeat(|| {
            control.poll(self.sized.kernel())?;
            if let Some(scratch) = &scratch {
                scratch.empty_the_cache()?;
            }
            self.launch(arguments, tensors, |launch| self.context.time(launch))
        })?;
        Ok(measured)
    }
}

fn is_out_of_memory(error: &ExecuteError) -> bool {
    let ExecuteError::Device(error) = error else { return false };
    matches!(error.downcast_ref(), Some(DriverError::OutOfMemory { .. }))
}

/// The launch, if it has any threads. Its clusters are those that the code declares.
fn shape(sized: &SizedKernel<'_>, context: &Context<'_>) -> Result<Option<LaunchShape>, LaunchError> {
    let (kernel, Extent { blocks, threads }) = (sized.kernel(), sized.extent());
    if blocks == 0 || threads == 0 {
        return Ok(None);
    }
    let grid = u32::try_from(blocks).ok().filter(|_| blocks <= MOST_GRID_BLOCKS);
    let Some(grid) = grid else {
        return Err(LaunchError::TooManyBlocks { kernel: kernel.name.to_string(), blocks });
    };
    let properties = context.properties();
    let cluster = kernel.launch.cluster;
    if cluster > 1 && !properties.has_clusters() {
        let (kernel, device) = (kernel.name.to_string(), properties.name.clone());
        return Err(LaunchError::NoClusters { kernel, cluster, device, architecture: properties.architecture() });
    }
    let most = properties.max_threads_per_block;
    let block = u32::try_from(threads).ok().filter(|threads| *threads <= most);
    let Some(block) = block else {
        let (kernel, device) = (kernel.name.to_string(), properties.name.clone());
        return Err(LaunchError::TooManyThreads { kernel, threads, most, device });
    };
    Ok(Some(LaunchShape { grid: [grid, 1, 1], block: [block, 1, 1], cluster: None, dynamic_shared_bytes: 0 }))
}

/// The bytes of dynamic shared memory of each block, if the device has so many.
fn dynamic_shared_bytes(
    sized: &SizedKernel<'_>,
    emitted: &Emitted,
    context: &Context<'_>,
) -> Result<u32, ExecuteError> {
    let formula = &emitted.dynamic_shared_bytes;
    let bytes = bind::evaluate(sized.kernel(), formula, sized.sizes(), || SizeOf::SharedMemory)?;
    let DeviceProperties { name, max_shared_bytes_per_block: most, .. } = context.properties();
    if let Some(bytes) = u32::try_from(bytes).ok().filter(|bytes| bytes <= most) {
        return Ok(bytes);
    }
    let (kernel, device) = (sized.kernel().name.to_string(), name.clone());
    Err(LaunchError::SharedMemory { kernel, formula: formula.clone(), bytes, most: *most, device }.into())
}

/// A copy of each tensor on the device; `None` for scalars.
fn upload<'c>(context: &'c Context<'c>, arguments: &[Argument]) -> Result<Vec<Option<Buffer<'c>>>, DriverError> {
    let copy = |argument: &Argument| match argument {
        Argument::Scalar(_) => Ok(None),
        Argument::Tensor(tensor) => uploaded(context, tensor.bytes()).map(Some),
    };
    arguments.iter().map(copy).collect()
}

/// A copy of bytes on the device, which sets zeros itself.
fn uploaded<'c>(context: &'c Context<'c>, bytes: &[u8]) -> Result<Buffer<'c>, DriverError> {
    let mut buffer = context.allocate(bytes.len())?;
    if are_zero(bytes) {
        buffer.fill(0)?
    } else {
        buffer.upload(bytes)?
    }
    Ok(buffer)
}

/// Whether all bytes are zero. Comparing them takes less than copying them would.
fn are_zero(bytes: &[u8]) -> bool {
    const ZEROS: [u8; 4096] = [0; 4096];
    bytes.chunks(ZEROS.len()).all(|part| part == &ZEROS[..part.len()])
}

/// Fails if guarded code counted accesses outside their tensors.
fn check_faults(kernel: &Kernel, arguments: &[Argument], faults: &Buffer<'_>) -> Result<(), ExecuteError> {
    let mut bytes = [0; FAULTS_BYTES];
    faults.download(&mut bytes)?;
    let field = |position: usize| {
        let mut field = [0; 8];
        field.copy_from_slice(&bytes[8 * position..][..8]);
        u64::from_ne_bytes(field)
    };
    let (count, offset) = (field(0), field(1).cast_signed());
    if count == 0 {
        return Ok(());
    }
    // The position takes the low half of its field; the other one is padding, which was zero and stays so.
    let position = usize::try_from(field(2)).unwrap_or(usize::MAX);
    let tensor = kernel.params.as_slice().get(position).map_or_else(String::new, |param| param.name.to_string());
    let length = match arguments.get(position) {
        Some(Argument::Tensor(tensor)) => tensor.storage_len() as u64,
        _ => 0,
    };
    Err(ExecuteError::Faults { kernel: kernel.name.to_string(), count, tensor, offset, length })
}

/// Copies back the mutable tensors.
fn download(kernel: &Kernel, arguments: &mut [Argument], buffers: &[Option<Buffer<'_>>]) -> Result<(), DriverError> {
    for ((param, argument), buffer) in kernel.params.iter().zip(arguments).zip(buffers) {
        let is_mutable = matches!(param.kind, ParamKind::Tensor { mutable: true, .. });
        if let (true, Argument::Tensor(tensor), Some(buffer)) = (is_mutable, argument, buffer) {
            buffer.download(tensor.bytes_mut())?;
        }
    }
    Ok(())
}

/// The arguments of the function, in order.
fn values<'b>(
    emitted: &Emitted,
    arguments: &[Argument],
    tensors: &'b Tensors<'b>,
    sizes: &BTreeMap<Symbol, i64>,
) -> Result<Vec<driver::Argument<'b>>, ExecuteError> {
    let malformed =
        |problem: &str| ExecuteError::Malformed { kernel: emitted.entry.clone(), problem: problem.to_owned() };
    let value = |parameter: &Parameter| match parameter {
        Parameter::Param(id) => {
            let position = usize::try_from(id.0).unwrap_or(usize::MAX);
            match (arguments.get(position), tensors.buffers.get(position)) {
                (Some(Argument::Scalar(scalar)), _) => Ok(driver::Argument::Scalar(*scalar)),
                (Some(Argument::Tensor(_)), Some(Some(buffer))) => Ok(driver::Argument::Buffer(buffer)),
                _ => Err(malformed("a parameter has no argument")),
            }
        }
        Parameter::Length(id) => match usize::try_from(id.0).ok().and_then(|position| arguments.get(position)) {
            Some(Argument::Tensor(tensor)) => {
                let length = i64::try_from(tensor.storage_len()).unwrap_or(i64::MAX);
                Ok(driver::Argument::Scalar(Scalar::I64(length)))
            }
            _ => Err(malformed("a length has no tensor")),
        },
        Parameter::Faults => Ok(driver::Argument::Buffer(&tensors.faults)),
        Parameter::Size { symbol, wide } => {
            let value = sizes.get(symbol).copied().ok_or_else(|| malformed("a size has no value"))?;
            if *wide {
                return Ok(driver::Argument::Scalar(Scalar::I64(value)));
            }
            // The sizes were checked before.
            let narrow = i32::try_from(value).map_err(|_| malformed("a size does not fit an int"))?;
            Ok(driver::Argument::Scalar(Scalar::I32(narrow)))
        }
    };
    emitted.parameters.iter().map(value).collect()
}
