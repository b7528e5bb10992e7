//! Bank conflicts: brute force, the theorems, and what everybody knows.

use num_integer::Integer;

use super::oracle::{self, lane_axes, requests};
use super::patterns::{linear_over_bits, pattern, stride, tile};
use super::{Answer, BankConflicts, Lanes, bank_conflicts, budgets, forms, size};
use crate::Budget;
use dims::Facts;
use maps::IndexMap;
use random_maps::{Flavour, Recipe, for_random_choices, random_recipe};

fn asked(map: &IndexMap, lanes: &Lanes, bytes: i64, budget: &Budget<'_>) -> Answer<BankConflicts> {
    bank_conflicts(map, lanes, size(bytes), &Facts::empty(), budget).unwrap()
}

fn degree(recipe: &Recipe, lanes: &Lanes, bytes: i64) -> i64 {
    let [built, _] = forms(recipe);
    match asked(&built, lanes, bytes, &Budget::default()) {
        Answer::Known(found) => found.degree,
        open => panic!("{open:?}\n{recipe:?}"),
    }
}

fn check(recipe: &Recipe, axes: &[usize], lanes: &Lanes) {
    let requests = requests(recipe, axes);
    for bytes in [1, 2, 4, 8, 16] {
        let truth = requests.iter().map(|lanes| oracle::degree(lanes, bytes)).max().unwrap_or(0);
        for map in forms(recipe) {
            for budget in budgets() {
                let answer = asked(&map, lanes, bytes, &budget);
                let known = matches!(answer, Answer::Known(_));
                let Some(found) = answer.seen() else { continue };
                assert!(found.degree <= truth && (!known || found.degree == truth), "{truth}: {answer:?}\n{recipe:?}");
                confirm(found, recipe, bytes);
            }
            let answer = asked(&map, lanes, bytes, &Budget::default());
            assert!(matches!(answer, Answer::Known(_)), "{answer:?}\n{recipe:?}");
        }
    }
}

/// The two lanes really are in one bank, and not at one word.
fn confirm(found: &BankConflicts, recipe: &Recipe, bytes: i64) {
    assert_eq!(found.conflict.is_some(), found.degree > 1, "{found:?}\n{recipe:?}");
    let Some(conflict) = &found.conflict else { return };
    let sizes = Default::default();
    let words = |lane: &super::LaneAccess| {
        let address = recipe.at(&lane.upper, &sizes).expect("the lane takes part")[0];
        assert_eq!(address, lane.address, "{conflict:?}\n{recipe:?}");
        let words = (address * bytes).div_euclid(4)..=(address * bytes + bytes - 1).div_euclid(4);
        words.filter(|word| word.rem_euclid(32) == conflict.bank).collect::<Vec<i64>>()
    };
    let (first, second) = (words(&conflict.first), words(&conflict.second));
    assert!(!first.is_empty() && !second.is_empty(), "{conflict:?}\n{recipe:?}");
    assert!(first != second || first.len() > 1, "{conflict:?}\n{recipe:?}");
    let phase = if bytes <= 4 { 32 } else { 128 / bytes as usize };
    assert_eq!(conflict.first.lane / phase, conflict.second.lane / phase, "{conflict:?}");
}

#[test]
fn maps_of_any_kind() {
    for flavour in [Flavour::Any, Flavour::Powers, Flavour::Nested] {
        for_random_choices(250, |choices| {
            let mut recipe = random_recipe(choices, flavour);
            recipe.lower.truncate(1);
            let lanes = Lanes::of_map(&forms(&recipe)[0]).unwrap();
            check(&recipe, &lane_axes(&recipe), &lanes);
        });
    }
}

#[test]
fn patterns_of_kernels() {
    for_random_choices(800, |choices| {
        let recipe = pattern(choices);
        check(&recipe, &lane_axes(&recipe), &Lanes::of_map(&forms(&recipe)[0]).unwrap());
    });
}

#[test]
fn lanes_along_any_coordinate() {
    for_random_choices(500, |choices| {
        let recipe = pattern(choices);
        let axis = choices.below(recipe.extents.len());
        check(&recipe, &[axis], &Lanes::along(axis));
    });
}

/// T6: one stride of words conflicts as often as its greatest common divisor with 32 says, wherever it begins.
#[test]
fn t6_a_stride_of_words() {
    for words in -1300..1300i64 {
        for base in [0, 1, 31, 1000] {
            let recipe = stride(32, words, base);
            let expected = if words == 0 { 1 } else { words.gcd(&32) };
            assert_eq!(degree(&recipe, &Lanes::along(0), 4), expected, "stride {words} from {base}");
        }
    }
}

/// T6: accesses of 8 and 16 bytes are counted by halves and quarters of the warp.
#[test]
fn t6_wide_accesses_side_by_side_do_not_conflict() {
    for bytes in [1, 2, 4, 8, 16] {
        assert_eq!(degree(&stride(64, 1, 0), &Lanes::along(0), bytes), 1, "{bytes} bytes");
    }
    assert_eq!(degree(&stride(32, 2, 0), &Lanes::along(0), 8), 2);
    assert_eq!(degree(&stride(32, 2, 0), &Lanes::along(0), 16), 2);
    assert_eq!(degree(&stride(32, 8, 0), &Lanes::along(0), 16), 8);
    // Four bytes of one word go to four lanes at once.
    assert_eq!(degree(&stride(32, 4, 0), &Lanes::along(0), 1), 1);
    assert_eq!(degree(&stride(32, 8, 0), &Lanes::along(0), 1), 2);
}

/// T5: the degree of a map that is linear over bits is 2 to the power of dim ker bank − dim ker address.
#[test]
fn t5_the_closed_form_for_maps_over_bits() {
    for_random_choices(10_000, |choices| {
        let (recipe, masks) = linear_over_bits(choices);
        let bank = 5 - rank(&masks[..5]);
        let address = 5 - rank(&masks);
        assert_eq!(degree(&recipe, &Lanes::along(0), 4), 1 << (bank - address), "{masks:?}");
    });
}

/// The rank of rows over GF(2).
fn rank(rows: &[u32]) -> u32 {
    let mut rows = rows.to_vec();
    let mut rank = 0;
    for bit in 0..5 {
        let Some(pivot) = rows.iter().position(|row| row & (1 << bit) != 0) else { continue };
        let pivot = rows.swap_remove(pivot);
        rows.iter_mut().filter(|row| **row & (1 << bit) != 0).for_each(|row| *row ^= pivot);
        rank += 1;
    }
    rank
}

#[test]
fn columns_of_a_tile_conflict_until_it_is_swizzled_or_padded() {
    let (rows, columns) = (Lanes::along(1), Lanes::along(0));
    let plain = tile(32, 32, 32, false);
    assert_eq!((degree(&plain, &rows, 4), degree(&plain, &columns, 4)), (1, 32));
    let swizzled = tile(32, 32, 32, true);
    assert_eq!((degree(&swizzled, &rows, 4), degree(&swizzled, &columns, 4)), (1, 1));
    let padded = tile(32, 32, 33, false);
    assert_eq!((degree(&padded, &rows, 4), degree(&padded, &columns, 4)), (1, 1));
}

#[test]
fn huge_maps_are_answered_from_a_few_requests() {
    // 2^40 points and more: only the classes of base addresses are looked at.
    let mut recipe = stride(1 << 20, 2, 0);
    recipe.extents.insert(0, (random_maps::Size::Number(1 << 30), maps::AxisRole::Local));
    recipe.nodes = vec![
        random_maps::Node::Coordinate(0),
        random_maps::Node::Coordinate(1),
        random_maps::Node::Sum(
            random_maps::Size::Number(5),
            vec![(random_maps::Size::Number(1 << 21), 0), (random_maps::Size::Number(2), 1)],
        ),
    ];
    recipe.lower = vec![(2, None)];
    assert_eq!(degree(&recipe, &Lanes::along(1), 4), 2);
}
