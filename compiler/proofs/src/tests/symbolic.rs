//! Symbolic maps that must be decided without any size known, and random ones against brute force.

use std::collections::BTreeMap;

use crate::{
    Budget, CounterexampleKind, Verdict, covers, equal, fits_bits, in_bounds, injective, race_free,
    without_implied_conditions,
};
use dims::{CompareOp, Fact, Facts, Sym};
use maps::{
    AxisRole, IndexMap, LayoutEntry, LowerAxis, MapBuilder, MaskReason, ReshapeMapSpec, UpperAxis, linear, reshape_map,
    with_coordinates,
};
use random_maps::symbol;

pub(super) fn named(name: &str) -> Sym {
    Sym::symbol(symbol(name))
}

pub(super) fn number(value: i64) -> Sym {
    Sym::constant(value)
}

pub(super) fn facts(list: &[(Sym, CompareOp, Sym)]) -> Facts {
    let mut facts = Facts::empty();
    for (left, op, right) in list {
        facts.assume(Fact::compare(left.clone(), *op, right.clone())).unwrap();
    }
    facts
}

fn layout(entries: &[i64]) -> Vec<LayoutEntry> {
    // `!n` stands for a reversed dimension `n`, so that dimension 0 can be reversed too.
    let entry = |entry: &i64| LayoutEntry {
        dimension: if *entry < 0 { !*entry as usize } else { *entry as usize },
        reversed: *entry < 0,
    };
    entries.iter().map(entry).collect()
}

fn reshape(local: &[(Sym, Sym)], thread: &[(Sym, Sym)], order: &[i64], facts: &Facts) -> IndexMap {
    let spec =
        ReshapeMapSpec { local: local.to_vec(), thread: thread.to_vec(), layout: layout(order), offset: Sym::zero() };
    reshape_map(&spec, facts).unwrap()
}

fn same(size: Sym) -> (Sym, Sym) {
    (size.clone(), size)
}

fn budget() -> Budget<'static> {
    Budget::default()
}

#[track_caller]
pub(super) fn proven(verdict: &Verdict) {
    assert!(verdict.is_proven(), "{verdict:?}");
}

#[test]
fn four_each_of_a_divisible_tensor() {
    let four_divides =
        facts(&[(named("N").checked_remainder(&number(4), &Facts::empty()).unwrap(), CompareOp::Eq, number(0))]);
    let quarter = named("N").checked_floor_div(&number(4), &four_divides).unwrap();
    for order in [[0, 1], [1, 0], [!0, 1], [0, !1], [!1, !0]] {
        let map = reshape(&[same(number(4))], &[same(quarter.clone())], &order, &four_divides);
        proven(&in_bounds(&map, &[named("N")], &four_divides, &budget()));
        proven(&injective(&map, &four_divides, &budget()));
        proven(&race_free(&map, &four_divides, &budget()));
        proven(&covers(&map, &[Sym::zero()..named("N")], &four_divides, &budget()));
    }
}

#[test]
fn four_each_of_any_tensor_leaves_it() {
    let none = Facts::empty();
    let threads = named("N").cdiv(&number(4), &none).unwrap();
    let map = reshape(&[same(number(4))], &[same(threads)], &[0, 1], &none);
    let verdict = in_bounds(&map, &[named("N")], &none, &budget());
    let Verdict::Refuted { counterexample, .. } = verdict else { panic!("{verdict:?}") };
    assert_eq!(counterexample.sizes, BTreeMap::from([(symbol("N"), 1)]));
    let CounterexampleKind::OutOfBounds { lower, .. } = counterexample.kind else { panic!("{counterexample:?}") };
    assert_eq!(lower, vec![3]);

    // With a mask it stays inside and still covers everything.
    let masked = with_coordinates(&map, map.upper.clone(), &none, |builder| {
        let (index, thread) = (builder.coordinate(0)?, builder.coordinate(1)?);
        let slot = thread.checked_scale(&number(4))?.checked_add(&index)?;
        builder.mask(&slot, None, Some(&named("N")), MaskReason::TensorBound)?;
        Ok(vec![index, thread])
    })
    .unwrap();
    proven(&in_bounds(&masked, &[named("N")], &none, &budget()));
    proven(&covers(&masked, &[Sym::zero()..named("N")], &none, &budget()));
    proven(&race_free(&masked, &none, &budget()));
}

/// A condition that holds nowhere leaves no digit that runs through all of its values.
#[test]
fn a_map_without_valid_points_covers_nothing() {
    let none = Facts::empty();
    let axis = UpperAxis { extent: Some(number(2)), role: AxisRole::Local };
    let mut builder = MapBuilder::new(vec![axis], &none);
    let turned = builder.coordinate(0).unwrap().checked_scale(&number(-1)).unwrap();
    let turned = turned.checked_offset(&number(1)).unwrap();
    let leading = builder.digit(&turned, &number(4), None).unwrap();
    let lowest = builder.digit(&turned, &number(1), Some(&number(4))).unwrap();
    builder.mask(&leading, Some(&number(0)), Some(&number(0)), MaskReason::Guard).unwrap();
    let again = builder.digit(&leading, &number(1), Some(&number(4))).unwrap();
    let value = again.checked_scale(&number(4)).unwrap().checked_add(&lowest).unwrap();
    let map = builder.finish(vec![LowerAxis { value, extent: None }]).unwrap();
    let verdict = covers(&map, &[number(1)..number(16)], &none, &budget());
    assert!(matches!(verdict, Verdict::Refuted { .. }), "{verdict:?}");
}

/// All orders of a list, each with every choice of reversals.
fn signed_permutations(count: usize) -> Vec<Vec<i64>> {
    fn orders(left: &[i64]) -> Vec<Vec<i64>> {
        if left.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for (number, first) in left.iter().enumerate() {
            let rest: Vec<i64> =
                left.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, v)| *v).collect();
            for mut order in orders(&rest) {
                order.insert(0, *first);
                all.push(order.clone());
                order[0] = !*first;
                all.push(order);
            }
        }
        all
    }
    orders(&(0..count as i64).collect::<Vec<i64>>())
}

#[test]
fn every_reshape_map_is_injective() {
    // T9, with symbols everywhere and sizes in the tensor that differ from those of the ids.
    let none = Facts::empty();
    for order in signed_permutations(4) {
        let symbolic = [(named("A"), named("B")), (number(3), named("C")), (named("P"), named("Q")), same(named("R"))];
        let [i0, i1, t0, t1] = symbolic;
        let map = reshape(&[i0, i1], &[t0, t1], &order, &none);
        proven(&injective(&map, &none, &budget()));
        proven(&race_free(&map, &none, &budget()));
        let end = map.lower[0].extent.clone().unwrap();
        proven(&in_bounds(&map, std::slice::from_ref(&end), &none, &budget()));
        // The end of the tensor need not be tested: the ids are below their sizes.
        assert_eq!(without_implied_conditions(&map, &none).unwrap().lower[0].extent, None);
        let same_sizes =
            reshape(&[same(named("A")), same(number(3))], &[same(named("P")), same(named("R"))], &order, &none);
        let end = same_sizes.lower[0].extent.clone().unwrap();
        proven(&covers(&same_sizes, &[Sym::zero()..end], &none, &budget()));
    }
}

/// An access over block id, thread id and a loop, with the given form as its slot.
fn access(extents: [Sym; 3], facts: &Facts, slot: impl Fn(&mut MapBuilder<'_>) -> maps::Affine) -> IndexMap {
    let [blocks, threads, steps] = extents;
    let axis = |extent, role| UpperAxis { extent: Some(extent), role };
    let upper = vec![axis(blocks, AxisRole::Thread), axis(threads, AxisRole::Thread), axis(steps, AxisRole::Local)];
    let mut builder = MapBuilder::new(upper, facts);
    let value = slot(&mut builder);
    builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
}

#[test]
fn accesses_of_kernels() {
    let none = Facts::empty();
    for (blocks, threads, steps) in [
        (named("G"), number(128), number(4)),
        (named("G"), named("T"), number(4)),
        (number(8), number(128), number(4)),
        (named("G"), named("T"), named("S")),
    ] {
        let all = blocks.checked_mul(&threads).unwrap();
        let size = all.checked_mul(&steps).unwrap();
        // (b·T + t)·4 + i
        let blocked = access([blocks.clone(), threads.clone(), steps.clone()], &none, |builder| {
            let (b, t, i) =
                (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap(), builder.coordinate(2).unwrap());
            let thread = b.checked_scale(&threads).unwrap().checked_add(&t).unwrap();
            thread.checked_scale(&steps).unwrap().checked_add(&i).unwrap()
        });
        // i·G·T + b·T + t
        let strided = access([blocks.clone(), threads.clone(), steps.clone()], &none, |builder| {
            let (b, t, i) =
                (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap(), builder.coordinate(2).unwrap());
            let thread = b.checked_scale(&threads).unwrap().checked_add(&t).unwrap();
            i.checked_scale(&all).unwrap().checked_add(&thread).unwrap()
        });
        // Sixteen lanes next to each other, the rows 16·S apart.
        let digits = access([blocks.clone(), number(128), steps.clone()], &none, |builder| {
            let (b, t, i) =
                (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap(), builder.coordinate(2).unwrap());
            let lane = builder.remainder(&t, &number(16)).unwrap();
            let row = builder.floor_div(&t, &number(16)).unwrap();
            let rows = b.checked_scale(&number(8)).unwrap().checked_add(&row).unwrap();
            let row = rows.checked_scale(&steps).unwrap().checked_add(&i).unwrap();
            row.checked_scale(&number(16)).unwrap().checked_add(&lane).unwrap()
        });
        for map in [&blocked, &strided] {
            proven(&injective(map, &none, &budget()));
            proven(&race_free(map, &none, &budget()));
            proven(&in_bounds(map, std::slice::from_ref(&size), &none, &budget()));
            proven(&covers(map, &[Sym::zero()..size.clone()], &none, &budget()));
            assert!(!in_bounds(map, &[size.checked_sub(&Sym::one()).unwrap()], &none, &budget()).is_proven());
        }
        proven(&race_free(&digits, &none, &budget()));
        let size = blocks.checked_mul(&number(128)).unwrap().checked_mul(&steps).unwrap();
        proven(&covers(&digits, &[Sym::zero()..size], &none, &budget()));
    }
}

/// A view's map asked at the linear thread id `b·T + t` of a launch that covers its threads.
fn launched(view: &IndexMap, blocks: Sym, threads: i64, facts: &Facts) -> IndexMap {
    let index = view.upper[0].clone();
    let axis = |extent| UpperAxis { extent: Some(extent), role: AxisRole::Thread };
    with_coordinates(view, vec![index, axis(blocks), axis(number(threads))], facts, |builder| {
        let (index, block, thread) = (builder.coordinate(0)?, builder.coordinate(1)?, builder.coordinate(2)?);
        Ok(vec![index, block.checked_scale(&number(threads))?.checked_add(&thread)?])
    })
    .unwrap()
}

#[test]
fn views_in_launches_with_surplus_threads() {
    let none = Facts::empty();
    // [4] | [N], the elements of a thread N apart: only the mask on the thread id keeps it from racing.
    let strided = reshape(&[same(number(4))], &[same(named("N"))], &[1, 0], &none);
    let blocks = named("N").cdiv(&number(256), &none).unwrap();
    let map = launched(&strided, blocks.clone(), 256, &none);
    let size = named("N").checked_mul(&number(4)).unwrap();
    proven(&race_free(&map, &none, &budget()));
    proven(&in_bounds(&map, std::slice::from_ref(&size), &none, &budget()));
    proven(&covers(&map, &[Sym::zero()..size], &none, &budget()));

    // [4] | [48, N]: digits of b·256 + t that no digit of t alone can give.
    let view = reshape(&[same(number(4))], &[same(number(48)), same(named("N"))], &[2, 0, !1], &none);
    let threads = named("N").checked_mul(&number(48)).unwrap();
    let map = launched(&view, threads.cdiv(&number(256), &none).unwrap(), 256, &none);
    let size = threads.checked_mul(&number(4)).unwrap();
    proven(&race_free(&map, &none, &budget()));
    proven(&injective(&map, &none, &budget()));
    proven(&in_bounds(&map, std::slice::from_ref(&size), &none, &budget()));
    proven(&covers(&map, &[Sym::zero()..size], &none, &budget()));
}

#[test]
fn index_widths() {
    let none = Facts::empty();
    let map = reshape(&[same(number(4))], &[same(named("N"))], &[0, 1], &none);
    let verdict = fits_bits(&map, 31, &none, &budget());
    assert!(!verdict.is_proven(), "{verdict:?}");
    let small = facts(&[(named("N"), CompareOp::Le, number(65536))]);
    proven(&fits_bits(&map, 31, &small, &budget()));
    let huge = reshape(&[same(number(4))], &[same(number(1 << 31))], &[0, 1], &none);
    let Verdict::Refuted { counterexample, .. } = fits_bits(&huge, 32, &none, &budget()) else {
        panic!("it does not fit")
    };
    assert_eq!(counterexample.kind, CounterexampleKind::IndexWidth { index: (1 << 33) - 1, bits: 32 });
}

#[test]
fn equal_maps_in_different_words() {
    let none = Facts::empty();
    let left = reshape(&[same(number(4))], &[same(named("N"))], &[0, 1], &none);
    let right = reshape(&[same(number(4))], &[same(number(1)), same(named("N"))], &[1, 0, 2], &none);
    proven(&equal(&left, &right, &none, &budget()));
    let other = reshape(&[same(number(4))], &[same(named("N"))], &[1, 0], &none);
    assert!(equal(&left, &other, &none, &budget()).is_refuted());
}

/// `linear`, cut to indices below an end by a mask only.
fn cut_linear(end: i64) -> IndexMap {
    let none = Facts::empty();
    let map = linear(&number(4), &number(8), &none).unwrap();
    with_coordinates(&map, map.upper.clone(), &none, |builder| {
        let (index, thread) = (builder.coordinate(0)?, builder.coordinate(1)?);
        builder.mask(&index, None, Some(&number(end)), MaskReason::Guard)?;
        Ok(vec![index, thread])
    })
    .unwrap()
}

#[test]
fn coordinates_without_an_end() {
    let (none, budget) = (Facts::empty(), budget());
    let map = linear(&number(4), &number(8), &none).unwrap();
    proven(&injective(&map, &none, &budget));
    assert!(in_bounds(&map, &[number(1 << 30)], &none, &budget).is_refuted());
    proven(&in_bounds(&cut_linear(8), &[number(64)], &none, &budget));
    proven(&covers(&cut_linear(8), &[Sym::zero()..number(64)], &none, &budget));
    proven(&equal(&cut_linear(8), &cut_linear(8), &none, &budget));
    // The masks end the walks at different points; neither may be mistaken for the other.
    assert!(equal(&cut_linear(8), &cut_linear(9), &none, &budget).is_refuted());
    assert!(equal(&cut_linear(9), &cut_linear(8), &none, &budget).is_refuted());
    assert!(equal(&map, &cut_linear(9), &none, &budget).is_refuted());
    assert!(!equal(&map, &cut_linear(100), &none, &budget).is_proven());
    proven(&equal(&map, &map, &none, &budget));
}

#[test]
fn what_is_not_covered_is_named() {
    let (none, budget) = (Facts::empty(), budget());
    // Far more points than could be tried.
    let map = reshape(&[(number(3), number(4))], &[same(number(1 << 40))], &[0, 1], &none);
    let Verdict::Refuted { counterexample, .. } = covers(&map, &[Sym::zero()..number(1 << 42)], &none, &budget) else {
        panic!("slot 3 is not covered")
    };
    assert_eq!(counterexample.kind, CounterexampleKind::Unwritten { lower: vec![3] });
    // Far more slots than points.
    let small = reshape(&[same(number(4))], &[same(number(4))], &[0, 1], &none);
    assert!(covers(&small, &[Sym::zero()..number(1 << 60)], &none, &budget).is_refuted());
}

#[test]
fn a_caller_that_asks_for_a_proof_alone_gets_no_more() {
    let (none, budget) = (Facts::empty(), budget());
    let map = reshape(&[same(number(4))], &[same(named("M"))], &[0, 1], &none);
    let bound = [named("N")];
    assert!(in_bounds(&map, &bound, &none, &budget).is_refuted());
    let open = in_bounds(&map, &bound, &none, &budget.for_proofs());
    assert!(matches!(open, Verdict::Open { obligation: None, deeper: false, .. }), "{open:?}");
    let enough = facts(&[(named("N"), CompareOp::Ge, named("M").checked_mul(&number(4)).unwrap())]);
    proven(&in_bounds(&map, &bound, &enough, &budget.for_proofs()));
}

#[test]
fn open_bounds_name_the_fact_that_settles_them() {
    // For M threads of a tensor of N elements nothing is known of either; only huge sizes would refute it.
    let close = facts(&[(named("M"), CompareOp::Ge, number(1 << 20)), (named("N"), CompareOp::Ge, number(1 << 60))]);
    let map = reshape(&[same(number(4))], &[same(named("M"))], &[0, 1], &close);
    match in_bounds(&map, &[named("N")], &close, &budget()) {
        Verdict::Open { obligation, .. } => {
            assert_eq!(obligation.map(|fact| fact.to_string()).as_deref(), Some("4 * M <= N"))
        }
        Verdict::Refuted { counterexample, .. } => {
            assert!(counterexample.sizes[&symbol("M")] > 1 << 58)
        }
        verdict => panic!("{verdict:?}"),
    }
}
