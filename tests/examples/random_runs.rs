//! Writes random kernels for a GPU, each as a file with one `run` item, its inputs, and what the interpreter makes of
//! them: `random_runs FOLDER COUNT`.
//!
//! `cargo xtask gpu` packs the folder, so that a machine without Rust can hold a GPU against the interpreter. The seeds
//! begin at 0: the same folder each time.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use check::kernels::checked_kernel;
use dims::Symbol;
use ide::CompilerDatabase;
use kernel::functions::{Compute, MathFunction};
use kernel::typed::{Kernel, Param, ParamKind};
use kernel::{BoundsChecks, at_launch};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Scalar;
use shapewright_runtime::tensors::npy::write_npy;
use testing::tile_programs::TileProgram;
use testing::{compare, source, thread_nests};

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count] = words.as_slice() else { return Err("give a folder and a number of kernels".to_owned()) };
    let count = count.parse().map_err(|error| format!("{count}: {error}"))?;
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder.join("expected")).map_err(|error| format!("{}: {error}", folder.display()))?;
    // A third have views and loops over the grid, a third have shared arrays and threads that wait for each other, and a
    // third compute with tiles.
    let cases = (0..).flat_map(|seed| [of_threads(seed), of_nests(seed), of_tiles(seed)]).flatten();
    for (number, case) in cases.take(count).enumerate() {
        case.write(folder, &format!("{number:04}"))?;
    }
    Ok(())
}

/// A kernel with what it runs on.
struct Case {
    text: String,
    kernel: Arc<Kernel>,
    sizes: BTreeMap<Symbol, i64>,
    arguments: Vec<Argument>,
    expected: Vec<Argument>,
}

fn of_threads(seed: u64) -> Option<Case> {
    let made = source::right(seed);
    let kernel = checked(&made.text)?;
    let sizes = source::sizes(&kernel, &made.sizes)?;
    let arguments = source::arguments(&kernel, &sizes, seed)?;
    Case::new(made.text, kernel, sizes, arguments)
}

/// `None` of a nest with loops of a million iterations: all of them would take minutes.
fn of_nests(seed: u64) -> Option<Case> {
    let text = thread_nests::nest(seed).text;
    let kernel = checked(&text)?;
    let is_long = thread_nests::shortened(&kernel) != *kernel;
    if is_long {
        return None;
    }
    let sizes = thread_nests::sizes(&kernel, 3);
    let arguments = thread_nests::arguments(&kernel, seed)?;
    Case::new(text, kernel, sizes, arguments)
}

fn of_tiles(seed: u64) -> Option<Case> {
    let program = TileProgram::new(seed);
    let kernel = checked(&program.text)?;
    let sizes = source::sizes(&kernel, &program.sizes)?;
    let arguments = program.arguments();
    Case::new(program.text, kernel, sizes, arguments)
}

/// The kernel of a text that the compiler accepts.
fn checked(text: &str) -> Option<Arc<Kernel>> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("random.shape", text);
    file.items(&db).iter().find_map(|item| checked_kernel(&db, *item).kernel.clone())
}

impl Case {
    /// `None` for what a GPU does not launch, and for what it may compute with other last digits.
    fn new(text: String, kernel: Arc<Kernel>, sizes: BTreeMap<Symbol, i64>, arguments: Vec<Argument>) -> Option<Self> {
        if is_approximate(&text) || at_launch(&kernel, &sizes) != Ok(BoundsChecks::Proven) {
            return None;
        }
        let expected = compare::interpreted(&kernel, &sizes, &arguments).ok()?;
        Some(Self { text, kernel, sizes, arguments, expected })
    }

    /// Writes NAME.shape, the tensors that it reads beside it, and the results into `expected`. The run saves its own
    /// results under the same names into `out`.
    fn write(&self, folder: &Path, name: &str) -> Result<(), String> {
        let file = |param: &Param| format!("{name}.{}.npy", param.name);
        let (mut values, mut saved) = (Vec::new(), Vec::new());
        for (place, param) in self.kernel.params.iter().enumerate() {
            let value = match &self.arguments[place] {
                Argument::Scalar(scalar) => number(*scalar),
                Argument::Tensor(tensor) => {
                    write_npy(&folder.join(file(param)), &param.name, tensor).map_err(|error| error.to_string())?;
                    format!("npy(\"{}\")", file(param))
                }
            };
            values.push(format!("{}: {value}", param.name));
            if let (ParamKind::Tensor { mutable: true, .. }, Argument::Tensor(result)) =
                (&param.kind, &self.expected[place])
            {
                let path = folder.join("expected").join(file(param));
                write_npy(&path, &param.name, result).map_err(|error| error.to_string())?;
                saved.push(format!("{}: \"out/{}\"", param.name, file(param)));
            }
        }
        let mut text = self.text.clone();
        let sizes: Vec<String> =
            self.sizes.iter().map(|(symbol, value)| format!("{} = {value}", symbol.name())).collect();
        let with = if sizes.is_empty() { String::new() } else { format!(" with {}", sizes.join(", ")) };
        let run = format!("run {}({}){with} save {};", self.kernel.name, values.join(", "), saved.join(", "));
        writeln!(text, "{run}").map_err(|error| error.to_string())?;
        let path = folder.join(format!("{name}.shape"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Whether a text calls a function whose last digits are the C library's, and not the interpreter's, on a GPU.
fn is_approximate(text: &str) -> bool {
    let approximate = MathFunction::ALL.iter().filter(|function| function.operation().compute != Compute::Instruction);
    approximate.into_iter().any(|function| text.contains(&format!("{}(", function.name())))
}

/// A scalar as a `run` item says it.
fn number(scalar: Scalar) -> String {
    match (scalar, scalar.to_i128()) {
        (Scalar::Bool(value), _) => value.to_string(),
        (_, Some(integer)) if scalar.element().is_integer() => integer.to_string(),
        _ if scalar.to_f64().is_nan() => "nan".to_owned(),
        _ => format!("{:?}", scalar.to_f64()),
    }
}
