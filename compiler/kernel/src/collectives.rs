//! The iterators and conditions of tilings, as typed expressions of the thread.

mod members;

pub use members::Members;
pub(crate) use members::{groups, lanes, length};

use super::typed::{BinaryOp, Constant, Expr, ExprKind};
use maps::row_major::strides_of;
use maps::threads::{Index, Part, Step, Test, Tiling};

fn binary(op: BinaryOp, left: Expr, right: i64) -> Expr {
    Expr::binary(op, left, Expr::int(right))
}

/// The rank of a thread's block in its cluster.
pub fn cluster_rank(cluster: i64) -> Expr {
    if cluster == 1 { Expr::int(0) } else { binary(BinaryOp::FloorRemainder, Expr::block_id(), cluster) }
}

/// An index of a thread. It assumes that the thread passes the conditions before the index.
fn index(index: &Index, cluster: i64) -> Expr {
    if index.is_zero() {
        return Expr::int(0);
    }
    let part = match index.part() {
        Part::Rank => cluster_rank(cluster),
        Part::Thread => Expr::thread_id(),
    };
    index.steps().iter().fold(part, |value, step| match *step {
        Step::Divide(divisor) => binary(BinaryOp::FloorDivide, value, divisor),
        Step::Remainder(modulus) => binary(BinaryOp::FloorRemainder, value, modulus),
        Step::Subtract(amount) => binary(BinaryOp::Subtract, value, amount),
    })
}

fn test(test: &Test, cluster: i64) -> Option<Expr> {
    let value = || index(&test.index, cluster);
    let low = test.low.map(|low| binary(BinaryOp::GreaterEqual, value(), low));
    let high = test.high.map(|high| binary(BinaryOp::Less, value(), high));
    low.into_iter().chain(high).reduce(|low, high| Expr::binary(BinaryOp::And, low, high))
}

/// The condition by which a thread of the surrounding collective has an iteration of the last step; `None` if all have
/// one.
pub fn condition(around: &Tiling, tiling: &Tiling) -> Option<Expr> {
    let known = around.digits().predicate.tests;
    let cluster = tiling.launch().cluster();
    let tests = tiling.digits().predicate.tests;
    let new = tests.iter().filter(|test| !known.contains(test)).filter_map(|found| test(found, cluster));
    new.reduce(|left, right| Expr::binary(BinaryOp::And, left, right))
}

/// The value of an iterator.
pub fn iterator(tiling: &Tiling, number: usize) -> Expr {
    let digits = tiling.digits();
    digits.iterators.get(number).map_or_else(|| Expr::int(0), |found| index(found, tiling.launch().cluster()))
}

/// The rank of a thread within its iteration.
pub fn lane(tiling: &Tiling) -> Expr {
    let cluster = tiling.launch().cluster();
    let terms = tiling.digits().lane.terms.into_iter().map(|(place, factor)| scaled(index(&place, cluster), factor));
    terms.reduce(|sum, term| Expr::binary(BinaryOp::Add, sum, term)).unwrap_or_else(|| Expr::int(0))
}

/// The row-major number of the iteration among those of all iterators, the last one fastest.
pub(super) fn instance(tiling: &Tiling) -> Expr {
    let cluster = tiling.launch().cluster();
    let counts: Vec<i64> = tiling.iterators().iter().map(|iterator| iterator.count).collect();
    let places = tiling.digits().iterators.into_iter().zip(strides_of(&counts)).zip(&counts);
    let counting = places.filter(|(_, count)| **count > 1);
    let terms = counting.map(|((found, stride), _)| scaled(index(&found, cluster), stride));
    terms.reduce(|sum, term| Expr::binary(BinaryOp::Add, sum, term)).unwrap_or_else(|| Expr::int(0))
}

/// The first thread of the iteration, as a thread id within the block.
pub(super) fn first_thread(tiling: &Tiling) -> Expr {
    let launch = tiling.launch();
    let digits = tiling.digits();
    let mut constant = 0;
    let mut terms = Vec::new();
    // Steps between the blocks of a cluster do not change the thread id within the block.
    let within =
        tiling.dimensions().iter().filter(|dimension| dimension.pitch < launch.block() || launch.cluster() == 1);
    for operation in within.flat_map(|dimension| &dimension.operations) {
        constant += operation.linear_offset;
        let found = operation.iterator.and_then(|number| digits.iterators.get(number));
        terms.extend(
            found
                .filter(|found| !found.is_zero())
                .map(|found| scaled(index(found, launch.cluster()), operation.linear_box)),
        );
    }
    let sum = terms.into_iter().reduce(|sum, term| Expr::binary(BinaryOp::Add, sum, term));
    match (sum, constant) {
        (None, constant) => Expr::int(constant),
        (Some(sum), 0) => sum,
        (Some(sum), constant) => binary(BinaryOp::Add, sum, constant),
    }
}

fn scaled(value: Expr, factor: i64) -> Expr {
    if factor == 1 { value } else { binary(BinaryOp::Multiply, value, factor) }
}

/// The remainder by a positive modulus.
pub(super) fn remainder(value: Expr, modulus: i64) -> Expr {
    match value.kind {
        ExprKind::Constant(Constant::Int(known)) => Expr::int(known.rem_euclid(modulus)),
        _ => binary(BinaryOp::FloorRemainder, value, modulus),
    }
}

/// The sum of an expression and a constant.
pub(super) fn offset(value: Expr, by: i64) -> Expr {
    match value.kind {
        _ if by == 0 => value,
        ExprKind::Constant(Constant::Int(known)) => Expr::int(known.saturating_add(by)),
        _ => binary(BinaryOp::Add, value, by),
    }
}
