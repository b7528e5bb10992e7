//! Random kernels of tiles of every element type, with paddings and edges: the interpreter and machine code against numpy.

mod expression;

use std::collections::BTreeMap;

use dims::Symbol;
use elements::ElementType;
use kernel::at_launch;
use seeds::Draw;
use serde_json::{Value, json};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Scalar, Tensor};
use testing::compare::interpreter_and_cpu;

use self::expression::{Expression, Generator, dtype, is_known};
use super::python;
use crate::support::check;

const EXTENTS: &[usize] = &[1, 2, 3, 4, 5, 7, 8, 16];
const SIZES: &[usize] = &[1, 2, 3, 5, 8, 13, 17];
const DIMENSIONS: [&str; 3] = ["I", "J", "K"];
const INDICES: [&str; 3] = ["i", "j", "k"];

/// The paddings, with their numbers in Python.
const PADDINGS: [(&str, &str); 5] =
    [("zero", "0"), ("negative_zero", "-0.0"), ("positive_inf", "inf"), ("negative_inf", "-inf"), ("nan", "nan")];

/// The greatest absolute value of an element that is loaded.
const MOST: i64 = 3;

/// A kernel and what it has to compute.
struct Program {
    text: String,
    numpy: String,
    element: ElementType,
    result: ElementType,
    tile: Vec<usize>,
    sizes: Vec<usize>,
    pads: [&'static str; 2],
}

impl Program {
    fn random(draw: &mut Draw) -> Program {
        let elements: Vec<ElementType> = ElementType::ALL.into_iter().filter(|element| is_known(*element)).collect();
        let [element, result] = [draw.pick(&elements), draw.pick(&elements)];
        let rank = draw.pick(&[1, 2, 2, 3]);
        let extents = if rank == 3 { &EXTENTS[..5] } else { EXTENTS };
        let tile: Vec<usize> = (0..rank).map(|_| draw.pick(extents)).collect();
        let sizes: Vec<usize> = (0..rank).map(|_| draw.pick(SIZES)).collect();
        let paddings = if element.is_float() { 5 } else { 1 };
        let [first, second] = [0, 1].map(|_| PADDINGS[draw.index(paddings)]);
        let depth = 1 + draw.index(3);
        let tiles = ["x", "w"].map(|name| Expression::loaded(name, &tile, element, MOST as f64)).to_vec();
        let expression = Generator { draw, tiles }.expression(depth, &tile, result);
        let (names, index) = (DIMENSIONS[..rank].join(", "), INDICES[..rank].join(", "));
        let iterators = if rank == 1 { index.clone() } else { format!("({index})") };
        let extents = tile.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let (from, to) = (element.name(), result.name());
        let load = |view: &str, (pad, _): (&str, &str)| match pad {
            "zero" => format!("{view}.load_masked({index})"),
            _ => format!("{view}.load_masked({index}, pad: {pad})"),
        };
        let text = format!(
            "dim {names};
kernel k(a: {from}[{names}], b: {from}[{names}], y: mut {to}[{names}]) {{
    view pa = partition(a, [{extents}]);
    view pb = partition(b, [{extents}]);
    view py = partition(y, [{extents}]);
    for {iterators} in grid(py.index_space) {{
        let x = {};
        let w = {};
        py.store_masked({}, {index});
    }}
}}",
            load("pa", first),
            load("pb", second),
            expression.ours
        );
        Program { text, numpy: expression.numpy, element, result, tile, sizes, pads: [first.1, second.1] }
    }

    /// The case for the script, after the kernel has run here.
    fn case(&self, seed: u64, draw: &mut Draw) -> Value {
        let Program { text, .. } = self;
        let checked = check(text);
        let kernel = checked.kernel().unwrap_or_else(|| panic!("seed {seed}\n{text}\n{}", checked.report()));
        let place = |symbol: &Symbol| DIMENSIONS.iter().position(|name| *name == symbol.name()).unwrap();
        let sizes: BTreeMap<Symbol, i64> =
            kernel.symbols.iter().map(|symbol| (symbol.clone(), self.sizes[place(symbol)] as i64)).collect();
        let bounds = at_launch(&kernel, &sizes).unwrap_or_else(|problem| panic!("seed {seed}: {problem:?}\n{text}"));
        let shape: Vec<u64> = self.sizes.iter().map(|size| *size as u64).collect();
        let mut given = || {
            let least = if self.element.is_signed() || self.element.is_float() { -MOST } else { 0 };
            Argument::Tensor(tensor(self.element, &shape, || draw.between(least, MOST)))
        };
        let mut arguments = vec![given(), given(), Argument::Tensor(tensor(self.result, &shape, || 0))];
        if let Err(problem) = interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds) {
            panic!("seed {seed}, sizes {:?}: {problem}\n{text}", self.sizes);
        }
        let arrays = ["x", "w", "y"].iter().zip(&arguments).map(|(name, argument)| {
            let Argument::Tensor(tensor) = argument else { panic!("a tensor was given") };
            let bytes: String = tensor.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            let element = if *name == "y" { self.result } else { self.element };
            let name_of_type = match element {
                ElementType::Bf16 => "bf16".to_owned(),
                _ => dtype(element).replace("np.", ""),
            };
            ((*name).to_owned(), json!({ "bytes": bytes, "type": name_of_type, "shape": shape }))
        });
        json!({
            "name": format!("seed {seed}, sizes {:?}", self.sizes),
            "text": text,
            "numpy": self.numpy,
            "tile": self.tile,
            "pads": { "x": self.pads[0], "w": self.pads[1] },
            "arrays": arrays.collect::<serde_json::Map<_, _>>(),
        })
    }
}

fn tensor(element: ElementType, shape: &[u64], mut number: impl FnMut() -> i64) -> Tensor {
    let mut tensor = Tensor::zeros(element, shape).unwrap();
    for position in 0..tensor.storage_len() {
        let value = Scalar::from_f64(element, number() as f64).unwrap();
        tensor.set_at(position, value).unwrap();
    }
    tensor
}

#[test]
fn random_tiles_of_every_type_are_what_numpy_computes() {
    let cases: Vec<Value> = seeds::range(2000)
        .map(|seed| {
            let mut draw = Draw::new(seed);
            Program::random(&mut draw).case(seed, &mut draw)
        })
        .collect();
    let count = cases.len();
    if let Some(printed) = python::run("check_tiles.py", &Value::Array(cases)) {
        assert_eq!(printed, format!("{count} cases\n"));
    }
}
