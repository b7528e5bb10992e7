//! Sectors and lines, against every byte.

use super::oracle::{self, lane_axes, requests};
use super::patterns::{pattern, stride};
use super::{Answer, Lanes, Sectors, budgets, forms, sectors, size};
use crate::Budget;
use dims::Facts;
use random_maps::{Flavour, Recipe, for_random_choices, random_recipe};

fn check(recipe: &Recipe, axes: &[usize], lanes: &Lanes, runs: &[i64]) {
    let requests = requests(recipe, axes);
    for (bytes, run) in [1, 2, 4, 8, 16].into_iter().flat_map(|bytes| runs.iter().map(move |run| (bytes, *run))) {
        let touched = |lanes: &oracle::Lanes| oracle::pieces(lanes, bytes, run, 32);
        let truth = requests.iter().map(touched).max().unwrap_or(0);
        for map in forms(recipe) {
            for budget in budgets() {
                let answer = sectors(&map, lanes, size(bytes), run, &Facts::empty(), &budget).unwrap();
                let known = matches!(answer, Answer::Known(_));
                assert!(known || budget.points < Budget::default().points, "{answer:?}\n{recipe:?}");
                let Some(found) = answer.seen() else { continue };
                assert!(found.sectors <= truth && (!known || found.sectors == truth), "{truth}: {found:?}\n{recipe:?}");
                confirm(found, recipe, bytes, run);
            }
        }
    }
}

/// Checks that the named lanes touch this many sectors and lines.
fn confirm(found: &Sectors, recipe: &Recipe, bytes: i64, run: i64) {
    let lanes: oracle::Lanes = found.lanes.iter().map(|lane| (lane.lane as i64, lane.address)).collect();
    assert_eq!(oracle::pieces(&lanes, bytes, run, 32), found.sectors, "{found:?}\n{recipe:?}");
    assert_eq!(oracle::pieces(&lanes, bytes, run, 128), found.lines, "{found:?}\n{recipe:?}");
    assert_eq!(found.ideal, (lanes.len() as i64 * bytes * run + 31) / 32);
    for lane in &found.lanes {
        assert_eq!(recipe.at(&lane.upper, &Default::default()), Some(vec![lane.address]), "{recipe:?}");
    }
}

#[test]
fn maps_of_any_kind() {
    for flavour in [Flavour::Any, Flavour::Powers, Flavour::Nested] {
        for_random_choices(250, |choices| {
            let mut recipe = random_recipe(choices, flavour);
            recipe.lower.truncate(1);
            let lanes = Lanes::of_map(&forms(&recipe)[0]).unwrap();
            check(&recipe, &lane_axes(&recipe), &lanes, &[1]);
        });
    }
}

#[test]
fn patterns_of_kernels() {
    for_random_choices(500, |choices| {
        let recipe = pattern(choices);
        let run = choices.pick(&[1, 2, 3, 4]);
        check(&recipe, &lane_axes(&recipe), &Lanes::of_map(&forms(&recipe)[0]).unwrap(), &[run]);
    });
}

fn counts(recipe: &Recipe, bytes: i64) -> (i64, i64, i64) {
    let [map, _] = forms(recipe);
    match sectors(&map, &Lanes::along(0), size(bytes), 1, &Facts::empty(), &Budget::default()).unwrap() {
        Answer::Known(found) => (found.sectors, found.ideal, found.lines),
        open => panic!("{open:?}"),
    }
}

#[test]
fn the_cases_that_everybody_knows() {
    assert_eq!(counts(&stride(256, 1, 0), 4), (4, 4, 1));
    // One element beyond a sector, and two lines.
    assert_eq!(counts(&stride(256, 1, 1), 4), (5, 4, 2));
    assert_eq!(counts(&stride(256, 2, 0), 4), (8, 4, 2));
    assert_eq!(counts(&stride(256, 33, 0), 4), (32, 4, 32));
    assert_eq!(counts(&stride(256, 0, 0), 4), (1, 4, 1));
    assert_eq!(counts(&stride(256, 1, 0), 16), (16, 16, 4));
    assert_eq!(counts(&stride(256, 1, 0), 1), (1, 1, 1));
    assert_eq!(counts(&stride(4, 1, 0), 4), (1, 1, 1));
}
