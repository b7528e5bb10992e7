//! Variables that live across barriers.

use super::*;

/// Every thread hands a value to its right neighbour, `rounds` times.
fn passed_on(element: ElementType, threads: Sym, rounds: Expr) -> Kernel {
    let mut builder = KernelBuilder::new("passed_on", sym(2), threads.clone());
    let length = sym(2).checked_mul(&threads).unwrap();
    let x = builder.tensor("x", element, std::slice::from_ref(&length), true);
    let ring = builder.cleared_array("ring", element, 64);
    let (value, k) = (builder.local("value", element), builder.local("k", I64));
    let (right, left) = (builder.local("right", I64), builder.local("left", I64));
    let id = builder.linear_id();
    let own = builder.access(x, &identity(&length), vec![id], Masking::None);
    let last = binary(BinaryOp::Subtract, size(&threads), int(1));
    let wrapped = compare(BinaryOp::Equal, thread_id(), last);
    builder.clone().finish(vec![
        assign(right, select(wrapped, int(0), add(thread_id(), int(1)))),
        assign(left, thread_id()),
        assign(value, builder.load(own.clone())),
        for_loop(
            k,
            int(0),
            rounds,
            vec![
                store(builder.element_of(ring, builder.read(right)), builder.read(value)),
                block_barrier(),
                assign(value, builder.read_shared(ring, builder.read(left))),
                block_barrier(),
            ],
        ),
        store(own, builder.read(value)),
    ])
}

#[test]
fn a_variable_of_any_type_lives_across_barriers() {
    let elements = [I64, F32, ElementType::F64, ElementType::F16, ElementType::Bf16, ElementType::I8, ElementType::U16];
    for element in elements.into_iter().chain([ElementType::E4m3, ElementType::E5m2]) {
        check(&passed_on(element, sym(40), int(3)));
    }
}

#[test]
fn the_number_of_threads_may_be_a_size() {
    let threads = Sym::symbol(symbol("N"));
    for n in [1, 7, 64] {
        let sizes = BTreeMap::from([(symbol("N"), n)]);
        check_sized(&passed_on(F32, threads.clone(), remainder(size(&threads), 5)), &sizes);
    }
}

/// A variable that is assigned on one side of a branch keeps on the other side what it had.
#[test]
fn a_variable_that_only_some_threads_assign_keeps_its_value() {
    let mut builder = KernelBuilder::new("some", sym(2), sym(24));
    let y = builder.tensor("y", I64, &[sym(48)], true);
    let (count, k) = (builder.local("count", I64), builder.local("k", I64));
    let id = builder.linear_id();
    let to = builder.access(y, &identity(&sym(48)), vec![id], Masking::None);
    let chosen = compare(BinaryOp::Equal, remainder(thread_id(), 3), remainder(builder.read(k), 3));
    let more = add(builder.read(count), add(builder.read(k), int(1)));
    let kernel = builder.clone().finish(vec![
        for_loop(k, int(0), int(7), vec![when(chosen, vec![assign(count, more)]), block_barrier()]),
        store(to, builder.read(count)),
    ]);
    let y = values::<i64>(&check(&kernel)[0]);
    for (thread, &count) in y.iter().enumerate() {
        let expected: i64 = (0..7).filter(|k| k % 3 == (thread as i64 % 24) % 3).map(|k| k + 1).sum();
        assert_eq!(count, expected, "thread {thread}");
    }
}

/// A variable of an earlier iteration is still there in the next one, and 0 at first.
#[test]
fn what_an_iteration_leaves_the_next_one_finds() {
    let mut builder = KernelBuilder::new("leaves", sym(3), sym(16));
    let y = builder.tensor("y", I64, &[sym(48 * 5)], true);
    let (left, k) = (builder.local("left", I64), builder.local("k", I64));
    let id = builder.linear_id();
    let place = add(multiply(id.clone(), int(5)), builder.read(k));
    let to = builder.access(y, &identity(&sym(240)), vec![place], Masking::None);
    let kernel = builder.clone().finish(vec![for_loop(
        k,
        int(0),
        int(5),
        vec![
            store(to, builder.read(left)),
            block_barrier(),
            assign(left, add(id, multiply(builder.read(k), int(1000)))),
        ],
    )]);
    let y = values::<i64>(&check(&kernel)[0]);
    for (place, &value) in y.iter().enumerate() {
        let (id, k) = (place as i64 / 5, place as i64 % 5);
        assert_eq!(value, if k == 0 { 0 } else { id + (k - 1) * 1000 });
    }
}

/// The ends of a loop are evaluated before it starts, whatever its body does to what they were made of.
#[test]
fn the_ends_of_a_loop_stay() {
    let mut builder = KernelBuilder::new("ends", sym(2), sym(16));
    let y = builder.tensor("y", I64, &[sym(32)], true);
    let (limit, k, count) = (builder.local("limit", I64), builder.local("k", I64), builder.local("count", I64));
    let id = builder.linear_id();
    let to = builder.access(y, &identity(&sym(32)), vec![id], Masking::None);
    let kernel = builder.clone().finish(vec![
        assign(limit, int(4)),
        for_loop(
            k,
            int(0),
            builder.read(limit),
            vec![
                assign(limit, add(builder.read(limit), int(1))),
                block_barrier(),
                assign(count, add(builder.read(count), builder.read(limit))),
            ],
        ),
        store(to, builder.read(count)),
    ]);
    assert_eq!(values::<i64>(&check(&kernel)[0]), vec![5 + 6 + 7 + 8; 32]);
}
