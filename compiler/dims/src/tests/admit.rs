//! Sizes that facts admit.

use std::collections::BTreeMap;

use super::expression::Expression;
use crate::{CompareOp, Fact, Facts, Sym, Symbol};

fn admitted(facts: &[(&str, CompareOp, &str)], sizes: &[(&str, i64)]) -> Result<(), String> {
    let side = |text: &str| Expression::read(text).symbolic(&Facts::empty()).unwrap();
    let mut all = Facts::empty();
    for (left, op, right) in facts {
        all.assume(Fact::compare(side(left), *op, side(right))).unwrap();
    }
    let sizes: BTreeMap<Symbol, i64> = sizes.iter().map(|(name, value)| (Symbol::new(*name, 0), *value)).collect();
    all.admit(&sizes).map_err(|violated| violated.to_string())
}

#[test]
fn a_symbol_without_a_size_needs_some_value() {
    let fourfold = [("M", CompareOp::Eq, "4 * N")];
    assert_eq!(admitted(&fourfold, &[("M", 4000)]), Ok(()));
    assert_eq!(admitted(&fourfold, &[("M", 1 << 40)]), Ok(()));
    assert_eq!(admitted(&fourfold, &[("M", 3)]), Err("`M == 4 * N` does not hold for M = 3 and any N".to_owned()));
    assert_eq!(admitted(&fourfold, &[("M", 8), ("N", 2)]), Ok(()));
    assert_eq!(
        admitted(&fourfold, &[("M", 8), ("N", 3)]),
        Err("`M == 4 * N` does not hold for M = 8, N = 3".to_owned())
    );
}

#[test]
fn one_value_serves_all_facts() {
    let between = [("M", CompareOp::Lt, "N"), ("N", CompareOp::Lt, "M + K")];
    assert_eq!(admitted(&between, &[("M", 900), ("K", 2)]), Ok(()));
    assert!(admitted(&between, &[("M", 900), ("K", 1)]).is_err());
}

#[test]
fn facts_about_other_symbols_do_not_matter() {
    let other = [("A", CompareOp::Eq, "1000003 * B"), ("M", CompareOp::Ge, "2")];
    assert_eq!(admitted(&other, &[("M", 2)]), Ok(()));
}

#[test]
fn values_that_were_not_found_are_no_proof_that_there_are_none() {
    let squares = [("A * A + B * B", CompareOp::Eq, "M")];
    let refused = admitted(&squares, &[("M", 426_389)]).unwrap_err();
    let words = "`A * A + B * B == M` holds for M = 426389 with none of the values tried for A, B; give values with which it does";
    assert_eq!(refused, words);
    assert_eq!(admitted(&squares, &[("M", 426_389), ("A", 233), ("B", 610)]), Ok(()));
}

#[test]
fn a_value_is_found_where_sides_grow_with_it() {
    let n = |value| [("N", value)];
    for value in 1..120 {
        for divisor in ["2", "3", "7", "16"] {
            let quotient = format!("L / {divisor}");
            assert_eq!(admitted(&[(&quotient, CompareOp::Eq, "N")], &n(value)), Ok(()), "{quotient} == {value}");
        }
        assert_eq!(
            admitted(&[("N", CompareOp::Eq, "L / 2 + L / 3")], &n(value)).is_ok(),
            (1..400).any(|l| l / 2 + l / 3 == value)
        );
        let cut = [("N", CompareOp::Eq, "(L + K - 1) / K"), ("K", CompareOp::Eq, "3"), ("L", CompareOp::Gt, "100")];
        assert_eq!(admitted(&cut, &n(value)).is_ok(), value > 33, "{value}");
    }
    assert_eq!(admitted(&[("N / L", CompareOp::Eq, "3")], &n(40)), Ok(()));
    assert!(admitted(&[("N / L", CompareOp::Eq, "3")], &n(5)).is_err());
}

#[test]
fn very_many_facts_cost_as_much_as_their_text() {
    let mut facts = Facts::empty();
    let symbol = |number: i32| Sym::symbol(Symbol::new(format!("N{number}"), 0));
    for number in 0..10_000 {
        facts.assume(Fact::compare(symbol(number), CompareOp::Lt, symbol(number + 1))).unwrap();
    }
    let sizes =
        |last: i64| (0..=10_000).map(|number| (Symbol::new(format!("N{number}"), 0), number.min(last) + 1)).collect();
    assert_eq!(facts.check(&sizes(10_000)), Ok(()));
    assert!(facts.check(&sizes(9_999)).is_err());
}
