//! Runs a kernel on two executors and compares all elements.

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::Kernel;

use shapewright_runtime::cpu::{Cpu, LaneChoice};
use shapewright_runtime::execute::{Argument, BoundsChecks, Control, ExecuteError, SizedKernel};
use shapewright_runtime::interpreter::Interpreter;
use shapewright_runtime::tensors::{Tensor, TensorError};

/// Copies arguments.
pub fn copy(arguments: &[Argument]) -> Result<Vec<Argument>, TensorError> {
    let copy_one = |argument: &Argument| {
        Ok(match argument {
            Argument::Scalar(scalar) => Argument::Scalar(*scalar),
            Argument::Tensor(tensor) => Argument::Tensor(tensor.try_clone()?),
        })
    };
    arguments.iter().map(copy_one).collect()
}

/// Runs the kernel on the interpreter and in machine code, with vectors if they pay off and wherever they are possible,
/// and reports where the results differ in more than the bits of a NaN. Afterwards the arguments hold the interpreter's
/// results.
pub fn interpreter_and_cpu(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    bounds: BoundsChecks,
) -> Result<(), String> {
    let control = Control::default();
    let sized = SizedKernel::new(kernel, sizes, bounds).map_err(|error| error.to_string())?;
    let before = copy(arguments).map_err(|error| error.to_string())?;
    sized.run(&Interpreter, arguments, &control).map_err(|error| format!("interpreter: {error}"))?;
    for lanes in [LaneChoice::WhereItPays, LaneChoice::WherePossible] {
        let mut compiled = copy(&before).map_err(|error| error.to_string())?;
        sized.run(&Cpu { lanes }, &mut compiled, &control).map_err(|error| format!("cpu, lanes {lanes:?}: {error}"))?;
        for (position, (expected, actual)) in arguments.iter().zip(&compiled).enumerate() {
            if let (Argument::Tensor(expected), Argument::Tensor(actual)) = (expected, actual)
                && let Some(difference) = first_difference(expected, actual)
            {
                let name = kernel.params.as_slice().get(position).map_or("?", |param| param.name.as_str());
                return Err(format!("lanes {lanes:?}, {name}: {difference}"));
            }
        }
    }
    Ok(())
}

/// The arguments after the interpreter's run.
pub fn interpreted(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &[Argument],
) -> Result<Vec<Argument>, ExecuteError> {
    let mut result = copy(arguments)?;
    SizedKernel::new(kernel, sizes, BoundsChecks::Proven)?.run(&Interpreter, &mut result, &Control::default())?;
    Ok(result)
}

/// The first position in the storage at which two tensors differ in more than the bits of a NaN.
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
