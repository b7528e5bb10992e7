//! Products of matrices in tiles, as a kernel of tiles is for the threads of a block: tiles are copied into arrays,
//! multiplied, and copied back.

use dims::Sym;
use elements::ElementType;
use kernel::typed::{Access, BinaryOp, Expr, Kernel, Local, MathFunction, ParamId, SharedId, Statement};

use super::build::*;

const F32: ElementType = ElementType::F32;

/// A product of a `rows × depth` matrix and a `depth × columns` matrix.
#[derive(Clone, Copy, Debug)]
pub struct TileProduct {
    /// The rows, the columns and the depth of the matrices.
    pub sizes: [i64; 3],
    /// The rows, the columns and the depth of a tile. Its rows and columns are the threads of a block.
    pub tile: [i64; 3],
    /// Whether the second matrix is given as its transpose.
    pub transposed: bool,
    /// Something else that is done with the first tile.
    pub other_use: Option<OtherUse>,
}

/// A use of a tile other than to multiply it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherUse {
    /// Each thread subtracts an element of it.
    Read,
    /// One thread replaces its first element.
    Written,
    /// The kernel writes the matrix from which it is copied.
    MatrixIsWritten,
}

impl TileProduct {
    /// The kernel.
    pub fn kernel(self) -> Kernel {
        let [rows, columns, depth] = self.sizes;
        let [tile_rows, tile_columns, tile_depth] = self.tile;
        let blocks = Sym::constant((rows + tile_rows - 1) / tile_rows * self.tiles_in_row());
        let mut builder = KernelBuilder::new("product", blocks, Sym::constant(tile_rows * tile_columns));
        let right_shape = if self.transposed { [columns, depth] } else { [depth, columns] };
        let shapes = [[rows, depth], right_shape, [rows, columns]].map(|shape| shape.map(Sym::constant));
        let left_is_written = self.other_use == Some(OtherUse::MatrixIsWritten);
        let left = builder.tensor("left", F32, &shapes[0], left_is_written);
        let right = builder.tensor("right", F32, &shapes[1], false);
        let product = builder.tensor("product", F32, &shapes[2], true);
        let right_length = tile_depth * tile_columns;
        let arrays = [
            builder.cleared_array("left_tile", F32, tile_rows * tile_depth),
            builder.cleared_array("right_tile", F32, right_length),
            builder.cleared_array("sums", F32, tile_rows * tile_columns),
        ];
        let [step, inner] = ["step", "inner"].map(|name| builder.local(name, ElementType::I64));
        let sum = builder.local("sum", F32);
        let parts = Parts { of: self, builder, tensors: [left, right, product], arrays, step, inner, sum };
        parts.kernel()
    }

    fn tiles_in_row(self) -> i64 {
        (self.sizes[1] + self.tile[1] - 1) / self.tile[1]
    }
}

struct Parts {
    of: TileProduct,
    builder: KernelBuilder,
    tensors: [ParamId; 3],
    arrays: [SharedId; 3],
    step: Local,
    inner: Local,
    sum: Local,
}

/// A tile of a matrix, and of which rows and columns.
struct Window {
    tensor: ParamId,
    /// The rows and the columns of the matrix.
    matrix: [i64; 2],
    /// The rows and the columns of the tile.
    tile: [i64; 2],
    first: [Expr; 2],
}

impl Parts {
    fn kernel(self) -> Kernel {
        let [rows, columns, depth] = self.of.sizes;
        let [tile_rows, tile_columns, tile_depth] = self.of.tile;
        let in_row = self.of.tiles_in_row();
        let top = multiply(binary(BinaryOp::FloorDivide, block_id(), int(in_row)), int(tile_rows));
        let side = multiply(binary(BinaryOp::FloorRemainder, block_id(), int(in_row)), int(tile_columns));
        let deep = multiply(self.builder.read(self.step), int(tile_depth));
        let left = Window {
            tensor: self.tensors[0],
            matrix: [rows, depth],
            tile: [tile_rows, tile_depth],
            first: [top.clone(), deep.clone()],
        };
        let right = match self.of.transposed {
            false => Window {
                tensor: self.tensors[1],
                matrix: [depth, columns],
                tile: [tile_depth, tile_columns],
                first: [deep, side.clone()],
            },
            true => Window {
                tensor: self.tensors[1],
                matrix: [columns, depth],
                tile: [tile_columns, tile_depth],
                first: [side.clone(), deep],
            },
        };
        let result = Window {
            tensor: self.tensors[2],
            matrix: [rows, columns],
            tile: [tile_rows, tile_columns],
            first: [top, side],
        };
        let own = self.builder.element_of(self.arrays[2], thread_id());
        let mut round = vec![self.load(&left, 0), block_barrier(), self.load(&right, 1), block_barrier()];
        round.extend(self.other_use());
        round.extend([self.multiplied(), block_barrier()]);
        let steps = (depth + tile_depth - 1) / tile_depth;
        let mut body = vec![store(own, cast(F32, float(0.0))), block_barrier()];
        body.push(for_loop(self.step, int(0), int(steps), round));
        body.push(self.stored(&result));
        self.builder.finish(body)
    }

    fn other_use(&self) -> Vec<Statement> {
        let first = self.builder.element_of(self.arrays[0], int(0));
        let own = self.builder.element_of(self.arrays[2], thread_id());
        let is_first = compare(BinaryOp::Equal, thread_id(), int(0));
        match self.of.other_use {
            None | Some(OtherUse::MatrixIsWritten) => Vec::new(),
            Some(OtherUse::Read) => {
                let less = binary(BinaryOp::Subtract, self.builder.load(own.clone()), self.builder.load(first));
                vec![store(own, less), block_barrier()]
            }
            Some(OtherUse::Written) => {
                vec![if_else(is_first, vec![store(first, cast(F32, float(2.0)))], Vec::new()), block_barrier()]
            }
        }
    }

    /// The access of a thread to its element of a window; its mask leaves out what is outside.
    fn own(&self, window: &Window) -> Access {
        let Window { tensor, matrix: [rows, columns], tile: [_, width], first: [top, side] } = window;
        let row = add(top.clone(), binary(BinaryOp::FloorDivide, thread_id(), int(*width)));
        let column = add(side.clone(), binary(BinaryOp::FloorRemainder, thread_id(), int(*width)));
        let mask = [(&row, rows), (&column, columns)].map(|(at, end)| compare(BinaryOp::Less, at.clone(), int(*end)));
        let [in_rows, in_columns] = mask;
        let index = add(multiply(row, int(*columns)), column);
        let length = Sym::constant(rows * columns);
        let mut access = self.builder.clone().access(*tensor, &identity(&length), vec![index], Masking::None);
        access.mask = Some(compare(BinaryOp::And, in_rows, in_columns));
        access
    }

    fn load(&self, window: &Window, place: usize) -> Statement {
        let to = self.builder.element_of(self.arrays[place], thread_id());
        let is_member = compare(BinaryOp::Less, thread_id(), int(window.tile[0] * window.tile[1]));
        let load = self.builder.load(self.own(window));
        if_else(is_member, vec![store(to, load)], Vec::new())
    }

    fn multiplied(&self) -> Statement {
        let [_, columns, depth] = self.of.tile;
        let row = binary(BinaryOp::FloorDivide, thread_id(), int(columns));
        let column = binary(BinaryOp::FloorRemainder, thread_id(), int(columns));
        let inner = self.builder.read(self.inner);
        let left = add(multiply(row, int(depth)), inner.clone());
        let right = match self.of.transposed {
            false => add(multiply(inner, int(columns)), column),
            true => add(multiply(column, int(depth)), inner),
        };
        let [left, right] = [(0, left), (1, right)]
            .map(|(place, at): (usize, Expr)| self.builder.load(self.builder.element_of(self.arrays[place], at)));
        let own = self.builder.element_of(self.arrays[2], thread_id());
        let next = math(MathFunction::Fma, F32, vec![left, right, self.builder.read(self.sum)]);
        let sums = vec![
            assign(self.sum, self.builder.load(own.clone())),
            for_loop(self.inner, int(0), int(depth), vec![assign(self.sum, next)]),
            store(own, self.builder.read(self.sum)),
        ];
        if_else(boolean(true), sums, Vec::new())
    }

    fn stored(&self, window: &Window) -> Statement {
        let own = self.builder.element_of(self.arrays[2], thread_id());
        let result = store(self.own(window), self.builder.load(own));
        if self.of.other_use != Some(OtherUse::MatrixIsWritten) {
            return result;
        }
        let length = Sym::constant(self.of.sizes[0] * self.of.sizes[2]);
        let first = self.builder.clone().access(self.tensors[0], &identity(&length), vec![int(0)], Masking::None);
        let is_alone = compare(BinaryOp::Equal, self.builder.linear_id(), int(-1));
        let written = store(first, cast(F32, float(1.0)));
        if_else(is_alone, vec![written], vec![result])
    }
}
