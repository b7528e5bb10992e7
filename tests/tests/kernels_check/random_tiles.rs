//! Random kernels of tiles, against an oracle that knows nothing of the compiler: it computes with whole arrays, one block
//! after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use dims::Symbol;
use kernel::at_launch;
use kernel::typed::Kernel;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;
use testing::compare::interpreter_and_cpu;

use crate::support::check;
use seeds::Draw;

const EXTENTS: &[usize] = &[1, 2, 3, 4, 5, 7, 8];
const SIZES: &[usize] = &[1, 2, 3, 5, 8, 13];
const NAMES: [&str; 3] = ["I", "J", "K"];
const INDICES: [&str; 3] = ["i", "j", "k"];
/// The names of the tiles of which expressions are made.
const TILES: [&str; 3] = ["t", "u", "v"];

/// An array in row-major order.
#[derive(Clone, Debug, PartialEq)]
struct Array {
    shape: Vec<usize>,
    elements: Vec<i32>,
}

impl Array {
    /// The array whose element at an index is what a function says.
    fn new(shape: &[usize], mut element: impl FnMut(&[usize]) -> i32) -> Self {
        let elements = indices(shape).map(|index| element(&index)).collect();
        Self { shape: shape.to_vec(), elements }
    }

    fn at(&self, index: &[usize]) -> i32 {
        let number = index.iter().zip(&self.shape).fold(0, |number, (index, extent)| number * extent + index);
        self.elements[number]
    }
}

/// Every index of a shape, in row-major order.
fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |mut number: usize| {
        let mut index = vec![0; shape.len()];
        for (place, extent) in shape.iter().enumerate().rev() {
            index[place] = number % extent;
            number /= extent;
        }
        index
    })
}

/// An expression with its text and its meaning.
enum Node {
    Tile(usize),
    Full(i32),
    Iota,
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Negated(Box<Expr>),
    Reduced(&'static str, usize, Box<Expr>),
    Running(usize, Box<Expr>),
    /// Along this dimension, in descending order, and whether the places are given.
    Sorted(usize, [bool; 2], Box<Expr>),
    Permuted(Vec<usize>, Box<Expr>),
    Reshaped(Box<Expr>),
    Part(Vec<usize>, Box<Expr>),
    Greater(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Converted to a float of 8 bits and back.
    Rounded(&'static SmallFloat, Box<Expr>),
}

/// A float of 8 bits, as far as integers are concerned.
struct SmallFloat {
    name: &'static str,
    digits: u32,
    largest: i64,
}

const SMALL_FLOATS: [SmallFloat; 2] =
    [SmallFloat { name: "e4m3", digits: 4, largest: 448 }, SmallFloat { name: "e5m2", digits: 3, largest: 57344 }];

impl SmallFloat {
    /// The nearest integer with so many leading binary digits, of two the one whose last digit is 0; at most the largest.
    fn nearest(&self, value: i32) -> i32 {
        let magnitude = i64::from(value).abs();
        let place = 1i64 << (64 - magnitude.leading_zeros()).saturating_sub(self.digits);
        let (below, rest) = (magnitude / place, magnitude % place);
        let up = 2 * rest > place || 2 * rest == place && below % 2 == 1;
        let rounded = ((below + i64::from(up)) * place).min(self.largest);
        (rounded * i64::from(value.signum())) as i32
    }
}

struct Expr {
    shape: Vec<usize>,
    node: Node,
}

/// A random expression of this shape; `tiles` of the names may occur, all of the shape `tile`.
fn draw(draws: &mut Draw, depth: usize, shape: &[usize], tile: &[usize], tiles: usize) -> Expr {
    let inner = |draws: &mut Draw, shape: &[usize]| Box::new(draw(draws, depth.saturating_sub(1), shape, tile, tiles));
    let leaf = |draws: &mut Draw| match draws.index(4) {
        0 => Node::Iota,
        1 => Node::Full(draws.between(-3, 3) as i32),
        _ if shape == tile => Node::Tile(draws.index(tiles)),
        _ => Node::Full(2),
    };
    let rank = shape.len();
    let node = if depth == 0 {
        leaf(draws)
    } else {
        match draws.index(11) {
            0..=2 => {
                let op = draws.pick(&["+", "-", "*", "min", "max"]);
                // One operand may extend along a dimension.
                let mut other = shape.to_vec();
                if draws.index(3) == 0 {
                    let place = draws.index(rank);
                    other[place] = 1;
                }
                Node::Binary(op, inner(draws, shape), inner(draws, &other))
            }
            3 => Node::Negated(inner(draws, shape)),
            4 if rank < 3 => {
                let place = draws.index(rank + 1);
                let mut larger = shape.to_vec();
                larger.insert(place, draws.pick(&[1, 2, 3, 5, 33, 40]));
                Node::Reduced(draws.pick(&["sum", "max", "min"]), place, inner(draws, &larger))
            }
            5 => Node::Running(draws.index(rank), inner(draws, shape)),
            6 => {
                let mut order: Vec<usize> = (0..rank).collect();
                draws.shuffle(&mut order);
                let mut source = vec![0; rank];
                order.iter().zip(shape).for_each(|(dimension, extent)| source[*dimension] = *extent);
                Node::Permuted(order, inner(draws, &source))
            }
            7 => Node::Reshaped(inner(draws, &[shape.iter().product()])),
            8 => {
                let starts: Vec<usize> = shape.iter().map(|_| draws.index(3)).collect();
                let larger: Vec<usize> = shape.iter().zip(&starts).map(|(extent, start)| extent + start).collect();
                Node::Part(starts, inner(draws, &larger))
            }
            9 if rank == 2 => {
                let depth = draws.pick(&[1, 2, 3, 7]);
                let (left, right) = ([shape[0], depth], [depth, shape[1]]);
                Node::Product(inner(draws, &left), inner(draws, &right), inner(draws, shape))
            }
            10 => {
                let place = draws.index(rank);
                let mut larger = shape.to_vec();
                larger[place] += draws.index(3);
                Node::Sorted(place, [draws.index(2) == 0, draws.index(2) == 0], inner(draws, &larger))
            }
            _ if draws.index(2) == 0 => Node::Rounded(&SMALL_FLOATS[draws.index(2)], inner(draws, shape)),
            _ => Node::Greater(inner(draws, shape), inner(draws, shape)),
        }
    };
    Expr { shape: shape.to_vec(), node }
}

impl Expr {
    fn text(&self) -> String {
        let list = |values: &[usize]| values.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        match &self.node {
            Node::Tile(number) => TILES[*number].to_owned(),
            Node::Full(value) => format!("full(i32[{}], {value})", list(&self.shape)),
            Node::Iota => format!("iota(i32[{}])", list(&self.shape)),
            Node::Binary(op @ ("min" | "max"), left, right) => format!("{op}({}, {})", left.text(), right.text()),
            Node::Binary(op, left, right) => format!("({} {op} {})", left.text(), right.text()),
            Node::Negated(inner) => format!("(-({}))", inner.text()),
            Node::Reduced(word, place, inner) => format!("({}).{word}({place})", inner.text()),
            Node::Running(place, inner) => format!("({}).cumsum({place})", inner.text()),
            Node::Sorted(place, [descending, places], inner) => {
                let (text, extent) = (inner.text(), self.shape[*place]);
                let all = inner.shape[*place] == extent;
                let argument = if *places { "arg" } else { "" };
                match (descending, all) {
                    (true, false) => format!("({text}).{argument}top({extent}, {place})"),
                    _ => {
                        let ranges: Vec<String> = self.shape.iter().map(|extent| format!("0..{extent}")).collect();
                        let ranges = ranges.join(", ");
                        format!("({text}).{argument}sort({place}, descending: {descending})[{ranges}]")
                    }
                }
            }
            Node::Permuted(order, inner) => format!("({}).permute({})", inner.text(), list(order)),
            Node::Reshaped(inner) => format!("({}).reshape([{}])", inner.text(), list(&self.shape)),
            Node::Part(starts, inner) => {
                let ranges =
                    starts.iter().zip(&self.shape).map(|(start, extent)| format!("{start}..{}", start + extent));
                format!("({})[{}]", inner.text(), ranges.collect::<Vec<_>>().join(", "))
            }
            Node::Greater(left, right) => {
                let (left, right) = (left.text(), right.text());
                format!("select({left} > {right}, {left}, {right} + 1)")
            }
            Node::Rounded(float, inner) => format!("i32({}({}))", float.name, inner.text()),
            Node::Product(left, right, sum) => {
                format!("mma(i8({}), i8({}), {})", left.text(), right.text(), sum.text())
            }
        }
    }

    fn value(&self, tiles: &[Array]) -> Array {
        let apply = |left: &Expr, right: &Expr, join: &dyn Fn(i32, i32) -> i32| {
            let (left, right) = (left.value(tiles), right.value(tiles));
            Array::new(&self.shape, |index| {
                let at = |array: &Array| {
                    let place =
                        index.iter().zip(&array.shape).map(|(index, extent)| if *extent == 1 { 0 } else { *index });
                    array.at(&place.collect::<Vec<_>>())
                };
                join(at(&left), at(&right))
            })
        };
        match &self.node {
            Node::Tile(number) => tiles[*number].clone(),
            Node::Full(value) => Array::new(&self.shape, |_| *value),
            Node::Iota => {
                Array { shape: self.shape.clone(), elements: (0..).take(self.shape.iter().product()).collect() }
            }
            Node::Binary(op, left, right) => match *op {
                "+" => apply(left, right, &i32::wrapping_add),
                "-" => apply(left, right, &i32::wrapping_sub),
                "*" => apply(left, right, &i32::wrapping_mul),
                "min" => apply(left, right, &|left, right| left.min(right)),
                _ => apply(left, right, &|left, right| left.max(right)),
            },
            Node::Negated(inner) => {
                let inner = inner.value(tiles);
                Array::new(&self.shape, |index| inner.at(index).wrapping_neg())
            }
            Node::Reduced(word, place, inner) => {
                let inner = inner.value(tiles);
                Array::new(&self.shape, |index| {
                    let along = (0..inner.shape[*place]).map(|number| {
                        let mut full = index.to_vec();
                        full.insert(*place, number);
                        inner.at(&full)
                    });
                    match *word {
                        "sum" => along.fold(0, i32::wrapping_add),
                        "max" => along.max().unwrap(),
                        _ => along.min().unwrap(),
                    }
                })
            }
            Node::Running(place, inner) => {
                let inner = inner.value(tiles);
                Array::new(&self.shape, |index| {
                    let before = (0..=index[*place]).map(|number| {
                        let mut full = index.to_vec();
                        full[*place] = number;
                        inner.at(&full)
                    });
                    before.fold(0, i32::wrapping_add)
                })
            }
            Node::Sorted(place, [descending, places], inner) => {
                let inner = inner.value(tiles);
                Array::new(&self.shape, |index| {
                    let at = |number: usize| {
                        let mut full = index.to_vec();
                        full[*place] = number;
                        inner.at(&full)
                    };
                    let mut order: Vec<usize> = (0..inner.shape[*place]).collect();
                    order.sort_by_key(|number| if *descending { -i64::from(at(*number)) } else { at(*number).into() });
                    let found = order[index[*place]];
                    if *places { found as i32 } else { at(found) }
                })
            }
            Node::Permuted(order, inner) => {
                let inner = inner.value(tiles);
                Array::new(&self.shape, |index| {
                    let mut source = vec![0; index.len()];
                    order.iter().zip(index).for_each(|(dimension, index)| source[*dimension] = *index);
                    inner.at(&source)
                })
            }
            Node::Reshaped(inner) => Array { shape: self.shape.clone(), elements: inner.value(tiles).elements },
            Node::Part(starts, inner) => {
                let inner = inner.value(tiles);
                Array::new(&self.shape, |index| {
                    let place: Vec<usize> = index.iter().zip(starts).map(|(index, start)| index + start).collect();
                    inner.at(&place)
                })
            }
            Node::Greater(left, right) => apply(left, right, &|left, right| {
                if left > right { left } else { right.wrapping_add(1) }
            }),
            Node::Rounded(float, inner) => {
                let inner = inner.value(tiles);
                Array::new(&self.shape, |index| float.nearest(inner.at(index)))
            }
            Node::Product(left, right, sum) => {
                let (left, right, sum) = (left.value(tiles), right.value(tiles), sum.value(tiles));
                let byte = |value: i32| i32::from(value as i8);
                Array::new(&self.shape, |index| {
                    let products =
                        (0..left.shape[1]).map(|k| byte(left.at(&[index[0], k])) * byte(right.at(&[k, index[1]])));
                    products.fold(sum.at(index), i32::wrapping_add)
                })
            }
        }
    }
}

/// The tile of an array with this number, padded with zeros.
fn tile_of(array: &Array, number: &[usize], tile: &[usize]) -> Array {
    Array::new(tile, |index| {
        let place: Vec<usize> =
            number.iter().zip(tile).zip(index).map(|((n, extent), index)| n * extent + index).collect();
        if place.iter().zip(&array.shape).all(|(place, extent)| place < extent) { array.at(&place) } else { 0 }
    })
}

/// A random kernel, with what it runs on and what the oracle says of it.
pub struct Program {
    pub text: String,
    pub kernel: Arc<Kernel>,
    pub sizes: BTreeMap<Symbol, i64>,
    pub arguments: Vec<Argument>,
    expected: Array,
    /// The sum of all tiles that are stored, with what lies beyond the edge.
    total: i32,
}

/// The random kernel of a seed; panics if it is refused.
pub fn program(seed: u64) -> Program {
    let mut draws = Draw::new(seed);
    let rank = draws.pick(&[1, 2, 2, 3]);
    let tile: Vec<usize> = (0..rank).map(|_| draws.pick(EXTENTS)).collect();
    let sizes: Vec<usize> = (0..rank).map(|_| draws.pick(SIZES)).collect();
    let (depths, block) =
        ([draws.index(4), draws.index(3)], draws.pick(&["", " block(32)", " block(1)", " block(96)"]));
    let first = draw(&mut draws, depths[0], &tile, &tile, 2);
    let second = draw(&mut draws, depths[1], &tile, &tile, 3);
    let (names, index) = (NAMES[..rank].join(", "), INDICES[..rank].join(", "));
    let iterators = if rank == 1 { index.clone() } else { format!("({index})") };
    let extents = tile.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    // The sum reads what other threads wrote, so no thread keeps the tile to itself.
    let is_counted = draws.index(3) == 0;
    let count = if is_counted { "        atomic_add(n[0], v.sum());\n" } else { "" };
    let text = format!(
        "dim {names};\nkernel k(x: i32[{names}], y: mut i32[{names}], n: mut i32[1]){block} {{
    view px = partition(x, [{extents}]);
    view py = partition(y, [{extents}]);
    for {iterators} in grid(px.index_space) {{
        let t = px.load_masked({index});
        let u = py.load_masked({index});
        let mut v = {};
        v = {};
        py.store_masked(v, {index});
{count}    }}
}}",
        first.text(),
        second.text()
    );
    let checked = check(&text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("seed {seed}\n{text}\n{}", checked.report()));
    let mut number = || draws.between(-9, 9) as i32;
    let [x, y] = [Array::new(&sizes, |_| number()), Array::new(&sizes, |_| number())];
    let mut total = 0i32;
    let expected = {
        let mut expected = y.clone();
        let space: Vec<usize> = sizes.iter().zip(&tile).map(|(size, extent)| size.div_ceil(*extent)).collect();
        for block in indices(&space) {
            let mut tiles = vec![tile_of(&x, &block, &tile), tile_of(&y, &block, &tile)];
            tiles.push(first.value(&tiles));
            let stored = second.value(&tiles);
            if is_counted {
                total = stored.elements.iter().fold(total, |sum, element| sum.wrapping_add(*element));
            }
            expected = Array::new(&sizes, |index| {
                let own = index.iter().zip(&block).zip(&tile).all(|((index, block), extent)| index / extent == *block);
                let inside: Vec<usize> = index.iter().zip(&tile).map(|(index, extent)| index % extent).collect();
                if own { stored.at(&inside) } else { expected.at(index) }
            });
        }
        expected
    };
    let bound = kernel
        .symbols
        .iter()
        .map(|symbol| {
            let place = NAMES.iter().position(|name| *name == symbol.name()).unwrap();
            (symbol.clone(), sizes[place] as i64)
        })
        .collect();
    let shape: Vec<u64> = sizes.iter().map(|size| *size as u64).collect();
    let tensor = |array: &Array| Argument::Tensor(Tensor::from_slice(&shape, &array.elements).unwrap());
    let count = Argument::Tensor(Tensor::from_slice(&[1], &[0i32]).unwrap());
    Program { text, kernel, sizes: bound, arguments: vec![tensor(&x), tensor(&y), count], expected, total }
}

/// Checks one random kernel, and compares what it computes with the oracle.
fn try_one(seed: u64) {
    let Program { text, kernel, sizes, mut arguments, expected, total } = program(seed);
    let bounds = at_launch(&kernel, &sizes).unwrap_or_else(|problem| panic!("seed {seed}: {problem:?}\n{text}"));
    if let Err(problem) = interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds) {
        panic!("seed {seed}, sizes {sizes:?}: {problem}\n{text}");
    }
    let Argument::Tensor(found) = &arguments[1] else { panic!("a tensor was given") };
    assert_eq!(found.as_slice::<i32>().unwrap(), expected.elements, "seed {seed}, sizes {sizes:?}\n{text}");
    // Each block does once what stands beside its tiles, however many threads it has.
    let Argument::Tensor(found) = &arguments[2] else { panic!("a tensor was given") };
    assert_eq!(found.as_slice::<i32>().unwrap(), [total], "seed {seed}, sizes {sizes:?}\n{text}");
}

#[test]
fn random_tiles_are_accepted_and_are_what_an_oracle_computes() {
    for seed in seeds::range(150) {
        try_one(seed);
    }
}
