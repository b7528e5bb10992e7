//! Tiles that a block fills together and reads in another order.

use super::*;

/// How a tile of 32 × 32 lies in its array.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// Rows of 33 elements.
    Padded,
    /// The column is stored at `column ^ row`.
    Swizzled,
}

impl Layout {
    fn length(self) -> i64 {
        match self {
            Layout::Padded => 32 * 33,
            Layout::Swizzled => 32 * 32,
        }
    }

    fn place(self, row: Expr, column: Expr) -> Expr {
        match self {
            Layout::Padded => add(multiply(row, int(33)), column),
            Layout::Swizzled => add(multiply(row.clone(), int(32)), binary(BinaryOp::BitXor, column, row)),
        }
    }
}

/// `y` becomes the transpose of the `rows × columns` matrix `x`, in tiles of 32 × 32; `inside` says which elements of a
/// tile are there.
fn transpose(element: ElementType, (rows, columns): (i64, i64), threads: i64, layout: Layout) -> Kernel {
    let across = (columns + 31) / 32;
    let blocks = across * ((rows + 31) / 32);
    let mut builder = KernelBuilder::new("transpose", sym(blocks), sym(threads));
    let x = builder.tensor("x", element, &[sym(rows), sym(columns)], false);
    let y = builder.tensor("y", element, &[sym(columns), sym(rows)], true);
    let tile = builder.cleared_array("tile", element, layout.length());
    let length = sym(rows * columns);
    let (top, left) = (builder.local("top", I64), builder.local("left", I64));
    let lane = remainder(thread_id(), 32);
    let repeats = 1024 / threads;
    let mut halves = Vec::new();
    for reading in [true, false] {
        let i = builder.local("i", I64);
        let line = add(quotient(thread_id(), 32), multiply(builder.read(i), int(threads / 32)));
        let (row, column) = if reading { (line, lane.clone()) } else { (lane.clone(), line) };
        let (global_row, global_column) =
            (add(builder.read(top), row.clone()), add(builder.read(left), column.clone()));
        let inside =
            compare(BinaryOp::And, less(global_row.clone(), int(rows)), less(global_column.clone(), int(columns)));
        let in_tile = builder.element_of(tile, layout.place(row, column));
        let body = if reading {
            let index = add(multiply(global_row, int(columns)), global_column);
            let from = builder.access(x, &identity(&length), vec![index], Masking::None);
            store(in_tile, builder.load(from))
        } else {
            let index = add(multiply(global_column, int(rows)), global_row);
            let to = builder.access(y, &identity(&length), vec![index], Masking::None);
            store(to, builder.load(in_tile))
        };
        let body = if rows % 32 == 0 && columns % 32 == 0 { body } else { when(inside, vec![body]) };
        halves.push(for_loop(i, int(0), int(repeats), vec![body]));
    }
    let writing = halves.split_off(1);
    let mut body = vec![
        assign(top, multiply(quotient(block_id(), across), int(32))),
        assign(left, multiply(remainder(block_id(), across), int(32))),
    ];
    body.extend(halves);
    body.push(block_barrier());
    body.extend(writing);
    builder.finish(body)
}

#[test]
fn a_matrix_is_transposed_through_a_tile() {
    for layout in [Layout::Padded, Layout::Swizzled] {
        for threads in [128, 256, 1024] {
            for (rows, columns) in [(64, 96), (40, 70)] {
                let kernel = transpose(F32, (rows, columns), threads, layout);
                let before = arguments(&kernel, &BTreeMap::new());
                let x = values::<f32>(&before[0]);
                let mut y = vec![0.0f32; x.len()];
                for row in 0..rows as usize {
                    for column in 0..columns as usize {
                        y[column * rows as usize + row] = x[row * columns as usize + column];
                    }
                }
                let mut expected = copy(&before).unwrap();
                expected[1] = Argument::Tensor(Tensor::from_slice(&[columns as u64, rows as u64], &y).unwrap());
                check_against(&kernel, &BTreeMap::new(), &before, &expected);
            }
        }
    }
}

#[test]
fn a_tile_has_any_element_type() {
    for element in ElementType::ALL {
        check(&transpose(element, (64, 32), 256, Layout::Padded));
    }
}

/// An array that is never written is zero in every block, although earlier blocks have used its memory.
#[test]
fn an_array_is_zero_when_a_block_starts() {
    let mut builder = KernelBuilder::new("zero", sym(9), sym(8));
    let y = builder.tensor("y", I64, &[sym(72)], true);
    let array = builder.cleared_array("array", I64, 16);
    let id = builder.linear_id();
    let to = builder.access(y, &identity(&sym(72)), vec![id.clone()], Masking::None);
    let before = builder.read_shared(array, add(thread_id(), int(8)));
    let after = builder.read_shared(array, remainder(add(thread_id(), int(1)), 8));
    let kernel = builder.clone().finish(vec![
        store(to, add(multiply(before, int(100)), after.clone())),
        block_barrier(),
        store(builder.element_of(array, add(thread_id(), int(8))), int(1)),
        store(builder.element_of(array, thread_id()), add(id, int(1))),
    ]);
    let y = values::<i64>(&check(&kernel)[0]);
    assert_eq!(y, vec![0; 72]);
}

/// Elements outside a shared array are left out and reported, as those outside a tensor are.
#[test]
fn an_access_outside_a_shared_array_is_a_fault() {
    let mut builder = KernelBuilder::new("outside", sym(2), sym(8));
    let array = builder.cleared_array("array", I64, 12);
    let kernel = builder
        .clone()
        .finish(vec![store(builder.element_of(array, add(thread_id(), int(6))), int(1)), block_barrier()]);
    let sizes = BTreeMap::new();
    let sized = SizedKernel::new(&kernel, &sizes, BoundsChecks::Guarded).unwrap();
    let error = sized.run(&Cpu::DEFAULT, &mut [], &Control::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernel outside: 4 accesses were outside their tensors and were left out; the first that was recorded is at \
         element 12 of array, whose storage has 12"
    );
}

/// The product of two matrices of 48 × 48 in tiles of 16 × 16: each thread's sum lives across the barriers round the tiles.
fn product(element: ElementType) -> Kernel {
    let length = sym(48 * 48);
    let mut builder = KernelBuilder::new("product", sym(9), sym(256));
    let [a, b] = ["a", "b"].map(|name| builder.tensor(name, element, &[sym(48), sym(48)], false));
    let c = builder.tensor("c", element, &[sym(48), sym(48)], true);
    let [left, right] = ["left", "right"].map(|name| builder.cleared_array(name, element, 256));
    let [step, k] = ["step", "k"].map(|name| builder.local(name, I64));
    let sum = builder.local("sum", element);
    let (i, j) = (quotient(thread_id(), 16), remainder(thread_id(), 16));
    let row = add(multiply(quotient(block_id(), 3), int(16)), i.clone());
    let column = add(multiply(remainder(block_id(), 3), int(16)), j.clone());
    let first = multiply(builder.read(step), int(16));
    let at = |row: Expr, column: Expr| add(multiply(row, int(48)), column);
    let mut access = |tensor, index| builder.access(tensor, &identity(&length), vec![index], Masking::None);
    let from_a = access(a, at(row.clone(), add(first.clone(), j.clone())));
    let from_b = access(b, at(add(first, i.clone()), column.clone()));
    let to = access(c, at(row, column));
    let [to_left, to_right] = [left, right].map(|tile| builder.element_of(tile, thread_id()));
    let of_left = builder.read_shared(left, add(multiply(i, int(16)), builder.read(k)));
    let of_right = builder.read_shared(right, add(multiply(builder.read(k), int(16)), j));
    let zero = cast(element, int(0));
    let more = assign(sum, add(builder.read(sum), multiply(of_left, of_right)));
    let tile = vec![
        store(to_left, builder.load(from_a)),
        store(to_right, builder.load(from_b)),
        block_barrier(),
        for_loop(k, int(0), int(16), vec![more]),
        block_barrier(),
    ];
    let body = vec![assign(sum, zero), for_loop(step, int(0), int(3), tile), store(to, builder.read(sum))];
    builder.finish(body)
}

#[test]
fn tiles_are_multiplied() {
    for element in [F32, ElementType::F64, ElementType::F16, ElementType::I8, ElementType::U32, I64] {
        check(&product(element));
    }
}

/// Where a range of threads begins in the middle of what an exclusive or turns about, its lanes do not count from a multiple of
/// their number.
#[test]
fn some_threads_read_turned_neighbours() {
    for threads in [0..32, 8..40, 4..36, 3..61] {
        let mut builder = KernelBuilder::new("some", sym(1), sym(64));
        let y = builder.tensor("y", F32, &[sym(64)], true);
        let array = builder.cleared_array("array", F32, 64);
        let to = builder.access(y, &identity(&sym(64)), vec![thread_id()], Masking::None);
        let turned = builder.read_shared(array, binary(BinaryOp::BitXor, thread_id(), int(13)));
        let is_in =
            compare(BinaryOp::And, less(int(threads.start - 1), thread_id()), less(thread_id(), int(threads.end)));
        let own = builder.element_of(array, thread_id());
        let kernel = builder.finish(vec![
            store(own, cast(F32, thread_id())),
            block_barrier(),
            when(is_in, vec![store(to, turned)]),
        ]);
        let y = values::<f32>(&check(&kernel)[0]);
        threads.for_each(|thread| assert_eq!(y[thread as usize], (thread ^ 13) as f32));
    }
}
