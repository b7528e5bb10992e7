//! What access patterns cost, against brute force that looks at every byte.

mod banks;
mod oracle;
mod patterns;
mod sectors;
mod symbolic;
mod symbolic_random;
mod vectors;

use super::*;
use crate::Budget;
use dims::Facts;
use maps::IndexMap;
use random_maps::Recipe;

fn size(bytes: i64) -> ElementSize {
    ElementSize::of_bytes(bytes).unwrap()
}

/// The map as the builder makes it and as it is written down.
fn forms(recipe: &Recipe) -> [IndexMap; 2] {
    let facts = Facts::empty();
    [recipe.built(&facts).unwrap(), recipe.raw(&facts).unwrap()]
}

/// The budget of an editor, and one that leaves only what can be reasoned.
fn budgets() -> [Budget<'static>; 2] {
    let full = Budget::default();
    [full, Budget { points: 1 << 12, ..full }]
}
