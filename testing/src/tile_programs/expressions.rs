//! Random expressions of tiles of integers, each with its text and its meaning.

use seeds::Draw;

use super::arrays::Array;

/// The names of the tiles of which expressions are made.
const TILES: [&str; 3] = ["t", "u", "v"];

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

/// An expression and the shape of its value.
pub(super) struct Expr {
    shape: Vec<usize>,
    node: Node,
}

/// A random expression of this shape; `tiles` of the names may occur, all of the shape `tile`.
pub(super) fn draw(draws: &mut Draw, depth: usize, shape: &[usize], tile: &[usize], tiles: usize) -> Expr {
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
    /// The expression as it is written.
    pub(super) fn text(&self) -> String {
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

    /// Its value for these tiles, computed with whole arrays.
    pub(super) fn value(&self, tiles: &[Array]) -> Array {
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
