//! Random symbolic maps: what is proven must hold for every choice of sizes.

use std::collections::BTreeMap;

use super::oracle;
use super::symbolic::{facts, named, number};
use crate::{Budget, Verdict, covers, in_bounds, injective, race_free};
use dims::{CompareOp, Facts, Sym};
use random_maps::random_transforms;
use random_maps::{Choices, Flavour, Node, Recipe, Size, for_random_choices, random_recipe, symbol};

/// Replaces some numbers of a recipe by symbols whose values are chosen to be those numbers, or others.
fn with_symbols(choices: &mut Choices, recipe: &mut Recipe) {
    let mut change = |size: &mut Size| {
        let Size::Number(value) = *size else { return };
        if value <= 0 {
            return;
        }
        let symbol = || Box::new(Size::Named(["N", "M"][value as usize % 2]));
        *size = match choices.below(9) {
            0 => *symbol(),
            1 => Size::Times(Box::new(Size::Number(value)), symbol()),
            2 => Size::Over(symbol(), value),
            3 => Size::RoundedUpOver(symbol(), value),
            4 => Size::Plus(Box::new(Size::Number(value)), symbol()),
            _ => return,
        };
    };
    for (extent, _) in &mut recipe.extents {
        change(extent);
    }
    for node in &mut recipe.nodes {
        match node {
            Node::Sum(_, parts) => parts.iter_mut().for_each(|(factor, _)| change(factor)),
            // A radix must be positive whatever the sizes: a plain quotient might be zero.
            Node::Digit(_, divisor, modulus) => {
                for size in std::iter::once(divisor).chain(modulus) {
                    change(size);
                    if matches!(size, Size::Over(..)) {
                        *size = Size::Number(2);
                    }
                }
            }
            _ => {}
        }
    }
    for (_, extent) in &mut recipe.lower {
        extent.iter_mut().for_each(&mut change);
    }
    for (_, _, high) in &mut recipe.masks {
        high.iter_mut().for_each(&mut change);
    }
}

#[test]
fn random_symbolic_maps() {
    for_random_choices(3000, |choices| {
        let flavour = choices.pick(&[Flavour::Any, Flavour::Nested, Flavour::Nested]);
        let mut recipe = random_recipe(choices, flavour);
        with_symbols(choices, &mut recipe);
        check_recipe(&recipe, choices);
    });
}

#[test]
fn symbolic_chains_of_transforms() {
    for_random_choices(7000, |choices| {
        let recipe = random_transforms(choices, true);
        check_recipe(&recipe, choices);
    });
}

/// The facts for half of the maps.
fn some_facts(divisible: bool) -> Facts {
    if !divisible {
        return Facts::empty();
    }
    facts(&[(named("N").checked_remainder(&number(4), &Facts::empty()).unwrap(), CompareOp::Eq, number(0))])
}

/// Sizes that a map is tried with: those that the facts allow and that leave few enough points.
fn instances(recipe: &Recipe, divisible: bool) -> Vec<BTreeMap<&'static str, i64>> {
    let sizes = |n: i64| [1, 2, 5].map(|m| BTreeMap::from([("N", n), ("M", m)]));
    let all = [1, 2, 3, 4, 7, 8].into_iter().filter(|n| !divisible || n % 4 == 0).flat_map(sizes);
    all.filter(|sizes| recipe.points(sizes) <= 200).collect()
}

fn check_recipe(recipe: &Recipe, choices: &mut Choices) {
    let divisible = choices.chance(5);
    let known = some_facts(divisible);
    let bounds: Vec<Size> = recipe
        .lower
        .iter()
        .map(|(_, extent)| match extent {
            Some(extent) if choices.chance(7) => extent.clone(),
            _ => {
                let times = choices.pick(&[1, 4, 12, 2, 8]);
                Size::Times(Box::new(Size::Number(times)), Box::new(Size::Named(choices.pick(&["N", "M"]))))
            }
        })
        .collect();
    let syms: Vec<Sym> = bounds.iter().map(|bound| bound.sym(&known)).collect();
    let slots: Vec<_> = syms.iter().map(|bound| Sym::zero()..bound.clone()).collect();
    // A size that becomes too complex is refused, which is no wrong answer.
    let map = if choices.chance(5) { recipe.raw(&known) } else { recipe.built(&known) };
    let Ok(map) = map else { return };
    let small = Budget { assignments: 8, ..Budget::default() };
    // Two of the questions for each map, so that there is time for many maps.
    let (race, covering) = (choices.chance(5), choices.chance(5));
    let verdicts = [
        if race { race_free(&map, &known, &small) } else { injective(&map, &known, &small) },
        if covering { covers(&map, &slots, &known, &small) } else { in_bounds(&map, &syms, &known, &small) },
    ];
    for sizes in instances(recipe, divisible) {
        if choices.chance(6) {
            continue;
        }
        let values: Vec<i64> = bounds.iter().map(|bound| bound.value(&sizes)).collect();
        let table = recipe.table(&sizes);
        let ranges: Vec<(i64, i64)> = values.iter().map(|bound| (0, *bound)).collect();
        let few = values.iter().map(|bound| (*bound).max(0)).product::<i64>() <= 1000;
        let truths = [
            Some(oracle::collision_free(recipe, &table, race)),
            if covering {
                few.then(|| oracle::covers(&table, &ranges))
            } else {
                Some(oracle::in_bounds(&table, &values))
            },
        ];
        for (verdict, truth) in verdicts.iter().zip(truths) {
            let Some(truth) = truth else { continue };
            assert!(!verdict.is_proven() || truth, "{verdict:?} at {sizes:?}\n{recipe:?}\n{map:?}");
            let assignment = sizes.iter().map(|(name, value)| (symbol(name), *value)).collect();
            let settled = verdict.obligation().and_then(|fact| fact.holds(&assignment));
            assert!(settled != Some(true) || truth, "{verdict:?} at {sizes:?}\n{recipe:?}\n{map:?}");
        }
        for (upper, lower) in table.iter().step_by(7) {
            let found = maps::evaluate(&map, upper, &|symbol| sizes.get(symbol.name()).copied()).unwrap();
            assert_eq!(found.valid.then_some(found.lower).as_ref(), lower.as_ref(), "{recipe:?}\n{map:?}");
        }
    }
    for verdict in &verdicts {
        if let Verdict::Refuted { counterexample, .. } = verdict {
            // A symbol that the map does not have left may have any value that the facts allow.
            let at = |name: &str, other: i64| counterexample.sizes.get(&symbol(name)).copied().unwrap_or(other);
            let sizes = BTreeMap::from([("N", at("N", 4)), ("M", at("M", 1))]);
            if recipe.points(&sizes) <= 10_000 {
                oracle::confirm(verdict, false, recipe, &sizes);
            }
        }
    }
}
