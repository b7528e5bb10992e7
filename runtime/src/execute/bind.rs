//! Checks the values of a kernel's symbols and its arguments.

use std::collections::BTreeMap;

use dims::{EvaluateError, Sym, Symbol};
use kernel::typed::{Kernel, Param, ParamKind};

use super::error::{ExecuteError, SizeOf, describe, describe_scalar};
use crate::tensors::{Scalar, Tensor};

/// The argument of a parameter.
#[derive(Debug)]
pub enum Argument {
    /// The value of a scalar parameter.
    Scalar(Scalar),
    /// A tensor; a mutable parameter's is written.
    Tensor(Tensor),
}

/// The launch of a kernel with its sizes filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of blocks.
    pub blocks: i64,
    /// The number of threads of a block. `blocks * threads` fits in an `i64`.
    pub threads: i64,
}

impl Extent {
    /// Whether there is no thread to run.
    pub fn is_empty(self) -> bool {
        self.blocks == 0 || self.threads == 0
    }
}

/// The most threads of a block with barriers: CUDA's limit.
const MOST_WAITING: i64 = maps::hardware::MOST_BLOCK_THREADS;

/// The launch. Checks that every symbol has a value that satisfies the kernel's facts, and that the launch is
/// possible.
pub(super) fn extent(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Result<Extent, ExecuteError> {
    let name = || kernel.name.to_string();
    if let Some(symbol) = kernel.symbols.iter().find(|symbol| !sizes.contains_key(symbol)) {
        return Err(ExecuteError::MissingSymbol { kernel: name(), symbol: symbol.clone() });
    }
    // The facts follow from these, and say less of what is wrong.
    array_lengths(kernel, sizes)?;
    // Only what concerns the kernel: `sizes` may have the symbols of a whole file.
    let known =
        kernel.symbols_with_facts().into_iter().filter_map(|symbol| sizes.get(&symbol).map(|size| (symbol, *size)));
    kernel.facts.admit(&known.collect()).map_err(|violated| ExecuteError::ViolatedFact { kernel: name(), violated })?;

    let binder = Binder { kernel, sizes };
    let blocks = binder.size(&kernel.launch.blocks, || SizeOf::Blocks)?;
    let threads = binder.size(&kernel.launch.threads, || SizeOf::Threads)?;
    if blocks.checked_mul(threads).is_none() {
        return Err(ExecuteError::LaunchTooLarge { kernel: name(), blocks, threads });
    }
    let cluster = kernel.launch.cluster;
    // The check of the kernel has found the cluster to be at least 1.
    if blocks % cluster.max(1) != 0 {
        return Err(ExecuteError::Cluster { kernel: name(), blocks, cluster });
    }
    if threads > MOST_WAITING && kernel.has_barriers() {
        return Err(ExecuteError::TooManyWait { kernel: name(), threads, most: MOST_WAITING });
    }
    Ok(Extent { blocks, threads })
}

/// The number of elements of each shared array, or of the part of each thread.
pub(super) fn array_lengths(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Result<Vec<i64>, ExecuteError> {
    kernel::array_lengths(kernel, sizes)
        .map_err(|reason| ExecuteError::SharedMemory { kernel: kernel.name.to_string(), reason })
}

/// Checks that the arguments fit the parameters: kinds, element types, shapes and strides.
pub(super) fn arguments(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &[Argument],
) -> Result<(), ExecuteError> {
    let (expected, found) = (kernel.params.len(), arguments.len());
    if expected != found {
        return Err(ExecuteError::ArgumentCount { kernel: kernel.name.to_string(), expected, found });
    }
    let binder = Binder { kernel, sizes };
    kernel.params.iter().zip(arguments).try_for_each(|(param, argument)| binder.argument(param, argument))
}

/// The value of a size that the kernel depends on; `what` names it in the error.
pub(crate) fn evaluate(
    kernel: &Kernel,
    size: &Sym,
    sizes: &BTreeMap<Symbol, i64>,
    what: impl Fn() -> SizeOf,
) -> Result<i64, ExecuteError> {
    let value = size.evaluate(&|symbol| sizes.get(symbol).copied());
    value.map_err(|reason| without_value(kernel, what(), reason))
}

/// The same in 128 bits.
pub(crate) fn evaluate_wide(
    kernel: &Kernel,
    size: &Sym,
    sizes: &BTreeMap<Symbol, i64>,
    what: impl Fn() -> SizeOf,
) -> Result<i128, ExecuteError> {
    let value = size.evaluate_wide(&|symbol| sizes.get(symbol).copied());
    value.map_err(|reason| without_value(kernel, what(), reason))
}

fn without_value(kernel: &Kernel, what: SizeOf, reason: EvaluateError) -> ExecuteError {
    ExecuteError::Size { kernel: kernel.name.to_string(), what, reason }
}

struct Binder<'a> {
    kernel: &'a Kernel,
    sizes: &'a BTreeMap<Symbol, i64>,
}

impl Binder<'_> {
    fn size(&self, size: &Sym, what: impl Fn() -> SizeOf) -> Result<i64, ExecuteError> {
        let value = evaluate(self.kernel, size, self.sizes, &what)?;
        if value < 0 {
            return Err(ExecuteError::NegativeSize { kernel: self.kernel.name.to_string(), what: what(), value });
        }
        Ok(value)
    }

    fn argument(&self, param: &Param, argument: &Argument) -> Result<(), ExecuteError> {
        let found = match argument {
            Argument::Scalar(scalar) => scalar.element(),
            Argument::Tensor(tensor) => tensor.element(),
        };
        let is_tensor = matches!(argument, Argument::Tensor(_));
        let wants_tensor = matches!(param.kind, ParamKind::Tensor { .. });
        if is_tensor != wants_tensor || found != param.element {
            return Err(ExecuteError::ArgumentKind {
                kernel: self.kernel.name.to_string(),
                param: param.name.to_string(),
                expected: describe(wants_tensor, param.element),
                found: match argument {
                    Argument::Scalar(scalar) => describe_scalar(*scalar),
                    Argument::Tensor(tensor) => format!("a tensor of {}", tensor.element()),
                },
            });
        }
        let (Argument::Tensor(tensor), ParamKind::Tensor { shape, strides, .. }) = (argument, &param.kind) else {
            return Ok(());
        };
        let shape = self.values_of(shape, || SizeOf::Shape(param.name.to_string()))?;
        let same = |expected: i64, found: u64| u64::try_from(expected) == Ok(found);
        let found = tensor.shape();
        if shape.len() != found.len() || !shape.iter().zip(found).all(|(&expected, &found)| same(expected, found)) {
            return Err(self.shape_error(param, "shape", shape, found));
        }
        // Strides do not matter without elements, or for a dimension of extent 1.
        let strides = self.values_of(strides, || SizeOf::Strides(param.name.to_string()))?;
        let matters = |axis: usize| !tensor.is_empty() && found[axis] > 1;
        let found = tensor.strides();
        if (0..shape.len()).any(|axis| matters(axis) && !same(strides[axis], found[axis])) {
            return Err(self.shape_error(param, "strides", strides, found));
        }
        Ok(())
    }

    fn values_of(&self, sizes: &[Sym], what: impl Fn() -> SizeOf) -> Result<Vec<i64>, ExecuteError> {
        sizes.iter().map(|size| self.size(size, &what)).collect()
    }

    fn shape_error(&self, param: &Param, what: &'static str, expected: Vec<i64>, found: &[u64]) -> ExecuteError {
        ExecuteError::ArgumentShape {
            kernel: self.kernel.name.to_string(),
            param: param.name.to_string(),
            what,
            expected,
            found: found.to_vec(),
        }
    }
}
