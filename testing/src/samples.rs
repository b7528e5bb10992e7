//! Kernels shared by tests and measurements.

use std::sync::Arc;

use dims::{Facts, Sym};
use elements::ElementType;
use kernel::typed::Kernel;
use maps::IndexMap;

use super::build::{KernelBuilder, Masking, add, for_loop, int, multiply, reshape, store, symbol};

/// `y[i] = a * x[i] + y[i]` for `i in 0..per_thread`, with one map for both tensors of `N` elements.
pub fn saxpy(element: ElementType, map: &Arc<IndexMap>, per_thread: i64, thread_count: &Sym) -> Kernel {
    let n = Sym::symbol(symbol("N"));
    let threads = Sym::constant(256);
    let blocks = thread_count.cdiv(&threads, &Facts::empty()).unwrap_or_else(|_| Sym::one());
    let mut builder = KernelBuilder::new("saxpy", blocks, threads);
    let a = builder.scalar("a", element);
    let x = builder.tensor("x", element, std::slice::from_ref(&n), false);
    let y = builder.tensor("y", element, &[n], true);
    let i = builder.local("i", ElementType::I64);
    let at = vec![builder.read(i), builder.linear_id()];
    let read_x = builder.access(x, map, at.clone(), Masking::Threads);
    let read_y = builder.access(y, map, at.clone(), Masking::Threads);
    let write_y = builder.access(y, map, at, Masking::Threads);
    let product = multiply(builder.read_scalar(a), builder.load(read_x));
    let sum = add(product, builder.load(read_y));
    builder.finish(vec![for_loop(i, int(0), int(per_thread), vec![store(write_y, sum)])])
}

/// The saxpy of `per_thread` elements for each of `N / per_thread` threads, in the given layout of the two dimensions.
pub fn saxpy_in_layout(element: ElementType, per_thread: i64, layout: &[(usize, bool)]) -> Option<Kernel> {
    let n = Sym::symbol(symbol("N"));
    let facts = Facts::empty();
    let per = Sym::constant(per_thread);
    let threads = n.checked_floor_div(&per, &facts).ok()?;
    let map = reshape(&[(per.clone(), per)], &[(threads.clone(), threads.clone())], layout, &facts)?;
    Some(saxpy(element, &map, per_thread, &threads))
}
