//! Random symbolic maps: what is proven must hold for every choice of sizes.

use std::collections::BTreeMap;

use super::oracle;
use super::symbolic::{facts, named, number};
use crate::dims::{CompareOp, Facts, Sym};
use crate::maps::tests::random::{Flavour, Node, Recipe, Size, for_random_choices, random_recipe, symbol};
use crate::proofs::{Budget, Verdict, covers, in_bounds, injective, race_free};

/// Replaces some numbers of a recipe by symbols whose values are chosen to be those numbers, or others.
fn with_symbols(choices: &mut crate::maps::tests::random::Choices, recipe: &mut Recipe) {
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
    for_random_choices(300, |choices| {
        let flavour = choices.pick(&[Flavour::Any, Flavour::Nested, Flavour::Nested]);
        let mut recipe = random_recipe(choices, flavour);
        with_symbols(choices, &mut recipe);
        let divisible = choices.chance(5);
        let known = if divisible {
            facts(&[(named("N").checked_remainder(&number(4), &Facts::empty()).unwrap(), CompareOp::Eq, number(0))])
        } else {
            Facts::empty()
        };
        let bounds: Vec<Size> = recipe
            .lower
            .iter()
            .map(|_| Size::Times(Box::new(Size::Number(choices.pick(&[1, 4, 12]))), Box::new(Size::Named("N"))))
            .collect();
        let syms: Vec<Sym> = bounds.iter().map(|bound| bound.sym(&known)).collect();
        let slots: Vec<_> = syms.iter().map(|bound| Sym::zero()..bound.clone()).collect();
        let mut maps = Vec::new();
        // A size that becomes too complex is refused, which is no wrong answer.
        maps.extend(recipe.built(&known));
        maps.extend(recipe.raw(&known));
        let small = Budget { assignments: 16, ..Budget::default() };
        for map in &maps {
            let verdicts = [
                injective(map, &known, &small),
                race_free(map, &known, &small),
                in_bounds(map, &syms, &known, &small),
                covers(map, &slots, &known, &small),
            ];
            for n in [1, 2, 3, 4, 7, 8] {
                for m in [1, 2, 5] {
                    if divisible && n % 4 != 0 {
                        continue;
                    }
                    let sizes = BTreeMap::from([("N", n), ("M", m)]);
                    let values: Vec<i64> = bounds.iter().map(|bound| bound.value(&sizes)).collect();
                    if recipe.points(&sizes) > 1500 || values.iter().product::<i64>() > 4000 {
                        continue;
                    }
                    let table = recipe.table(&sizes);
                    let ranges: Vec<(i64, i64)> = values.iter().map(|bound| (0, *bound)).collect();
                    let truths = [
                        oracle::collision_free(&recipe, &table, false),
                        oracle::collision_free(&recipe, &table, true),
                        oracle::in_bounds(&table, &values),
                        oracle::covers(&table, &ranges),
                    ];
                    for (verdict, truth) in verdicts.iter().zip(truths) {
                        assert!(!verdict.is_proven() || truth, "{verdict:?} at {sizes:?}\n{recipe:?}\n{map:?}");
                        let assignment = sizes.iter().map(|(name, value)| (symbol(name), *value)).collect();
                        let settled = verdict.obligation().and_then(|fact| fact.holds(&assignment));
                        assert!(settled != Some(true) || truth, "{verdict:?} at {sizes:?}\n{recipe:?}\n{map:?}");
                    }
                    for (upper, lower) in &table {
                        let found =
                            crate::maps::evaluate(map, upper, &|symbol| sizes.get(symbol.name()).copied()).unwrap();
                        assert_eq!(found.valid.then_some(found.lower).as_ref(), lower.as_ref(), "{recipe:?}\n{map:?}");
                    }
                }
            }
            for verdict in &verdicts {
                if let Verdict::Refuted { counterexample, .. } = verdict {
                    // A symbol that the map does not have left may have any value that the facts allow.
                    let at = |name: &str, other: i64| counterexample.sizes.get(&symbol(name)).copied().unwrap_or(other);
                    let sizes = BTreeMap::from([("N", at("N", 4)), ("M", at("M", 1))]);
                    if recipe.points(&sizes) <= 100_000 {
                        oracle::confirm(verdict, false, &recipe, &sizes);
                    }
                }
            }
        }
    });
}
