//! The `reshape_map` vectors that were computed outside the project.

use crate::{Budget, covers, in_bounds, injective, race_free};
use dims::{Facts, Sym};
use maps::reshape_map;
use random_maps::vectors;

#[test]
fn every_verdict_of_the_vectors() {
    let (facts, budget) = (Facts::empty(), Budget::default());
    for vector in vectors::reshape_maps() {
        let map = reshape_map(&vector.spec, &facts).unwrap();
        let space: i64 = vector.sizes.iter().map(|(_, in_tensor)| in_tensor).product();
        let end = Sym::constant(vector.offset + space);
        let answers = [
            ("injective", injective(&map, &facts, &budget), vector.injective),
            ("race_free", race_free(&map, &facts, &budget), vector.race_free),
            ("covers", covers(&map, &[Sym::constant(vector.offset)..end.clone()], &facts, &budget), vector.covers),
            ("in_bounds", in_bounds(&map, &[end], &facts, &budget), vector.in_bounds),
        ];
        for (question, verdict, expected) in answers {
            assert_eq!(
                (verdict.is_proven(), verdict.is_refuted()),
                (expected, !expected),
                "{question} of {}: {verdict:?}",
                vector.text
            );
        }
    }
}
