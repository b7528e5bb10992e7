//! Kernels whose threads wait for each other give the same results in every order of the threads, and need every
//! barrier that they have.

use std::collections::BTreeMap;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{BinaryOp, Kernel};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;
use testing::adversary::{self, Order, orders, without_barrier};
use testing::build::*;
use testing::collectives::samples;
use testing::compare::{self, copy, first_difference};
use testing::nests;
use testing::random::Case;

/// The arguments after the interpreter's run.
fn interpreted(kernel: &Kernel, arguments: &[Argument]) -> Vec<Argument> {
    compare::interpreted(kernel, &BTreeMap::new(), arguments).unwrap_or_else(|error| panic!("{error}"))
}

/// How an order's results differ from the expected ones.
fn difference(kernel: &Kernel, arguments: &[Argument], expected: &[Argument], order: Order) -> Option<String> {
    let mut found = copy(arguments).unwrap();
    if let Err(problem) = adversary::run(kernel, &BTreeMap::new(), &mut found, order) {
        return Some(problem);
    }
    expected.iter().zip(&found).find_map(|(expected, found)| match (expected, found) {
        (Argument::Tensor(expected), Argument::Tensor(found)) => first_difference(expected, found),
        _ => None,
    })
}

#[test]
fn every_order_gives_the_interpreters_results() {
    for sample in samples() {
        let expected = interpreted(&sample.kernel, &sample.arguments);
        for order in orders(4) {
            let difference = difference(&sample.kernel, &sample.arguments, &expected, order);
            assert_eq!(difference, None, "{} in the order {order:?}", sample.kernel.name);
        }
    }
}

/// Without any one barrier of a sample, some order gives something else.
#[test]
fn every_barrier_is_needed() {
    let mut removed = 0;
    for sample in samples() {
        let expected = interpreted(&sample.kernel, &sample.arguments);
        for number in 0.. {
            let Some(kernel) = without_barrier(&sample.kernel, number) else { break };
            removed += 1;
            let shows = |order: Order| difference(&kernel, &sample.arguments, &expected, order).is_some();
            assert!(orders(8).into_iter().any(shows), "barrier {number} of {} is superfluous", kernel.name);
        }
    }
    assert!(removed >= samples().len(), "{removed} barriers were removed");
}

/// Random kernels.
#[test]
fn random_nests_give_one_result_in_every_order() {
    let mut barriers = 0;
    for seed in seeds::range(60) {
        let Case { kernel, arguments, .. } = nests::case(seed);
        barriers += usize::from(kernel.has_barriers());
        let expected = interpreted(&kernel, &arguments);
        for order in
            [Order::LastFirst, Order::WarpAhead(1), Order::ThreadBehind(3), Order::Random(seed), Order::Bursts(seed)]
        {
            let difference = difference(&kernel, &arguments, &expected, order);
            assert_eq!(difference, None, "seed {seed} in the order {order:?}: {:#?}", kernel.body);
        }
    }
    assert!(barriers > 0, "no random kernel has barriers");
}

/// A store happens in a turn of its own: what was read for it may be old by then.
#[test]
fn a_lost_update_shows() {
    let one = Sym::one();
    let mut builder = KernelBuilder::new("count", Sym::one(), Sym::constant(8));
    let y = builder.tensor("y", ElementType::F32, std::slice::from_ref(&one), true);
    let mut access = || builder.access(y, &identity(&one), vec![int(0)], Masking::None);
    let (from, to) = (access(), access());
    let grown = add(builder.load(from), float(1.0));
    let kernel = builder.finish(vec![store(to, grown)]);
    let zero = Tensor::zeros(ElementType::F32, &[1]);
    let arguments = [Argument::Tensor(zero.unwrap())];
    let expected = interpreted(&kernel, &arguments);
    assert_eq!(difference(&kernel, &arguments, &expected, Order::FirstFirst), None);
    let shown = difference(&kernel, &arguments, &expected, Order::InTurn);
    assert_eq!(shown.as_deref(), Some("at 0 of 1 expected 8.0, found 1.0"));
}

#[test]
fn threads_that_wait_for_ever_are_named() {
    let half = compare(BinaryOp::Less, thread_id(), int(32));
    let body = vec![if_else(half, vec![block_barrier()], vec![])];
    let kernel = KernelBuilder::new("stuck", Sym::one(), Sym::constant(64)).finish(body);
    let problem = adversary::run(&kernel, &BTreeMap::new(), &mut [], Order::Random(1)).unwrap_err();
    assert_eq!(problem, "threads 0 to 31 wait for threads that never come");
}
