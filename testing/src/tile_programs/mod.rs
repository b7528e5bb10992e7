//! Random kernels of tiles, as source text, with what an oracle says of them that knows nothing of the compiler: it
//! computes with whole arrays, one block after the other.

mod arrays;
mod expressions;

use std::collections::BTreeMap;

use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;

use arrays::{Array, indices, tile_of};
use expressions::{Expr, draw};

const EXTENTS: &[usize] = &[1, 2, 3, 4, 5, 7, 8];
const SIZES: &[usize] = &[1, 2, 3, 5, 8, 13];
const NAMES: [&str; 3] = ["I", "J", "K"];
const INDICES: [&str; 3] = ["i", "j", "k"];

/// A random kernel, with what it runs on and what the oracle says of it.
pub struct TileProgram {
    /// A file with one kernel, whose parameters are the tensors `x`, `y` and `n`.
    pub text: String,
    /// The values of its symbols.
    pub sizes: BTreeMap<String, i64>,
    x: Array,
    y: Array,
    /// What `y` holds afterwards.
    pub expected: Vec<i32>,
    /// What `n` holds afterwards: the sum of all tiles that are stored, with what lies beyond the edge.
    pub total: i32,
}

impl TileProgram {
    /// The program of a seed.
    pub fn new(seed: u64) -> Self {
        let mut draws = Draw::new(seed);
        let rank = draws.pick(&[1, 2, 2, 3]);
        let tile: Vec<usize> = (0..rank).map(|_| draws.pick(EXTENTS)).collect();
        let sizes: Vec<usize> = (0..rank).map(|_| draws.pick(SIZES)).collect();
        let depths = [draws.index(4), draws.index(3)];
        let block = draws.pick(&["", " block(32)", " block(1)", " block(96)"]);
        let first = draw(&mut draws, depths[0], &tile, &tile, 2);
        let second = draw(&mut draws, depths[1], &tile, &tile, 3);
        // The sum reads what other threads wrote, so no thread keeps the tile to itself.
        let is_counted = draws.index(3) == 0;
        let text = text(&tile, block, [&first, &second], is_counted);
        let mut number = || draws.between(-9, 9) as i32;
        let [x, y] = [(); 2].map(|()| Array::new(&sizes, |_| number()));
        let (expected, total) = meaning(&tile, [&x, &y], [&first, &second]);
        let total = if is_counted { total } else { 0 };
        let sizes = NAMES.iter().zip(&sizes).map(|(name, size)| ((*name).to_owned(), *size as i64)).collect();
        Self { text, sizes, x, y, expected: expected.elements, total }
    }

    /// The tensors on which it runs, in the order of its parameters.
    pub fn arguments(&self) -> Vec<Argument> {
        let zero = Array { shape: vec![1], elements: vec![0] };
        vec![tensor(&self.x), tensor(&self.y), tensor(&zero)]
    }
}

fn tensor(array: &Array) -> Argument {
    let shape: Vec<u64> = array.shape.iter().map(|extent| *extent as u64).collect();
    Argument::Tensor(Tensor::from_slice(&shape, &array.elements).expect("an array has as many elements as its shape"))
}

/// The file of a kernel that stores `second` of the tiles `t` of `x`, `u` of `y` and `v`, which is `first` of the others.
fn text(tile: &[usize], block: &str, [first, second]: [&Expr; 2], is_counted: bool) -> String {
    let rank = tile.len();
    let (names, index) = (NAMES[..rank].join(", "), INDICES[..rank].join(", "));
    let iterators = if rank == 1 { index.clone() } else { format!("({index})") };
    let extents = tile.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let count = if is_counted { "        atomic_add(n[0], v.sum());\n" } else { "" };
    format!(
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
    )
}

/// What `y` holds after all blocks, and the sum of all tiles that they stored.
fn meaning(tile: &[usize], [x, y]: [&Array; 2], [first, second]: [&Expr; 2]) -> (Array, i32) {
    let space: Vec<usize> = x.shape.iter().zip(tile).map(|(size, extent)| size.div_ceil(*extent)).collect();
    let (mut expected, mut total) = (y.clone(), 0i32);
    for block in indices(&space) {
        let mut tiles = vec![tile_of(x, &block, tile), tile_of(y, &block, tile)];
        tiles.push(first.value(&tiles));
        let stored = second.value(&tiles);
        total = stored.elements.iter().fold(total, |sum, element| sum.wrapping_add(*element));
        expected = Array::new(&x.shape, |index| {
            let own = index.iter().zip(&block).zip(tile).all(|((index, block), extent)| index / extent == *block);
            let inside: Vec<usize> = index.iter().zip(tile).map(|(index, extent)| index % extent).collect();
            if own { stored.at(&inside) } else { expected.at(index) }
        });
    }
    (expected, total)
}
