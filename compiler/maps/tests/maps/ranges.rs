//! Ranges of values, whose ends are sizes.

use super::*;

/// What a variable may hold after `if a < N - number { a = a + 1; }`, if it was in a range before.
fn updated(range: &Range, number: i64, facts: &Facts) -> Range {
    let size = Sym::symbol(Symbol::new("N", 0));
    let below = Range { low: None, high: size.checked_sub(&(number + 1).into()).ok() };
    range.union(&range.intersect(&below, facts).plus(&Range::exactly(Sym::one())), facts)
}

#[test]
fn ends_stay_short_however_many_ranges_follow_each_other() {
    let facts = Facts::empty();
    let mut range = Range::exactly(Sym::zero());
    for number in 0..256 {
        range = updated(&range, number, &facts);
        assert_eq!(range.low, Some(Sym::zero()), "{number}");
        let weight = range.high.as_ref().map_or(0, Sym::weight);
        assert!(weight <= 64, "after {number} updates, the end has a weight of {weight}");
    }
}

#[test]
fn an_end_that_stands_already_is_kept_however_long_it_is() {
    let symbols = (0..100).map(|number| Sym::symbol(Symbol::new(format!("N{number}"), 0)));
    let long = symbols.fold(Sym::zero(), |sum, symbol| sum.checked_add(&symbol).unwrap());
    let range = Range::exactly(long.clone());
    assert_eq!(range.union(&range, &Facts::empty()), range);
    let below = Range { low: Some(Sym::zero()), high: None };
    assert_eq!(range.intersect(&below, &Facts::empty()), range);
}
