//! Loops of one thread: what passes between iterations, and what leaves them.

use super::*;

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

/// A loop that ends at the least integer runs never, however many iterations at once its code tries.
#[test]
fn an_end_far_below_the_start() {
    let mut builder = KernelBuilder::new("never", Sym::one(), Sym::one());
    let end = builder.scalar("end", ElementType::I64);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let i = builder.local("i", ElementType::I64);
    let write = builder.access(y, &identity(&n()), vec![builder.read(i)], Masking::None);
    let high = builder.read_scalar(end);
    let kernel = builder.finish(vec![for_loop(i, int(0), high, vec![store(write, float(1.0))])]);
    for end in [i64::MIN, i64::MIN + 1, -1, 0, 9] {
        let y = Argument::Tensor(Tensor::zeros(F32, &[9]).unwrap());
        let mut arguments = [Argument::Scalar(Scalar::I64(end)), y];
        let sizes = BTreeMap::from([(symbol("N"), 9)]);
        interpreter_and_cpu(&kernel, &sizes, &mut arguments, BoundsChecks::Proven).unwrap();
    }
}
