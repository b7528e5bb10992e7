//! The blocks of numpy in the cookbook compute what the programs beside them do, from the same arguments.
//!
//! That every recipe checks and runs, and what becomes of the mistakes that it speaks of, is tested with the command.

use std::collections::BTreeMap;

use check::run_items;
use dims::{Solved, Symbol};
use ide::CompilerDatabase;
use kernel::at_launch;
use kernel::run::{Init, Run};
use kernel::typed::{Constant, Kernel, Param, ParamKind};
use serde_json::{Value, json};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Initial, Scalar, Tensor};
use testing::compare::interpreter_and_cpu;

use crate::interop::python;

const BOOK: &str = include_str!("../../docs/cookbook.md");

/// The block of a recipe that begins with this line.
fn block<'t>(recipe: &'t str, first: &str) -> Option<&'t str> {
    let (_, rest) = recipe.split_once(&format!("```{first}\n"))?;
    rest.split("```").next()
}

#[test]
fn numpy_computes_what_the_recipes_do() {
    let mut cases = Vec::new();
    for recipe in BOOK.split("\n## ").skip(1) {
        let title = recipe.lines().next().unwrap_or_default();
        if let (Some(program), Some(numpy)) = (block(recipe, "shape"), block(recipe, "python numpy")) {
            cases.push(case(title, program, numpy));
        }
    }
    let count = cases.len();
    assert!(count >= 20, "only {count} recipes with numpy");
    if let Some(printed) = python::run("check_daily.py", &Value::Array(cases)) {
        assert_eq!(printed, format!("{count} cases\n"));
    }
}

/// The first run of a recipe, executed.
fn case(title: &str, program: &str, numpy: &str) -> Value {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("recipe.shape", program);
    db.add_library(file);
    let run = file.items(&db).iter().find_map(|item| run_items::run(&db, *item).run.clone());
    let run = run.unwrap_or_else(|| panic!("{title}: no run passes its checks"));
    let kernel = &run.kernel;
    let sizes = sizes_of(&run);
    let bounds = at_launch(kernel, &sizes).unwrap_or_else(|problem| panic!("{title}: {problem:?}"));
    let inits = run.arguments.iter().map(|init| init.as_ref().unwrap_or(&Init::Zeros));
    let mut arguments: Vec<Argument> =
        kernel.params.iter().zip(inits).map(|(param, init)| argument(param, init, &sizes)).collect();
    let before: Vec<Value> = arguments.iter().map(shown).collect();
    interpreter_and_cpu(kernel, &sizes, &mut arguments, bounds).unwrap_or_else(|problem| panic!("{title}: {problem}"));
    json!({ "name": title, "text": program, "numpy": numpy, "arrays": arrays(kernel, before, &arguments) })
}

fn arrays(kernel: &Kernel, before: Vec<Value>, after: &[Argument]) -> serde_json::Map<String, Value> {
    let of = |(param, (before, after)): (&Param, (Value, &Argument))| {
        let is_written = matches!(param.kind, ParamKind::Tensor { mutable: true, .. });
        let after = if is_written { shown(after) } else { Value::Null };
        (param.name.to_string(), json!({ "before": before, "after": after }))
    };
    kernel.params.iter().zip(before.into_iter().zip(after)).map(of).collect()
}

/// The programs, each with its title.
pub fn programs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let recipes = BOOK.split("\n## ").skip(1);
    recipes.filter_map(|recipe| Some((recipe.lines().next()?, block(recipe, "shape")?)))
}

/// The sizes that a run says, also by the lengths of its literals.
pub fn sizes_of(run: &Run) -> BTreeMap<Symbol, i64> {
    let mut sizes = run.bindings.clone();
    for (param, init) in run.kernel.params.iter().zip(&run.arguments) {
        if let (ParamKind::Tensor { shape, .. }, Some(Init::Literal(elements))) = (&param.kind, init)
            && let [extent] = shape.as_slice()
            && let Solved::Is(symbol, size) = extent.solve(elements.len() as i64, &|symbol| sizes.get(symbol).copied())
        {
            sizes.insert(symbol, size);
        }
    }
    sizes
}

fn argument(param: &Param, init: &Init, sizes: &BTreeMap<Symbol, i64>) -> Argument {
    let element = param.element;
    let scalar = |value: &Constant| match value {
        Constant::Int(value) => Scalar::from_i128(element, (*value).into()).unwrap(),
        Constant::Float(value) => Scalar::from_f64(element, *value).unwrap(),
        other => panic!("{}: {other:?}", param.name),
    };
    let ParamKind::Tensor { shape, .. } = &param.kind else {
        let Init::Constant(value) = init else { panic!("{}: {init:?}", param.name) };
        return Argument::Scalar(scalar(value));
    };
    let extent = |extent: &dims::Sym| extent.evaluate(&|symbol| sizes.get(symbol).copied()).unwrap() as u64;
    let shape: Vec<u64> = shape.iter().map(extent).collect();
    let mut tensor = Tensor::zeros(element, &shape).unwrap();
    match init {
        Init::Zeros => {}
        Init::Ones => tensor.fill(Initial::Ones).unwrap(),
        Init::Arange => tensor.fill(Initial::Arange).unwrap(),
        Init::Random(seed) => tensor.fill(Initial::Random(*seed)).unwrap(),
        Init::Constant(value) => tensor.fill(Initial::Constant(scalar(value))).unwrap(),
        Init::Literal(values) => {
            for (position, value) in values.iter().enumerate() {
                tensor.set_at(position, scalar(value)).unwrap();
            }
        }
        Init::Npy(path) => panic!("a recipe needs no file, as {path}"),
    }
    Argument::Tensor(tensor)
}

/// An argument for the script.
fn shown(argument: &Argument) -> Value {
    match argument {
        Argument::Scalar(scalar) => match scalar.to_i128().filter(|_| scalar.element().is_integer()) {
            Some(value) => json!({ "scalar": value as i64 }),
            None => json!({ "scalar": scalar.to_f64() }),
        },
        Argument::Tensor(tensor) => {
            let bytes: String = tensor.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            let name = tensor.element().name();
            let name = name.replace('i', "int").replace('u', "uint").replace('f', "float");
            json!({ "bytes": bytes, "type": name, "shape": tensor.shape() })
        }
    }
}
