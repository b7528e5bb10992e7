//! Sums of floats have an order, and the same bits on every executor.

use std::collections::BTreeMap;

use kernel::BoundsChecks;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Initial, Tensor};
use testing::compare::interpreter_and_cpu;

use crate::support::check;

const THREADS: usize = 192;

const TEXT: &str =
    "kernel k(x: f32[192], total: mut f32[192], before: mut f32[192], eights: mut f32[192]) grid(1) block(192) {
    for q in threads(24, 8 * cuda_thread) {
        for t in threads(8, cuda_thread) {
            let i = 8 * q + t;
            total[i] = sum(x[i], over: block);
            before[i] = cumsum(x[i], over: block);
            eights[i] = sum(x[i], over: q);
        }
    }
}
";

/// Neighbours first: of two halves, each of which is summed so.
fn of_lanes(values: &[f32]) -> f32 {
    match values {
        [one] => *one,
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            of_lanes(left) + of_lanes(right)
        }
    }
}

/// What stands up to a lane: whole halves before it come first.
fn up_to(values: &[f32], lane: usize) -> f32 {
    if values.len() == 1 {
        return values[0];
    }
    let (left, right) = values.split_at(values.len() / 2);
    if lane < left.len() { up_to(left, lane) } else { of_lanes(left) + up_to(right, lane - left.len()) }
}

#[test]
fn sums_of_floats_are_taken_in_the_written_order() {
    let checked = check(TEXT);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()));
    let mut x = Tensor::zeros(elements::ElementType::F32, &[THREADS as u64]).unwrap();
    x.fill(Initial::Random(seeds::seed())).unwrap();
    let values = x.as_slice::<f32>().unwrap().to_vec();
    let zeros = || Argument::Tensor(Tensor::zeros(elements::ElementType::F32, &[THREADS as u64]).unwrap());
    let mut arguments = vec![Argument::Tensor(x), zeros(), zeros(), zeros()];
    interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven).unwrap();
    let found = |place: usize| match &arguments[place] {
        Argument::Tensor(tensor) => tensor.as_slice::<f32>().unwrap().to_vec(),
        Argument::Scalar(_) => panic!("a tensor"),
    };
    let warps: Vec<&[f32]> = values.chunks(32).collect();
    let total = warps.iter().map(|warp| of_lanes(warp)).reduce(|left, right| left + right).unwrap();
    assert!(found(1).iter().all(|found| found.to_bits() == total.to_bits()), "{total}: {:?}", found(1));
    for (thread, (before, eights)) in found(2).into_iter().zip(found(3)).enumerate() {
        let (warp, lane) = (thread / 32, thread % 32);
        let others = warps[..warp].iter().map(|warp| of_lanes(warp)).reduce(|left, right| left + right);
        let own = up_to(warps[warp], lane);
        let expected = others.map_or(own, |others| others + own);
        assert_eq!(before.to_bits(), expected.to_bits(), "thread {thread}: {before}, expected {expected}");
        let expected = of_lanes(&values[thread / 8 * 8..thread / 8 * 8 + 8]);
        assert_eq!(eights.to_bits(), expected.to_bits(), "thread {thread}: {eights}, expected {expected}");
    }
    // The last thread has the sum.
    assert_eq!(found(2)[THREADS - 1].to_bits(), total.to_bits());
}
