//! Tests of which arrays of threads become variables.

use dims::Sym;
use elements::ElementType;
use testing::build::*;

use super::*;

/// Each thread fills an array of 4 elements, the places of which are given by the iterator, and stores the last one.
fn filled(place: impl Fn(Expr) -> Expr, iterations: Expr) -> Kernel {
    let mut builder = KernelBuilder::new("filled", Sym::one(), Sym::constant(32));
    let y = builder.tensor("y", ElementType::F32, &[Sym::constant(32)], true);
    let array = builder.shared("array", ElementType::F32, 4);
    let k = builder.local("k", ElementType::I64);
    let at = place(builder.read(k));
    let to = builder.shared_access(array, at);
    let last = builder.shared_access(array, int(3));
    let value = builder.load(last);
    let own = builder.access(y, &identity(&Sym::constant(32)), vec![thread_id()], Masking::None);
    let body = vec![for_loop(k, int(0), iterations, vec![store(to, float(2.0))]), store(own, value)];
    let mut kernel = builder.finish(body);
    kernel.shared[SharedId(0)].held = Residence::Registers;
    kernel
}

/// The number of accesses of the array, and of variables, that are left.
fn left(kernel: &Kernel) -> (usize, usize) {
    let changed = with_variables(kernel);
    let mut accesses = 0;
    let mut count = |memory: Memory| accesses += usize::from(matches!(memory, Memory::Shared(_)));
    Statement::walk(&changed.body, &mut |statement| {
        if let StatementKind::Store { access, .. } = &statement.kind {
            count(access.memory);
        }
        statement.walk_own_expressions(&mut |expr| {
            if let ExprKind::Load(access) = &expr.kind {
                count(access.memory);
            }
        });
    });
    (accesses, changed.locals.len() - kernel.locals.len())
}

#[test]
fn known_elements_become_variables() {
    assert_eq!(left(&filled(|k| k, int(4))), (0, 4));
    assert_eq!(left(&filled(|k| add(int(3), multiply(k, int(-1))), int(4))), (0, 4));
}

#[test]
fn an_array_with_an_unknown_element_stays() {
    // The element differs between threads.
    assert_eq!(left(&filled(|_| binary(BinaryOp::FloorRemainder, thread_id(), int(4)), int(4))), (2, 0));
    // The loop is too long, or its end is not known.
    assert_eq!(left(&filled(|k| k, int(MOST_ITERATIONS + 1))), (2, 0));
    assert_eq!(left(&filled(|k| k, block_id())), (2, 0));
}
