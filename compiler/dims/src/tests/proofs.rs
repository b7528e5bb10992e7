//! Facts, what follows from them, and what contradicts them.

use std::collections::{BTreeMap, BTreeSet};

use super::expression::{Expression, symbol};
use crate::{CompareOp, Contradiction, Fact, Facts, Interval, Proof, Sym, Symbol};

/// Reads a comparison.
pub fn comparison(text: &str, known: &Facts) -> Fact {
    let (op, symbol) = [
        (CompareOp::Eq, "=="),
        (CompareOp::Ne, "!="),
        (CompareOp::Le, "<="),
        (CompareOp::Ge, ">="),
        (CompareOp::Lt, "<"),
        (CompareOp::Gt, ">"),
    ]
    .into_iter()
    .find(|(_, symbol)| text.contains(symbol))
    .unwrap();
    let (left, right) = text.split_once(symbol).unwrap();
    let side = |text: &str| Expression::read(text).symbolic(known).unwrap();
    Fact::compare(side(left), op, side(right))
}

pub fn try_facts(stated: &[&str]) -> Result<Facts, Contradiction> {
    let mut facts = Facts::empty();
    for text in stated {
        facts.assume(comparison(text, &Facts::empty()))?;
    }
    Ok(facts)
}

pub fn facts(stated: &[&str]) -> Facts {
    try_facts(stated).unwrap()
}

fn prove(stated: &[&str], goal: &str) -> Proof {
    let facts = facts(stated);
    let goal = comparison(goal, &facts);
    facts.prove(&goal.left, goal.op, &goal.right)
}

#[track_caller]
fn proven(stated: &[&str], goal: &str) {
    assert_eq!(prove(stated, goal), Proof::Proven, "{goal} under {stated:?}");
}

#[track_caller]
fn refuted(stated: &[&str], goal: &str, expected: &[(&str, i64)]) {
    let expected: BTreeMap<Symbol, i64> = expected.iter().map(|(name, value)| (symbol(name), *value)).collect();
    assert_eq!(prove(stated, goal), Proof::Refuted { assignment: expected }, "{goal} under {stated:?}");
}

#[test]
fn without_facts() {
    proven(&[], "1 < 2");
    proven(&[], "M >= 1");
    proven(&[], "M - 1 >= 0");
    proven(&[], "cdiv(M, 64) * 64 >= M");
    proven(&[], "M / 64 * 64 <= M");
    proven(&[], "M % 64 < 64");
    proven(&[], "M % 64 >= 0");
    proven(&[], "M * N >= N");
    proven(&[], "M * N * K >= M * K");
    proven(&[], "cdiv(M, B) * B >= M");
    proven(&[], "M / B * B <= M");
    proven(&[], "M % B < B");
    proven(&[], "cdiv(M, B) >= 1");
    proven(&[], "M / 64 >= M / 128");
    proven(&[], "(M + N) / 2 >= M / 2");
    proven(&[], "cdiv(M, 64) <= M");
    proven(&[], "M / 64 * 64 + M % 64 == M");
    proven(&[], "cdiv(M, 64) * 64 - M < 64");
    proven(&[], "min(M, 64) <= 64");
    proven(&[], "min(M, N) <= M");
    proven(&[], "max(M, N) >= N");
    proven(&[], "min(M, N) + max(M, N) == M + N");
    proven(&[], "2 * M != 2 * N + 1");
    proven(&[], "M * M >= M");
}

#[test]
fn with_facts() {
    proven(&["N <= 65536"], "4 * N <= 262144");
    proven(&["M >= 64", "M % 64 == 0"], "M / 64 >= 1");
    proven(&["M % 64 == 0"], "M >= 64");
    proven(&["M % 64 == 0"], "M / 64 * 64 == M");
    proven(&["M % 64 == 0"], "M % 32 == 0");
    proven(&["M % 64 == 0", "M < 128"], "M == 64");
    proven(&["M <= N"], "M - 1 < N");
    proven(&["M <= N", "N <= K"], "M <= K");
    proven(&["M <= N"], "M * K <= N * K");
    proven(&["M == N"], "M * K == N * K");
    proven(&["M == 4 * N"], "M / 4 == N");
    proven(&["M == N", "M % 64 == 0"], "N % 64 == 0");
    proven(&["M % 64 == 0", "M == N"], "N >= 64");
    proven(&["M * N <= 100"], "M <= 100");
    proven(&["N >= K"], "(N - K) / 2 >= 0");
    proven(&["M / 64 >= 2"], "M >= 128");
    proven(&["M != 1"], "M >= 2");
    proven(&["M != N"], "N != M");
    proven(&["M % B == 0"], "M / B * B == M");
    proven(&["M % B == 0"], "M >= B");
    proven(&["k < cdiv(M, 64)"], "k * 64 < M + 64");
    proven(&["M <= 1024", "N <= 1024"], "M * N <= 1048576");
}

#[test]
fn coordinates() {
    proven(&[], "i >= 0");
    refuted(&[], "i >= 1", &[("i", 0)]);
    proven(&["i < M", "j < N"], "i * N + j < M * N");
    proven(&["i < M", "j < N", "t < K"], "(i * N + j) * K + t < M * N * K");
    proven(&["i < M", "M % 64 == 0"], "i / 64 < M / 64");
    proven(&["i < M * N"], "i / N < M");
    proven(&["i < M"], "M - 1 - i >= 0");
    proven(&["i < cdiv(M, 64)", "j < 64"], "i * 64 + j < cdiv(M, 64) * 64");
    proven(&["i < cdiv(M, 64)", "j < 64", "i * 64 + j < M"], "i * 64 + j < M");
    proven(&["i < M / 64", "j < 64"], "i * 64 + j < M");
    refuted(&["i < cdiv(M, 64)", "j < 64"], "i * 64 + j < M", &[("M", 1), ("i", 0), ("j", 1)]);
}

#[test]
fn counterexamples_are_small_and_right() {
    refuted(&[], "M >= 2", &[("M", 1)]);
    refuted(&[], "M % 64 == 0", &[("M", 1)]);
    refuted(&["N <= 65536"], "4 * N <= 200000", &[("N", 65536)]);
    refuted(&[], "a / (a / 2) == 2", &[("a", 3)]);
    refuted(&["M % 64 == 0"], "M % 128 == 0", &[("M", 64)]);
    refuted(&[], "M == N", &[("M", 1), ("N", 2)]);
    refuted(&["M == 2 * N"], "N >= 2", &[("M", 2), ("N", 1)]);
    refuted(&[], "4 * M <= 1000", &[("M", 251)]);
    refuted(&[], "M <= 1000", &[("M", 1001)]);
    refuted(&[], "2 < 1", &[]);
    assert_eq!(prove(&[], "M * M + N * N >= 2 * M * N"), Proof::Open);
}

#[test]
fn divisibility() {
    let facts = facts(&["M % 64 == 0", "N % B == 0"]);
    let sym = |text: &str| Expression::read(text).symbolic(&facts).unwrap();
    assert!(facts.divisible(&sym("M * K"), &sym("32")).is_proven());
    assert!(facts.divisible(&sym("M + 128"), &sym("64")).is_proven());
    assert!(facts.divisible(&sym("N * K + B"), &sym("B")).is_proven());
    assert!(facts.divisible(&sym("M"), &sym("-64")).is_proven());
    assert!(matches!(facts.divisible(&sym("M + K"), &sym("64")), Proof::Refuted { .. }));
    assert!(matches!(facts.divisible(&sym("M"), &sym("128")), Proof::Refuted { .. }));
}

#[test]
fn contradictions_name_the_facts() {
    let text = |stated: &[&str]| try_facts(stated).unwrap_err().to_string();
    assert_eq!(text(&["M < 1"]), "`M < 1` can never hold, as every symbolic dimension is an integer of at least 1");
    assert_eq!(text(&["M % 4 == 0", "N < 3", "M == 6"]), "`M == 6` cannot hold together with `M % 4 == 0`");
    assert_eq!(text(&["M == 6", "M % 4 == 0"]), "`M % 4 == 0` cannot hold together with `M == 6`");
    assert_eq!(text(&["M < N", "N < K", "K < M"]), "`K < M` cannot hold together with `M < N`, `N < K`");
    assert_eq!(text(&["M % 4 == 1", "M % 2 == 0"]), "`M % 2 == 0` cannot hold together with `M % 4 == 1`");
    assert_eq!(text(&["3 < 2"]), "`3 < 2` does not hold");
    assert!(try_facts(&["9223372036854775807 == -9223372036854775807"]).is_err());
    assert!(try_facts(&["M % 4 == 5"]).is_err());
    assert!(try_facts(&["2 * M == 7"]).is_err());
    assert!(try_facts(&["2 * M == 2 * N + 1"]).is_err());
    assert!(try_facts(&["M != M"]).is_err());
    assert!(try_facts(&["M == N", "M != N"]).is_err());
    assert!(try_facts(&["M == 3", "M != 3"]).is_err());
}

#[test]
fn facts_print_as_source_text() {
    let stated = ["M % 64 == 0", "N <= 65536", "M * N < 900 * K", "cdiv(M, B) != 3"];
    let printed: Vec<String> = facts(&stated).iter().map(ToString::to_string).collect();
    assert_eq!(printed, stated);
}

#[test]
fn a_failed_assumption_changes_nothing() {
    let mut facts = facts(&["M % 4 == 0"]);
    let before = facts.clone();
    assert!(facts.assume(comparison("M == 6", &Facts::empty())).is_err());
    assert_eq!(facts, before);
}

#[test]
fn union_has_the_facts_of_both() {
    let both = facts(&["M % 4 == 0"]).union(&facts(&["M < 8", "M % 4 == 0"])).unwrap();
    assert_eq!(both.iter().count(), 2);
    assert!(both.proves(&Sym::symbol(Symbol::new("M", 0)), CompareOp::Eq, &4.into()));
    assert!(facts(&["M < 4"]).union(&facts(&["M > 4"])).is_err());
}

#[test]
fn launch_checks_name_the_fact_and_the_values() {
    let facts = facts(&["M % 64 == 0", "N <= 65536"]);
    let sizes = |m, n| BTreeMap::from([(Symbol::new("M", 0), m), (Symbol::new("N", 0), n)]);
    assert_eq!(facts.check(&sizes(128, 3)), Ok(()));
    assert_eq!(facts.check(&sizes(100, 3)).unwrap_err().to_string(), "`M % 64 == 0` does not hold for M = 100");
    assert_eq!(facts.check(&sizes(64, 0)).unwrap_err().to_string(), "`N >= 1` does not hold for N = 0");
}

#[test]
fn ranges() {
    let facts = facts(&["M % 64 == 0", "M <= 1000", "N < M"]);
    let range = |text: &str| facts.range(&Expression::read(text).symbolic(&facts).unwrap());
    let interval = |lo, hi| Interval { lo: Some(lo), hi: Some(hi) };
    assert_eq!(range("M"), interval(64, 960));
    assert_eq!(range("N"), interval(1, 959));
    assert_eq!(range("M / 64 - 1"), interval(0, 14));
    assert_eq!(range("K % 8"), interval(0, 7));
    assert_eq!(range("K"), Interval { lo: Some(1), hi: None });
    assert_eq!(range("3 - K"), Interval { lo: None, hi: Some(2) });
}

#[test]
fn samples_satisfy_the_facts() {
    let facts = facts(&["M % 64 == 0", "N < M", "K == 2 * N"]);
    let symbols = BTreeSet::from([symbol("K")]);
    let samples: Vec<_> = facts.sample(&symbols).take(100).collect();
    assert_eq!(samples.len(), 100);
    assert!(samples.iter().all(|sample| sample.len() == 3 && facts.check(sample).is_ok()));
    assert_eq!(samples, facts.sample(&symbols).take(100).collect::<Vec<_>>());
    assert_eq!(facts.sample(&BTreeSet::new()).count(), 1);
}

/// Hundreds of sizes in a row: what two of them say of each other is proven as ever, and nothing false is.
#[test]
fn many_relations_are_used_as_few_are() {
    let many: Vec<String> = (0..300).map(|number| format!("N{number} <= N{}", number + 1)).collect();
    let facts = facts(&many.iter().map(String::as_str).collect::<Vec<_>>());
    let size = |number: usize| Sym::symbol(symbol(&format!("N{number}")));
    for number in [0, 63, 64, 65, 299] {
        assert!(facts.proves(&size(number), CompareOp::Le, &size(number + 1)), "{number}");
        assert!(!facts.proves(&size(number), CompareOp::Lt, &size(number + 1)), "{number}");
        assert!(!facts.proves(&size(number + 1), CompareOp::Le, &size(number)), "{number}");
    }
}

#[test]
fn an_interval_without_integers_divides_and_is_divided() {
    let interval = |lo, hi| Interval { lo: Some(lo), hi: Some(hi) };
    let empty = interval(1, 0);
    assert_eq!(interval(-8, 9).divide(empty), interval(-8, 9));
    let _ = empty.divide(interval(2, 3));
    let _ = interval(-8, 9).remainder(empty);
}

#[test]
fn a_quotient_by_an_exact_quotient() {
    proven(&["G * K == Q"], "(Q - 1) / G < K");
    proven(&["Q % K == 0"], "Q / K >= 1");
    proven(&["Q % K == 0"], "K * (Q / K) >= Q");
    proven(&["Q % K == 0"], "(Q - 1) / (Q / K) < K");
    proven(&["Q % K == 0"], "(C * Q - 1) / (C * (Q / K)) < K");
    proven(&["Q % K == 0", "K % J == 0"], "(Q / J) * J == Q");
    proven(&["Q % K == 0", "K % Q == 0"], "Q <= K");
    proven(&["Q % K == 0", "Q <= 100"], "K <= 100");
}
