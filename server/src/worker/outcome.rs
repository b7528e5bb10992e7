//! The result of a run: samples of its outputs, and the result of its expectation.

use std::collections::BTreeMap;
use std::path::Path;

use kernel::typed::{Kernel, ParamId, ParamKind};
use serde_json::{Value as Json, json};
use shapewright_runtime::execute::{Argument, Control};
use shapewright_runtime::expect::{self, Number, Outcome, Values};
use shapewright_runtime::tensors::npy::read_any_npy;
use shapewright_runtime::tensors::{Scalar, Tensor};

use super::failure::Failure;
use super::sizes::Sizes;
use super::target::Target;
use crate::ran::{self, Expect, Mismatch, Run};

/// The number of sampled elements of an output.
const SAMPLE: usize = 16;

/// What an expectation uses besides the tensors after the run.
#[derive(Default)]
pub(super) struct Before {
    /// The initial values of parameters.
    initials: BTreeMap<ParamId, Argument>,
    /// Files by their paths in the source.
    files: BTreeMap<String, Tensor>,
}

/// Copies the initial values that the expectation uses, and reads its files, which lie relative to a folder.
pub(super) fn before(target: &Target, values: &[Argument], folder: &Path) -> Result<Before, Failure> {
    let Some(expectation) = target.expectation() else { return Ok(Before::default()) };
    let read = |path: String| read_any_npy(&folder.join(&path)).map(|tensor| (path, tensor)).map_err(Failure::from);
    let files = expect::files_needed(expectation).into_iter().map(read).collect::<Result<_, _>>()?;
    let needed = expect::initials_needed(&target.kernel, expectation);
    let copies = needed.into_iter().filter_map(|param| {
        let copy = match values.get(param.0 as usize)? {
            Argument::Tensor(tensor) => tensor.try_clone().map(Argument::Tensor).map_err(Failure::from),
            Argument::Scalar(scalar) => Ok(Argument::Scalar(*scalar)),
        };
        Some(copy.map(|copy| (param, copy)))
    });
    Ok(Before { initials: copies.collect::<Result<_, _>>()?, files })
}

/// The report of a run.
pub(super) fn run(target: &Target, sizes: &Sizes, before: &Before, after: &[Argument]) -> Result<Run, Failure> {
    let kernel = &target.kernel;
    let mut run = Run {
        kernel: kernel.name.to_string(),
        device: String::new(),
        bindings: sizes
            .iter()
            .filter(|(symbol, _)| kernel.symbols.contains(symbol))
            .map(|(symbol, value)| (symbol.name().to_owned(), *value))
            .collect(),
        outputs: outputs(kernel, after),
        expect: Expect::None,
        first_mismatch: None,
        mismatches: None,
        max_error: None,
        run_us: 0.0,
        saved: BTreeMap::new(),
        notes: Vec::new(),
        time: None,
    };
    if let Some(expectation) = target.expectation() {
        let values = Values { finals: after, initials: &before.initials, files: &before.files };
        let outcome = expect::evaluate(kernel, expectation, sizes, values, &Control::default())
            .map_err(|error| Failure::file(error.to_string()))?;
        tell(&mut run, outcome);
    }
    Ok(run)
}

/// Adds the result of the expectation.
fn tell(run: &mut Run, outcome: Outcome) {
    match outcome {
        Outcome::Passed { max_error } => {
            run.expect = Expect::Passed;
            run.max_error = Some(max_error);
        }
        Outcome::Failed { index, expected, actual, max_error, mismatches } => {
            run.expect = Expect::Failed;
            // JSON has no infinity; the first mismatch has the values.
            run.max_error = Some(max_error).filter(|error| error.is_finite());
            run.mismatches = Some(mismatches);
            run.first_mismatch = Some(Mismatch { index, expected: number(expected), actual: number(actual) });
        }
    }
}

/// A number of an expectation as JSON; a text if JSON cannot represent it.
fn number(value: Number) -> Json {
    match value {
        Number::Bool(value) => json!(value),
        Number::Integer(value) => integer(value).unwrap_or_else(|| json!(value.to_string())),
        Number::Float(value) => float(value),
    }
}

/// An integer as JSON, exactly; `None` beyond 64 bits.
fn integer(value: i128) -> Option<Json> {
    let signed = i64::try_from(value).map(|value| json!(value));
    signed.or_else(|_| u64::try_from(value).map(|value| json!(value))).ok()
}

fn float(value: f64) -> Json {
    serde_json::Number::from_f64(value).map_or_else(|| json!(value.to_string()), Json::Number)
}

/// Every tensor that the kernel may write, by its name.
fn outputs(kernel: &Kernel, after: &[Argument]) -> BTreeMap<String, ran::Tensor> {
    let params = kernel.params.iter().zip(after);
    let outputs = params.filter_map(|(param, value)| match (&param.kind, value) {
        (ParamKind::Tensor { mutable: true, .. }, Argument::Tensor(tensor)) => {
            Some((param.name.to_string(), sample(tensor)))
        }
        _ => None,
    });
    outputs.collect()
}

fn sample(tensor: &Tensor) -> ran::Tensor {
    let offsets = tensor.offsets(0, SAMPLE);
    ran::Tensor {
        dtype: tensor.element().name().to_owned(),
        shape: tensor.shape().to_vec(),
        sample: offsets.filter_map(|offset| tensor.get_at(offset)).map(scalar).collect(),
    }
}

/// A scalar as a JSON number, or as the language's text if JSON cannot represent it.
pub(super) fn scalar(value: Scalar) -> Json {
    if let Scalar::Bool(value) = value {
        return json!(value);
    }
    match value.to_i128() {
        Some(value) => integer(value).unwrap_or(Json::Null),
        None => float(value.to_decimal()),
    }
}
