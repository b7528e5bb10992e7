//! Digits are refined when they are made (T7).

use super::*;
use seeds::Draw;

fn one_axis(extent: i64, build: impl Fn(&mut MapBuilder<'_>, Affine) -> Affine) -> IndexMap {
    let facts = Facts::empty();
    let upper = vec![UpperAxis { extent: Some(number(extent)), role: AxisRole::Local }];
    let mut builder = MapBuilder::new(upper, &facts);
    let coordinate = builder.coordinate(0).unwrap();
    let value = build(&mut builder, coordinate);
    builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
}

/// Merge then unmerge: the digits of `first`, swapped and laid out densely, read as digits of `second`, swapped too.
fn merge_unmerge(first: [i64; 2], second: [i64; 2]) -> IndexMap {
    one_axis(first[0] * first[1], |builder, x| {
        let (high, low) =
            (builder.floor_div(&x, &number(first[1])).unwrap(), builder.remainder(&x, &number(first[1])).unwrap());
        let flat = high.checked_scale(&number(first[1])).unwrap().checked_add(&low).unwrap();
        let (high, low) = (
            builder.floor_div(&flat, &number(second[1])).unwrap(),
            builder.remainder(&flat, &number(second[1])).unwrap(),
        );
        low.checked_scale(&number(second[0])).unwrap().checked_add(&high).unwrap()
    })
}

/// Whether every digit is cut from a coordinate itself, not from a sum of digits.
fn is_refined(map: &IndexMap) -> bool {
    map.terms.iter().all(|term| match term {
        Term::Digit { of, .. } => {
            matches!(of.as_term().and_then(|term| map.term(term)), Some(Term::Coordinate(_)))
        }
        _ => true,
    })
}

#[test]
fn merge_then_unmerge_is_refined_where_the_prefix_products_form_a_chain() {
    assert!(is_refined(&merge_unmerge([2, 6], [4, 3])));
    assert!(!is_refined(&merge_unmerge([2, 3], [3, 2])));
    for (first, second) in [([2, 6], [4, 3]), ([2, 3], [3, 2]), ([4, 8], [8, 4])] {
        let map = merge_unmerge(first, second);
        for x in 0..first[0] * first[1] {
            let slot = x % second[1] * second[0] + x / second[1];
            assert_eq!(at(&map, &[x]), Some(vec![slot]), "{first:?} {second:?}");
        }
    }
}

#[test]
fn digits_that_are_whole_again_are_joined() {
    let map = one_axis(24, |builder, x| {
        let digits = [
            (1, builder.remainder(&x, &number(2)).unwrap()),
            (2, builder.digit(&x, &number(2), Some(&number(3))).unwrap()),
            (6, builder.floor_div(&x, &number(6)).unwrap()),
        ];
        digits.iter().fold(Affine::constant(number(5)), |sum, (weight, digit)| {
            sum.checked_add(&digit.checked_scale(&number(*weight)).unwrap()).unwrap()
        })
    });
    assert_eq!(map.terms, [Term::Coordinate(0)]);
}

#[test]
fn digits_of_reversals_are_reversals_of_digits() {
    let map = one_axis(12, |builder, x| {
        let reversed = Affine::constant(number(11)).checked_sub(&x).unwrap();
        builder.digit(&reversed, &number(3), Some(&number(2))).unwrap()
    });
    assert!(is_refined(&map), "{map:?}");
    for x in 0..12 {
        assert_eq!(at(&map, &[x]), Some(vec![(11 - x) / 3 % 2]));
    }
}

#[test]
fn a_digit_with_nothing_to_cut_is_not_one() {
    let map = one_axis(6, |builder, x| {
        let whole = builder.digit(&x, &number(1), Some(&number(6))).unwrap();
        let none = builder.digit(&x, &number(6), None).unwrap();
        let one = builder.digit(&x, &number(2), Some(&number(1))).unwrap();
        assert_eq!((none.as_constant(), one.as_constant()), (Some(&number(0)), Some(&number(0))));
        whole
    });
    assert_eq!(map.terms, [Term::Coordinate(0)]);
}

/// Of conditions on one form only those are kept that no other one implies; which points are valid stays as it was.
#[test]
fn conditions_that_follow_from_others_are_left_out() {
    for seed in seeds::range(300) {
        let mut draw = Draw::new(seed);
        let intervals: Vec<(i64, i64, i64)> =
            (0..draw.between(1, 8)).map(|_| (draw.between(-3, 3), draw.between(0, 9), draw.between(8, 24))).collect();
        let facts = Facts::empty();
        let upper = vec![UpperAxis { extent: Some(number(20)), role: AxisRole::Local }];
        let mut builder = MapBuilder::new(upper, &facts);
        let coordinate = builder.coordinate(0).unwrap();
        for (added, low, high) in &intervals {
            let value = coordinate.checked_add(&Affine::constant(number(*added))).unwrap();
            builder.mask(&value, Some(&number(*low)), Some(&number(*high)), MaskReason::Padding).unwrap();
        }
        let map = builder.finish(vec![LowerAxis { value: coordinate, extent: None }]).unwrap();
        for x in 0..20 {
            let valid = intervals.iter().all(|(added, low, high)| (*low..*high).contains(&(x + added)));
            assert_eq!(at(&map, &[x]).is_some(), valid, "{x} of {intervals:?}");
        }
        let nested = intervals.windows(2).all(|pair| {
            let inside = |(added, low, high): (i64, i64, i64)| (low - added, high - added);
            let ((low, high), (inner_low, inner_high)) = (inside(pair[0]), inside(pair[1]));
            low <= inner_low && inner_high <= high
        });
        assert!(!nested || map.masks.len() <= 1, "{intervals:?}: {:?}", map.masks);
    }
}

/// Stage after stage adds the same conditions moved by one: there is one in the end, however long the pipeline is.
#[test]
fn a_long_pipeline_has_few_conditions() {
    let facts = Facts::empty();
    let mut map = one_axis(64, |_, x| x);
    map.lower[0].extent = Some(number(64));
    for stage in 1..=500 {
        let wider = vec![UpperAxis { extent: Some(number(64 + 2 * stage)), role: AxisRole::Local }];
        let mut builder = MapBuilder::new(wider, &facts);
        let moved = builder.coordinate(0).unwrap().checked_sub(&Affine::constant(number(1))).unwrap();
        let pad = builder.finish(vec![LowerAxis { value: moved, extent: Some(number(62 + 2 * stage)) }]).unwrap();
        map = compose(&map, &pad, &facts).unwrap();
    }
    assert_eq!(map.masks.len(), 1, "{:?}", map.masks);
    let valid: Vec<i64> = (0..1064).filter(|x| at(&map, &[*x]).is_some()).collect();
    assert_eq!(valid, (500..564).collect::<Vec<_>>());
}
