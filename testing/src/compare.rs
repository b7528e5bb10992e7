//! Runs a kernel on two executors and compares every element.

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::Kernel;

use shapewright_runtime::cpu::{CompiledKernel, LaneChoice, Options};
use shapewright_runtime::execute::bind::bind;
use shapewright_runtime::execute::{Argument, BoundsMode, Control, Executor, run_kernel};
use shapewright_runtime::tensors::{Tensor, TensorError};

/// A copy of arguments.
pub fn copy(arguments: &[Argument]) -> Result<Vec<Argument>, TensorError> {
    let copy_one = |argument: &Argument| {
        Ok(match argument {
            Argument::Scalar(scalar) => Argument::Scalar(*scalar),
            Argument::Tensor(tensor) => Argument::Tensor(tensor.try_clone()?),
        })
    };
    arguments.iter().map(copy_one).collect()
}

/// Runs the kernel on the interpreter and in machine code, with lanes where they pay and wherever they are possible,
/// and says where the results differ in more than the bits of a NaN. The arguments hold the interpreter's results
/// afterwards.
pub fn interpreter_and_cpu(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    bounds: BoundsMode,
) -> Result<(), String> {
    let control = Control { bounds, ..Control::default() };
    let before = copy(arguments).map_err(|error| error.to_string())?;
    run_kernel(kernel, sizes, arguments, Executor::Interpreter, &control)
        .map_err(|error| format!("interpreter: {error}"))?;
    for lanes in [LaneChoice::WhereItPays, LaneChoice::WherePossible] {
        let mut compiled = copy(&before).map_err(|error| error.to_string())?;
        let run = |arguments: &mut [Argument]| {
            let code = CompiledKernel::with_options(kernel, Options { bounds, lanes })?;
            code.run(kernel, sizes, bind(kernel, sizes, arguments)?, arguments, &control)
        };
        run(&mut compiled).map_err(|error| format!("cpu, lanes {lanes:?}: {error}"))?;
        for (position, (expected, actual)) in arguments.iter().zip(&compiled).enumerate() {
            if let (Argument::Tensor(expected), Argument::Tensor(actual)) = (expected, actual)
                && let Some(difference) = first_difference(expected, actual)
            {
                let name = kernel.params.get(position).map_or("?", |param| param.name.as_str());
                return Err(format!("lanes {lanes:?}, {name}: {difference}"));
            }
        }
    }
    Ok(())
}

/// The first place in the storage where two tensors differ in more than the bits of a NaN.
pub fn first_difference(expected: &Tensor, actual: &Tensor) -> Option<String> {
    if expected.bytes() == actual.bytes() {
        return None;
    }
    (0..expected.storage_len()).find_map(|offset| {
        let (left, right) = (expected.get_at(offset)?, actual.get_at(offset)?);
        let same = left.to_bytes() == right.to_bytes() || (left.to_f64().is_nan() && right.to_f64().is_nan());
        (!same).then(|| format!("at {offset} of {} expected {left}, found {right}", expected.storage_len()))
    })
}
