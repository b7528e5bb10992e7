//! A transposition through a tile of shared memory, as one writes it for a GPU: rows are read and rows are written.

use std::sync::Arc;

use dims::{Facts, Sym};
use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, Kernel};
use maps::{AxisRole, IndexMap, LowerAxis, MapBuilder, UpperAxis};

use super::build::*;

/// The rows and the columns of a tile.
pub const TILE: i64 = 32;

/// The rows of a tile that the threads of a block move at once.
const ROWS: i64 = 8;

/// How the elements of a tile lie in shared memory, so that its columns are not in one bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileLayout {
    /// With an element behind each row.
    Padded,
    /// Element `c` of row `r` at place `r ^ c` of the row.
    Swizzled,
    /// Element `c` of row `r` at place `(r / 2) ^ (c / 2)` of the row: four elements at one place, so it is no transposition.
    Colliding,
}

/// The transposition of a matrix of so many tiles below and beside each other.
pub fn transposition(tiles: [i64; 2], element: ElementType, layout: TileLayout) -> Kernel {
    let extents = tiles.map(|count| count * TILE);
    let [rows, columns] = extents.map(Sym::constant);
    let mut builder =
        KernelBuilder::new("transposition", Sym::constant(tiles[0] * tiles[1]), Sym::constant(ROWS * TILE));
    let x = builder.tensor("x", element, &[rows.clone(), columns.clone()], false);
    let y = builder.tensor("y", element, &[columns, rows], true);
    let row_length = if layout == TileLayout::Padded { TILE + 1 } else { TILE };
    let tile = builder.shared("tile", element, TILE * row_length);
    let map = Arc::new(map_of_tile(layout, row_length));
    let digit = |operator, of: Expr, by| binary(operator, of, int(by));
    let [down, beside] =
        [digit(BinaryOp::FloorDivide, block_id(), tiles[1]), digit(BinaryOp::FloorRemainder, block_id(), tiles[1])];
    let lane = digit(BinaryOp::FloorRemainder, thread_id(), TILE);
    let mut moved = |is_store: bool| {
        let k = builder.local("k", ElementType::I64);
        let warp = digit(BinaryOp::FloorDivide, thread_id(), TILE);
        let row = add(warp, multiply(int(ROWS), builder.read(k)));
        let (tensor, first, length) =
            if is_store { (y, [&beside, &down], extents[0]) } else { (x, [&down, &beside], extents[1]) };
        let [own_row, own_column] = [(0, &row), (1, &lane)]
            .map(|(place, own): (usize, &Expr)| add(multiply(int(TILE), first[place].clone()), own.clone()));
        let size = Sym::constant(extents[0] * extents[1]);
        let place = add(multiply(own_row, int(length)), own_column);
        let outside = builder.access(tensor, &identity(&size), vec![place], Masking::None);
        let coordinates = if is_store { vec![lane.clone(), row] } else { vec![row, lane.clone()] };
        let inside = builder.shared_access_by(tile, &map, coordinates);
        let step = if is_store {
            store(outside, builder.load(inside))
        } else {
            let value = builder.load(outside);
            store(inside, value)
        };
        for_loop(k, int(0), int(TILE / ROWS), vec![step])
    };
    let body = vec![moved(false), block_barrier(), moved(true)];
    builder.finish(body)
}

fn map_of_tile(layout: TileLayout, row_length: i64) -> IndexMap {
    let axis = |length| UpperAxis { extent: Some(Sym::constant(length)), role: AxisRole::Local };
    let facts = Facts::empty();
    let mut builder = MapBuilder::new(vec![axis(TILE), axis(TILE)], &facts);
    let coordinates = builder.coordinates().expect("a map of two coordinates");
    let [row, column] = [&coordinates[0], &coordinates[1]];
    let place = match layout {
        TileLayout::Padded => column.clone(),
        TileLayout::Swizzled => builder.xor(row, column).expect("numbers below 32"),
        TileLayout::Colliding => {
            let halves = [row, column].map(|of| builder.digit(of, &Sym::constant(2), None).expect("numbers below 32"));
            builder.xor(&halves[0], &halves[1]).expect("numbers below 16")
        }
    };
    let first = row.checked_scale(&Sym::constant(row_length)).expect("a small product");
    let value = first.checked_add(&place).expect("a small sum");
    let extent = Some(Sym::constant(TILE * row_length));
    builder.finish(vec![LowerAxis { value, extent }]).expect("a map into the tile")
}
