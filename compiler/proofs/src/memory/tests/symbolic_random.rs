//! Answers about random maps with symbols, held against many sizes.

use std::collections::BTreeMap;

use super::oracle::{self, lane_axes, requests};
use super::{Answer, Lanes, Sectors, bank_conflicts, sectors, size, vector_width};
use crate::Budget;
use dims::{CompareOp, Fact, Facts, Sym, Symbol};
use maps::AxisRole;
use random_maps::{Choices, Node, Recipe, Size, for_random_choices, symbol};

fn number(value: i64) -> Size {
    Size::Number(value)
}

fn times(left: Size, right: i64) -> Size {
    Size::Times(Box::new(left), Box::new(number(right)))
}

fn a_size(choices: &mut Choices, numbers: &[i64]) -> Size {
    match choices.below(7) {
        0 => Size::Named("N"),
        1 => Size::Named("M"),
        2 => times(Size::Named("N"), choices.pick(&[2, 4, 8])),
        3 => Size::Plus(Box::new(Size::Named("M")), Box::new(number(choices.pick(&[1, 4])))),
        _ => number(choices.pick(numbers)),
    }
}

/// Local coordinates and threads with strides of any kind, masks, and now and then a digit or a swizzle.
fn recipe(choices: &mut Choices) -> Recipe {
    let mut recipe = Recipe { extents: Vec::new(), nodes: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    for _ in 0..1 + choices.below(2) {
        recipe.extents.push((a_size(choices, &[1, 2, 4, 8]), AxisRole::Local));
    }
    recipe.extents.push((a_size(choices, &[4, 32, 40, 64]), AxisRole::Thread));
    let axes = recipe.extents.len();
    recipe.nodes.extend((0..axes).map(Node::Coordinate));
    let mut parts = Vec::new();
    for axis in 0..axes {
        let node = recipe.nodes.len();
        let of = match choices.below(6) {
            0 => {
                let modulus = choices.chance(7).then(|| number(choices.pick(&[2, 4, 8])));
                recipe.nodes.push(Node::Digit(axis, number(choices.pick(&[1, 2, 4])), modulus));
                node
            }
            1 => {
                recipe.nodes.push(Node::Xor(axis, choices.below(axes)));
                node
            }
            _ => axis,
        };
        parts.push((a_size(choices, &[0, 1, 1, 1, 2, 4, 8, 32]), of));
    }
    let offset = if choices.chance(3) { a_size(choices, &[1, 4, 8]) } else { number(0) };
    recipe.nodes.push(Node::Sum(offset, parts));
    let address = recipe.nodes.len() - 1;
    let extent = choices.chance(2).then(|| a_size(choices, &[16, 64]));
    recipe.lower.push((address, extent));
    if choices.chance(4) {
        let of = choices.below(recipe.nodes.len());
        recipe.masks.push((of, None, Some(a_size(choices, &[2, 4, 6, 32]))));
    }
    recipe
}

/// The recipe for known sizes.
fn known(recipe: &Recipe, sizes: &BTreeMap<&'static str, i64>) -> Recipe {
    let known = |size: &Size| number(size.value(sizes));
    let node = |node: &Node| match node {
        Node::Coordinate(axis) => Node::Coordinate(*axis),
        Node::Sum(constant, parts) => {
            Node::Sum(known(constant), parts.iter().map(|(factor, of)| (known(factor), *of)).collect())
        }
        Node::Digit(of, divisor, modulus) => Node::Digit(*of, known(divisor), modulus.as_ref().map(known)),
        Node::Xor(left, right) => Node::Xor(*left, *right),
    };
    Recipe {
        extents: recipe.extents.iter().map(|(extent, role)| (known(extent), *role)).collect(),
        nodes: recipe.nodes.iter().map(node).collect(),
        lower: recipe.lower.iter().map(|(of, extent)| (*of, extent.as_ref().map(known))).collect(),
        masks: recipe
            .masks
            .iter()
            .map(|(of, low, high)| (*of, low.as_ref().map(known), high.as_ref().map(known)))
            .collect(),
    }
}

const SIZES: [i64; 9] = [1, 2, 3, 4, 8, 12, 16, 33, 40];

fn all_sizes(facts: &Facts) -> Vec<BTreeMap<&'static str, i64>> {
    let pairs = SIZES.iter().flat_map(|n| SIZES.iter().map(move |m| BTreeMap::from([("N", *n), ("M", *m)])));
    let symbols = |sizes: &BTreeMap<&'static str, i64>| -> BTreeMap<Symbol, i64> {
        sizes.iter().map(|(name, value)| (symbol(name), *value)).collect()
    };
    pairs.filter(|sizes| facts.check(&symbols(sizes)).is_ok()).collect()
}

fn some_facts(choices: &mut Choices) -> Facts {
    let mut facts = Facts::empty();
    for name in ["N", "M"] {
        if choices.chance(6) {
            let of = Sym::constant(choices.pick(&[2, 4, 8]));
            let remainder = Sym::symbol(symbol(name)).checked_remainder(&of, &Facts::empty()).unwrap();
            facts.assume(Fact::compare(remainder, CompareOp::Eq, Sym::zero())).unwrap();
        }
    }
    facts
}

/// Checks what was found against the requests of the sizes that it was found for.
fn worst_is(answer: &Answer<Sectors>, recipe: &Recipe, of: impl Fn(&Recipe) -> i64) {
    let Some(found) = answer.seen() else { return };
    // A symbol that the map does not depend on may have any value that the facts allow.
    let named: BTreeMap<&'static str, i64> =
        ["N", "M"].into_iter().map(|name| (name, found.sizes.get(&symbol(name)).copied().unwrap_or(8))).collect();
    // Sizes beyond these take the brute force too long.
    if recipe.points(&named) >= 20_000 {
        return;
    }
    let worst = of(&known(recipe, &named));
    match answer {
        Answer::Known(_) => assert_eq!(worst, found.sectors, "for {named:?}\n{recipe:?}"),
        // What was seen occurs; the requests of these sizes may have been too many to try each.
        Answer::Open { .. } => assert!(worst >= found.sectors, "{worst}, but {found:?} for {named:?}\n{recipe:?}"),
    }
}

#[test]
fn no_size_is_worse_than_the_answer() {
    for_random_choices(200, |choices| {
        let (facts, recipe) = (some_facts(choices), recipe(choices));
        let lanes = Lanes::of_map(&recipe.built(&facts).unwrap()).unwrap();
        let axes = lane_axes(&recipe);
        let bytes = choices.pick(&[2, 4, 8]);
        let banks = |recipe: &Recipe| {
            requests(recipe, &axes).iter().map(|lanes| oracle::degree(lanes, bytes)).max().unwrap_or(0)
        };
        let touched = |recipe: &Recipe| {
            requests(recipe, &axes).iter().map(|lanes| oracle::pieces(lanes, bytes, 1, 32)).max().unwrap_or(0)
        };
        let budget = Budget::default();
        for map in [recipe.built(&facts).unwrap(), recipe.raw(&facts).unwrap()] {
            let degree = bank_conflicts(&map, &lanes, size(bytes), &facts, &budget).unwrap();
            let moved = sectors(&map, &lanes, size(bytes), 1, &facts, &budget).unwrap();
            worst_is(&moved, &recipe, touched);
            for sizes in all_sizes(&facts).iter().filter(|sizes| recipe.points(sizes) < 3000) {
                let special = known(&recipe, sizes);
                if let Answer::Known(found) = &degree {
                    assert!(banks(&special) <= found.degree, "{found:?} for {sizes:?}\n{recipe:?}");
                }
                if let Answer::Known(found) = &moved {
                    assert!(touched(&special) <= found.sectors, "{found:?} for {sizes:?}\n{recipe:?}");
                }
            }
        }
    });
}

#[test]
fn vectors_are_vectors_for_every_size() {
    let widths = std::cell::Cell::new(0);
    for_random_choices(500, |choices| {
        let (facts, recipe) = (some_facts(choices), recipe(choices));
        let bytes = choices.pick(&[1, 4]);
        for map in [recipe.built(&facts).unwrap(), recipe.raw(&facts).unwrap()] {
            let found = vector_width(&map, size(bytes), &facts, &Budget::default()).unwrap();
            widths.set(widths.get() + i32::from(found.width > 1));
            for sizes in all_sizes(&facts).iter().filter(|sizes| recipe.points(sizes) < 400) {
                let truth = oracle::vector_width(&known(&recipe, sizes), bytes);
                assert!(found.width <= truth, "{found:?}, but {truth} for {sizes:?}\n{recipe:?}");
            }
        }
    });
    assert!(widths.get() > 20, "hardly anything is proven: {}", widths.get());
}
