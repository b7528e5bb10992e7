//! Kernels as people write them: machine code gives the bits that the interpreter gives, with and without checks.

use std::collections::BTreeMap;

use shapewright_compiler::dims::{Facts, Sym};
use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::typed::{BinaryOp, Expr, Kernel, MathFunction, ParamId, ParamKind};
use shapewright_runtime::execute::{Argument, BoundsMode};
use shapewright_runtime::tensors::{Initial, Scalar, Tensor};
use shapewright_runtime::testing::build::*;
use shapewright_runtime::testing::compare::interpreter_and_cpu;
use shapewright_runtime::testing::samples::saxpy_in_layout;

const F32: ElementType = ElementType::F32;

/// Runs the kernel with random tensors of the shapes that its parameters have under `N`.
fn check(kernel: &Kernel, n: i64) {
    let sizes = BTreeMap::from([(symbol("N"), n)]);
    let value = |size: &Sym| size.evaluate(&|name| sizes.get(name).copied()).unwrap();
    for bounds in [BoundsMode::Proven, BoundsMode::Guarded] {
        let argument = |(position, param): (usize, &shapewright_compiler::kernels::typed::Param)| {
            let kind = param.element;
            match &param.kind {
                ParamKind::Scalar => Argument::Scalar(Scalar::from_f64(kind, 3.0).unwrap()),
                ParamKind::Tensor { shape, .. } => {
                    let shape: Vec<u64> = shape.iter().map(|size| value(size) as u64).collect();
                    Argument::Tensor(Tensor::initial(kind, &shape, Initial::Random(position as u64)).unwrap())
                }
            }
        };
        let mut arguments: Vec<Argument> = kernel.params.iter().enumerate().map(argument).collect();
        if let Err(problem) = interpreter_and_cpu(kernel, &sizes, &mut arguments, bounds) {
            panic!("{} with N = {n}, {bounds:?}: {problem}", kernel.name);
        }
    }
}

fn n() -> Sym {
    Sym::symbol(symbol("N"))
}

/// A builder with one thread per element of 0..N in blocks of `threads`, and a mask for the tail.
fn one_thread_per_element(name: &str, threads: i64) -> (KernelBuilder, Expr, Expr) {
    let threads = Sym::constant(threads);
    let blocks = n().cdiv(&threads, &Facts::empty()).unwrap();
    let builder = KernelBuilder::new(name, blocks, threads);
    let id = builder.linear_id();
    let inside = compare(BinaryOp::Less, id.clone(), size(&n()));
    (builder, id, inside)
}

fn vector(builder: &mut KernelBuilder, name: &str, element: ElementType, length: &Sym, mutable: bool) -> ParamId {
    builder.tensor(name, element, std::slice::from_ref(length), mutable)
}

#[test]
fn saxpy_in_every_layout_and_type() {
    let layouts: [(i64, &[(usize, bool)]); 7] = [
        (4, &[(0, false), (1, false)]),
        (4, &[(1, false), (0, false)]),
        (4, &[(0, true), (1, false)]),
        (4, &[(1, true), (0, true)]),
        (1, &[(0, false), (1, true)]),
        (3, &[(0, false), (1, false)]),
        (16, &[(0, false), (1, true)]),
    ];
    for element in ElementType::ALL.into_iter().filter(|&element| element != ElementType::Bool) {
        for (per_thread, layout) in layouts {
            let kernel = saxpy_in_layout(element, per_thread, layout).unwrap();
            for n in [1, 48, 1000, 4096 + 48] {
                check(&kernel, n);
            }
        }
    }
}

/// `y[k] = x[k] + i`, and the thread's number too in all but the last iteration, where `k` is `per * thread + i`: the
/// loops over threads and iterations become one.
#[test]
fn neighbours_of_neighbouring_threads() {
    let elements = [F32, ElementType::F16, ElementType::Bf16, ElementType::I8, ElementType::U16, ElementType::F64];
    for element in elements {
        for per in [2, 3, 8] {
            for masking in [Masking::Full, Masking::None] {
                let threads = Sym::constant(64);
                let blocks = n().checked_floor_div(&Sym::constant(64 * per), &Facts::empty()).unwrap();
                let blocks = blocks.checked_add(&Sym::constant(i64::from(masking == Masking::Full))).unwrap();
                let mut builder = KernelBuilder::new("neighbours", blocks, threads);
                let x = vector(&mut builder, "x", element, &n(), false);
                let y = vector(&mut builder, "y", element, &n(), true);
                let i = builder.local("i", ElementType::I64);
                let value = builder.local("value", element);
                let at = vec![add(multiply(builder.linear_id(), int(per)), builder.read(i))];
                let read = builder.access(x, &identity(&n()), at.clone(), masking);
                let mut write = || builder.access(y, &identity(&n()), at.clone(), masking);
                let (first, last) = (write(), write());
                let with_thread = add(builder.read(value), cast(element, thread_id()));
                let body = vec![
                    assign(value, add(builder.load(read), cast(element, builder.read(i)))),
                    if_else(
                        compare(BinaryOp::Less, builder.read(i), int(per - 1)),
                        vec![store(first, with_thread)],
                        vec![store(last, builder.read(value))],
                    ),
                ];
                let kernel = builder.finish(vec![for_loop(i, int(0), int(per), body)]);
                for n in [5, 200, 64 * per, 1000] {
                    check(&kernel, n);
                }
            }
        }
    }
}

/// The share of each thread ends with the tensor's, and a mask on the thread says so: it changes once in several lanes.
#[test]
fn masks_on_threads_with_several_neighbours() {
    for element in [F32, ElementType::F16, ElementType::U8] {
        for per in [2i64, 4, 8] {
            let facts = Facts::empty();
            let share = Sym::constant(per);
            let count = n().checked_floor_div(&share, &facts).unwrap();
            let map = reshape(
                &[(share.clone(), share)],
                &[(count.clone(), count.clone())],
                &[(0, false), (1, false)],
                &facts,
            );
            let map = map.unwrap();
            let mut builder =
                KernelBuilder::new("shares", count.cdiv(&Sym::constant(32), &facts).unwrap(), Sym::constant(32));
            let x = vector(&mut builder, "x", element, &n(), false);
            let y = vector(&mut builder, "y", element, &n(), true);
            let i = builder.local("i", ElementType::I64);
            let at = vec![builder.read(i), builder.linear_id()];
            let read = builder.access(x, &map, at.clone(), Masking::Threads);
            let write = builder.access(y, &map, at, Masking::Threads);
            let value = multiply(builder.load(read.clone()), builder.load(read));
            let kernel = builder.finish(vec![for_loop(i, int(0), int(per), vec![store(write, value)])]);
            for n in [8, 40, 256, 1000, 1024 + 72] {
                check(&kernel, n);
            }
        }
    }
}

#[test]
fn threads_in_two_dimensions() {
    // Threads in rows of 16 (and of 5, which no vector divides), elements of 2 per thread, the rows padded.
    for (columns, padded) in [(16, 16), (5, 8), (64, 60), (4, 4)] {
        for layout in [
            [(0, false), (1, false), (2, false)],
            [(1, false), (2, true), (0, false)],
            [(2, false), (1, true), (0, true)],
        ] {
            let rows = n().checked_floor_div(&Sym::constant(64), &Facts::empty()).unwrap();
            let dims = [(Sym::constant(columns), Sym::constant(padded)), (rows.clone(), rows.clone())];
            let two = Sym::constant(2);
            let Some(map) = reshape(&[(two.clone(), two)], &dims, &layout, &Facts::empty()) else { continue };
            let threads = Sym::constant(64);
            let total = rows.checked_mul(&Sym::constant(columns)).unwrap();
            let blocks = total.cdiv(&threads, &Facts::empty()).unwrap();
            let mut builder = KernelBuilder::new("two_dimensions", blocks, threads);
            let length = rows.checked_mul(&Sym::constant(2 * padded)).unwrap();
            let x = vector(&mut builder, "x", F32, &length, false);
            let y = vector(&mut builder, "y", F32, &length, true);
            let i = builder.local("i", ElementType::I64);
            let at = vec![builder.read(i), builder.linear_id()];
            let read = builder.access(x, &map, at.clone(), Masking::Threads);
            let write = builder.access(y, &map, at, Masking::Threads);
            let value = multiply(builder.load(read), float(2.0));
            let kernel = builder.finish(vec![for_loop(i, int(0), int(2), vec![store(write, value)])]);
            for n in [64, 640, 1000] {
                check(&kernel, n);
            }
        }
    }
}

/// `total = total + x[row * N + k]` over `k`, per thread.
#[test]
fn sums_along_rows_and_columns() {
    for along_row in [true, false] {
        let rows = Sym::constant(37);
        let mut builder = KernelBuilder::new("sums", Sym::constant(3), Sym::constant(16));
        let length = n().checked_mul(&rows).unwrap();
        let x = vector(&mut builder, "x", F32, &length, false);
        let y = vector(&mut builder, "y", F32, &rows, true);
        let (k, total) = (builder.local("k", ElementType::I64), builder.local("total", F32));
        let row = builder.linear_id();
        let index = if along_row {
            add(multiply(row.clone(), size(&n())), builder.read(k))
        } else {
            add(multiply(builder.read(k), size(&rows)), row.clone())
        };
        let read = builder.access(x, &identity(&length), vec![index], Masking::Full);
        let write = builder.access(y, &identity(&rows), vec![row], Masking::Full);
        let sum = add(builder.read(total), builder.load(read));
        let result = builder.read(total);
        let kernel =
            builder.finish(vec![for_loop(k, int(0), size(&n()), vec![assign(total, sum)]), store(write, result)]);
        for n in [1, 4, 33] {
            check(&kernel, n);
        }
    }
}

/// Loops of one thread whose iterations depend on each other, or do not.
#[test]
fn iterations_that_depend_on_each_other() {
    // How far the read lies behind the write; with 0 they are the same element.
    for distance in [-2, -1, 0, 1, 4] {
        let mut builder = KernelBuilder::new("recurrence", Sym::one(), Sym::one());
        let y = vector(&mut builder, "y", F32, &n(), true);
        let i = builder.local("i", ElementType::I64);
        let read = builder.access(y, &identity(&n()), vec![add(builder.read(i), int(distance))], Masking::Full);
        let write = builder.access(y, &identity(&n()), vec![builder.read(i)], Masking::None);
        let value = add(builder.load(read), float(1.0));
        let kernel = builder.finish(vec![for_loop(i, int(0), size(&n()), vec![store(write, value)])]);
        check(&kernel, 50);
    }
}

#[test]
fn values_that_leave_a_loop() {
    // The last value, the value before, and a running sum that is stored as it goes.
    let mut builder = KernelBuilder::new("escape", Sym::one(), Sym::one());
    let x = vector(&mut builder, "x", F32, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let z = vector(&mut builder, "z", F32, &Sym::constant(2), true);
    let i = builder.local("i", ElementType::I64);
    let (last, before, sum) = (builder.local("last", F32), builder.local("before", F32), builder.local("sum", F32));
    let read = builder.access(x, &identity(&n()), vec![builder.read(i)], Masking::None);
    let write = builder.access(y, &identity(&n()), vec![builder.read(i)], Masking::None);
    let ends = [0, 1].map(|place| builder.access(z, &identity(&Sym::constant(2)), vec![int(place)], Masking::None));
    let [first_end, second_end] = ends;
    let (previous, current) = (builder.read(last), builder.load(read));
    let total = add(builder.read(sum), builder.read(last));
    let running = builder.read(sum);
    let (last_value, before_value) = (builder.read(last), builder.read(before));
    let kernel = builder.finish(vec![
        for_loop(
            i,
            int(0),
            size(&n()),
            vec![assign(before, previous), assign(last, current), assign(sum, total), store(write, running)],
        ),
        store(first_end, last_value),
        store(second_end, before_value),
    ]);
    for n in [1, 8, 50] {
        check(&kernel, n);
    }
    // Only the last value leaves: nothing is read before it is assigned.
    let mut builder = KernelBuilder::new("last", Sym::one(), Sym::one());
    let x = vector(&mut builder, "x", F32, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let i = builder.local("i", ElementType::I64);
    let last = builder.local("last", F32);
    let read = builder.access(x, &identity(&n()), vec![builder.read(i)], Masking::None);
    let write = builder.access(y, &identity(&n()), vec![builder.read(i)], Masking::None);
    let end = builder.access(y, &identity(&n()), vec![int(0)], Masking::None);
    let (value, read_back, result) = (builder.load(read), builder.read(last), builder.read(last));
    let kernel = builder.finish(vec![
        for_loop(i, int(0), size(&n()), vec![assign(last, value), store(write, read_back)]),
        store(end, result),
    ]);
    for n in [1, 8, 50] {
        check(&kernel, n);
    }
}

/// A product of matrices: 16 × K times K × 24, one thread per element of the result.
#[test]
fn matrix_product() {
    for element in [F32, ElementType::F64, ElementType::F16, ElementType::I32] {
        let (rows, columns) = (Sym::constant(16), Sym::constant(24));
        let (threads, facts) = (Sym::constant(32), Facts::empty());
        let total = rows.checked_mul(&columns).unwrap();
        let blocks = total.cdiv(&threads, &facts).unwrap();
        let mut builder = KernelBuilder::new("product", blocks, threads);
        let a = builder.tensor("a", element, &[rows.clone(), n()], false);
        let b = builder.tensor("b", element, &[n(), columns.clone()], false);
        let c = builder.tensor("c", element, &[rows.clone(), columns.clone()], true);
        let (k, sum) = (builder.local("k", ElementType::I64), builder.local("sum", element));
        let (row, column) = (builder.local("row", ElementType::I64), builder.local("column", ElementType::I64));
        let id = builder.linear_id();
        let a_length = rows.checked_mul(&n()).unwrap();
        let b_length = n().checked_mul(&columns).unwrap();
        let a_index = add(multiply(builder.read(row), size(&n())), builder.read(k));
        let b_index = add(multiply(builder.read(k), size(&columns)), builder.read(column));
        let read_a = builder.access(a, &identity(&a_length), vec![a_index], Masking::None);
        let read_b = builder.access(b, &identity(&b_length), vec![b_index], Masking::None);
        let write = builder.access(c, &identity(&total), vec![id.clone()], Masking::None);
        let product = multiply(builder.load(read_a), builder.load(read_b));
        let next = add(builder.read(sum), product);
        let result = builder.read(sum);
        let kernel = builder.finish(vec![
            assign(row, binary(BinaryOp::FloorDivide, id.clone(), size(&columns))),
            assign(column, binary(BinaryOp::FloorRemainder, id, size(&columns))),
            for_loop(k, int(0), size(&n()), vec![assign(sum, next)]),
            store(write, result),
        ]);
        for n in [1, 7, 32] {
            check(&kernel, n);
        }
    }
}

/// A tile of 8 × 8 per block, read in rows and written in columns, each thread several elements.
#[test]
fn transposed_tiles() {
    let (tile, facts) = (8i64, Facts::empty());
    let across = n().cdiv(&Sym::constant(tile), &facts).unwrap();
    let blocks = across.checked_mul(&across).unwrap();
    let mut builder = KernelBuilder::new("transpose", blocks, Sym::constant(16));
    let length = n().checked_mul(&n()).unwrap();
    let x = builder.tensor("x", F32, &[n(), n()], false);
    let y = builder.tensor("y", F32, &[n(), n()], true);
    let k = builder.local("k", ElementType::I64);
    let element = add(multiply(builder.read(k), int(16)), thread_id());
    let row = binary(BinaryOp::FloorDivide, element.clone(), int(tile));
    let column = binary(BinaryOp::FloorRemainder, element, int(tile));
    let across = size(&across);
    let row = add(multiply(binary(BinaryOp::FloorDivide, block_id(), across.clone()), int(tile)), row);
    let column = add(multiply(binary(BinaryOp::FloorRemainder, block_id(), across), int(tile)), column);
    let inside = compare(
        BinaryOp::And,
        compare(BinaryOp::Less, row.clone(), size(&n())),
        compare(BinaryOp::Less, column.clone(), size(&n())),
    );
    let from = add(multiply(row.clone(), size(&n())), column.clone());
    let to = add(multiply(column, size(&n())), row);
    let read = builder.access(x, &identity(&length), vec![from], Masking::None);
    let write = builder.access(y, &identity(&length), vec![to], Masking::None);
    let value = builder.load(read);
    let body = vec![if_else(inside, vec![store(write, value)], Vec::new())];
    let kernel = builder.finish(vec![for_loop(k, int(0), int(4), body)]);
    for n in [8, 16, 21] {
        check(&kernel, n);
    }
}

#[test]
fn a_stencil_with_masked_borders() {
    let (mut builder, id, inside) = one_thread_per_element("stencil", 64);
    let x = vector(&mut builder, "x", F32, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let mut sum = float(0.0);
    for distance in [-1, 0, 1] {
        let read = builder.access(x, &identity(&n()), vec![add(id.clone(), int(distance))], Masking::Full);
        sum = add(sum, builder.load(read));
    }
    let write = builder.access(y, &identity(&n()), vec![id], Masking::None);
    let kernel = builder.finish(vec![if_else(inside, vec![store(write, sum)], Vec::new())]);
    for n in [1, 64, 100, 1000] {
        check(&kernel, n);
    }
}

#[test]
fn loads_that_a_choice_guards() {
    let (mut builder, id, inside) = one_thread_per_element("choice", 32);
    let x = vector(&mut builder, "x", F32, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let half = n().checked_floor_div(&Sym::constant(2), &Facts::empty()).unwrap();
    // Beyond the middle the index would leave the tensor.
    let doubled = builder.access(x, &identity(&n()), vec![multiply(id.clone(), int(2))], Masking::None);
    let plain = builder.access(x, &identity(&n()), vec![id.clone()], Masking::None);
    let is_low = compare(BinaryOp::Less, id.clone(), size(&half));
    let positive = {
        let load = builder.load(doubled.clone());
        compare(BinaryOp::And, is_low.clone(), compare(BinaryOp::Less, float(0.0), load))
    };
    let value = select(is_low, builder.load(doubled), builder.load(plain));
    let value = select(positive, value.clone(), multiply(value, float(0.5)));
    let write = builder.access(y, &identity(&n()), vec![id], Masking::None);
    let kernel = builder.finish(vec![if_else(inside, vec![store(write, value)], Vec::new())]);
    for n in [1, 32, 50, 999] {
        check(&kernel, n);
    }
}

#[test]
fn an_index_from_a_tensor() {
    let (mut builder, id, inside) = one_thread_per_element("gather", 32);
    let x = vector(&mut builder, "x", F32, &n(), false);
    let indices = vector(&mut builder, "indices", ElementType::I32, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let index = builder.access(indices, &identity(&n()), vec![id.clone()], Masking::None);
    let index = cast(ElementType::I64, builder.load(index));
    let wrapped = binary(BinaryOp::FloorRemainder, index, size(&n()));
    let read = builder.access(x, &identity(&n()), vec![wrapped], Masking::None);
    let value = builder.load(read);
    let write = builder.access(y, &identity(&n()), vec![id], Masking::None);
    let kernel = builder.finish(vec![if_else(inside, vec![store(write, value)], Vec::new())]);
    for n in [1, 40, 1000] {
        check(&kernel, n);
    }
}

#[test]
fn a_swizzle() {
    // Column c of row r stands at c ^ (r % 8).
    let (columns, threads) = (32i64, 64i64);
    let mut builder = KernelBuilder::new("swizzle", n(), Sym::constant(threads));
    let length = n().checked_mul(&Sym::constant(threads)).unwrap();
    let x = vector(&mut builder, "x", ElementType::I32, &length, false);
    let y = vector(&mut builder, "y", ElementType::I32, &length, true);
    let id = builder.linear_id();
    let row = binary(BinaryOp::FloorDivide, id.clone(), int(columns));
    let column = binary(BinaryOp::FloorRemainder, id.clone(), int(columns));
    let turned = binary(BinaryOp::BitXor, column, binary(BinaryOp::FloorRemainder, row.clone(), int(8)));
    let to = add(multiply(row, int(columns)), turned);
    let read = builder.access(x, &identity(&length), vec![id], Masking::None);
    let write = builder.access(y, &identity(&length), vec![to], Masking::None);
    let value = builder.load(read);
    let kernel = builder.finish(vec![store(write, value)]);
    for n in [1, 9] {
        check(&kernel, n);
    }
}

#[test]
fn functions_and_conversions_in_lanes() {
    let (mut builder, id, inside) = one_thread_per_element("functions", 64);
    let x = vector(&mut builder, "x", ElementType::F16, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let flags = vector(&mut builder, "flags", ElementType::Bool, &n(), true);
    let bytes = vector(&mut builder, "bytes", ElementType::U8, &n(), true);
    let at =
        |builder: &mut KernelBuilder, tensor| builder.access(tensor, &identity(&n()), vec![id.clone()], Masking::None);
    let read = at(&mut builder, x);
    let (write_y, write_flags, write_bytes) = (at(&mut builder, y), at(&mut builder, flags), at(&mut builder, bytes));
    let value = cast(F32, builder.load(read));
    let result = math(MathFunction::Exp, F32, vec![math(MathFunction::Tanh, F32, vec![value.clone()])]);
    let flag = compare(BinaryOp::Greater, value.clone(), float(0.25));
    let byte = cast(ElementType::U8, multiply(value, float(300.0)));
    let kernel = builder.finish(vec![if_else(
        inside,
        vec![store(write_y, result), store(write_flags, flag), store(write_bytes, byte)],
        Vec::new(),
    )]);
    for n in [1, 64, 777] {
        check(&kernel, n);
    }
}

/// `y[i]` is the `x` of the iteration before; nothing leaves the loop.
#[test]
fn values_that_pass_to_the_next_iteration() {
    let mut builder = KernelBuilder::new("delay", Sym::one(), Sym::one());
    let x = vector(&mut builder, "x", F32, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let i = builder.local("i", ElementType::I64);
    let before = builder.local("before", F32);
    let read = builder.access(x, &identity(&n()), vec![builder.read(i)], Masking::None);
    let write = builder.access(y, &identity(&n()), vec![builder.read(i)], Masking::None);
    let (delayed, current) = (builder.read(before), builder.load(read));
    let body = vec![store(write, delayed), assign(before, current)];
    let kernel = builder.finish(vec![for_loop(i, int(0), size(&n()), body)]);
    for n in [1, 8, 50] {
        check(&kernel, n);
    }
}

/// The sum leaves 64 bits within a block, so that neighbouring threads disagree in no simple way.
#[test]
fn conditions_on_integers_that_wrap_around() {
    for start in [i64::MAX - 3, i64::MAX - 9, i64::MIN, i64::MIN + 5] {
        for operator in [BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater, BinaryOp::GreaterEqual] {
            for factor in [1, -1] {
                let (mut builder, id, inside) = one_thread_per_element("wraps", 32);
                let y = vector(&mut builder, "y", F32, &n(), true);
                let write = builder.access(y, &identity(&n()), vec![id.clone()], Masking::None);
                let moved = add(multiply(id, int(factor)), int(start));
                let condition = compare(operator, moved, int(7));
                let condition = compare(BinaryOp::And, inside, condition);
                let kernel = builder.finish(vec![if_else(condition, vec![store(write, float(2.0))], Vec::new())]);
                check(&kernel, 70);
            }
        }
    }
}

/// A mask that the body computes first.
#[test]
fn masks_from_variables() {
    let (mut builder, id, inside) = one_thread_per_element("flagged", 32);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let flag = builder.local("flag", ElementType::Bool);
    let odd = binary(BinaryOp::FloorRemainder, block_id(), int(2));
    let mut write = builder.access(y, &identity(&n()), vec![id.clone()], Masking::Threads);
    let reading = builder.read(flag);
    write.mask = Some(compare(BinaryOp::And, inside, reading));
    // The interpreter asks the map, so it is told by leaving the statement out where the flag is false.
    let body = vec![
        assign(flag, compare(BinaryOp::Equal, odd, int(1))),
        if_else(builder.read(flag), vec![store(write, float(5.0))], Vec::new()),
    ];
    let kernel = builder.finish(body);
    for n in [32, 64, 200] {
        check(&kernel, n);
    }
}

/// Conditions on the counter itself: of a loop, and of the threads.
#[test]
fn conditions_on_a_counter() {
    for operator in [BinaryOp::Equal, BinaryOp::NotEqual, BinaryOp::Less, BinaryOp::GreaterEqual] {
        for bound in [0, 3, 8, 21] {
            let mut builder = KernelBuilder::new("counter", Sym::one(), Sym::one());
            let y = vector(&mut builder, "y", F32, &n(), true);
            let i = builder.local("i", ElementType::I64);
            let condition = compare(operator, builder.read(i), int(bound));
            let at = vec![builder.read(i)];
            let [first, second, third] =
                [(); 3].map(|()| builder.access(y, &identity(&n()), at.clone(), Masking::None));
            let chosen = select(condition.clone(), cast(F32, builder.read(i)), builder.load(third));
            let body = vec![if_else(condition, vec![store(first, chosen)], vec![store(second, float(-1.0))])];
            let kernel = builder.finish(vec![for_loop(i, int(0), size(&n()), body)]);
            check(&kernel, 50);

            let mut builder = KernelBuilder::new("threads", Sym::one(), n());
            let y = vector(&mut builder, "y", F32, &n(), true);
            let condition = compare(operator, thread_id(), int(bound));
            let [first, second] =
                [(); 2].map(|()| builder.access(y, &identity(&n()), vec![thread_id()], Masking::None));
            let then = vec![store(first, cast(F32, thread_id()))];
            let kernel = builder.finish(vec![if_else(condition, then, vec![store(second, float(-1.0))])]);
            check(&kernel, 50);
        }
    }
}
