//! Inputs that no one should write, and that must not hang, wrap or end the program.

use super::*;
use proofs::Budget;

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
    let _ = owners(map, None, POINTS, &never);
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
    assert_eq!(owners(&map, Some(8), 1 << 22, &cancelled), Err(OwnersError::Map(MapError::Cancelled)));
}

/// Whether a verdict is open, and whether it says that more work may decide it.
fn left_open(verdict: &proofs::Verdict) -> Option<bool> {
    match verdict {
        proofs::Verdict::Open { deeper, .. } => Some(*deeper),
        _ => None,
    }
}

/// Strides that are large, have no common divisor and differ by little: sums of few of them meet those of many others, so
/// that a search for two that are equal has exponentially many places to look.
fn adversarial() -> IndexMap {
    // Without a pattern: differences of a polynomial would cancel.
    let odd = |k: i64| {
        let mixed = (k + 1).wrapping_mul(-7_046_029_254_386_353_131);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(-4_658_895_280_553_007_687);
        (1i64 << 52) + ((mixed ^ (mixed >> 32)) & ((1 << 50) - 1)) * 2 + 1
    };
    strided(&(0..20).map(|k| (3, odd(k))).collect::<Vec<_>>(), 0)
}

#[test]
fn adversarial_strides_end_with_the_budget() {
    let (map, facts) = (adversarial(), Facts::empty());
    for steps in [0, 1, 100, 10_000] {
        let budget = Budget { steps, ..Budget::default() };
        assert_eq!(left_open(&proofs::injective(&map, &facts, &budget)), Some(true), "{steps} steps");
        assert_eq!(left_open(&proofs::race_free(&map, &facts, &budget)), Some(true), "{steps} steps");
    }
    // What the budget allows is spent and no more: a step looks at whether it is still wanted every few thousand.
    let looks = std::cell::Cell::new(0u64);
    let count = || {
        looks.set(looks.get() + 1);
        false
    };
    let budget = Budget { steps: 1 << 17, ..Budget::editing(&count) };
    let _ = proofs::injective(&map, &facts, &budget);
    assert!((1..=40).contains(&looks.get()), "{}", looks.get());
    // And it ends at once when it is not.
    let cancelled = || true;
    let budget = Budget { steps: u64::MAX, ..Budget::editing(&cancelled) };
    assert!(left_open(&proofs::injective(&map, &facts, &budget)).is_some());
}

#[test]
fn maps_of_astronomically_many_points_are_open_and_not_gone_through() {
    let facts = Facts::empty();
    let looks = std::cell::Cell::new(0u64);
    let count = || {
        looks.set(looks.get() + 1);
        false
    };
    for extents in [[1i64 << 30, 1 << 31], [1 << 62, 3], [i64::MAX, i64::MAX]] {
        let mut map = strided(&[(extents[0], 3), (extents[1], 5)], 0);
        let of = map.lower[0].value.clone();
        map.terms.push(Term::Digit { of, divisor: number(7), modulus: Some(number((1 << 40) + 15)) });
        map.lower[0].value = Affine::term(TermId(2));
        for effort in [Budget::editing(&count), Budget::deep(&count)] {
            let slots = Sym::zero()..number(1 << 39);
            for verdict in [
                proofs::injective(&map, &facts, &effort),
                proofs::race_free(&map, &facts, &effort),
                proofs::covers(&map, std::slice::from_ref(&slots), &facts, &effort),
            ] {
                assert!(!verdict.is_proven(), "{verdict:?}");
            }
        }
    }
    assert!(looks.get() < 100, "{} looks: points were gone through", looks.get());
}

#[test]
fn sizes_that_overflow_when_multiplied() {
    let facts = Facts::empty();
    // 2⁸⁰ points, of which the last leads beyond 64 bits: no claim about it may hold, and the collision is real.
    let map = strided(&[(1 << 40, 1 << 40), (1 << 40, 1)], 0);
    for bound in [1 << 50, 1 << 62, i64::MAX] {
        // A counterexample has to fit 64 bits; if only larger points violate the claim, it stays open.
        let verdict = proofs::in_bounds(&map, &[number(bound)], &facts, &Budget::default());
        assert_eq!((verdict.is_proven(), verdict.is_refuted()), (false, bound < i64::MAX), "{bound}: {verdict:?}");
    }
    let down = strided(&[(1 << 40, -(1 << 40)), (1 << 40, -1)], 5);
    assert!(proofs::in_bounds(&down, &[number(9)], &facts, &Budget::default()).is_refuted());
    assert!(!proofs::fits_bits(&map, 63, &facts, &Budget::default()).is_proven());
    assert!(!proofs::covers(&map, &[Sym::zero()..number(i64::MAX)], &facts, &Budget::default()).is_refuted());
    let map = strided(&[(1 << 40, 1 << 39), (1 << 40, 1)], 0);
    assert!(proofs::injective(&map, &facts, &Budget::default()).is_refuted());
    let builder_facts = Facts::empty();
    let axis = |extent| UpperAxis { extent: Some(number(extent)), role: AxisRole::Local };
    let mut builder = MapBuilder::new(vec![axis(1 << 40), axis(1 << 40)], &builder_facts);
    let (i, j) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
    let far = i.checked_scale(&number(1 << 62)).unwrap().checked_add(&j).unwrap();
    assert!(far.checked_scale(&number(4)).is_err());
    let _ = builder.digit(&far, &number(3), Some(&number(i64::MAX)));
    let mixed = builder.xor(&far, &j).unwrap();
    let map = builder.finish(vec![LowerAxis { value: mixed, extent: Some(number(7)) }]).unwrap();
    ask_everything(&map);
}

#[test]
fn conditions_that_bound_nothing_are_not_tried_in_all_combinations() {
    let facts = Facts::empty();
    let axes: Vec<(i64, i64)> = (0..64).map(|_| (2, 1)).collect();
    let mut map = strided(&axes, 0);
    for pair in 0..32 {
        let terms = vec![(TermId(2 * pair), number(1)), (TermId(2 * pair + 1), number(1))];
        let value = Affine { constant: Sym::zero(), terms };
        // The upper end is where the extents have it anyway; the lower one keeps the condition.
        map.masks.push(Mask { value, low: Some(number(1)), high: Some(number(3)), reason: MaskReason::Guard });
    }
    assert!(proofs::in_bounds(&map, &[number(65)], &facts, &Budget::default()).is_proven());
    ask_everything(&map);
}

#[test]
fn rank_64_of_xors_and_shifts() {
    let facts = Facts::empty();
    let extent = |axis: usize| if axis == 0 { Sym::symbol(Symbol::new("N", 0)) } else { number(4) };
    let axis = |axis: usize| UpperAxis { extent: Some(extent(axis)), role: AxisRole::Thread };
    let mut builder = MapBuilder::new((0..64).map(axis).collect(), &facts);
    let mut lower = Vec::new();
    let mut before = builder.coordinate(0).unwrap();
    lower.push(LowerAxis { value: before.clone(), extent: None });
    for axis in 1..64 {
        let here = builder.coordinate(axis).unwrap();
        let bits = builder.remainder(&before, &number(4)).unwrap();
        let value = if axis % 2 == 0 {
            builder.xor(&here, &bits).unwrap()
        } else {
            builder.remainder(&here.checked_add(&bits).unwrap(), &number(4)).unwrap()
        };
        lower.push(LowerAxis { value, extent: None });
        before = here;
    }
    let map = builder.finish(lower).unwrap();
    let budget = Budget::default();
    assert!(proofs::injective(&map, &facts, &budget).is_proven());
    let bounds: Vec<Sym> = (0..64).map(extent).collect();
    assert!(proofs::in_bounds(&map, &bounds, &facts, &budget).is_proven());
    ask_everything(&map);
}
