//! The tensors and scalars that a kernel starts with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use check::names;
use kernel::run::Init;
use kernel::typed::{Constant, Kernel, Param, ParamKind};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::npy::{Expected, read_npy};
use shapewright_runtime::tensors::{ElementType, Initial, Scalar, Tensor};

use super::failure::Failure;
use super::sizes::Sizes;
use super::target::Target;

/// Where a parameter's first value comes from.
pub(super) enum Source<'a> {
    /// A `.npy` file.
    File(PathBuf),
    /// What the `run` item says.
    Init(&'a Init),
    /// What the command line says.
    Given(Init),
    /// Nobody says: an output starts with zeros.
    Zeros,
}

/// One source for each parameter of the target's kernel.
pub(super) fn sources<'a>(
    target: &'a Target,
    inputs: &BTreeMap<String, String>,
    folder: &Path,
) -> Result<Vec<Source<'a>>, Failure> {
    refuse_unknown(&target.kernel, inputs.keys(), "--in")?;
    let params = target.kernel.params.iter().enumerate();
    params
        .map(|(position, param)| match (inputs.get(param.name.as_str()), target.init(position)) {
            (Some(given), _) => from_command_line(param, given),
            (None, Some(Init::Npy(path))) => Ok(Source::File(folder.join(path.as_str()))),
            (None, Some(init)) => Ok(Source::Init(init)),
            (None, None) if matches!(param.kind, ParamKind::Tensor { mutable: true, .. }) => Ok(Source::Zeros),
            (None, None) => Err(Failure::usage(format!(
                "the kernel {} needs a value for `{}`: give --in {}={}",
                target.kernel.name,
                param.name,
                param.name,
                if matches!(param.kind, ParamKind::Scalar) { "NUMBER" } else { "FILE.npy" }
            ))),
        })
        .collect()
}

/// Refuses names that are no parameters, which are misspelt.
pub(super) fn refuse_unknown<'n>(
    kernel: &Kernel,
    given: impl Iterator<Item = &'n String>,
    option: &str,
) -> Result<(), Failure> {
    let known = || kernel.params.iter().map(|param| param.name.as_str());
    for name in given {
        if !known().any(|param| param == name) {
            let advice = match names::nearest(name, known()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!(" (it has {})", known().collect::<Vec<_>>().join(", ")),
            };
            return Err(Failure::usage(format!(
                "{option} {name}: the kernel {} has no such parameter{advice}",
                kernel.name
            )));
        }
    }
    Ok(())
}

/// Refuses to save what the kernel does not write, as `save` in the source does.
pub(super) fn refuse_unwritten<'n>(kernel: &Kernel, outputs: impl Iterator<Item = &'n String>) -> Result<(), Failure> {
    let written = |param: &&Param| matches!(param.kind, ParamKind::Tensor { mutable: true, .. });
    for name in outputs {
        if !kernel.params.iter().filter(written).any(|param| param.name == name.as_str()) {
            let written: Vec<&str> = kernel.params.iter().filter(written).map(|param| param.name.as_str()).collect();
            let advice = match written.as_slice() {
                [] => "it writes nothing".to_owned(),
                written => format!("it writes {}", written.join(", ")),
            };
            return Err(Failure::usage(format!(
                "--out {name}: the kernel {} does not write `{name}`, which is not `mut`; {advice}",
                kernel.name
            )));
        }
    }
    Ok(())
}

/// `x.npy`, `zeros`, `ones`, `arange`, `random(1)` or a number.
fn from_command_line<'a>(param: &Param, text: &str) -> Result<Source<'a>, Failure> {
    let seed = text.strip_prefix("random(").and_then(|rest| rest.strip_suffix(')'));
    let init = match (text, seed) {
        (_, Some(seed)) => match seed.trim().parse() {
            Ok(seed) => Some(Init::Random(seed)),
            Err(_) => return Err(Failure::usage(format!("--in {}: the seed `{seed}` is not a number", param.name))),
        },
        ("zeros", _) => Some(Init::Zeros),
        ("ones", _) => Some(Init::Ones),
        ("arange", _) => Some(Init::Arange),
        (text, _) => number(text).map(Init::Constant),
    };
    match (init, &param.kind) {
        (Some(init), ParamKind::Tensor { .. }) => Ok(Source::Given(init)),
        (Some(init @ Init::Constant(_)), ParamKind::Scalar) => Ok(Source::Given(init)),
        (None, ParamKind::Tensor { .. }) => Ok(Source::File(PathBuf::from(text))),
        (_, ParamKind::Scalar) => Err(Failure::usage(format!(
            "--in {}={text}: the parameter is a scalar of {}, give a number",
            param.name, param.element
        ))),
    }
}

fn number(text: &str) -> Option<Constant> {
    match text {
        "true" => Some(Constant::Bool(true)),
        "false" => Some(Constant::Bool(false)),
        text => match text.replace('_', "").parse() {
            Ok(int) => Some(Constant::Int(int)),
            Err(_) => text.parse().ok().map(Constant::Float),
        },
    }
}

/// Makes the arguments. What files say that a user should know is added to `notes`.
pub(super) fn load(
    kernel: &Kernel,
    sources: &[Source<'_>],
    sizes: &Sizes,
    notes: &mut Vec<String>,
) -> Result<Vec<Argument>, Failure> {
    let mut arguments = Vec::with_capacity(kernel.params.len());
    for (param, source) in kernel.params.iter().zip(sources) {
        arguments.push(match &param.kind {
            ParamKind::Scalar => Argument::Scalar(scalar(param, source)?),
            ParamKind::Tensor { .. } => Argument::Tensor(tensor(param, source, sizes, notes)?),
        });
    }
    Ok(arguments)
}

fn scalar(param: &Param, source: &Source<'_>) -> Result<Scalar, Failure> {
    let init = match source {
        Source::Init(init) => *init,
        Source::Given(init) => init,
        Source::Zeros => &Init::Zeros,
        Source::File(path) => {
            let (path, element) = (path.display(), param.element);
            return Err(Failure::file(format!(
                "`{}` is a scalar of {element}, it cannot be read from {path}",
                param.name
            )));
        }
    };
    let element = param.element;
    match init {
        Init::Constant(value) => constant(param, *value),
        Init::Literal(values) if values.len() == 1 => constant(param, values[0]),
        Init::Zeros | Init::Arange => Ok(Scalar::zero(element)),
        Init::Ones => Ok(Scalar::from_i128(element, 1)?),
        Init::Random(seed) => Ok(shapewright_runtime::tensors::random_value(element, *seed, 0)),
        Init::Literal(_) | Init::Npy(_) => {
            Err(Failure::file(format!("`{}` is a scalar of {}, expected one number", param.name, param.element)))
        }
    }
}

fn tensor(param: &Param, source: &Source<'_>, sizes: &Sizes, notes: &mut Vec<String>) -> Result<Tensor, Failure> {
    let ParamKind::Tensor { shape, strides, .. } = &param.kind else {
        return Err(Failure::file(format!("`{}` is not a tensor", param.name)));
    };
    let evaluated = |sizes_of: &[dims::Sym]| -> Result<Vec<u64>, Failure> {
        let values = sizes_of.iter().map(|dim| {
            let value = dim.evaluate(&|symbol| sizes.get(symbol).copied());
            let value =
                value.map_err(|error| Failure::file(format!("a size of `{}` has no value: {error}", param.name)))?;
            u64::try_from(value).map_err(|_| {
                Failure::file(format!("a size of `{}` is {value}, but a size cannot be negative", param.name))
            })
        });
        values.collect()
    };
    let (shape, strides) = (evaluated(shape)?, evaluated(strides)?);
    let element = param.element;
    let init = match source {
        Source::File(path) => {
            let expected: Vec<Option<u64>> = shape.iter().copied().map(Some).collect();
            let expected = Expected { parameter: param.name.as_str(), element, shape: Some(expected.as_slice()) };
            let loaded = read_npy(path, &expected).map_err(|error| Failure::npy(error, param, sizes))?;
            notes.extend(loaded.note);
            let mut tensor = Tensor::strided(element, &shape, &strides)?;
            if tensor.is_row_major() {
                return Ok(loaded.tensor);
            }
            tensor.copy_elements_from(&loaded.tensor)?;
            return Ok(tensor);
        }
        Source::Init(init) => *init,
        Source::Given(init) => init,
        Source::Zeros => &Init::Zeros,
    };
    let mut tensor = Tensor::strided(element, &shape, &strides)?;
    match init {
        Init::Zeros => {}
        Init::Ones => tensor.fill(Initial::Ones)?,
        Init::Arange => tensor.fill(Initial::Arange)?,
        Init::Random(seed) => tensor.fill(Initial::Random(*seed))?,
        Init::Constant(value) => tensor.fill(Initial::Constant(constant(param, *value)?))?,
        Init::Literal(values) => literal(param, values, &mut tensor)?,
        Init::Npy(path) => return Err(Failure::file(format!("the file {path} was not found in time"))),
    }
    Ok(tensor)
}

fn literal(param: &Param, values: &[Constant], tensor: &mut Tensor) -> Result<(), Failure> {
    if values.len() != tensor.len() {
        let (given, needed) = (values.len(), tensor.len());
        return Err(Failure::file(format!("`{}` has {needed} elements, but its literal has {given}", param.name)));
    }
    let offsets: Vec<usize> = tensor.offsets(0, values.len()).collect();
    for (offset, value) in offsets.into_iter().zip(values) {
        tensor.set_at(offset, constant(param, *value)?)?;
    }
    Ok(())
}

fn constant(param: &Param, value: Constant) -> Result<Scalar, Failure> {
    let element = param.element;
    let scalar = match value {
        Constant::Bool(value) if element == ElementType::Bool => Ok(Scalar::Bool(value)),
        Constant::Bool(value) => {
            Err(Failure::usage(format!("`{}` is of type {element}, it cannot be {value}", param.name)))?
        }
        // Beyond i64::MAX a u64 is kept as its two's complement.
        Constant::Int(value) if element == ElementType::U64 => Ok(Scalar::U64(value as u64)),
        Constant::Int(value) => Scalar::from_i128(element, i128::from(value)),
        Constant::Float(value) => Scalar::from_f64(element, value),
    };
    scalar.map_err(|error| Failure::usage(format!("`{}`: {error}", param.name)))
}
