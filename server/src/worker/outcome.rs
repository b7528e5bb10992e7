//! What a run gives: samples of its outputs, and what became of its expectation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use shapewright_compiler::kernels::run::{TensorExpr, TensorExprKind};
use shapewright_compiler::kernels::typed::{Kernel, ParamKind};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Scalar, Tensor};

use super::expect::{self, Tensors};
use super::failure::Failure;
use super::sizes::Sizes;
use super::target::Target;
use crate::cli::json::{self, Expect, Mismatch, Run};

/// As many elements of an output are told.
const SAMPLE: usize = 16;

/// The tensors that an expectation asks for as they were before the run; `None` for every other parameter.
pub(super) fn before(target: &Target, values: &[Argument]) -> Result<Vec<Option<Tensor>>, Failure> {
    let mut asked = BTreeSet::new();
    if let Some(expectation) = target.expectation() {
        initials(&expectation.condition, &mut asked);
    }
    let copies = values.iter().enumerate().map(|(position, value)| match value {
        Argument::Tensor(tensor) if asked.contains(&position) => Ok(Some(tensor.try_clone()?)),
        _ => Ok(None),
    });
    copies.collect()
}

/// The parameters whose first value an expression asks for.
fn initials(expr: &TensorExpr, asked: &mut BTreeSet<usize>) {
    match &expr.kind {
        TensorExprKind::Initial(param) => {
            asked.insert(param.0 as usize);
        }
        TensorExprKind::Constant(_) | TensorExprKind::Size(_) | TensorExprKind::Final(_) => {}
        TensorExprKind::Unary(_, operand)
        | TensorExprKind::Cast(_, operand)
        | TensorExprKind::Permute(operand, _)
        | TensorExprKind::Reshape(operand)
        | TensorExprKind::Reverse(operand, _)
        | TensorExprKind::Slice(operand, ..)
        | TensorExprKind::Index(operand, _)
        | TensorExprKind::Sum(operand, _)
        | TensorExprKind::Maximum(operand, _)
        | TensorExprKind::Minimum(operand, _) => initials(operand, asked),
        TensorExprKind::Binary(_, left, right) => {
            initials(left, asked);
            initials(right, asked);
        }
        TensorExprKind::Math(_, operands) => operands.iter().for_each(|operand| initials(operand, asked)),
        TensorExprKind::Select(condition, then, otherwise) => {
            initials(condition, asked);
            initials(then, asked);
            initials(otherwise, asked);
        }
    }
}

/// What to tell of a run.
pub(super) fn run(
    target: &Target,
    sizes: &Sizes,
    before: &[Option<Tensor>],
    after: &[Argument],
) -> Result<Run, Failure> {
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
        let found = expect::check(expectation, &Tensors { sizes, before, after })?;
        run.expect = if found.wrong == 0 { Expect::Passed } else { Expect::Failed };
        run.mismatches = (found.wrong > 0).then_some(found.wrong);
        run.max_error = found.max_error.filter(|error| error.is_finite());
        run.first_mismatch = found.first.map(|wrong| Mismatch {
            index: wrong.index,
            expected: wrong.expected.to_json(),
            actual: wrong.actual.to_json(),
        });
    }
    Ok(run)
}

/// Every tensor that the kernel may write, by its name.
fn outputs(kernel: &Kernel, after: &[Argument]) -> BTreeMap<String, json::Tensor> {
    let params = kernel.params.iter().zip(after);
    let outputs = params.filter_map(|(param, value)| match (&param.kind, value) {
        (ParamKind::Tensor { mutable: true, .. }, Argument::Tensor(tensor)) => {
            Some((param.name.to_string(), sample(tensor)))
        }
        _ => None,
    });
    outputs.collect()
}

fn sample(tensor: &Tensor) -> json::Tensor {
    let offsets = tensor.offsets(0, SAMPLE);
    json::Tensor {
        dtype: tensor.element().name().to_owned(),
        shape: tensor.shape().to_vec(),
        sample: offsets.filter_map(|offset| tensor.get_at(offset)).map(scalar).collect(),
    }
}

/// A scalar as a JSON number. What JSON has no number for is the text that the language prints.
pub(super) fn scalar(value: Scalar) -> Json {
    if let Scalar::Bool(value) = value {
        return json!(value);
    }
    if let Some(integer) = value.to_i128() {
        let signed = i64::try_from(integer).map(|integer| json!(integer));
        return signed.or_else(|_| u64::try_from(integer).map(|integer| json!(integer))).unwrap_or(Json::Null);
    }
    // A float of 32 bits is told by the shortest text that means it, not by all digits of its 64-bit value.
    let float = match value {
        Scalar::F32(value) => value.to_string().parse().unwrap_or(f64::from(value)),
        value => value.to_f64(),
    };
    serde_json::Number::from_f64(float).map_or_else(|| json!(float.to_string()), Json::Number)
}
