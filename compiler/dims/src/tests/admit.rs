//! Sizes that facts admit.

use std::collections::BTreeMap;

use super::expression::Expression;
use crate::{CompareOp, Fact, Facts, Symbol};

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
