//! Whether two accesses meet: against brute force on random pairs of maps, and the pairs that kernels have.

use std::collections::BTreeMap;

use crate::{Budget, CounterexampleKind, Relation, Verdict, apart};
use dims::{Facts, Sym};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MaskReason, UpperAxis};
use random_maps::{Choices, Flavour, Node, Recipe, Size, for_random_choices, random_recipe, symbol};

fn any_relation(choices: &mut Choices) -> Relation {
    match choices.below(8) {
        0 => Relation::Any,
        1 | 2 => Relation::Different,
        3 => Relation::Ahead(choices.pick(&[1, -1, 3, 7])),
        4 => Relation::AtLeast(choices.pick(&[1, 0, 2, -3])),
        _ => Relation::EQUAL,
    }
}

/// The recipe with `rank` of its own lower coordinates, and two of its nodes as further ones.
fn with_lower(mut recipe: Recipe, rank: usize, choices: &mut Choices) -> Recipe {
    recipe.lower.truncate(rank);
    for _ in 0..2 {
        let node = choices.below(recipe.nodes.len());
        recipe.lower.push((node, None));
    }
    recipe
}

fn is_related(first: &[i64], second: &[i64], relation: &[Relation]) -> bool {
    first.iter().zip(second).zip(relation).all(|((first, second), relation)| relation.holds(*first, *second))
}

#[test]
fn two_maps_are_apart_where_no_two_points_are_related() {
    let tally = std::cell::RefCell::new([0u32; 3]);
    for_random_choices(4000, |choices| {
        let flavour = choices.pick(&[Flavour::Any, Flavour::Powers, Flavour::Nested]);
        let first = random_recipe(choices, flavour);
        let second = if choices.chance(5) { first.clone() } else { random_recipe(choices, flavour) };
        let rank = first.lower.len().min(second.lower.len());
        let (first, second) = (with_lower(first, rank, choices), with_lower(second, rank, choices));
        let relation: Vec<Relation> = (0..rank + 2).map(|_| any_relation(choices)).collect();
        let none = BTreeMap::new();
        let points =
            |recipe: &Recipe| recipe.table(&none).into_iter().filter_map(|(_, lower)| lower).collect::<Vec<_>>();
        let (left, right) = (points(&first), points(&second));
        let meet = left.iter().any(|one| right.iter().any(|other| is_related(one, other, &relation)));
        let facts = Facts::empty();
        let form =
            |recipe: &Recipe, built: bool| if built { recipe.built(&facts) } else { recipe.raw(&facts) }.unwrap();
        let maps = [form(&first, choices.chance(5)), form(&second, choices.chance(5))];
        let verdict = apart(&maps[0], &maps[1], &relation, &facts, &Budget::default());
        let case = || format!("{first:?}\n{second:?}\n{relation:?}\n{verdict:?}");
        match &verdict {
            Verdict::Proven { .. } => assert!(!meet, "proven, but they meet:\n{}", case()),
            Verdict::Refuted { counterexample, .. } => {
                let CounterexampleKind::Collision { first: one, second: other, .. } = &counterexample.kind else {
                    panic!("{}", case())
                };
                let (one, other) = (first.at(one, &none).unwrap(), second.at(other, &none).unwrap());
                assert!(is_related(&one, &other, &relation), "{}", case());
            }
            Verdict::Open { .. } => {}
        }
        let kind = match verdict {
            Verdict::Proven { .. } => 0,
            Verdict::Refuted { .. } => 1,
            Verdict::Open { .. } => 2,
        };
        tally.borrow_mut()[kind] += 1;
    });
    let [proven, refuted, open] = tally.into_inner();
    println!("{proven} proven, {refuted} refuted, {open} open");
    assert!(proven > 500 && refuted > 500, "{proven} proven, {refuted} refuted, {open} open");
    assert!(open * 50 < proven + refuted, "{open} of {} are open", proven + refuted + open);
}

/// Sizes that are symbols: whatever is proven holds for small sizes, whatever is refuted is refuted by sizes that are given.
#[test]
fn symbols_have_one_value_in_both_maps() {
    let decided = std::cell::Cell::new(0);
    for_random_choices(600, |choices| {
        let mut recipe = random_recipe(choices, Flavour::Nested);
        recipe.lower.truncate(1);
        let place = choices.below(recipe.extents.len());
        recipe.extents[place].0 = Size::Plus(Box::new(Size::Named("N")), Box::new(Size::Number(1)));
        let node = recipe.nodes.len();
        recipe.nodes.push(Node::Sum(Size::Named("N"), vec![(Size::Number(1), choices.below(node))]));
        recipe.lower.push((node, None));
        let relation = [Relation::EQUAL, any_relation(choices)];
        let facts = Facts::empty();
        let map = recipe.raw(&facts).unwrap();
        let verdict = apart(&map, &map, &relation, &facts, &Budget::default());
        let meet = |size: i64| {
            let sizes = BTreeMap::from([("N", size)]);
            let points: Vec<Vec<i64>> = recipe.table(&sizes).into_iter().filter_map(|(_, lower)| lower).collect();
            points.iter().any(|one| points.iter().any(|other| is_related(one, other, &relation)))
        };
        match &verdict {
            Verdict::Proven { .. } => {
                assert!(!(0..6).any(meet), "proven, but they meet:\n{recipe:?}\n{relation:?}");
                decided.set(decided.get() + 1);
            }
            Verdict::Refuted { counterexample, .. } => {
                let size = counterexample.sizes.get(&symbol("N")).copied().unwrap_or(0);
                assert!(size > 40 || meet(size), "{recipe:?}\n{relation:?}\n{verdict:?}");
                decided.set(decided.get() + 1);
            }
            Verdict::Open { .. } => {}
        }
    });
    assert!(decided.get() > 500, "only {} were decided", decided.get());
}

/// Threads `0..threads` and other coordinates without an end, to an element and the thread.
fn access(threads: i64, others: usize, element: impl Fn(&mut MapBuilder<'_>, &[Affine]) -> Affine) -> IndexMap {
    let facts = Facts::empty();
    let axis = |extent: Option<i64>, role| UpperAxis { extent: extent.map(Sym::constant), role };
    let mut upper = vec![axis(Some(threads), AxisRole::Thread)];
    upper.extend((0..others).map(|_| axis(None, AxisRole::Local)));
    let mut builder = MapBuilder::new(upper, &facts);
    let coordinates = builder.coordinates().unwrap();
    let element = element(&mut builder, &coordinates);
    let lower = std::iter::once(element).chain(coordinates);
    builder.finish(lower.map(|value| LowerAxis { value, extent: None }).collect()).unwrap()
}

fn number(value: i64) -> Sym {
    Sym::constant(value)
}

#[track_caller]
fn proven(first: &IndexMap, second: &IndexMap, relation: &[Relation]) {
    let verdict = apart(first, second, relation, &Facts::empty(), &Budget::default());
    assert!(verdict.is_proven(), "{verdict:?}");
}

#[track_caller]
fn refuted(first: &IndexMap, second: &IndexMap, relation: &[Relation]) {
    let verdict = apart(first, second, relation, &Facts::empty(), &Budget::default());
    assert!(verdict.is_refuted(), "{verdict:?}");
}

const EQUAL: Relation = Relation::EQUAL;
const OTHER: Relation = Relation::Different;

#[test]
fn neighbours_of_threads_by_xor() {
    let xor = access(64, 0, |builder, at| builder.xor(&at[0], &Affine::constant(Sym::one())).unwrap());
    let own = access(64, 0, |_, at| at[0].clone());
    proven(&xor, &xor, &[EQUAL, OTHER]);
    refuted(&xor, &own, &[EQUAL, OTHER]);
}

/// `s[(t + k) % 64]`, however far `k` goes.
#[test]
fn a_cyclic_shift_leaves_threads_apart() {
    let shifted = access(64, 1, |builder, at| {
        let sum = at[0].checked_add(&at[1]).unwrap();
        builder.remainder(&sum, &number(64)).unwrap()
    });
    proven(&shifted, &shifted, &[EQUAL, OTHER, EQUAL]);
    refuted(&shifted, &shifted, &[EQUAL, OTHER, Relation::Ahead(1)]);
    let wider = access(65, 1, |builder, at| {
        let sum = at[0].checked_add(&at[1]).unwrap();
        builder.remainder(&sum, &number(64)).unwrap()
    });
    refuted(&wider, &wider, &[EQUAL, OTHER, EQUAL]);
}

/// `s[16 * t + (k0 + k1 + k2) % 16]`
#[test]
fn a_remainder_below_the_stride_of_threads_leaves_them_apart() {
    let row = |modulus: i64| {
        access(8, 3, move |builder, at| {
            let sum = at[1].checked_add(&at[2]).unwrap().checked_add(&at[3]).unwrap();
            let rest = builder.remainder(&sum, &number(modulus)).unwrap();
            at[0].checked_scale(&number(16)).unwrap().checked_add(&rest).unwrap()
        })
    };
    let any = Relation::Any;
    proven(&row(16), &row(16), &[EQUAL, OTHER, any, any, any]);
    refuted(&row(17), &row(17), &[EQUAL, OTHER, any, any, any]);
}

/// `ring[k % 3, t]` against `ring[k % 3, 63 - t]`: the next iteration has another stage, the third one the same.
#[test]
fn stages_of_a_ring_meet_again_after_a_round() {
    let stage = |turned: bool| {
        access(64, 1, move |builder, at| {
            let stage = builder.remainder(&at[1], &number(3)).unwrap().checked_scale(&number(64)).unwrap();
            let column = if turned { Affine::constant(number(63)).checked_sub(&at[0]).unwrap() } else { at[0].clone() };
            stage.checked_add(&column).unwrap()
        })
    };
    for by in [1, 2, 4, 5] {
        proven(&stage(false), &stage(true), &[EQUAL, OTHER, Relation::Ahead(by)]);
    }
    for by in [0, 3, 300] {
        refuted(&stage(false), &stage(true), &[EQUAL, OTHER, Relation::Ahead(by)]);
    }
    refuted(&stage(false), &stage(true), &[EQUAL, OTHER, Relation::AtLeast(1)]);
}

/// A column of a tile whose row only the data knows, and the same tile swizzled.
#[test]
fn the_column_tells_threads_apart_whatever_the_row_is() {
    let padded = access(32, 1, |_, at| at[1].checked_scale(&number(33)).unwrap().checked_add(&at[0]).unwrap());
    proven(&padded, &padded, &[EQUAL, OTHER, Relation::Any]);
    let swizzled = access(1024, 0, |builder, at| {
        let (row, column) =
            (builder.floor_div(&at[0], &number(32)).unwrap(), builder.remainder(&at[0], &number(32)).unwrap());
        let swizzle = builder.remainder(&row, &number(8)).unwrap();
        let place = builder.xor(&column, &swizzle).unwrap();
        row.checked_scale(&number(32)).unwrap().checked_add(&place).unwrap()
    });
    proven(&swizzled, &swizzled, &[EQUAL, OTHER]);
}

/// `s[t] += s[t + d]` where `t < d`, whatever `d` is.
#[test]
fn halves_of_a_tree_are_apart() {
    let half = |shifted: bool, guarded: bool| {
        access(128, 1, move |builder, at| {
            if guarded {
                let difference = at[0].checked_sub(&at[1]).unwrap();
                builder.mask(&difference, None, Some(&Sym::zero()), MaskReason::Guard).unwrap();
            }
            if shifted { at[0].checked_add(&at[1]).unwrap() } else { at[0].clone() }
        })
    };
    proven(&half(false, true), &half(true, true), &[EQUAL, OTHER, EQUAL]);
    refuted(&half(false, false), &half(true, false), &[EQUAL, OTHER, EQUAL]);
}
