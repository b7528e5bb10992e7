//! Runs a typed kernel on a GPU: emit, compile, load, copy, launch, copy back.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::{Duration, Instant};

use dims::Symbol;
use emit::{COMPILE_OPTIONS, Emitted, FAULTS_BYTES, IndexWidth, Options, Parameter, cuda_with};
use kernel::typed::{Kernel, ParamKind};
use thiserror::Error;

use super::driver::{self, Buffer, Context, Driver, DriverError, LaunchShape, median};
use super::{FromCache, KernelResources, Nvrtc, NvrtcError, Request, compile_cached};
use crate::cache::Cache;
use crate::execute::{Argument, BoundsMode, Control, ExecuteError, Extent, bind, check};
use crate::tensors::Scalar;

/// The most blocks of a grid, in its first dimension.
const MOST_BLOCKS: i64 = i32::MAX as i64;
/// The largest cluster that every device with clusters takes; a larger one is to be allowed first.
const PORTABLE_CLUSTER: i64 = 8;

/// Why a kernel could not be run on a GPU, or not to its end; the text is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LaunchError {
    /// The kernel and what it is given do not fit together, or the caller stopped the run.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    /// The driver is missing or refused something.
    #[error("{}", if .0.is_missing() { or_on_the_cpu(.0) } else { .0.to_string() })]
    Driver(#[from] DriverError),
    /// NVRTC is missing or refused the kernel.
    #[error("{}", if .0.is_missing() { or_on_the_cpu(.0) } else { .0.to_string() })]
    Nvrtc(#[from] NvrtcError),
    /// More blocks than a grid has.
    #[error(
        "kernel {kernel} would run {blocks} blocks, but a grid on cuda has at most {MOST_BLOCKS}: give each block more \
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
        /// What the device is compiled for.
        architecture: String,
    },
    /// An index leaves 64 bits.
    #[error("kernel {kernel} cannot run with these sizes: an index would leave 64 bits; use smaller sizes")]
    IndexOverflow {
        /// The kernel.
        kernel: String,
    },
}

/// What is missing for a run on a GPU, with the advice to do without it. It stands in the first line: a list of what was
/// looked at may follow.
pub fn or_on_the_cpu(missing: &impl Display) -> String {
    let text = missing.to_string();
    let (sentence, list) = text.split_at(text.find('\n').unwrap_or(text.len()));
    format!("{sentence}, or run with --device cpu{list}")
}

/// What a run on a GPU took.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchReport {
    /// From the typed kernel to machine code on the device.
    pub compile: Duration,
    /// Whether the machine code was found in the cache.
    pub cached: bool,
    /// How wide the indices are in the code that ran.
    pub width: IndexWidth,
    /// Registers and spills of the kernel, where the compiler told.
    pub resources: Option<KernelResources>,
    /// From the first copy to the device to the last one back, without the repetitions.
    pub round_trip: Duration,
    /// The time on the device of the run whose results were copied back, in microseconds. It includes what the first
    /// launch of a kernel costs; `None` where there was no block to run.
    pub first_microseconds: Option<f64>,
    /// The times on the device of the repetitions, in microseconds, each with the second-level cache flushed before.
    pub microseconds: Vec<f64>,
}

impl LaunchReport {
    /// The middle of the repetitions, or the only run there was.
    pub fn median_microseconds(&self) -> Option<f64> {
        median(&self.microseconds).or(self.first_microseconds)
    }
}

/// Runs a kernel on the GPU `cuda:ordinal` and gives the mutable tensors its results, as
/// [`crate::execute::run_kernel`] does for the processor. Afterwards the same launch is timed `repetitions` times; what
/// the repetitions compute is thrown away.
pub fn run_kernel(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    ordinal: u32,
    control: &Control<'_>,
    repetitions: usize,
    cache: &Cache,
) -> Result<LaunchReport, LaunchError> {
    let context = Driver::shared()?.context(ordinal)?;
    let nvrtc = Nvrtc::shared()?;
    let compile = |emitted: &Emitted, arch: &str| {
        let options = COMPILE_OPTIONS.map(str::to_owned);
        let name = format!("{}.cu", emitted.entry);
        compile_cached(nvrtc, cache, &Request { source: &emitted.source, name: &name, arch, options: &options })
    };
    run_on(&context, &compile, kernel, sizes, arguments, control, repetitions)
}

/// What makes machine code of an emitted kernel for an architecture such as `sm_90`.
pub type Compile<'a> = dyn Fn(&Emitted, &str) -> Result<FromCache, NvrtcError> + 'a;

/// [`run_kernel`] on a device that is open already, with a compiler of the caller's choice.
pub fn run_on(
    context: &Context<'_>,
    compile: &Compile<'_>,
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    control: &Control<'_>,
    repetitions: usize,
) -> Result<LaunchReport, LaunchError> {
    check::check(kernel)?;
    let extent = bind::bind(kernel, sizes, arguments)?;
    let shape = shape(kernel, extent, context)?;
    let start = Instant::now();
    let (emitted, width) = emit(kernel, sizes, control.bounds == BoundsMode::Guarded)?;
    let FromCache { compiled, cached } = compile(&emitted, &context.properties().architecture())?;
    let module = context.load(&compiled.code)?;
    let function = module.function(&emitted.entry)?;
    if kernel.launch.cluster > PORTABLE_CLUSTER {
        function.allow_large_clusters()?;
    }
    let compile = start.elapsed();
    let resources = compiled.kernels.iter().find(|resources| resources.name == emitted.entry).cloned();
    poll(kernel, control)?;

    let start = Instant::now();
    let buffers = upload(context, arguments)?;
    let faults = upload_bytes(context, &[0; FAULTS_BYTES])?;
    let values = values(&emitted, arguments, &buffers, &faults, sizes)?;
    let mut report = LaunchReport {
        compile,
        cached,
        width,
        resources,
        round_trip: Duration::ZERO,
        first_microseconds: None,
        microseconds: Vec::new(),
    };
    // A grid without blocks cannot be launched, and has nothing to do.
    let Some(shape) = shape else {
        return Ok(report);
    };
    let shape = LaunchShape { dynamic_shared_bytes: emitted.dynamic_shared_bytes, ..shape };
    let launch = || {
        // SAFETY: `values` has one entry for each parameter of the function, in its order and of its size, as the
        // emitter that wrote both says. `bind` found the tensors to have the shapes that the kernel's proofs are
        // about, so it stays within the buffers, or tests that where a proof is missing; they live until after `Context::time` has waited for its end.
        unsafe { function.launch(&shape, &values) }
    };
    report.first_microseconds = context.time(1, false, launch)?.first().copied();
    download(kernel, arguments, &buffers)?;
    check_faults(kernel, arguments, &faults)?;
    report.round_trip = start.elapsed();
    poll(kernel, control)?;
    report.microseconds = context.time(repetitions, true, launch)?;
    if let Some(progress) = control.progress {
        progress(1.0);
    }
    Ok(report)
}

fn poll(kernel: &Kernel, control: &Control<'_>) -> Result<(), ExecuteError> {
    if control.is_cancelled() {
        return Err(ExecuteError::Cancelled { kernel: kernel.name.to_string() });
    }
    Ok(())
}

/// The kernel in 32-bit indices where the sizes allow it, else in 64-bit ones.
fn emit(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, guarded: bool) -> Result<(Emitted, IndexWidth), LaunchError> {
    let value = |symbol: &Symbol| sizes.get(symbol).copied();
    for width in [IndexWidth::Checked, IndexWidth::Proven] {
        let emitted = cuda_with(kernel, Options { width, guarded });
        if emitted.fits(&value) && emitted.is_in_range(&value) {
            return Ok((emitted, width));
        }
    }
    Err(LaunchError::IndexOverflow { kernel: kernel.name.to_string() })
}

/// The launch, if it has any threads. Its clusters are those that the code declares.
fn shape(kernel: &Kernel, extent: Extent, context: &Context<'_>) -> Result<Option<LaunchShape>, LaunchError> {
    let Extent { blocks, threads } = extent;
    if blocks == 0 || threads == 0 {
        return Ok(None);
    }
    let grid = u32::try_from(blocks).ok().filter(|_| blocks <= MOST_BLOCKS);
    let Some(grid) = grid else {
        return Err(LaunchError::TooManyBlocks { kernel: kernel.name.to_string(), blocks });
    };
    let properties = context.properties();
    let cluster = kernel.launch.cluster;
    if cluster > 1 && properties.capability.0 < 9 {
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

/// A copy of each tensor on the device; nothing for scalars.
fn upload<'c>(context: &'c Context<'c>, arguments: &[Argument]) -> Result<Vec<Option<Buffer<'c>>>, DriverError> {
    let copy = |argument: &Argument| match argument {
        Argument::Scalar(_) => Ok(None),
        Argument::Tensor(tensor) => upload_bytes(context, tensor.bytes()).map(Some),
    };
    arguments.iter().map(copy).collect()
}

fn upload_bytes<'c>(context: &'c Context<'c>, bytes: &[u8]) -> Result<Buffer<'c>, DriverError> {
    let mut buffer = context.allocate(bytes.len())?;
    buffer.upload(bytes)?;
    Ok(buffer)
}

/// Fails if guarded code counted accesses outside their tensors.
fn check_faults(kernel: &Kernel, arguments: &[Argument], faults: &Buffer<'_>) -> Result<(), LaunchError> {
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
    let tensor = kernel.params.get(position).map_or_else(String::new, |param| param.name.to_string());
    let length = match arguments.get(position) {
        Some(Argument::Tensor(tensor)) => tensor.storage_len() as u64,
        _ => 0,
    };
    Err(ExecuteError::Faults { kernel: kernel.name.to_string(), count, tensor, offset, length }.into())
}

/// The mutable tensors' new values. The others are as they were.
fn download(kernel: &Kernel, arguments: &mut [Argument], buffers: &[Option<Buffer<'_>>]) -> Result<(), DriverError> {
    for ((param, argument), buffer) in kernel.params.iter().zip(arguments).zip(buffers) {
        let is_mutable = matches!(param.kind, ParamKind::Tensor { mutable: true, .. });
        if let (true, Argument::Tensor(tensor), Some(buffer)) = (is_mutable, argument, buffer) {
            buffer.download(tensor.bytes_mut())?;
        }
    }
    Ok(())
}

/// What the function takes, in its order.
fn values<'b>(
    emitted: &Emitted,
    arguments: &[Argument],
    buffers: &'b [Option<Buffer<'b>>],
    faults: &'b Buffer<'b>,
    sizes: &BTreeMap<Symbol, i64>,
) -> Result<Vec<driver::Argument<'b>>, ExecuteError> {
    let malformed =
        |problem: &str| ExecuteError::Malformed { kernel: emitted.entry.clone(), problem: problem.to_owned() };
    let value = |parameter: &Parameter| match parameter {
        Parameter::Param(id) => {
            let position = usize::try_from(id.0).unwrap_or(usize::MAX);
            match (arguments.get(position), buffers.get(position)) {
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
        Parameter::Faults => Ok(driver::Argument::Buffer(faults)),
        Parameter::Size { symbol, wide } => {
            let value = sizes.get(symbol).copied().ok_or_else(|| malformed("a size has no value"))?;
            if *wide {
                return Ok(driver::Argument::Scalar(Scalar::I64(value)));
            }
            // The check of the sizes came before.
            let narrow = i32::try_from(value).map_err(|_| malformed("a size does not fit an int"))?;
            Ok(driver::Argument::Scalar(Scalar::I32(narrow)))
        }
    };
    emitted.parameters.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dims::Sym;
    use testing::build::KernelBuilder;

    #[test]
    fn a_machine_without_a_gpu_says_what_is_missing() {
        if Driver::shared().is_ok() {
            return;
        }
        let kernel = KernelBuilder::new("nothing", Sym::one(), Sym::one()).finish(Vec::new());
        let result = run_kernel(&kernel, &BTreeMap::new(), &mut [], 0, &Control::default(), 0, &Cache::off());
        let message = result.unwrap_err().to_string();
        assert!(message.contains("--device cpu"), "{message}");
    }

    #[test]
    fn the_cpu_is_advised_where_something_is_missing() {
        let error = NvrtcError::NotFound { searched: vec!["here".to_string()] };
        let (other, said) = (error.to_string(), LaunchError::from(error).to_string());
        assert_eq!(said, other.replace("or its folder\n", "or its folder, or run with --device cpu\n"));
        assert_ne!(said, other);
        let error = DriverError::CopySize { expected: 1, found: 2 };
        assert_eq!(error.to_string(), LaunchError::from(error).to_string());
    }
}
