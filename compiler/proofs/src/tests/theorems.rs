//! Every theorem of the design on random maps of the kind that it is about, against brute force: the rule alone must
//! answer, for no point may be tried. T6 and T8 have their tests beside the questions that use them.

mod digits;

use std::collections::{BTreeMap, BTreeSet};

use super::oracle;
use crate::{Budget, Verdict, covers, in_bounds, injective, race_free};
use dims::{Facts, Sym};
use maps::{AxisRole, IndexMap, LayoutEntry, MapBuilder, ReshapeMapSpec, Term, UpperAxis, reshape_map};
use random_maps::{Choices, Node, Recipe, Size, for_random_choices};

/// Random maps for each theorem.
const MAPS: u32 = 10_000;

/// Rules in normal form only.
fn rules_only() -> Budget<'static> {
    Budget { points: 0, steps: 0, ..Budget::default() }
}

/// Theorems about known sizes too, but no point.
fn no_points() -> Budget<'static> {
    Budget { points: 0, ..Budget::default() }
}

fn empty() -> Recipe {
    Recipe { extents: Vec::new(), nodes: Vec::new(), lower: Vec::new(), masks: Vec::new() }
}

/// A recipe with the given coordinates.
fn over(extents: &[i64], choices: &mut Choices) -> Recipe {
    let mut recipe = empty();
    for (axis, extent) in extents.iter().enumerate() {
        let role = if choices.chance(5) { AxisRole::Thread } else { AxisRole::Local };
        recipe.extents.push((Size::Number(*extent), role));
        recipe.nodes.push(Node::Coordinate(axis));
    }
    recipe
}

/// Adds a step.
fn push(recipe: &mut Recipe, node: Node) -> usize {
    recipe.nodes.push(node);
    recipe.nodes.len() - 1
}

/// Adds a sum of steps as a lower coordinate.
fn lower(recipe: &mut Recipe, constant: i64, parts: &[(i64, usize)]) {
    let parts = parts.iter().map(|(factor, node)| (Size::Number(*factor), *node)).collect();
    let node = push(recipe, Node::Sum(Size::Number(constant), parts));
    recipe.lower.push((node, None));
}

/// A strided map.
fn strided(axes: &[(i64, i64)], choices: &mut Choices) -> Recipe {
    let extents: Vec<i64> = axes.iter().map(|(extent, _)| *extent).collect();
    let mut recipe = over(&extents, choices);
    let parts: Vec<(i64, usize)> = axes.iter().enumerate().map(|(axis, (_, stride))| (*stride, axis)).collect();
    let constant = choices.pick(&[0, 0, 3, -5]);
    lower(&mut recipe, constant, &parts);
    recipe
}

fn map_of(recipe: &Recipe) -> IndexMap {
    recipe.built(&Facts::empty()).unwrap()
}

fn confirm(verdict: &Verdict, truth: bool, recipe: &Recipe) {
    oracle::confirm(verdict, truth, recipe, &BTreeMap::new());
}

/// The verdict must be there, and right.
fn exact(verdict: &Verdict, truth: bool, recipe: &Recipe) {
    confirm(verdict, truth, recipe);
    assert!(!matches!(verdict, Verdict::Open { .. }), "{verdict:?}\n{recipe:?}");
}

fn shuffled<T>(choices: &mut Choices, mut list: Vec<T>) -> Vec<T> {
    for last in (1..list.len()).rev() {
        list.swap(last, choices.below(last + 1));
    }
    list
}

/// Extents with strides that each exceed what the smaller ones add up to, by nothing or by a little.
fn nested(choices: &mut Choices, slack: &[i64]) -> Vec<(i64, i64)> {
    let mut axes = Vec::new();
    let mut reach = 0;
    for _ in 0..1 + choices.below(4) {
        let (extent, stride) = (choices.pick(&[1, 2, 3, 4]), reach + 1 + choices.pick(slack));
        reach += stride * (extent - 1);
        axes.push((extent, if choices.chance(3) { -stride } else { stride }));
    }
    shuffled(choices, axes)
}

#[test]
fn t1_nested_strides_are_injective() {
    for_random_choices(MAPS, |choices| {
        let mut axes = nested(choices, &[0, 0, 1, 2]);
        if choices.chance(4) {
            // One stride becomes smaller, so that strides may or may not nest any more.
            let axis = choices.below(axes.len());
            axes[axis].1 -= choices.pick(&[1, 2]);
        }
        let recipe = strided(&axes, choices);
        let mut sorted: Vec<(i64, i64)> = axes.iter().filter(|(extent, _)| *extent > 1).copied().collect();
        sorted.sort_by_key(|(_, stride)| stride.abs());
        let reach = |to: usize| sorted[..to].iter().map(|(extent, stride)| stride.abs() * (extent - 1)).sum::<i64>();
        let nests = sorted.iter().enumerate().all(|(number, (_, stride))| stride.abs() > reach(number));
        let truth = oracle::collision_free(&recipe, &recipe.table(&BTreeMap::new()), false);
        assert!(!nests || truth, "the theorem is wrong: {recipe:?}");
        let verdict = injective(&map_of(&recipe), &Facts::empty(), &rules_only());
        confirm(&verdict, truth, &recipe);
        assert!(!nests || verdict.is_proven(), "{verdict:?}\n{recipe:?}");
    });
}

#[test]
fn t2_two_dimensions_are_decided_exactly() {
    for_random_choices(MAPS, |choices| {
        let mut axis =
            || (2 + choices.below(7) as i64, choices.pick(&[0, 1, 2, 3, 4, 5, 6, 9, 10, 12, -1, -4, -6, 15]));
        let axes = [axis(), axis()];
        let [(n1, s1), (n2, s2)] = axes;
        let recipe = strided(&axes, choices);
        let truth = oracle::collision_free(&recipe, &recipe.table(&BTreeMap::new()), false);
        let formula = s1 != 0 && s2 != 0 && {
            let common = num_integer::gcd(s1, s2);
            s2.abs() / common >= n1 || s1.abs() / common >= n2
        };
        assert_eq!(formula, truth, "the theorem is wrong: {recipe:?}");
        exact(&injective(&map_of(&recipe), &Facts::empty(), &no_points()), truth, &recipe);
    });
}

#[test]
fn t3_a_bijection_onto_an_interval_is_a_compact_nest() {
    for_random_choices(MAPS, |choices| {
        let mut axes = nested(choices, &[0]);
        if choices.chance(5) {
            let axis = choices.below(axes.len());
            axes[axis].1 += choices.pick(&[1, -1, 2]);
        }
        let recipe = strided(&axes, choices);
        let table = recipe.table(&BTreeMap::new());
        let slots: BTreeSet<i64> = table.iter().filter_map(|(_, lower)| Some(lower.as_ref()?[0])).collect();
        let (low, high) = (*slots.first().unwrap(), slots.last().unwrap() + 1);
        let fills = slots.len() as i64 == high - low;
        let bijection = fills && slots.len() == table.len();
        let mut sorted: Vec<(i64, i64)> = axes.iter().filter(|(extent, _)| *extent > 1).copied().collect();
        sorted.sort_by_key(|(_, stride)| stride.abs());
        let mut next = 1;
        let compact = sorted.iter().all(|(extent, stride)| {
            let fits = stride.abs() == next;
            next *= extent;
            fits
        });
        assert_eq!(compact, bijection, "the theorem is wrong: {recipe:?}");
        let verdict =
            covers(&map_of(&recipe), &[Sym::constant(low)..Sym::constant(high)], &Facts::empty(), &rules_only());
        confirm(&verdict, fills, &recipe);
        assert!(!bijection || verdict.is_proven(), "{verdict:?}\n{recipe:?}");
    });
}

#[test]
fn t9_reshape_map_is_injective_and_covers_where_ids_reach_the_tensor() {
    for_random_choices(MAPS, |choices| {
        let sizes = |choices: &mut Choices, count: usize| -> Vec<(i64, i64)> {
            (0..count).map(|_| (choices.pick(&[1, 2, 3, 4]), choices.pick(&[1, 2, 3, 4]))).collect()
        };
        let counts = (1 + choices.below(2), 1 + choices.below(2));
        let (local, thread) = (sizes(choices, counts.0), sizes(choices, counts.1));
        let order = shuffled(choices, (0..local.len() + thread.len()).collect());
        let layout = order.iter().map(|dimension| LayoutEntry { dimension: *dimension, reversed: choices.chance(4) });
        let sym = |sizes: &[(i64, i64)]| -> Vec<(Sym, Sym)> {
            sizes.iter().map(|(id, tensor)| (Sym::constant(*id), Sym::constant(*tensor))).collect()
        };
        let layout = layout.collect();
        let offset = choices.pick(&[0, 0, 5]);
        let spec = ReshapeMapSpec { local: sym(&local), thread: sym(&thread), layout, offset: Sym::constant(offset) };
        let facts = Facts::empty();
        let map = reshape_map(&spec, &facts).unwrap();
        for verdict in [injective(&map, &facts, &rules_only()), race_free(&map, &facts, &rules_only())] {
            assert!(verdict.is_proven(), "{verdict:?}\n{spec:?}");
        }
        let space: i64 = local.iter().chain(&thread).map(|(_, tensor)| tensor).product();
        let all = local.iter().chain(&thread).all(|(id, tensor)| tensor <= id);
        let compiled = maps::CompiledMap::new(&map, maps::Domain::Extents).unwrap();
        let mut reached = BTreeSet::new();
        compiled
            .visit(&|| false, |chunk| {
                for (slot, valid) in chunk.lower(0).iter().zip(chunk.valid()) {
                    // Written twice would be a collision.
                    assert!(!valid || reached.insert(*slot), "{spec:?}");
                }
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(reached == (offset..offset + space).collect(), all, "the theorem is wrong: {spec:?}");
        let slots = [Sym::constant(offset)..Sym::constant(offset + space)];
        let verdict = covers(&map, &slots, &facts, &Budget::default());
        assert_eq!((verdict.is_proven(), verdict.is_refuted()), (all, !all), "{verdict:?}\n{spec:?}");
    });
}

#[test]
fn t10_known_strides_are_decided_exactly() {
    for_random_choices(MAPS, |choices| {
        let extents: Vec<i64> = (0..1 + choices.below(4)).map(|_| choices.pick(&[1, 2, 3, 4, 5])).collect();
        let mut recipe = over(&extents, choices);
        for _ in 0..1 + choices.below(2) {
            let strides: Vec<(i64, usize)> = (0..extents.len())
                .map(|axis| (choices.pick(&[0, 1, 2, 3, 5, 7, 8, -2, -9, 11, 16, 27]), axis))
                .collect();
            lower(&mut recipe, 2, &strides);
        }
        let table = recipe.table(&BTreeMap::new());
        let map = map_of(&recipe);
        for race in [false, true] {
            let truth = oracle::collision_free(&recipe, &table, race);
            let ask = if race { race_free } else { injective };
            exact(&ask(&map, &Facts::empty(), &no_points()), truth, &recipe);
        }
    });
}

/// Not numbered in the design: `(a·i + j) % L` determines `j` for a known `i`, if `j` stays within one period.
#[test]
fn cyclic_shifts_are_injective_within_one_period() {
    for_random_choices(MAPS, |choices| {
        let (rows, columns) = (1 + choices.below(6) as i64, 1 + choices.below(9) as i64);
        let (period, step) = (1 + choices.below(9) as i64, choices.pick(&[1, 2, 3, -1, -4, 7]));
        let mut recipe = over(&[rows, columns], choices);
        let sign = choices.pick(&[1, 1, -1]);
        let parts = vec![(Size::Number(step), 0), (Size::Number(sign), 1)];
        let sum = push(&mut recipe, Node::Sum(Size::Number(choices.pick(&[0, 3, -2])), parts));
        let shifted = push(&mut recipe, Node::Digit(sum, Size::Number(1), Some(Size::Number(period))));
        let together = choices.chance(5);
        if together {
            lower(&mut recipe, 0, &[(period, 0), (1, shifted)]);
        } else {
            lower(&mut recipe, 0, &[(1, 0)]);
            lower(&mut recipe, 0, &[(1, shifted)]);
        }
        let (facts, table) = (Facts::empty(), recipe.table(&BTreeMap::new()));
        let truth = oracle::collision_free(&recipe, &table, false);
        assert_eq!(truth, columns <= period, "the rule is wrong: {recipe:?}");
        let map = if choices.chance(5) { map_of(&recipe) } else { recipe.raw(&facts).unwrap() };
        let verdict = injective(&map, &facts, &rules_only());
        confirm(&verdict, truth, &recipe);
        assert!(!truth || verdict.is_proven(), "{verdict:?}\n{recipe:?}");
        let ranges = if together { vec![(0, rows * period)] } else { vec![(0, rows), (0, period)] };
        let slots: Vec<_> = ranges.iter().map(|(low, high)| Sym::constant(*low)..Sym::constant(*high)).collect();
        let verdict = covers(&map, &slots, &facts, &rules_only());
        let truth = oracle::covers(&table, &ranges);
        assert_eq!(truth, columns >= period, "the rule is wrong: {recipe:?}");
        confirm(&verdict, truth, &recipe);
        assert!(!truth || verdict.is_proven(), "{verdict:?}\n{recipe:?}");
    });
}
