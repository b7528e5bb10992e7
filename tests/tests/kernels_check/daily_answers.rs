//! Kernels of daily work in the form that comes first to mind: each is accepted without a warning, is safe, gives the same on
//! all executors, and what numpy computes from the same arguments.
//!
//! They stand in `daily/*.txt`: `== name`, the sizes, the kernel, what its arguments are where that matters (`given`), and
//! behind `--` what numpy computes.

use std::collections::BTreeMap;

use dims::Symbol;
use elements::ElementType;
use kernel::at_launch;
use kernel::typed::{Kernel, Param, ParamKind};
use seeds::Draw;
use serde_json::{Value, json};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Scalar, Tensor};
use testing::compare::interpreter_and_cpu;

use super::safe::safe;
use crate::interop::python;
use crate::support::check;

/// A kernel of a file.
struct Daily {
    name: String,
    sizes: BTreeMap<String, i64>,
    text: String,
    given: BTreeMap<String, Vec<String>>,
    numpy: String,
}

/// The kernels of a file.
fn read(topic: &str, file: &str) -> Vec<Daily> {
    file.split("\n== ").map(|entry| entry.trim_start_matches("== ")).map(|entry| one(topic, entry)).collect()
}

fn one(topic: &str, entry: &str) -> Daily {
    let (head, numpy) = entry.split_once("\n-- ").unwrap_or_else(|| panic!("{topic}: no answer for {entry}"));
    let mut lines = head.lines();
    let name = format!("{topic}: {}", lines.next().unwrap_or_default());
    let mut daily =
        Daily { name, sizes: BTreeMap::new(), text: String::new(), given: BTreeMap::new(), numpy: numpy.to_owned() };
    for line in lines {
        if let Some(sizes) = line.strip_prefix("sizes ") {
            for (name, value) in sizes.split(", ").map(|size| size.split_once(" = ").unwrap()) {
                daily.sizes.insert(name.to_owned(), value.parse().unwrap());
            }
        } else if let Some(given) = line.strip_prefix("given ") {
            let mut words = given.split(' ').map(str::to_owned);
            daily.given.insert(words.next().unwrap(), words.collect());
        } else {
            daily.text += line;
            daily.text.push('\n');
        }
    }
    daily
}

impl Daily {
    /// The case for the script, or why there is none.
    fn case(&self) -> Result<Value, String> {
        let Daily { name, text, .. } = self;
        let checked = check(text);
        let unwanted = checked.codes();
        let unwanted: Vec<&&str> = unwanted.iter().filter(|code| !HINTS.contains(*code)).collect();
        let (Some(kernel), true) = (checked.kernel(), unwanted.is_empty()) else {
            return Err(format!("{name}:\n{text}{}", checked.report()));
        };
        safe(&checked, text);
        let sizes: BTreeMap<Symbol, i64> =
            kernel.symbols.iter().map(|symbol| (symbol.clone(), self.sizes[symbol.name()])).collect();
        let bounds = at_launch(&kernel, &sizes).map_err(|problem| format!("{name}: {problem:?}"))?;
        let mut draw = Draw::new(text.len() as u64);
        let mut arguments: Vec<Argument> =
            kernel.params.iter().map(|param| self.argument(param, &kernel, &sizes, &mut draw)).collect();
        let before: Vec<Value> = arguments.iter().map(shown).collect();
        interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds).map_err(|problem| format!("{name}: {problem}"))?;
        let arrays = kernel.params.iter().zip(before.into_iter().zip(&arguments)).map(|(param, (before, after))| {
            let written = matches!(param.kind, ParamKind::Tensor { mutable: true, .. });
            let after = if written { shown(after) } else { Value::Null };
            (param.name.to_string(), json!({ "before": before, "after": after }))
        });
        let arrays = arrays.collect::<serde_json::Map<_, _>>();
        Ok(json!({ "name": name, "text": text, "numpy": self.numpy, "arrays": arrays }))
    }

    fn argument(&self, param: &Param, kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, draw: &mut Draw) -> Argument {
        let element = param.element;
        let words: Vec<&str> = self.given.get(param.name.as_str()).into_iter().flatten().map(String::as_str).collect();
        let ParamKind::Tensor { shape, mutable, .. } = &param.kind else {
            let value: f64 = words.first().map_or(2.0, |word| word.parse().unwrap());
            return Argument::Scalar(Scalar::from_f64(element, value).unwrap());
        };
        let known = |symbol: &Symbol| sizes.get(symbol).copied();
        let shape: Vec<u64> = shape.iter().map(|dim| dim.evaluate(&known).unwrap() as u64).collect();
        let mut tensor =
            Tensor::zeros(element, &shape).unwrap_or_else(|problem| panic!("{}: {problem:?}", kernel.name));
        if *mutable && words.is_empty() {
            return Argument::Tensor(tensor);
        }
        let count = tensor.storage_len();
        let mut numbers: Vec<f64> = (0..count).map(|_| number(element, &words, draw)).collect();
        match words.first() {
            Some(&"sorted") => numbers.sort_by(f64::total_cmp),
            Some(&"rows") => {
                numbers.sort_by(f64::total_cmp);
                numbers[0] = 0.0;
                numbers[count - 1] = words[1].parse().unwrap();
            }
            _ => {}
        }
        for (position, number) in numbers.into_iter().enumerate() {
            tensor.set_at(position, Scalar::from_f64(element, number).unwrap()).unwrap();
        }
        Argument::Tensor(tensor)
    }
}

/// What is said of a kernel without anything being wrong with it.
const HINTS: &[&str] = &["inexact-division", "bank-conflict", "uncoalesced", "surplus-threads"];

fn number(element: ElementType, words: &[&str], draw: &mut Draw) -> f64 {
    match words {
        ["rows", end] => draw.between(0, end.parse().unwrap()) as f64,
        [low, high] => draw.between(low.parse().unwrap(), high.parse().unwrap()) as f64,
        _ if element.is_float() => draw.between(-8, 8) as f64 / 4.0,
        _ => draw.between(if element.is_signed() { -4 } else { 0 }, 4) as f64,
    }
}

fn shown(argument: &Argument) -> Value {
    let name = |element: ElementType| match element {
        ElementType::F32 => "float32".to_owned(),
        ElementType::F64 => "float64".to_owned(),
        other => other.name().replace('i', "int").replace('u', "uint"),
    };
    match argument {
        Argument::Scalar(scalar) => json!({ "scalar": scalar.to_f64() }),
        Argument::Tensor(tensor) => {
            let bytes: String = tensor.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "bytes": bytes, "type": name(tensor.element()), "shape": tensor.shape() })
        }
    }
}

#[test]
fn kernels_of_daily_work_are_accepted_and_give_what_numpy_computes() {
    let topics = [
        ("elementwise", include_str!("daily/elementwise.txt")),
        ("indices", include_str!("daily/indices.txt")),
        ("stencils", include_str!("daily/stencils.txt")),
        ("reductions", include_str!("daily/reductions.txt")),
        ("scans", include_str!("daily/scans.txt")),
        ("histograms", include_str!("daily/histograms.txt")),
        ("searching", include_str!("daily/searching.txt")),
        ("sparse", include_str!("daily/sparse.txt")),
        ("layouts", include_str!("daily/layouts.txt")),
        ("products", include_str!("daily/products.txt")),
        ("attention", include_str!("daily/attention.txt")),
        ("images", include_str!("daily/images.txt")),
        ("packing", include_str!("daily/packing.txt")),
        ("random", include_str!("daily/random.txt")),
        ("ragged", include_str!("daily/ragged.txt")),
        ("tiles", include_str!("daily/tiles.txt")),
        ("pointers", include_str!("daily/pointers.txt")),
        ("partners", include_str!("daily/partners.txt")),
        ("in place", include_str!("daily/in_place.txt")),
    ];
    let kernels: Vec<Daily> = topics.into_iter().flat_map(|(topic, file)| read(topic, file)).collect();
    assert!(kernels.len() >= 150, "{} kernels", kernels.len());
    let (mut cases, mut wrong) = (Vec::new(), Vec::new());
    for daily in &kernels {
        match daily.case() {
            Ok(case) => cases.push(case),
            Err(problem) => wrong.push(problem),
        }
    }
    let count = cases.len();
    if let Some(printed) = python::run("check_daily.py", &Value::Array(cases)) {
        let expected = format!("{count} cases\n");
        if printed != expected {
            wrong.push(printed);
        }
    }
    assert!(wrong.is_empty(), "{} of {} kernels:\n{}", wrong.len(), kernels.len(), wrong.join("\n"));
}
