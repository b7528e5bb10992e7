//! Kernels as the compiler types them, one for each feature of the emitter.

use super::build::*;
use dims::{Facts, Sym};
use elements::ElementType;
use elements::ElementType::{Bf16, E4m3, E5m2, F16, F32, F64, I8, I32, I64, U16, U32};
use kernel::typed::{BinaryOp, Kernel, MathFunction, UnaryOp, Waiting};

/// The tour's `scale`: `y = a * x`, in which each thread computes every fourth element.
pub fn scale() -> Kernel {
    let at = || add(thread(), multiply(int(4), local(I64, 0)));
    Builder::new("scale", Sym::one(), 4)
        .scalar("a", F32)
        .tensor("x", F32, false, &[Sym::constant(12)])
        .tensor("y", F32, true, &[Sym::constant(12)])
        .local("i", I64, false)
        .body(vec![for_loop(0, int(0), int(3), vec![store(1 + 1, at(), multiply(scalar(F32, 0), load(F32, 1, at())))])])
}

/// No kernel that was checked: what is declared in a loop is read behind it.
pub fn reads_behind_a_loop() -> Kernel {
    Builder::new("behind", Sym::one(), 4)
        .tensor("y", I64, true, &[Sym::constant(4)])
        .local("i", I64, false)
        .local("v", I64, false)
        .body(vec![for_loop(0, int(0), int(3), vec![assign(1, local(I64, 0))]), store(0, thread(), local(I64, 1))])
}

/// The tour's masked `transpose` of 64 by 64 tiles, 256 threads for each.
pub fn transpose(bound: Option<i64>) -> Kernel {
    let (m, n) = (symbol("M"), symbol("N"));
    let facts = Facts::empty();
    let (rows, columns) = (cdiv(&m, 64, &facts), cdiv(&n, 64, &facts));
    let blocks = rows.checked_mul(&columns).unwrap();
    let builder = Builder::new("transpose", blocks, 256)
        .symbols(&["M", "N"])
        .tensor("x", F32, false, &[m.clone(), n.clone()])
        .tensor("y", F32, true, &[n.clone(), m.clone()])
        .local("i", I64, false)
        .local("j", I64, false)
        .local("k", I64, false)
        .local("row", I64, false)
        .local("column", I64, false);
    let builder = match bound {
        Some(bound) => builder.at_most(&m, bound).at_most(&n, bound),
        None => builder,
    };
    let (row, column) = (|| local(I64, 3), || local(I64, 4));
    let element = || add(thread(), multiply(int(256), local(I64, 2)));
    let inside = || and(less(row(), size(&m)), less(column(), size(&n)));
    let value = load_masked(F32, 0, add(multiply(row(), size(&n)), column()), inside());
    builder.body(vec![
        assign(0, divide(block(), size(&columns))),
        assign(1, remainder(block(), size(&columns))),
        for_loop(
            2,
            int(0),
            int(16),
            vec![
                assign(3, add(multiply(int(64), local(I64, 0)), divide(element(), int(64)))),
                assign(4, add(multiply(int(64), local(I64, 1)), remainder(element(), int(64)))),
                store_masked(1, add(multiply(column(), size(&m)), row()), inside(), value),
            ],
        ),
    ])
}

/// `y = a * x + y` in 16 bits, and a copy that must preserve all bits.
pub fn halves(element: ElementType) -> Kernel {
    let n = symbol("N");
    let at = || add(multiply(int(256), block()), thread());
    let inside = || less(at(), size(&n));
    let x = || load_masked(element, 1, at(), inside());
    let y = load_masked(element, 2, at(), inside());
    let half = float(element, 0.5);
    Builder::new("axpy", cdiv(&n, 256, &Facts::empty()), 256)
        .symbols(&["N"])
        .at_most(&n, 1 << 20)
        .scalar("a", element)
        .tensor("x", element, false, std::slice::from_ref(&n))
        .tensor("y", element, true, std::slice::from_ref(&n))
        .tensor("z", element, true, std::slice::from_ref(&n))
        .body(vec![
            store_masked(2, at(), inside(), add(multiply(multiply(scalar(element, 0), half), x()), y)),
            store_masked(3, at(), inside(), x()),
        ])
}

/// Sums of rows: a mutable variable, a loop up to a size, a maximum, a division by a size.
pub fn mean() -> Kernel {
    let (m, n) = (symbol("M"), symbol("N"));
    let row = || add(multiply(block(), int(128)), thread());
    let at = add(multiply(local(I64, 0), size(&n)), local(I64, 2));
    Builder::new("mean", cdiv(&m, 128, &Facts::empty()), 128)
        .symbols(&["M", "N"])
        .tensor("x", F32, false, &[m.clone(), n.clone()])
        .tensor("y", F32, true, std::slice::from_ref(&m))
        .local("row", I64, false)
        .local("sum", F32, true)
        .local("i", I64, false)
        .body(vec![
            assign(0, row()),
            branch(
                less(local(I64, 0), size(&m)),
                vec![
                    assign(1, float(F32, 0.0)),
                    for_loop(
                        2,
                        int(0),
                        size(&n),
                        vec![assign(
                            1,
                            add(local(F32, 1), math(MathFunction::Max, vec![load(F32, 0, at), float(F32, 0.1)])),
                        )],
                    ),
                    store(1, local(I64, 0), binary(BinaryOp::Divide, local(F32, 1), cast(F32, size(&n)))),
                ],
                vec![],
            ),
        ])
}

/// Integers of all widths, and all operators that may overflow or divide by zero.
pub fn integers() -> Kernel {
    let n = Sym::constant(256);
    let x = || load(I32, 0, thread());
    let c = || load(I8, 1, thread());
    let w = || load(U16, 2, thread());
    let shifted = binary(BinaryOp::ShiftLeft, x(), integer(I32, 3));
    Builder::new("integers", Sym::one(), 256)
        .tensor("x", I32, true, std::slice::from_ref(&n))
        .tensor("c", I8, true, std::slice::from_ref(&n))
        .tensor("w", U16, true, std::slice::from_ref(&n))
        .tensor("i", I64, true, std::slice::from_ref(&n))
        .tensor("u", U32, true, std::slice::from_ref(&n))
        .body(vec![
            store(0, thread(), add(multiply(x(), x()), binary(BinaryOp::Divide, x(), cast(I32, c())))),
            store(0, thread(), binary(BinaryOp::BitXor, shifted, unary(UnaryOp::Negate, x()))),
            store(1, thread(), add(c(), c())),
            store(2, thread(), multiply(w(), w())),
            store(3, thread(), multiply(load(I64, 3, thread()), thread())),
            store(4, thread(), binary(BinaryOp::Remainder, load(U32, 4, thread()), integer(U32, 10))),
        ])
}

/// Conversions that round or saturate.
pub fn conversions() -> Kernel {
    let n = Sym::constant(256);
    let d = || load(F64, 0, thread());
    Builder::new("conversions", Sym::one(), 256)
        .tensor("d", F64, false, std::slice::from_ref(&n))
        .tensor("h", F16, true, std::slice::from_ref(&n))
        .tensor("b", Bf16, true, std::slice::from_ref(&n))
        .tensor("i", I32, true, std::slice::from_ref(&n))
        .tensor("l", I64, true, std::slice::from_ref(&n))
        .body(vec![
            store(1, thread(), cast(F16, d())),
            store(2, thread(), cast(Bf16, load(I64, 4, thread()))),
            store(3, thread(), cast(I32, load(F16, 1, thread()))),
            store(4, thread(), cast(I64, d())),
        ])
}

/// Floats of 8 bits: from and to other types, constants of which one is an infinity, and bits.
pub fn small_floats() -> Kernel {
    let n = Sym::constant(256);
    let x = || load(E4m3, 0, thread());
    let chosen = select(less(block(), int(7)), float(E5m2, f64::INFINITY), float(E5m2, 0.3));
    Builder::new("small_floats", Sym::one(), 256)
        .tensor("x", E4m3, false, std::slice::from_ref(&n))
        .tensor("e4m3", E4m3, true, std::slice::from_ref(&n))
        .tensor("b", E5m2, true, std::slice::from_ref(&n))
        .tensor("d", F64, true, std::slice::from_ref(&n))
        .body(vec![
            store(1, thread(), cast(E4m3, load(F64, 3, thread()))),
            store(2, thread(), chosen),
            store(3, thread(), cast(F64, x())),
        ])
}

/// A reversed and xored index, with intermediate values that may be negative, and a condition at the end of a loop.
pub fn reversed() -> Kernel {
    let n = symbol("N");
    let at = || subtract(size(&n.checked_sub(&Sym::one()).unwrap()), add(multiply(int(32), block()), thread()));
    let swizzled = binary(BinaryOp::BitXor, thread(), int(5));
    let x = load_masked(F32, 0, at(), binary(BinaryOp::GreaterEqual, at(), int(0)));
    let value = select(less(block(), int(7)), x, float(F32, -1.0));
    Builder::new("reversed", cdiv(&n, 32, &Facts::empty()), 32)
        .symbols(&["N"])
        .tensor("x", F32, false, std::slice::from_ref(&n))
        .tensor("y", F32, true, &[Sym::constant(32)])
        .body(vec![store(1, swizzled, value)])
}

/// Elements of `x` through a padded tile, barriers of warps and half warps, and a tensor through which threads exchange
/// values.
pub fn shared() -> Kernel {
    let n = Sym::constant(2048);
    let half = multiply(int(16), divide(remainder(thread(), int(32)), int(16)));
    let own = || add(multiply(block(), int(256)), thread());
    let team = add(int(1), divide(thread(), int(64)));
    Builder::new("exchange", Sym::constant(8), 256)
        .clusters(2)
        .tensor("x", F32, false, std::slice::from_ref(&n))
        .tensor("y", F32, true, std::slice::from_ref(&n))
        .shared("tile", F32, &[32, 32], 1056, true)
        .shared("flags", F16, &[8], 8, true)
        .local("sum", F32, true)
        .body(vec![
            store_shared(0, thread(), load(F32, 0, own())),
            barrier(Waiting::Block),
            assign(0, load_shared(F32, 0, subtract(int(255), thread()))),
            barrier(Waiting::Warp { lanes: u32::MAX, first: int(0) }),
            store_shared(0, thread(), local(F32, 0)),
            barrier(Waiting::Warp { lanes: 0xffff, first: half }),
            barrier(Waiting::Warp { lanes: 0x000f_000f, first: int(8) }),
            barrier(Waiting::Warps { id: int(3), threads: 256 }),
            barrier(Waiting::Warps { id: team, threads: 64 }),
            store(1, own(), local(F32, 0)),
        ])
}

/// A megabit of shared memory, more than is available by default.
pub fn much_shared() -> Kernel {
    let n = Sym::constant(128);
    Builder::new("much", Sym::one(), 128)
        .tensor("y", I32, true, std::slice::from_ref(&n))
        .shared("bytes", I8, &[3], 3, false)
        .shared("shared_memory", I32, &[128, 250], 32_000, false)
        .body(vec![
            store_shared(1, multiply(int(250), thread()), cast(I32, thread())),
            barrier(Waiting::Block),
            store(0, thread(), load_shared(I32, 1, multiply(int(250), subtract(int(127), thread())))),
        ])
}
