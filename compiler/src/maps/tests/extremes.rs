//! Inputs that no one should write, and that must not hang, wrap or end the program.

use super::*;
use crate::proofs::{self, Budget};

/// Asks everything that can be asked.
fn ask_everything(map: &IndexMap) {
    let (facts, budget) = (Facts::empty(), Budget::default());
    let bounds = vec![number(1000); map.lower.len()];
    let slots: Vec<_> = bounds.iter().map(|bound| Sym::zero()..bound.clone()).collect();
    let _ = proofs::injective(map, &facts, &budget);
    let _ = proofs::race_free(map, &facts, &budget);
    let _ = proofs::in_bounds(map, &bounds, &facts, &budget);
    let _ = proofs::covers(map, &slots, &facts, &budget);
    let _ = proofs::equal(map, map, &facts, &budget);
    let _ = proofs::fits_bits(map, 32, &facts, &budget);
    let _ = proofs::without_implied_conditions(map, &facts);
    let _ = describe(map, &facts);
    let _ = owners(map, None, &never);
    let _ = upper(map, &vec![0; map.lower.len()], &never);
    let _ = evaluate(map, &vec![i64::MAX; map.upper.len()], &no_sizes);
    let _ = evaluate(map, &vec![i64::MIN; map.upper.len()], &no_sizes);
    let _ = compose(map, map, &facts);
}

/// A strided map; sizes may be anything.
fn strided(axes: &[(i64, i64)], constant: i64) -> IndexMap {
    let mut map = IndexMap { upper: Vec::new(), terms: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    let mut value = Affine::constant(number(constant));
    for (axis, (extent, stride)) in axes.iter().enumerate() {
        let role = if axis % 2 == 0 { AxisRole::Thread } else { AxisRole::Local };
        map.upper.push(UpperAxis { extent: Some(number(*extent)), role });
        map.terms.push(Term::Coordinate(axis as u32));
        value.terms.push((TermId(axis as u32), number(*stride)));
    }
    map.lower.push(LowerAxis { value, extent: None });
    map
}

#[test]
fn strides_and_extents_at_the_end_of_the_range() {
    let edges = [i64::MAX, i64::MIN, i64::MIN + 1, i64::MAX - 1, 1 << 62, -1, 0, 1, 3];
    for first in edges {
        for second in edges {
            ask_everything(&strided(&[(first, second)], second));
            ask_everything(&strided(&[(first, 1), (second, first), (5, second)], first));
            ask_everything(&strided(&[(1 << 40, first), (1 << 40, second)], 0));
        }
    }
}

#[test]
fn no_coordinates_and_very_many() {
    ask_everything(&strided(&[], 0));
    assert_eq!(at(&strided(&[], 7), &[]), Some(vec![7]));
    let many: Vec<(i64, i64)> = (0..64).map(|axis| (if axis < 60 { 2 } else { 1 }, 1i64 << (axis % 62))).collect();
    ask_everything(&strided(&many, 0));
    let tangled: Vec<(i64, i64)> = (0..64).map(|axis| (100, 1001 + 7 * axis * axis)).collect();
    ask_everything(&strided(&tangled, 0));
    let flat: Vec<(i64, i64)> = (0..64).map(|_| (1000, 0)).collect();
    ask_everything(&strided(&flat, 0));
}

#[test]
fn symbols_everywhere() {
    // A weight that is a product of many symbols is long, and questions about it end all the same.
    let facts = Facts::empty();
    let size = |dimension: usize| Sym::symbol(Symbol::new(format!("S{dimension}"), 0));
    let dimensions: Vec<(Sym, Sym)> = (0..12).map(|dimension| (size(dimension), size(dimension))).collect();
    let spec = ReshapeMapSpec {
        local: dimensions[..6].to_vec(),
        thread: dimensions[6..].to_vec(),
        layout: (0..12).map(|dimension| LayoutEntry { dimension, reversed: dimension % 3 == 0 }).collect(),
        offset: Sym::zero(),
    };
    let map = reshape_map(&spec, &facts).unwrap();
    assert!(proofs::injective(&map, &facts, &Budget::default()).is_proven());
    ask_everything(&map);
}

#[test]
fn malformed_maps() {
    let unknown = Affine::term(TermId(9));
    let mut map = strided(&[(4, 1), (4, 4)], 0);
    map.terms.push(Term::Coordinate(77));
    ask_everything(&map);
    map.terms.push(Term::Xor(unknown.clone(), unknown.clone()));
    ask_everything(&map);
    for (divisor, modulus) in [(0, Some(4)), (-3, None), (4, Some(0)), (i64::MAX, Some(i64::MAX))] {
        let mut map = strided(&[(4, 1), (4, 4)], 0);
        let of = Affine { constant: number(-5), terms: vec![(TermId(0), number(3)), (TermId(1), number(7))] };
        map.terms.push(Term::Digit { of, divisor: number(divisor), modulus: modulus.map(number) });
        map.lower[0].value = Affine::term(TermId(2));
        ask_everything(&map);
    }
    let mut map = strided(&[(4, 1)], 0);
    map.masks.push(Mask { value: unknown, low: None, high: Some(number(3)), reason: MaskReason::Guard });
    ask_everything(&map);
    let mut map = strided(&[(4, 1), (4, 4)], 0);
    for (low, high) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (3, 3)] {
        let value = map.lower[0].value.clone();
        map.masks.push(Mask { value, low: Some(number(low)), high: Some(number(high)), reason: MaskReason::Guard });
        ask_everything(&map);
    }
}

#[test]
fn work_stops_on_request() {
    let map = strided(&[(1 << 11, 3), (1 << 11, 5)], 0);
    let mut map = map;
    let of = map.lower[0].value.clone();
    map.terms.push(Term::Digit { of, divisor: number(7), modulus: Some(number(1 << 20)) });
    map.lower[0].value = Affine::term(TermId(2));
    let cancelled = || true;
    let verdict = proofs::injective(&map, &Facts::empty(), &Budget::editing(&cancelled));
    assert!(matches!(verdict, proofs::Verdict::Open { .. }), "{verdict:?}");
    assert_eq!(owners(&map, Some(8), &cancelled), Err(OwnersError::Map(MapError::Cancelled)));
}
