//! Sums that the threads of a block compute together.

use super::*;

/// One block sums each row of `x`, its threads in a tree: in a loop of the program over halved distances, or written
/// out.
fn row_sums(element: ElementType, rows: i64, columns: i64, threads: i64, written_out: bool) -> Kernel {
    let mut builder = KernelBuilder::new("row_sums", sym(rows), sym(threads));
    let x = builder.tensor("x", element, &[sym(rows), sym(columns)], false);
    let y = builder.tensor("y", element, &[sym(rows)], true);
    let sums = builder.cleared_array("sums", element, threads);
    let (sum, k) = (builder.local("sum", element), builder.local("k", I64));
    let column = add(multiply(builder.read(k), int(threads)), thread_id());
    let index = add(multiply(block_id(), int(columns)), column);
    let from = builder.access(x, &identity(&sym(rows * columns)), vec![index], Masking::None);
    let next = add(builder.read(sum), builder.load(from));
    let own = store(builder.element_of(sums, thread_id()), builder.read(sum));
    let mut body = vec![for_loop(k, int(0), int(columns / threads), vec![assign(sum, next)]), own, block_barrier()];
    let halve = |builder: &KernelBuilder, distance: Expr| {
        let other = builder.read_shared(sums, add(thread_id(), distance.clone()));
        let total = add(builder.read_shared(sums, thread_id()), other);
        let joined = store(builder.element_of(sums, thread_id()), total);
        [when(less(thread_id(), distance), vec![joined]), block_barrier()]
    };
    let steps = i64::from(threads.trailing_zeros());
    if written_out {
        for step in 0..steps {
            body.extend(halve(&builder, int(threads >> (step + 1))));
        }
    } else {
        let (distance, step) = (builder.local("distance", I64), builder.local("step", I64));
        let mut inner = halve(&builder, builder.read(distance)).to_vec();
        inner.push(assign(distance, quotient(builder.read(distance), 2)));
        body.push(assign(distance, int(threads / 2)));
        body.push(for_loop(step, int(0), int(steps), inner));
    }
    let to = builder.access(y, &identity(&sym(rows)), vec![block_id()], Masking::None);
    let total = builder.read_shared(sums, int(0));
    body.push(when(compare(BinaryOp::Equal, thread_id(), int(0)), vec![store(to, total)]));
    builder.finish(body)
}

#[test]
fn a_tree_sums_the_rows_of_a_matrix() {
    for (threads, columns) in [(64, 128), (16, 48)] {
        for written_out in [true, false] {
            let kernel = row_sums(I64, 5, columns, threads, written_out);
            let result = check(&kernel);
            let (x, y) = (values::<i64>(&result[0]), values::<i64>(&result[1]));
            let sums: Vec<i64> = x.chunks(columns as usize).map(|row| row.iter().sum()).collect();
            assert_eq!(y, sums);
        }
    }
}

#[test]
fn a_tree_sums_floats_in_its_own_order() {
    for element in [F32, ElementType::F16, ElementType::Bf16] {
        check(&row_sums(element, 3, 64, 32, false));
    }
}

/// Prefix sums of a block: every thread reads its neighbour's sum, waits, and writes its own.
#[test]
fn prefix_sums_double_their_reach() {
    let (threads, steps) = (64, 6);
    let mut builder = KernelBuilder::new("prefix_sums", sym(3), sym(threads));
    let x = builder.tensor("x", I64, &[sym(3 * threads)], true);
    let sums = builder.cleared_array("sums", I64, threads);
    let (own, reach, step) = (builder.local("own", I64), builder.local("reach", I64), builder.local("step", I64));
    let id = builder.linear_id();
    let element = builder.access(x, &identity(&sym(3 * threads)), vec![id], Masking::None);
    let far = compare(BinaryOp::GreaterEqual, thread_id(), builder.read(reach));
    let neighbour = binary(BinaryOp::Subtract, thread_id(), builder.read(reach));
    let sum = add(builder.read(own), builder.read_shared(sums, neighbour));
    let kernel = builder.clone().finish(vec![
        assign(own, builder.load(element.clone())),
        assign(reach, int(1)),
        for_loop(
            step,
            int(0),
            int(steps),
            vec![
                store(builder.element_of(sums, thread_id()), builder.read(own)),
                block_barrier(),
                when(far, vec![assign(own, sum)]),
                assign(reach, multiply(builder.read(reach), int(2))),
                block_barrier(),
            ],
        ),
        store(element, builder.read(own)),
    ]);
    let before = values::<i64>(&arguments(&kernel, &BTreeMap::new())[0]);
    let after = values::<i64>(&check(&kernel)[0]);
    for (before, after) in before.chunks(threads as usize).zip(after.chunks(threads as usize)) {
        let mut sum = 0i64;
        let sums: Vec<i64> = before
            .iter()
            .map(|value| {
                sum = sum.wrapping_add(*value);
                sum
            })
            .collect();
        assert_eq!(after, sums);
    }
}
