//! Tests of which regions become one call that adds up the lanes of each warp.

use dims::Sym;
use kernel::BoundsChecks;
use kernel::typed::{Expr, Kernel, SharedId};
use testing::build::*;

use super::*;
use crate::cpu::calls::works::{Work, Works};
use crate::cpu::compile::phased;
use crate::cpu::options::{LaneChoice, Options};

const WARPS: i64 = 4;
const ROW: i64 = LANES as i64;

/// The element of a lane in the row of the own thread.
fn lane(builder: &mut KernelBuilder, array: SharedId, lane: i64) -> Expr {
    let access = builder.shared_access(array, add(multiply(thread_id(), int(ROW)), int(lane)));
    builder.load(access)
}

/// The sum of the lanes in a row from `first` on, added up by halves.
fn total(builder: &mut KernelBuilder, array: SharedId, first: i64, count: i64) -> Expr {
    if count == 1 {
        return lane(builder, array, first);
    }
    let half = count / 2;
    // The sum does not depend on which half comes first.
    let halves = [first + half, first].map(|first| total(builder, array, first, half));
    let [right, left] = halves;
    if half % 2 == 0 { add(left, right) } else { add(right, left) }
}

/// A kernel in which the first threads of a block store a sum that is made of the row of an array.
fn summing(element: ElementType, sum: impl Fn(&mut KernelBuilder, SharedId) -> Expr) -> Kernel {
    let mut builder = KernelBuilder::new("sums", Sym::one(), Sym::constant(WARPS * ROW));
    let length = Sym::constant(WARPS * ROW);
    let x = builder.tensor("x", element, std::slice::from_ref(&length), false);
    let y = builder.tensor("y", element, std::slice::from_ref(&length), true);
    let [values, totals] = ["values", "totals"].map(|name| builder.shared(name, element, WARPS * ROW));
    let map = identity(&length);
    let from = builder.access(x, &map, vec![thread_id()], Masking::None);
    let loaded = builder.load(from);
    let given = builder.shared_access(values, thread_id());
    let sum = sum(&mut builder, values);
    let place = builder.shared_access(totals, multiply(thread_id(), int(ROW)));
    let is_first = compare(BinaryOp::Less, thread_id(), int(WARPS));
    let seen = builder.shared_access(totals, thread_id());
    let seen = builder.load(seen);
    let to = builder.access(y, &map, vec![thread_id()], Masking::None);
    let body = vec![
        store(given, loaded),
        block_barrier(),
        if_else(is_first, vec![store(place, sum)], Vec::new()),
        block_barrier(),
        store(to, seen),
    ];
    builder.finish(body)
}

/// Whether a region is one call for the lanes of each warp.
fn is_call(kernel: &Kernel) -> bool {
    let options = Options { bounds: BoundsChecks::Proven, lanes: LaneChoice::WhereItPays };
    let phased = phased(kernel, options);
    let nothing = Default::default();
    let mut forms = Forms::new(&phased.program, &nothing, options);
    let works = Works::new(&mut forms, &phased.body, kernel.launch.threads.as_constant());
    works.all().any(|work| matches!(work, Work::Lanes(_)))
}

#[test]
fn the_total_of_all_lanes_is_a_call() {
    for element in [ElementType::F32, ElementType::I32, ElementType::U32] {
        assert!(is_call(&summing(element, |builder, array| total(builder, array, 0, ROW))), "{element}");
    }
}

#[test]
fn any_other_sum_is_none() {
    let half = summing(ElementType::F32, |builder, array| total(builder, array, 0, ROW / 2));
    assert!(!is_call(&half), "half of the lanes");
    let in_turn = summing(ElementType::F32, |builder, array| {
        let first = lane(builder, array, 0);
        (1..ROW).fold(first, |sum, number| add(sum, lane(builder, array, number)))
    });
    assert!(!is_call(&in_turn), "other sums of floats have other last digits");
    let doubled = summing(ElementType::F32, |builder, array| {
        let halves = [0, 0].map(|first| total(builder, array, first, ROW / 2));
        let [left, right] = halves;
        add(left, right)
    });
    assert!(!is_call(&doubled), "one half twice");
    assert!(
        !is_call(&summing(ElementType::F64, |builder, array| total(builder, array, 0, ROW))),
        "there is no such call"
    );
}
