//! Collectives of a block that do different things and wait for their own threads.

use super::*;

/// The first warp loads a tile for the second one, step after step, with two buffers; the block waits once per step.
#[test]
fn a_producer_and_a_consumer_share_two_buffers() {
    let steps = 6;
    let mut builder = KernelBuilder::new("producer", sym(2), sym(64));
    let x = builder.tensor("x", F32, &[sym(2 * steps * 32)], false);
    let y = builder.tensor("y", F32, &[sym(64)], true);
    let buffer = builder.cleared_array("buffer", F32, 64);
    let (step, sum, lane) = (builder.local("step", I64), builder.local("sum", F32), builder.local("lane", I64));
    let first = compare(BinaryOp::Equal, quotient(thread_id(), 32), int(0));
    let second = compare(BinaryOp::Equal, quotient(thread_id(), 32), int(1));
    let row = add(multiply(block_id(), int(steps)), builder.read(step));
    let index = add(multiply(row, int(32)), builder.read(lane));
    let from = builder.access(x, &identity(&sym(2 * steps * 32)), vec![index], Masking::None);
    let half = |step: Expr| add(multiply(remainder(step, 2), int(32)), builder.read(lane));
    let fill = store(builder.element_of(buffer, half(builder.read(step))), builder.load(from));
    let before = add(builder.read(step), int(1));
    let use_it = assign(sum, add(builder.read(sum), builder.read_shared(buffer, half(before))));
    let index = add(multiply(block_id(), int(32)), builder.read(lane));
    let to = builder.access(y, &identity(&sym(64)), vec![index], Masking::None);
    let produces = compare(BinaryOp::And, first, less(builder.read(step), int(steps)));
    let consumes = compare(BinaryOp::And, second.clone(), less(int(0), builder.read(step)));
    let kernel = builder.clone().finish(vec![
        assign(lane, remainder(thread_id(), 32)),
        for_loop(
            step,
            int(0),
            int(steps + 1),
            vec![when(produces, vec![fill]), when(consumes, vec![use_it]), block_barrier()],
        ),
        when(second, vec![store(to, builder.read(sum))]),
    ]);
    let result = check(&kernel);
    let (x, y) = (values::<f32>(&result[0]), values::<f32>(&result[1]));
    for (place, &sum) in y.iter().enumerate() {
        let (block, lane) = (place / 32, place % 32);
        let expected = (0..steps as usize).fold(0.0, |sum, step| sum + x[(block * steps as usize + step) * 32 + lane]);
        assert_eq!(sum, expected);
    }
}

/// Each warp reverses its own elements as often as its number says, waiting for its lanes only.
#[test]
fn warps_run_a_loop_differently_often() {
    let mut builder = KernelBuilder::new("warps", sym(2), sym(96));
    let x = builder.tensor("x", I64, &[sym(192)], true);
    let row = builder.cleared_array("row", I64, 96);
    let (warp, lane, k) = (builder.local("warp", I64), builder.local("lane", I64), builder.local("k", I64));
    let value = builder.local("value", I64);
    let id = builder.linear_id();
    let own = builder.access(x, &identity(&sym(192)), vec![id], Masking::None);
    let start = multiply(builder.read(warp), int(32));
    let opposite = add(start, binary(BinaryOp::Subtract, int(31), builder.read(lane)));
    let kernel = builder.clone().finish(vec![
        assign(warp, quotient(thread_id(), 32)),
        assign(lane, remainder(thread_id(), 32)),
        assign(value, builder.load(own.clone())),
        when(
            less(builder.read(warp), int(3)),
            vec![for_loop(
                k,
                builder.read(warp),
                multiply(builder.read(warp), int(3)),
                vec![
                    store(builder.element_of(row, thread_id()), builder.read(value)),
                    warp_barrier(u32::MAX, int(0)),
                    assign(value, add(builder.read_shared(row, opposite), builder.read(k))),
                    warp_barrier(u32::MAX, int(0)),
                ],
            )],
        ),
        block_barrier(),
        store(own, builder.read(value)),
    ]);
    check(&kernel);
}

/// Four warps count down, the others up; each side has its own barrier, and both meet at the end.
#[test]
fn sides_of_a_branch_wait_for_themselves() {
    let mut builder = KernelBuilder::new("sides", sym(2), sym(192));
    let y = builder.tensor("y", I64, &[sym(384)], true);
    let array = builder.cleared_array("array", I64, 192);
    let (k, l, warp) = (builder.local("k", I64), builder.local("l", I64), builder.local("warp", I64));
    let id = builder.linear_id();
    let to = builder.access(y, &identity(&sym(384)), vec![id], Masking::None);
    let own = builder.element_of(array, thread_id());
    let (left, right) = (builder.local("left", I64), builder.local("right", I64));
    let in_front = |threads: i64, start: i64| {
        let place = binary(BinaryOp::Subtract, thread_id(), int(start));
        builder.read_shared(array, add(int(start), remainder(add(place, int(threads - 1)), threads)))
    };
    let side = |value, counter, threads: i64, start: i64, number: i64, factor: i64| {
        let next = add(multiply(builder.read(value), int(factor)), builder.read(counter));
        vec![
            store(own.clone(), next),
            warps_barrier(int(number), threads as u32),
            assign(value, in_front(threads, start)),
            warps_barrier(int(number), threads as u32),
        ]
    };
    let kernel = builder.clone().finish(vec![
        assign(warp, quotient(thread_id(), 32)),
        store(own.clone(), thread_id()),
        if_else(
            less(builder.read(warp), int(4)),
            vec![for_loop(k, int(0), int(5), side(left, k, 128, 0, 1, 2))],
            vec![for_loop(l, int(0), int(3), side(right, l, 64, 128, 2, 3))],
        ),
        block_barrier(),
        store(to, add(builder.load(own), add(builder.read(left), builder.read(right)))),
    ]);
    check(&kernel);
}

/// The condition for taking part is evaluated once, although the body changes the memory that it reads.
#[test]
fn a_condition_is_asked_once() {
    let mut builder = KernelBuilder::new("once", sym(2), sym(64));
    let y = builder.tensor("y", I64, &[sym(128)], true);
    let flags = builder.cleared_array("flags", I64, 64);
    let id = builder.linear_id();
    let to = builder.access(y, &identity(&sym(128)), vec![id], Masking::None);
    let own = builder.element_of(flags, thread_id());
    let asked = compare(BinaryOp::Equal, builder.load(own.clone()), int(0));
    let kernel = builder.clone().finish(vec![
        store(own.clone(), quotient(thread_id(), 32)),
        warp_barrier(u32::MAX, int(0)),
        if_else(
            asked,
            vec![
                store(own.clone(), int(7)),
                warp_barrier(u32::MAX, int(0)),
                store(own.clone(), add(builder.load(own.clone()), int(1))),
            ],
            vec![
                store(own.clone(), int(20)),
                warp_barrier(u32::MAX, int(0)),
                store(own.clone(), add(builder.load(own.clone()), int(2))),
            ],
        ),
        block_barrier(),
        store(to, builder.load(own)),
    ]);
    let y = values::<i64>(&check(&kernel)[0]);
    assert!(y.iter().enumerate().all(|(place, &value)| value == if place / 32 % 2 == 0 { 8 } else { 22 }), "{y:?}");
}

/// A block whose condition does not hold takes no part in a loop that would otherwise never end.
#[test]
fn a_branch_of_the_whole_block_is_taken_once() {
    let mut builder = KernelBuilder::new("branch", sym(4), sym(16));
    let y = builder.tensor("y", I64, &[sym(64)], true);
    let (k, count) = (builder.local("k", I64), builder.local("count", I64));
    let id = builder.linear_id();
    let to = builder.access(y, &identity(&sym(64)), vec![id], Masking::None);
    let odd = compare(BinaryOp::Equal, remainder(block_id(), 2), int(1));
    // The even blocks, and a thread of none, would count to the largest number.
    let end = select(odd.clone(), block_id(), int(i64::MAX));
    let nobody = less(int(100), add(thread_id(), remainder(block_id(), 2)));
    let counted = || vec![assign(count, add(builder.read(count), int(1))), block_barrier()];
    let kernel = builder.clone().finish(vec![
        if_else(odd, vec![for_loop(k, int(0), end, counted())], counted()),
        when(nobody, vec![for_loop(k, int(0), multiply(size(&sym(1)), add(block_id(), int(1 << 62))), counted())]),
        store(to, builder.read(count)),
    ]);
    let y = values::<i64>(&check(&kernel)[0]);
    let expected: Vec<i64> = [1, 1, 1, 3].into_iter().flat_map(|count| [count; 16]).collect();
    assert_eq!(y, expected);
}
