//! Masks, choices and conditions, in lanes and in loops.

use super::*;

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

/// A quarter of a `u64` fits an index though the `u64` does not: it is divided without a sign.
#[test]
fn a_part_of_a_large_unsigned_number() {
    let mut builder = KernelBuilder::new("quarter", Sym::one(), n());
    let x = vector(&mut builder, "x", ElementType::U64, &n(), false);
    let y = vector(&mut builder, "y", ElementType::I64, &n(), true);
    let [read, write] = [x, y].map(|tensor| builder.access(tensor, &identity(&n()), vec![thread_id()], Masking::None));
    let quarter =
        binary(BinaryOp::Divide, builder.load(read), constant(kernel::typed::Constant::Int(4), ElementType::U64));
    let value = add(cast(ElementType::I64, quarter), int(1));
    let kernel = builder.finish(vec![store(write, value)]);
    let numbers = [u64::MAX, 1 << 63, (1 << 63) - 1, 7, 0, u64::MAX - 3, 5, 4, 1 << 40];
    let x = Argument::Tensor(Tensor::from_slice(&[9], &numbers).unwrap());
    let y = Argument::Tensor(Tensor::zeros(ElementType::I64, &[9]).unwrap());
    let sizes = BTreeMap::from([(symbol("N"), 9)]);
    interpreter_and_cpu(&kernel, &sizes, &mut [x, y], BoundsChecks::Proven).unwrap();
}
