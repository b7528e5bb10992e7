//! Tests of the maps, each against formulas written down a second time.

pub(crate) mod random;
pub(crate) mod vectors;

use super::*;
use crate::dims::{Facts, Sym};

fn number(value: i64) -> Sym {
    Sym::constant(value)
}

fn never() -> bool {
    false
}

fn no_sizes(_: &crate::dims::Symbol) -> Option<i64> {
    None
}

#[test]
fn the_chain_of_the_seed() {
    let facts = Facts::empty();
    let levels = [
        ChainLevel { map: continuous_linear(&number(64), None, &facts).unwrap(), unit_size: number(32) },
        ChainLevel { map: continuous_linear(&number(2), None, &facts).unwrap(), unit_size: number(1) },
    ];
    let map = chain(&levels, Some(number(128)), &facts).unwrap();
    let slot = |index: i64, thread: i64| evaluate(&map, &[index, thread], &no_sizes).unwrap();
    assert_eq!(slot(0, 32), Point { lower: vec![64], valid: true });
    assert_eq!(slot(1, 32), Point { lower: vec![65], valid: true });
    assert_eq!(slot(0, 33), Point { lower: vec![66], valid: true });
    assert!(!slot(2, 33).valid);
}

#[test]
fn owners_of_the_vectors() {
    for vector in vectors::reshape_maps() {
        let map = reshape_map(&vector.spec, &Facts::empty()).unwrap();
        let owners: Vec<i64> =
            owners(&map, None, &never).unwrap().iter().map(|owner| owner.map_or(-1, |owner| owner as i64)).collect();
        assert_eq!(owners, vector.owners, "{}", vector.text);
        let compiled = CompiledMap::new(&map, Domain::Extents).unwrap();
        let mut masked = 0;
        compiled
            .visit(&never, |chunk| {
                masked += chunk.valid().iter().filter(|valid| !**valid).count() as i64;
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(masked, vector.masked, "{}", vector.text);
    }
}
