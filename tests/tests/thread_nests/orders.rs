//! Kernels in adversarial orders of their threads.

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::Kernel;
use shapewright_runtime::execute::Argument;
use testing::adversary::{self, Order, orders, without_barrier};
use testing::compare::{copy, first_difference, interpreted};

type Sizes = BTreeMap<Symbol, i64>;

/// How an order's results differ from the expected ones.
fn difference(
    kernel: &Kernel,
    sizes: &Sizes,
    arguments: &[Argument],
    expected: &[Argument],
    order: Order,
) -> Option<String> {
    let mut found = copy(arguments).unwrap();
    if let Err(problem) = adversary::run(kernel, sizes, &mut found, order) {
        return Some(problem);
    }
    expected.iter().zip(&found).find_map(|(expected, found)| match (expected, found) {
        (Argument::Tensor(expected), Argument::Tensor(found)) => first_difference(expected, found),
        _ => None,
    })
}

/// Whether some orders, the seed's among them, give what is expected.
pub fn all_give(
    kernel: &Kernel,
    sizes: &Sizes,
    arguments: &[Argument],
    expected: &[Argument],
    seed: u64,
) -> Result<(), String> {
    let turned = [Order::WarpAhead(1), Order::WarpBehind(0), Order::ThreadBehind(seed as usize % 40), Order::InTurn];
    for order in [Order::LastFirst, turned[seed as usize % 4], Order::Random(seed), Order::Bursts(seed)] {
        if let Some(difference) = difference(kernel, sizes, arguments, expected, order) {
            return Err(format!("in the order {order:?}: {difference}"));
        }
    }
    Ok(())
}

/// How many barriers a kernel has, if without any one of them some order gives something else in some launch.
pub fn needs_every_barrier(
    kernel: &Kernel,
    launches: &[Sizes],
    arguments: &[Argument],
    seed: u64,
) -> Result<usize, String> {
    let expected =
        launches.iter().map(|sizes| expected(kernel, sizes, arguments, seed)).collect::<Result<Vec<_>, _>>()?;
    for number in 0.. {
        let Some(without) = without_barrier(kernel, number) else { return Ok(number) };
        let shows = |order: Order| {
            let mut runs = launches.iter().zip(&expected);
            runs.any(|(sizes, expected)| difference(&without, sizes, arguments, expected, order).is_some())
        };
        if !orders(8).into_iter().any(shows) {
            return Err(format!("barrier {number} is superfluous"));
        }
    }
    Ok(0)
}

/// What the interpreter gives, and every order does.
fn expected(kernel: &Kernel, sizes: &Sizes, arguments: &[Argument], seed: u64) -> Result<Vec<Argument>, String> {
    let expected = interpreted(kernel, sizes, arguments).map_err(|error| error.to_string())?;
    all_give(kernel, sizes, arguments, &expected, seed)?;
    Ok(expected)
}
