//! Vector widths against brute force.

use super::oracle;
use super::patterns::pattern;
use super::{Budget, forms, size, vector_width};
use dims::Facts;
use random_maps::{Flavour, Recipe, for_random_choices, random_recipe};

fn check(recipe: &Recipe) {
    for bytes in [1, 2, 4, 8] {
        let truth = oracle::vector_width(recipe, bytes);
        for map in forms(recipe) {
            let found = vector_width(&map, size(bytes), &Facts::empty(), &Budget::default()).unwrap();
            assert_eq!(found.width, truth, "{found:?}\n{recipe:?}");
            assert_eq!(found.limit.as_ref().map(|limit| limit.width), (2 * truth * bytes <= 16).then_some(2 * truth));
            // By the rule alone it may be less, never more.
            let budget = Budget { points: 0, ..Budget::default() };
            let found = vector_width(&map, size(bytes), &Facts::empty(), &budget).unwrap();
            assert!(found.width <= truth, "{found:?} is more than {truth}\n{recipe:?}");
        }
    }
}

fn with_one_lower(recipe: Recipe) -> Recipe {
    let mut recipe = recipe;
    recipe.lower.truncate(1);
    recipe
}

#[test]
fn maps_of_any_kind() {
    for flavour in [Flavour::Any, Flavour::Powers, Flavour::Nested] {
        for_random_choices(400, |choices| check(&with_one_lower(random_recipe(choices, flavour))));
    }
}

#[test]
fn patterns_of_kernels() {
    for_random_choices(800, |choices| check(&pattern(choices)));
}

/// T8 decides strided maps without masks: the rule alone gives the truth.
#[test]
fn t8_is_exact_for_strides() {
    for_random_choices(10_000, |choices| {
        let recipe = super::patterns::strided(choices);
        let truth = oracle::vector_width(&recipe, 1);
        let budget = Budget { points: 0, ..Budget::default() };
        for map in forms(&recipe) {
            let found = vector_width(&map, size(1), &Facts::empty(), &budget).unwrap();
            assert_eq!(found.width, truth, "{found:?}\n{recipe:?}");
        }
    });
}
