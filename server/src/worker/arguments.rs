//! The tensors and scalars that a kernel starts with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use check::spelling;
use kernel::run::Init;
use kernel::typed::{Constant, Kernel, Param, ParamKind};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::npy::{Expected, read_npy};
use shapewright_runtime::tensors::{ElementType, Initial, Scalar, Tensor};

use super::failure::Failure;
use super::sizes::Sizes;
use super::target::Target;

/// The source of a parameter's initial value.
pub(super) enum Source<'a> {
    /// A `.npy` file.
    File(PathBuf),
    /// The `run` item.
    Init(&'a Init),
    /// The command line.
    Given(Initial),
    /// Not given: an output starts with zeros.
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

/// Refuses names that are not parameters.
pub(super) fn refuse_unknown<'n>(
    kernel: &Kernel,
    given: impl Iterator<Item = &'n String>,
    option: &str,
) -> Result<(), Failure> {
    let known = || kernel.params.iter().map(|param| param.name.as_str());
    for name in given {
        if !known().any(|param| param == name) {
            let advice = match spelling::nearest(name, known()) {
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
    let is_tensor = matches!(param.kind, ParamKind::Tensor { .. });
    let filled = match (text, seed) {
        (_, Some(seed)) => match seed.trim().parse() {
            Ok(seed) => Some(Initial::Random(seed)),
            Err(_) => return Err(Failure::usage(format!("--in {}: the seed `{seed}` is not a number", param.name))),
        },
        ("zeros", _) => Some(Initial::Zeros),
        ("ones", _) => Some(Initial::Ones),
        ("arange", _) => Some(Initial::Arange),
        _ => None,
    };
    if let Some(filled) = filled.filter(|_| is_tensor) {
        return Ok(Source::Given(filled));
    }
    match value(param.element, text) {
        Some(Ok(value)) => Ok(Source::Given(Initial::Constant(value))),
        Some(Err(problem)) => Err(Failure::usage(format!("--in {}={text}: {problem}", param.name))),
        None if is_tensor => Ok(Source::File(PathBuf::from(text))),
        None => Err(Failure::usage(format!(
            "--in {}={text}: the parameter is a scalar of {}, give {}",
            param.name,
            param.element,
            what_a_scalar_is(param.element)
        ))),
    }
}

/// The syntax of a scalar's value, for messages.
fn what_a_scalar_is(element: ElementType) -> &'static str {
    if element == ElementType::Bool { "true or false" } else { "a number" }
}

/// The largest integer up to which every integer is a float of 64 bits.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Parses a number or truth value exactly; `None` if the text is neither. Integers are not converted through floats,
/// which would lose digits.
fn value(element: ElementType, text: &str) -> Option<Result<Scalar, String>> {
    match text {
        "true" | "false" if element == ElementType::Bool => return Some(Ok(Scalar::Bool(text == "true"))),
        "true" | "false" => return Some(Err(format!("the parameter holds {element}, which cannot be {text}"))),
        _ => {}
    }
    let digits = text.replace('_', "");
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let integer = match hexadecimal {
        Some(digits) => i128::from(u64::from_str_radix(digits, 16).ok()?),
        None => match digits.parse() {
            Ok(integer) => integer,
            Err(_) => {
                let value: f64 = digits.parse().ok()?;
                let is_written = digits.contains(|character: char| character.is_ascii_digit());
                if value.is_infinite() && is_written {
                    return Some(Err(format!("{text} is beyond the largest float; write `inf` if that is meant")));
                }
                return Some(float(element, value));
            }
        },
    };
    Some(match element {
        ElementType::Bool if !(0..=1).contains(&integer) => {
            Err(format!("the parameter holds {element}, give {}", what_a_scalar_is(element)))
        }
        _ => Scalar::from_i128(element, integer).map_err(|error| error.to_string()),
    })
}

fn float(element: ElementType, value: f64) -> Result<Scalar, String> {
    match element {
        ElementType::Bool => Err(format!("the parameter holds {element}, give {}", what_a_scalar_is(element))),
        _ if element.is_integer() && value.is_finite() && value.abs() > MOST_EXACT => Err(format!(
            "a float of this size stands for many integers of {element}; write all digits of the one meant"
        )),
        _ => Scalar::from_f64(element, value).map_err(|error| error.to_string()),
    }
}

/// Makes the arguments. Notes about files for the user are added to `notes`.
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
    let element = param.element;
    let needs_one =
        || Failure::file(format!("`{}` is a scalar of {element}, give {}", param.name, what_a_scalar_is(element)));
    match source {
        Source::Given(Initial::Constant(value)) => Ok(*value),
        Source::Given(_) => Err(needs_one()),
        Source::Init(Init::Constant(value)) => constant(param, *value),
        Source::Init(Init::Literal(values)) if values.len() == 1 => constant(param, values[0]),
        Source::Init(Init::Zeros | Init::Arange) | Source::Zeros => Ok(Scalar::zero(element)),
        Source::Init(Init::Ones) => Ok(Scalar::from_i128(element, 1)?),
        Source::Init(Init::Random(seed)) => Ok(shapewright_runtime::tensors::random_value(element, *seed, 0)),
        Source::Init(Init::Literal(_) | Init::Npy(_)) => Err(needs_one()),
        Source::File(path) => {
            let (path, element) = (path.display(), param.element);
            Err(Failure::file(format!("`{}` is a scalar of {element}, it cannot be read from {path}", param.name)))
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
        Source::Given(initial) => {
            let mut tensor = Tensor::strided(element, &shape, &strides)?;
            tensor.fill(*initial)?;
            return Ok(tensor);
        }
        Source::Init(init) => *init,
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
        Constant::Int(value) => Scalar::from_i128(element, value.into()),
        Constant::Unsigned(value) => Scalar::from_i128(element, value.into()),
        Constant::Float(value) => Scalar::from_f64(element, value),
    };
    scalar.map_err(|error| Failure::usage(format!("`{}`: {error}", param.name)))
}
