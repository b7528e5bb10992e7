//! Questions about maps whose sizes are symbols.

use super::{Answer, Lanes, bank_conflicts, compact_run, lane_stride, sectors, size, vector_width};
use crate::Budget;
use dims::{CompareOp, Fact, Facts, Sym};
use maps::{
    AxisRole, IndexMap, LayoutEntry, LowerAxis, MapBuilder, MaskReason, ReshapeMapSpec, UpperAxis, linear, reshape_map,
    specialize,
};
use random_maps::symbol;

fn named(name: &str) -> Sym {
    Sym::symbol(symbol(name))
}

fn number(value: i64) -> Sym {
    Sym::constant(value)
}

fn multiple(value: &Sym, of: i64) -> Fact {
    Fact::compare(value.checked_remainder(&number(of), &Facts::empty()).unwrap(), CompareOp::Eq, Sym::zero())
}

fn facts(list: &[Fact]) -> Facts {
    let mut facts = Facts::empty();
    list.iter().for_each(|fact| facts.assume(fact.clone()).unwrap());
    facts
}

/// `reshape_map([4] | [threads] => layout)`
fn blocked(local: i64, threads: &Sym, layout: [usize; 2], facts: &Facts) -> IndexMap {
    let same = |size: Sym| (size.clone(), size);
    let entry = |dimension: usize| LayoutEntry { dimension, reversed: false };
    let spec = ReshapeMapSpec {
        local: vec![same(number(local))],
        thread: vec![same(threads.clone())],
        layout: layout.map(entry).to_vec(),
        offset: Sym::zero(),
    };
    reshape_map(&spec, facts).unwrap()
}

/// `reshape_map([local] | [threads] => layout: [-i0, t0])`
fn reversed(local: i64, threads: &Sym, facts: &Facts) -> IndexMap {
    let same = |size: Sym| (size.clone(), size);
    let entry = |dimension: usize| LayoutEntry { dimension, reversed: dimension == 0 };
    let spec = ReshapeMapSpec {
        local: vec![same(number(local))],
        thread: vec![same(threads.clone())],
        layout: vec![entry(0), entry(1)],
        offset: Sym::zero(),
    };
    reshape_map(&spec, facts).unwrap()
}

/// Rows of `stride` elements: lanes along the columns or the rows.
fn rows(stride: &Sym, lanes_along_rows: bool, facts: &Facts) -> IndexMap {
    let axis = |extent: &str, role| UpperAxis { extent: Some(named(extent)), role };
    let upper = vec![axis("M", AxisRole::Local), axis("M", AxisRole::Thread)];
    let mut builder = MapBuilder::new(upper, facts);
    let (local, lane) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
    let (row, column) = if lanes_along_rows { (lane, local) } else { (local, lane) };
    let value = row.checked_scale(stride).unwrap().checked_add(&column).unwrap();
    builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
}

fn known<T>(answer: Answer<T>) -> T
where
    T: std::fmt::Debug,
{
    match answer {
        Answer::Known(found) => found,
        open => panic!("{open:?}"),
    }
}

fn touched(map: &IndexMap, facts: &Facts) -> i64 {
    let lanes = Lanes::of_map(map).unwrap();
    known(sectors(map, &lanes, size(4), 1, facts, &Budget::default()).unwrap()).sectors
}

fn degree(map: &IndexMap, facts: &Facts) -> i64 {
    let lanes = Lanes::of_map(map).unwrap();
    known(bank_conflicts(map, &lanes, size(4), facts, &Budget::default()).unwrap()).degree
}

#[test]
fn neighbouring_threads_are_judged_for_every_number_of_them() {
    let facts = facts(&[multiple(&named("N"), 4)]);
    let threads = named("N").checked_floor_div(&number(4), &facts).unwrap();
    let strided = blocked(4, &threads, [1, 0], &facts);
    // Rows of N / 4 elements need not begin at a sector.
    assert_eq!(touched(&strided, &facts), 5);
    assert_eq!(degree(&strided, &facts), 1);
    let by_thread = blocked(4, &threads, [0, 1], &facts);
    assert_eq!(touched(&by_thread, &facts), 16);
    assert_eq!(degree(&by_thread, &facts), 4);
}

#[test]
fn facts_about_the_sizes_align_the_rows() {
    let facts = facts(&[multiple(&named("N"), 32)]);
    let threads = named("N").checked_floor_div(&number(4), &facts).unwrap();
    assert_eq!(touched(&blocked(4, &threads, [1, 0], &facts), &facts), 4);
}

#[test]
fn a_symbolic_stride_is_as_bad_as_its_worst_size() {
    let facts = Facts::empty();
    let map = rows(&named("N"), true, &facts);
    assert_eq!(touched(&map, &facts), 32);
    assert_eq!(degree(&map, &facts), 32);
    assert_eq!(lane_stride(&map, &Lanes::along(1), &facts).unwrap(), Some(named("N")));
    let map = rows(&named("N"), false, &facts);
    assert_eq!(touched(&map, &facts), 5);
    assert_eq!(degree(&map, &facts), 1);
    assert_eq!(lane_stride(&map, &Lanes::along(1), &facts).unwrap(), Some(number(1)));
}

#[test]
fn the_sizes_of_the_worst_request_are_named() {
    let facts = Facts::empty();
    let map = rows(&named("N"), true, &facts);
    let found = known(sectors(&map, &Lanes::along(1), size(4), 1, &facts, &Budget::default()).unwrap());
    let special = specialize(&map, &found.sizes).unwrap();
    for lane in &found.lanes {
        let point = maps::evaluate(&special, &lane.upper, &|_| None).unwrap();
        assert!(point.valid && point.lower == [lane.address], "{lane:?}");
    }
}

#[test]
fn vectors_need_the_facts() {
    let none = Facts::empty();
    let width = |map: &IndexMap, facts: &Facts| vector_width(map, size(4), facts, &Budget::default()).unwrap();
    let map = blocked(4, &named("T"), [0, 1], &none);
    let found = width(&map, &none);
    assert_eq!((found.width, found.limit), (4, None));
    // A row of N elements is a row of vectors only where N is a multiple of them.
    let map = rows(&named("N"), true, &none);
    let found = width(&map, &none);
    assert_eq!(found.width, 1);
    let limit = found.limit.unwrap();
    assert_eq!(limit.obstacle.to_string(), "the run of `i0` has M elements, which need not be a multiple of 2");
    let both = facts(&[multiple(&named("N"), 4), multiple(&named("M"), 2)]);
    assert_eq!(width(&map, &both).width, 2);
    let limit = width(&map, &both).limit.unwrap();
    assert_eq!(limit.fact.map(|fact| fact.to_string()), Some("M % 4 == 0".to_owned()));
    let both = facts(&[multiple(&named("N"), 4), multiple(&named("M"), 4)]);
    assert_eq!(width(&map, &both).width, 4);
}

#[test]
fn a_mask_with_an_edge_inside_of_a_vector_is_no_vector() {
    let masked = |facts: &Facts| {
        let upper = vec![
            UpperAxis { extent: Some(number(4)), role: AxisRole::Local },
            UpperAxis { extent: Some(named("T")), role: AxisRole::Thread },
        ];
        let mut builder = MapBuilder::new(upper, facts);
        let (local, thread) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
        let value = thread.checked_scale(&number(4)).unwrap().checked_add(&local).unwrap();
        builder.mask(&value, Some(&Sym::zero()), Some(&named("N")), MaskReason::TensorBound).unwrap();
        builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
    };
    let none = Facts::empty();
    let found = vector_width(&masked(&none), size(4), &none, &Budget::default()).unwrap();
    assert_eq!(found.width, 1);
    assert_eq!(found.limit.unwrap().fact.map(|fact| fact.to_string()), Some("N % 2 == 0".to_owned()));
    let four = facts(&[multiple(&named("N"), 4)]);
    assert_eq!(vector_width(&masked(&four), size(4), &four, &Budget::default()).unwrap().width, 4);
}

#[test]
fn runs_of_neighbours() {
    let facts = Facts::empty();
    let run = |map: &IndexMap| {
        let run = compact_run(map, &facts).unwrap();
        (run.length, run.backwards)
    };
    assert_eq!(run(&blocked(3, &named("T"), [0, 1], &facts)), (Some(3), false));
    assert_eq!(run(&blocked(3, &named("T"), [1, 0], &facts)), (Some(1), false));
    assert_eq!(run(&reversed(3, &named("T"), &facts)), (Some(3), true));
    // Pieces of four, without end.
    let pieces = linear(&number(4), &number(32), &facts).unwrap();
    assert_eq!(run(&pieces), (Some(4), false));
    assert_eq!(vector_width(&pieces, size(4), &facts, &Budget::default()).unwrap().width, 4);
    assert_eq!(touched(&pieces, &facts), 16);
}
