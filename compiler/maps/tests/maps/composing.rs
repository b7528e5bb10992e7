//! Composition, chains and known sizes, point by point.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::*;
use random_maps::{Flavour, for_random_choices, random_recipe};

#[test]
fn the_chain_of_the_seed() {
    let facts = Facts::empty();
    let level = |width, unit| ChainLevel {
        map: continuous_linear(&number(width), None, &facts).unwrap(),
        unit_size: number(unit),
    };
    let map = chain(&[level(64, 32), level(2, 1)], Some(number(128)), &facts).unwrap();
    assert_eq!(at(&map, &[0, 32]), Some(vec![64]));
    assert_eq!(at(&map, &[1, 32]), Some(vec![65]));
    assert_eq!(at(&map, &[0, 33]), Some(vec![66]));
    assert_eq!(at(&map, &[2, 33]), None);
    assert_eq!(owners(&map, None, POINTS, &never).unwrap().len(), 256);
}

#[test]
fn chains_are_maps_of_maps() {
    let facts = Facts::empty();
    for_random_choices(500, |choices| {
        let sizes = [choices.pick(&[32, 16]), choices.pick(&[4, 8]), 1];
        let threads = 64;
        let mut levels = Vec::new();
        let mut outer = threads;
        for size in sizes {
            let width = number(choices.pick(&[1, 2, 3, 5, 16]));
            let units = number(outer / size);
            let map = match choices.below(3) {
                0 => linear(&width, &units, &facts).unwrap(),
                1 => continuous_linear(&width, Some(&units), &facts).unwrap(),
                _ => continuous_linear(&width, None, &facts).unwrap(),
            };
            levels.push((ChainLevel { map, unit_size: number(size) }, outer, size));
            outer = size;
        }
        let list: Vec<ChainLevel> = levels.iter().map(|(level, ..)| level.clone()).collect();
        let map = chain(&list, Some(number(threads)), &facts).unwrap();
        for thread in 0..threads {
            for index in 0..6 {
                let mut slot = Some(index);
                for (level, outer, size) in levels.iter().rev() {
                    slot = slot.and_then(|slot| at(&level.map, &[slot, thread % outer / size])).map(|lower| lower[0]);
                }
                let found = at(&map, &[index, thread]);
                assert_eq!(found.map(|lower| lower[0]), slot, "{index} {thread} {levels:?}");
            }
        }
    });
}

#[test]
fn composition_is_one_after_the_other() {
    let facts = Facts::empty();
    for_random_choices(1500, |choices| {
        let (inner, outer) = (random_recipe(choices, Flavour::Nested), random_recipe(choices, Flavour::Any));
        let (inner, mut outer) = (inner.built(&facts).unwrap(), outer.built(&facts).unwrap());
        if inner.lower.len() != outer.upper.len() {
            return;
        }
        if choices.chance(5) {
            // Without extents of the outer coordinates more points are valid.
            outer = with_extent(&outer, 0, Some(number(64)), &facts).unwrap();
        }
        let composed = compose(&outer, &inner, &facts).unwrap();
        let compiled = CompiledMap::new(&inner, Domain::Extents).unwrap();
        for point in 0..compiled.points() {
            let upper = compiled.coordinates(point);
            let expected = at(&inner, &upper).and_then(|between| at(&outer, &between));
            assert_eq!(at(&composed, &upper), expected, "{inner:?}\n{outer:?}");
        }
    });
}

#[test]
fn compiled_maps_are_the_maps() {
    let facts = Facts::empty();
    for_random_choices(1500, |choices| {
        let flavour = choices.pick(&[Flavour::Any, Flavour::Nested, Flavour::Powers]);
        let recipe = random_recipe(choices, flavour);
        let map = if choices.chance(5) { recipe.built(&facts).unwrap() } else { recipe.raw(&facts).unwrap() };
        let table = recipe.table(&BTreeMap::new());
        let mut found = Vec::new();
        let compiled = CompiledMap::new(&map, Domain::Extents).unwrap();
        compiled
            .visit(&never, |chunk| {
                for lane in 0..chunk.length {
                    let upper: Vec<i64> = (0..map.upper.len()).map(|axis| chunk.coordinate(axis)[lane]).collect();
                    let lower: Vec<i64> = (0..map.lower.len()).map(|axis| chunk.lower(axis)[lane]).collect();
                    assert_eq!(upper, compiled.coordinates(u128::from(chunk.first) + lane as u128));
                    found.push((upper, chunk.valid()[lane].then_some(lower)));
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(found, table);
        // The tight box holds every valid point.
        let tight = CompiledMap::new(&map, Domain::Tight).unwrap();
        let mut valid = Vec::new();
        tight
            .visit(&never, |chunk| {
                valid.extend(
                    (0..chunk.length).filter(|lane| chunk.valid()[*lane]).map(|lane| {
                        (0..map.upper.len()).map(|axis| chunk.coordinate(axis)[lane]).collect::<Vec<i64>>()
                    }),
                );
                ControlFlow::Continue(())
            })
            .unwrap();
        let expected: Vec<Vec<i64>> =
            table.into_iter().filter(|(_, lower)| lower.is_some()).map(|(upper, _)| upper).collect();
        assert_eq!(valid, expected, "{recipe:?}");
    });
}

#[test]
fn known_sizes_replace_symbols() {
    let facts = Facts::empty();
    let n = Symbol::new("N", 0);
    let width = Sym::symbol(n.clone());
    let map = linear(&width, &number(4), &facts).unwrap();
    let special = specialize(&map, &BTreeMap::from([(n.clone(), 5)])).unwrap();
    assert!(special.is_constant());
    for index in 0..12 {
        assert_eq!(at(&special, &[index, 2]), Some(vec![index % 5 + index / 5 * 20 + 10]));
    }
    assert!(matches!(specialize(&map, &BTreeMap::new()), Err(MapError::Size(_))));
    assert!(matches!(upper(&map, &[3], &never), Err(NoInverse::Map(MapError::Symbolic))));
}
