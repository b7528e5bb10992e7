//! Symbols from extents.

use super::expression::Expression;
use crate::{CompareOp, Fact, Facts, Solved, Sym, Symbol};

fn solve(dimension: &str, extent: i64, known: &[(&str, i64)]) -> String {
    let dimension = Expression::read(dimension).symbolic(&Facts::empty()).unwrap();
    let known = |symbol: &Symbol| known.iter().find(|(name, _)| *name == symbol.name()).map(|(_, value)| *value);
    match dimension.solve(extent, &known) {
        Solved::Is(symbol, value) => {
            let check = |asked: &Symbol| if *asked == symbol { Some(value) } else { known(asked) };
            assert_eq!(dimension.evaluate(&check), Ok(extent), "{symbol} = {value}");
            format!("{symbol} = {value}")
        }
        Solved::TooSmall(symbol, value) => format!("{symbol} would be {value}"),
        Solved::Never(symbol) => format!("no {symbol}"),
        Solved::Nothing => "nothing".to_owned(),
    }
}

#[test]
fn an_extent_says_what_a_symbol_is() {
    assert_eq!(solve("N", 5, &[]), "N = 5");
    assert_eq!(solve("N + 1", 5, &[]), "N = 4");
    assert_eq!(solve("2 * N + 1", 5, &[]), "N = 2");
    assert_eq!(solve("10 - N", 4, &[]), "N = 6");
    assert_eq!(solve("M * N + M", 12, &[("M", 3)]), "N = 3");
    assert_eq!(solve("N + M / 4", 12, &[("M", 9)]), "N = 10");
}

/// A quotient says what its dividend is only where the facts make it exact.
#[test]
fn an_exact_quotient_is_solved_for_its_dividend() {
    let solve = |dimension: &str, stated: &[Fact], extent| {
        let mut facts = Facts::empty();
        stated.iter().for_each(|fact| assert!(facts.assume(fact.clone()).is_ok()));
        let dimension = Expression::read(dimension).symbolic(&facts).unwrap();
        dimension.solve(extent, &|symbol| (symbol.name() == "B").then_some(4))
    };
    let multiple = |by: &str| {
        let remainder = Expression::read(&format!("K % {by}")).symbolic(&Facts::empty()).unwrap();
        Fact::compare(remainder, CompareOp::Eq, Sym::zero())
    };
    let k = || Symbol::new("K", 0);
    assert_eq!(solve("K / 128", &[multiple("128")], 2), Solved::Is(k(), 256));
    assert_eq!(solve("K / 128 + 1", &[multiple("128")], 3), Solved::Is(k(), 256));
    assert_eq!(solve("3 * (K / 128)", &[multiple("128")], 6), Solved::Is(k(), 256));
    assert_eq!(solve("3 * (K / 128)", &[multiple("128")], 7), Solved::Never(k()));
    assert_eq!(solve("K / B", &[multiple("B")], 5), Solved::Is(k(), 20));
    assert_eq!(solve("K / 128", &[multiple("128")], 0), Solved::TooSmall(k(), 0));
    assert_eq!(solve("K / 128", &[], 2), Solved::Nothing);
    assert_eq!(solve("K / 128", &[multiple("64")], 2), Solved::Nothing);
    assert_eq!(solve("K / 128", &[multiple("128")], i64::MAX), Solved::Nothing);
}

#[test]
fn an_extent_that_no_symbol_gives_is_told() {
    assert_eq!(solve("N + 4", 3, &[]), "N would be -1");
    assert_eq!(solve("N + 4", 4, &[]), "N would be 0");
    assert_eq!(solve("2 * N", 3, &[]), "no N");
}

#[test]
fn an_extent_that_leaves_a_symbol_open_says_nothing() {
    for dimension in ["N / 4", "N * N", "M + N", "N * M", "min(N, 4)", "8"] {
        assert_eq!(solve(dimension, 8, &[]), "nothing", "{dimension}");
    }
    assert_eq!(solve("M * N", 0, &[("M", 0)]), "nothing");
    assert_eq!(solve("N + 1", 8, &[("N", 3)]), "nothing");
}
