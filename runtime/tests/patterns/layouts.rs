//! Elements in every layout: what neighbouring threads and iterations reach.

use super::*;

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
    let is_number = |element: &ElementType| element.computes() && *element != ElementType::Bool;
    for element in ElementType::ALL.into_iter().filter(is_number) {
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

/// Threads in rows of 32 whose elements an exclusive or turns about: neighbours in another order, or with a stride besides.
#[test]
fn lanes_reach_turned_neighbours() {
    for element in ElementType::ALL {
        for stride in [0, 32] {
            let length = Sym::constant(2048);
            let place = {
                let row = binary(BinaryOp::FloorDivide, thread_id(), int(32));
                let column = binary(BinaryOp::FloorRemainder, thread_id(), int(32));
                let key = add(multiply(row.clone(), int(5)), int(2));
                let turned = binary(BinaryOp::BitXor, column.clone(), key);
                add(add(multiply(row, int(1024)), turned), multiply(column, int(stride)))
            };
            for (from, to) in [(place.clone(), thread_id()), (thread_id(), place)] {
                let mut builder = KernelBuilder::new("turned", Sym::one(), Sym::constant(64));
                let x = vector(&mut builder, "x", element, &length, false);
                let y = vector(&mut builder, "y", element, &length, true);
                let read = builder.access(x, &identity(&length), vec![from], Masking::None);
                let write = builder.access(y, &identity(&length), vec![to], Masking::None);
                let value = builder.load(read);
                check(&builder.finish(vec![store(write, value)]), 1);
            }
        }
    }
}
