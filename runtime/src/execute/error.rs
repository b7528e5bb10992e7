//! Errors of running kernels.

use std::error;
use std::fmt;

use dims::{EvaluateError, Sym, Symbol, ViolatedFact};
use elements::ElementType;
use kernel::{LaunchProblem, NoRoom};
use syntax::span::Span;
use thiserror::Error;

use crate::tensors::{Scalar, TensorError};

/// A thread of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub block: i64,
    /// The thread within the block.
    pub thread: i64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "thread {} of block {}", self.thread, self.block)
    }
}

/// What a size is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeOf {
    /// The number of blocks.
    Blocks,
    /// The number of threads of a block.
    Threads,
    /// An extent of a parameter.
    Shape(String),
    /// A stride of a parameter.
    Strides(String),
    /// The map of an access to this memory.
    Map(String),
    /// This one, in the body.
    Body(Sym),
    /// The bytes of the shared arrays.
    SharedMemory,
}

impl fmt::Display for SizeOf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocks => formatter.write_str("the number of blocks"),
            Self::Threads => formatter.write_str("the number of threads"),
            Self::Shape(param) => write!(formatter, "the shape of {param}"),
            Self::Strides(param) => write!(formatter, "the strides of {param}"),
            Self::Map(memory) => write!(formatter, "a size in the map of an access to {memory}"),
            Self::Body(size) => write!(formatter, "`{size}` in the body"),
            Self::SharedMemory => formatter.write_str("the number of bytes of shared memory"),
        }
    }
}

/// The cause of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file: the kernel, its sizes or its arguments.
    File,
    /// The request for the run.
    Request,
    /// The machine: something is missing, has failed, or does not suffice.
    Machine,
}

/// Why a kernel could not be run, or not to its end; the text is a sentence for the user. Errors of a single executor
/// are in [`ExecuteError::Unsupported`] and [`ExecuteError::Device`].
#[derive(Debug, Error)]
pub enum ExecuteError {
    /// A symbol that the kernel depends on has no value.
    #[error("kernel {kernel} needs a value for {symbol}: give one with `with {symbol} = …`")]
    MissingSymbol {
        /// The kernel.
        kernel: String,
        /// The symbol.
        symbol: Symbol,
    },
    /// The values of the symbols contradict what the kernel was checked under.
    #[error("kernel {kernel} cannot run with these sizes: {violated}")]
    ViolatedFact {
        /// The kernel.
        kernel: String,
        /// The fact and the values.
        violated: ViolatedFact,
    },
    /// Claims about accesses that do not hold with these sizes, or are not known to.
    #[error("the kernel {kernel} cannot run with these sizes: {}", joined(.problems, "; "))]
    Claims {
        /// The kernel.
        kernel: String,
        /// What is wrong with the launch.
        problems: Vec<LaunchProblem>,
    },
    /// A size that has no value.
    #[error("{what} of kernel {kernel} has no value: {reason}")]
    Size {
        /// The kernel.
        kernel: String,
        /// What the size is of.
        what: SizeOf,
        /// Why it has none.
        reason: EvaluateError,
    },
    /// A size below zero.
    #[error("{what} of kernel {kernel} is {value}, but a size cannot be negative")]
    NegativeSize {
        /// The kernel.
        kernel: String,
        /// What the size is of.
        what: SizeOf,
        /// Its value.
        value: i64,
    },
    /// The shared arrays cannot be made with these sizes.
    #[error("kernel {kernel} cannot run with these sizes: {reason}")]
    SharedMemory {
        /// The kernel.
        kernel: String,
        /// Why.
        reason: NoRoom,
    },
    /// More threads than 64 bits count.
    #[error(
        "kernel {kernel} would run {blocks} blocks of {threads} threads, which is more than 64 bits can count: launch fewer"
    )]
    LaunchTooLarge {
        /// The kernel.
        kernel: String,
        /// The blocks.
        blocks: i64,
        /// The threads of a block.
        threads: i64,
    },
    /// Not one argument per parameter.
    #[error("kernel {kernel} has {expected} parameters but was given {found} arguments")]
    ArgumentCount {
        /// The kernel.
        kernel: String,
        /// The number of parameters.
        expected: usize,
        /// The number of arguments.
        found: usize,
    },
    /// An argument of another kind or element type.
    #[error("parameter {param} of kernel {kernel} is {expected}, but its argument is {found}")]
    ArgumentKind {
        /// The kernel.
        kernel: String,
        /// The parameter.
        param: String,
        /// What is needed: `a tensor of f32`.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A tensor of another shape or with other strides.
    #[error("parameter {param} of kernel {kernel} has the {what} {}, but its argument has {}", list(.expected), list(.found))]
    ArgumentShape {
        /// The kernel.
        kernel: String,
        /// The parameter.
        param: String,
        /// `shape` or `strides`.
        what: &'static str,
        /// What the kernel says under the values of the symbols.
        expected: Vec<i64>,
        /// What the tensor has.
        found: Vec<u64>,
    },
    /// The interpreter was to access an element outside a tensor.
    #[error("kernel {kernel}: {place} {action} element {index} of {tensor}, which has {length} elements")]
    Outside {
        /// The kernel.
        kernel: String,
        /// The tensor's name.
        tensor: String,
        /// Who.
        place: Place,
        /// `reads` or `writes`.
        action: &'static str,
        /// The row-major index of the element.
        index: i64,
        /// The number of elements.
        length: u64,
    },
    /// The interpreter was to access a coordinate that is invalid in the access's map, and the access has no mask.
    #[error("kernel {kernel}: {place} {action} {tensor} at the coordinate {}, which its map says is not valid, and nothing masks the access", list(.coordinate))]
    InvalidCoordinate {
        /// The kernel.
        kernel: String,
        /// The tensor's name.
        tensor: String,
        /// Who.
        place: Place,
        /// `reads` or `writes`.
        action: &'static str,
        /// The upper coordinate of the access.
        coordinate: Vec<i64>,
    },
    /// An index beyond 64 bits.
    #[error("kernel {kernel}: {place} computes an index of {tensor} that does not fit in 64 bits")]
    IndexOverflow {
        /// The kernel.
        kernel: String,
        /// The tensor's name.
        tensor: String,
        /// Who.
        place: Place,
    },
    /// The number of blocks is not a multiple of the cluster.
    #[error(
        "kernel {kernel} would run {blocks} blocks in clusters of {cluster}, but {blocks} is not a multiple of \
         {cluster}: launch full clusters"
    )]
    Cluster {
        /// The kernel.
        kernel: String,
        /// The blocks.
        blocks: i64,
        /// The blocks of a cluster.
        cluster: i64,
    },
    /// More threads than a barrier allows.
    #[error(
        "the threads of a block of kernel {kernel} wait for each other, so it can have at most {most} of them, and \
         {threads} are asked for: write a smaller `block(…)`"
    )]
    TooManyWait {
        /// The kernel.
        kernel: String,
        /// The threads of a block.
        threads: i64,
        /// The most there can be.
        most: i64,
    },
    /// The threads at a barrier are not those that it is for: a bug in the placement of barriers.
    #[error(
        "kernel {kernel}: in block {block}, {waiting} wait for each other between the accesses at the tokens {} and \
         {} of the kernel, but {found}; please report this as a mistake of the compiler",
        tokens(*.before), tokens(*.after)
    )]
    Barrier {
        /// The kernel.
        kernel: String,
        /// The block.
        block: i64,
        /// Who is to wait.
        waiting: String,
        /// Who came instead.
        found: String,
        /// The access before the barrier.
        before: Span,
        /// The access after it.
        after: Span,
    },
    /// Compiled code with checked accesses met some outside a tensor's storage, and skipped them.
    #[error(
        "kernel {kernel}: {count} accesses were outside their tensors and were left out; the first that was recorded is at element {offset} of {tensor}, whose storage has {length}"
    )]
    Faults {
        /// The kernel.
        kernel: String,
        /// How many there were.
        count: u64,
        /// The tensor of the recorded one.
        tensor: String,
        /// Its position in the storage, in elements.
        offset: i64,
        /// The size of the storage, in elements.
        length: u64,
    },
    /// There is not enough memory for the shared arrays and the threads of a block.
    #[error(
        "a block of kernel {kernel} needs {bytes} bytes of memory for what its threads share and keep, which this machine does not have: make its shared arrays smaller, or launch fewer threads in a block"
    )]
    BlockMemory {
        /// The kernel.
        kernel: String,
        /// The needed bytes; saturated at 64 bits.
        bytes: usize,
    },
    /// The typed kernel violates its invariants: a bug in the compiler.
    #[error("kernel {kernel} is malformed: {problem}")]
    Malformed {
        /// The kernel.
        kernel: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The code generator refused.
    #[error("kernel {kernel} could not be compiled for this processor: {reason}")]
    Codegen {
        /// The kernel.
        kernel: String,
        /// The generator's words.
        reason: String,
    },
    /// The caller asked to stop.
    #[error("the run of kernel {kernel} was cancelled")]
    Cancelled {
        /// The kernel.
        kernel: String,
    },
    /// A tensor could not be made or read.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// There is no such device.
    #[error("there is no device `{name}`, expected {expected}")]
    UnknownDevice {
        /// The requested name.
        name: String,
        /// The valid names.
        expected: String,
    },
    /// A device that this machine does not have.
    #[error("{device} is not available, but --device cpu always is: {missing}")]
    Absent {
        /// The device.
        device: String,
        /// What is missing, and what to do.
        missing: Box<dyn error::Error + Send + Sync>,
    },
    /// A device that is here, or may be, and cannot be used.
    #[error("{device} is not available, but --device cpu always is: {missing}")]
    Unavailable {
        /// The device.
        device: String,
        /// What is missing, and what to do.
        missing: Box<dyn error::Error + Send + Sync>,
    },
    /// A kernel that asks for more than the device can do.
    #[error(transparent)]
    Unsupported(Box<dyn error::Error + Send + Sync>),
    /// The device, or a tool for it, failed.
    #[error(transparent)]
    Device(Box<dyn error::Error + Send + Sync>),
}

impl ExecuteError {
    /// The cause.
    pub fn fault(&self) -> Fault {
        match self {
            Self::UnknownDevice { .. } => Fault::Request,
            Self::Absent { .. }
            | Self::Unavailable { .. }
            | Self::Device(_)
            | Self::Codegen { .. }
            | Self::BlockMemory { .. }
            | Self::Tensor(TensorError::OutOfMemory { .. }) => Fault::Machine,
            _ => Fault::File,
        }
    }
}

/// `a value of f32` or `a tensor of f32`.
pub(crate) fn describe(is_tensor: bool, element: ElementType) -> String {
    format!("{} of {element}", if is_tensor { "a tensor" } else { "a value" })
}

/// What a scalar argument is, for messages.
pub(crate) fn describe_scalar(scalar: Scalar) -> String {
    format!("a value of {}", scalar.element())
}

/// The significant tokens of a span, counted from the start of the kernel's item.
fn tokens(span: Span) -> String {
    format!("{}..{}", span.start, span.end)
}

fn list<T: fmt::Display>(values: &[T]) -> String {
    format!("[{}]", joined(values, ", "))
}

fn joined<T: fmt::Display>(values: &[T], between: &str) -> String {
    values.iter().map(T::to_string).collect::<Vec<String>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_advised_where_something_is_missing() {
        let error =
            ExecuteError::Unavailable { device: "cuda:0".to_owned(), missing: "no NVRTC; install it\nhere\n".into() };
        assert_eq!(
            error.to_string(),
            "cuda:0 is not available, but --device cpu always is: no NVRTC; install it\nhere\n"
        );
        assert_eq!(error.fault(), Fault::Machine);
    }
}
