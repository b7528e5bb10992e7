//! Every verdict against brute force, on thousands of random maps with known sizes.

use std::collections::BTreeMap;

use super::oracle;
use crate::{
    Budget, CounterexampleKind, Verdict, covers, equal, in_bounds, injective, race_free, without_implied_conditions,
};
use dims::{Facts, Sym};
use maps::{IndexMap, MapError, NoInverse, upper};
use random_maps::random_transforms;
use random_maps::{Choices, Flavour, Recipe, Table, for_random_choices, random_recipe};

/// A budget of those that force every part of the order of attack to answer alone.
fn any_budget(choices: &mut Choices) -> Budget<'static> {
    let full = Budget::default();
    choices.pick(&[full, Budget { points: 0, ..full }, Budget { steps: 0, ..full }])
}

/// The map as the builder makes it, or as it is written down.
fn any_form(recipe: &Recipe, choices: &mut Choices) -> IndexMap {
    let facts = Facts::empty();
    if choices.chance(5) { recipe.built(&facts).unwrap() } else { recipe.raw(&facts).unwrap() }
}

fn decided(verdict: &Verdict, budget: &Budget<'_>, recipe: &Recipe) {
    let open = matches!(verdict, Verdict::Open { .. });
    assert!(!open || budget.points == 0, "open: {verdict:?}\n{recipe:?}");
}

fn check_recipe(recipe: &Recipe, choices: &mut Choices) {
    let (facts, sizes) = (Facts::empty(), BTreeMap::new());
    let table = recipe.table(&sizes);
    let bounds: Vec<i64> = recipe.lower.iter().map(|(node, _)| [8, 16, 40, 64][node % 4]).collect();
    let bound_syms: Vec<Sym> = bounds.iter().map(|bound| Sym::constant(*bound)).collect();
    let ranges: Vec<(i64, i64)> = bounds.iter().map(|bound| (bound % 3, bound / 4)).collect();
    let slots: Vec<_> = ranges.iter().map(|(low, high)| Sym::constant(*low)..Sym::constant(*high)).collect();
    let (map, budget) = (any_form(recipe, choices), any_budget(choices));
    let answers = [
        (injective(&map, &facts, &budget), oracle::collision_free(recipe, &table, false)),
        (race_free(&map, &facts, &budget), oracle::collision_free(recipe, &table, true)),
        (in_bounds(&map, &bound_syms, &facts, &budget), oracle::in_bounds(&table, &bounds)),
        (covers(&map, &slots, &facts, &budget), oracle::covers(&table, &ranges)),
    ];
    for (verdict, truth) in answers {
        oracle::confirm(&verdict, truth, recipe, &sizes);
        decided(&verdict, &budget, recipe);
    }
    // Covering exactly what is reached is the hardest case to get right.
    let reached: Vec<i64> = table.iter().filter_map(|(_, lower)| Some(lower.as_ref()?[0])).collect();
    if let (1, Some(low), Some(high)) = (recipe.lower.len(), reached.iter().min(), reached.iter().max()) {
        let slots = [Sym::constant(*low)..Sym::constant(high + 1)];
        let verdict = covers(&map, &slots, &facts, &budget);
        oracle::confirm(&verdict, oracle::covers(&table, &[(*low, high + 1)]), recipe, &sizes);
    }
    match choices.below(4) {
        0 => {
            let kept = without_implied_conditions(&map, &facts).unwrap();
            for (point, lower) in &table {
                let found = maps::evaluate(&kept, point, &|_| None).unwrap();
                assert_eq!(found.valid.then_some(found.lower).as_ref(), lower.as_ref(), "{recipe:?}");
            }
        }
        1 => {
            let (built, raw) = (recipe.built(&facts).unwrap(), recipe.raw(&facts).unwrap());
            let verdict = equal(&built, &raw, &facts, &Budget::default());
            assert!(verdict.is_proven(), "the builder changed the map: {verdict:?}\n{recipe:?}");
        }
        _ => check_inverse(recipe, &map),
    }
}

fn check_inverse(recipe: &Recipe, map: &IndexMap) {
    let table = recipe.table(&BTreeMap::new());
    let targets = table.iter().filter_map(|(_, lower)| lower.clone()).take(40);
    let near = targets.clone().map(|lower| lower.iter().map(|value| value + 1).collect::<Vec<i64>>());
    for target in targets.clone().chain(near) {
        let who: Vec<&Vec<i64>> =
            table.iter().filter(|(_, lower)| lower.as_ref() == Some(&target)).map(|(upper, _)| upper).collect();
        match (upper(map, &target, &|| false), who.as_slice()) {
            (Ok(None), []) => {}
            (Ok(Some(found)), [only]) => assert_eq!(&&found, only, "{recipe:?}"),
            (Err(NoInverse::Twice { .. }), [_, _, ..]) => {}
            (Err(NoInverse::Map(MapError::TooLarge { .. })), _) => {}
            (answer, who) => panic!("{answer:?} where {who:?} lead to {target:?}\n{recipe:?}"),
        }
    }
}

#[test]
fn maps_of_any_kind() {
    for_random_choices(10_000, |choices| {
        let recipe = random_recipe(choices, Flavour::Any);
        check_recipe(&recipe, choices);
    });
}

#[test]
fn maps_of_powers_of_two() {
    for_random_choices(10_000, |choices| {
        let recipe = random_recipe(choices, Flavour::Powers);
        check_recipe(&recipe, choices);
    });
}

#[test]
fn maps_that_nest() {
    for_random_choices(10_000, |choices| {
        let recipe = random_recipe(choices, Flavour::Nested);
        check_recipe(&recipe, choices);
    });
}

#[test]
fn chains_of_transforms() {
    for_random_choices(10_000, |choices| {
        let recipe = random_transforms(choices, false);
        check_recipe(&recipe, choices);
    });
}

#[test]
fn two_random_maps_are_compared_exactly() {
    for_random_choices(10_000, |choices| {
        let (one, mut other) = (random_recipe(choices, Flavour::Nested), random_recipe(choices, Flavour::Nested));
        // Mostly the same extents; where they differ, points beyond the smaller ones tell the maps apart.
        if choices.chance(8) {
            other.extents = one.extents.clone();
        }
        if one.extents.len() != other.extents.len() {
            return;
        }
        if one.lower.len() != other.lower.len() || one.nodes.len() < one.extents.len() {
            return;
        }
        let coordinates = |recipe: &Recipe| {
            recipe
                .nodes
                .iter()
                .all(|node| !matches!(node, random_maps::Node::Coordinate(axis) if *axis >= recipe.extents.len()))
        };
        if !coordinates(&other) {
            return;
        }
        let (facts, sizes) = (Facts::empty(), BTreeMap::new());
        let valid =
            |recipe: &Recipe| -> Table { recipe.table(&sizes).into_iter().filter(|(_, at)| at.is_some()).collect() };
        let same = valid(&one) == valid(&other);
        let budget = any_budget(choices);
        let (left, right) = (any_form(&one, choices), any_form(&other, choices));
        let verdict = equal(&left, &right, &facts, &budget);
        let inside =
            one.extents.iter().zip(&other.extents).all(|(one, other)| one.0.value(&sizes) == other.0.value(&sizes));
        match &verdict {
            Verdict::Proven { .. } => assert!(same, "{verdict:?}\n{one:?}\n{other:?}"),
            Verdict::Open { .. } => assert_eq!(budget.points, 0, "{verdict:?}\n{one:?}\n{other:?}"),
            Verdict::Refuted { counterexample, .. } => {
                assert!(!same, "{verdict:?}\n{one:?}\n{other:?}");
                let CounterexampleKind::Difference { upper, left, right } = &counterexample.kind else {
                    panic!("{counterexample:?}")
                };
                if inside {
                    assert_eq!((left, right), (&one.at(upper, &sizes), &other.at(upper, &sizes)), "{one:?}\n{other:?}");
                }
                assert_ne!(left, right);
            }
        }
    });
}
