//! Facts that settle questions, and facts as they are written.

use super::expression::Expression;
use super::proofs::{comparison, facts};
use crate::{CompareOp, Fact, Facts, Sym, exact_divisions, orders};

fn size(text: &str) -> Sym {
    Expression::read(text).symbolic(&Facts::empty()).unwrap()
}

fn texts(facts: Vec<Fact>) -> Vec<String> {
    facts.iter().map(Fact::to_string).collect()
}

/// The fact that settles a comparison under stated facts.
fn settling(stated: &[&str], goal: &str) -> Option<String> {
    let (known, goal) = (facts(stated), comparison(goal, &Facts::empty()));
    known.settling_comparison(&goal.left, goal.op, &goal.right).map(|fact| fact.to_string())
}

#[test]
fn facts_are_written_as_people_write_them() {
    for (written, simple) in [
        ("12 <= N", "N >= 12"),
        ("12 <= 4 * N", "N >= 3"),
        ("13 <= 4 * N", "N >= 4"),
        ("13 < 4 * N", "N >= 4"),
        ("12 < 4 * N", "N >= 4"),
        ("4 * N < 13", "N <= 3"),
        ("4 * N < 12", "N <= 2"),
        ("0 - N >= 0 - 7", "N <= 7"),
        ("7 == N", "N == 7"),
        ("3 * N != 12", "N != 4"),
        ("3 * N == 13", "3 * N == 13"),
        ("64 <= M * N", "M * N >= 64"),
        ("N <= M", "N <= M"),
        ("9 / (8 * N) == 0", "N >= 2"),
        ("9 / (8 * N) != 0", "N <= 1"),
        ("N / 64 >= 1", "N >= 64"),
        ("3 > N / 64", "N <= 191"),
        ("100 / N <= 2", "N >= 34"),
        ("N / M == 0", "N < M"),
        ("N / M == 2", "N / M == 2"),
        ("N / (M - 4) == 0", "N / (M - 4) == 0"),
        ("8 * S <= 8 * T", "S <= T"),
        ("8 * S <= 8 * T + 3", "S <= T"),
        ("8 * S < 8 * T - 5", "S + 1 <= T"),
        ("4 * S == 4 * T + 8", "S == T + 2"),
        ("4 * S == 4 * T + 2", "4 * S == 4 * T + 2"),
        ("M * N - N + 16 <= 16", "M <= 1"),
        ("M * N + 3 >= N * K + 3", "K <= M"),
        ("N <= min(N - 1, M - 1) + 1", "N <= M"),
        ("8 * S <= 8 * min(S - 1, 4 * cdiv(T, 4) - 1) + 8", "S <= 4 * cdiv(T, 4)"),
        ("max(N - 4 * cdiv(T, 4), 0) <= 0", "N <= 4 * cdiv(T, 4)"),
        ("max(N, M) <= K", "max(M, N) <= K"),
        ("N + M <= 64", "M + N <= 64"),
    ] {
        assert_eq!(comparison(written, &Facts::empty()).simplified().to_string(), simple, "{written}");
    }
}

/// A simplified fact holds for the same sizes.
#[test]
fn a_simplified_fact_says_the_same() {
    for op in ["==", "!=", "<", "<=", ">", ">="] {
        for quotient in ["N / 7", "(N - 9) / 7", "(3 * N - 20) / 4", "40 / N", "(0 - 40) / N", "9 / (2 * N + 1)"] {
            for number in [-3, -1, 0, 1, 2, 5] {
                let fact = comparison(&format!("{quotient} {op} {number}"), &Facts::empty());
                let simple = fact.clone().simplified();
                for n in 1..60 {
                    let sizes = fact.symbols().into_iter().map(|symbol| (symbol, n)).collect();
                    assert_eq!(fact.holds(&sizes), simple.holds(&sizes), "{fact} and {simple} for {n}");
                }
            }
        }
    }
    for op in ["==", "!=", "<", "<=", ">", ">="] {
        for (factor, constant, right) in [(1, 0, 5), (3, 1, 14), (4, -2, 10), (-2, 9, 0), (-3, 1, -20), (5, 0, 25)] {
            let fact = comparison(&format!("{factor} * N + {constant} {op} {right}"), &Facts::empty());
            let simple = fact.clone().simplified();
            for n in 1..40 {
                let sizes = fact.symbols().into_iter().map(|symbol| (symbol, n)).collect();
                assert_eq!(fact.holds(&sizes), simple.holds(&sizes), "{fact} and {simple} for {n}");
            }
        }
    }
}

/// So does one of several sizes.
#[test]
fn a_simplified_comparison_of_sizes_says_the_same() {
    for op in ["==", "!=", "<", "<=", ">", ">="] {
        for (left, right) in [
            ("8 * S", "8 * T"),
            ("8 * S", "8 * T + 3"),
            ("6 * S + 5", "4 * T"),
            ("S * T - S + 2", "2"),
            ("S * S * T", "S * T + 3 * S"),
            ("4 * S", "4 * min(S - 1, T - 1) + 4"),
            ("max(S - T, 0)", "0"),
            ("max(2 * S, T) - min(S, T)", "S"),
            ("min(S, 2 * T)", "max(T, 5)"),
        ] {
            let fact = comparison(&format!("{left} {op} {right}"), &Facts::empty());
            let simple = fact.clone().simplified();
            let [s, t] = ["S", "T"].map(|name| size(name).as_symbol().unwrap().clone());
            for (one, other) in (1..12).flat_map(|one| (1..12).map(move |other| (one, other))) {
                let sizes = [(s.clone(), one), (t.clone(), other)].into_iter().collect();
                assert_eq!(fact.holds(&sizes), simple.holds(&sizes), "{fact} and {simple} for {one} and {other}");
            }
        }
    }
}

#[test]
fn divisions_become_exact_by_the_smallest_divisor_first() {
    let sizes = [size("cdiv(N, 32) * 2"), size("(M + N) / 8"), size("N % 4"), size("N / B")];
    assert_eq!(
        texts(exact_divisions(&sizes)),
        ["N % 4 == 0", "(M + N) % 8 == 0", "N % 32 == 0", "(N + 31) % 32 == 0", "N % B == 0"]
    );
}

#[test]
fn sizes_are_ordered_with_each_other_and_with_numbers() {
    let sizes = [size("LD"), size("1"), size("N"), size("64"), size("N * M")];
    assert_eq!(texts(orders(&sizes)), ["LD <= N", "N <= LD", "LD <= 64", "N <= 64"]);
}

#[test]
fn a_comparison_is_settled_by_a_fact_that_can_hold() {
    assert_eq!(settling(&[], "N % 4 == 0").as_deref(), Some("N % 4 == 0"));
    assert_eq!(settling(&[], "N / 4 * 4 == N").as_deref(), Some("N % 4 == 0"));
    assert_eq!(settling(&[], "cdiv(N, 64) * 64 <= N").as_deref(), Some("N % 64 == 0"));
    assert_eq!(settling(&[], "4 * N >= 13").as_deref(), Some("N >= 4"));
    assert_eq!(settling(&["N <= 8"], "N <= M").as_deref(), Some("N <= M"));
    assert_eq!(settling(&["N <= 8"], "N >= 9"), None);
    assert_eq!(settling(&["N % 4 == 0"], "N % 4 == 2"), None);
    assert_eq!(settling(&[], "N < N"), None);
    assert_eq!(settling(&[], "8 * N <= 8 * M").as_deref(), Some("N <= M"));
    // Nobody writes a kernel for one size.
    assert_eq!(settling(&[], "M * N <= N"), None);
    // A coordinate is no size: no `where` speaks of it.
    assert_eq!(settling(&[], "i < N"), None);
}

#[test]
fn a_candidate_counts_only_where_it_proves() {
    let known = facts(&["N <= 100"]);
    let candidates = [comparison("N % 2 == 0", &known), comparison("N % 4 == 0", &known)];
    let zero = Sym::zero();
    let remainder = size("N % 4");
    let found = known.settling(candidates, |facts| facts.proves(&remainder, CompareOp::Eq, &zero));
    assert_eq!(found.map(|fact| fact.to_string()).as_deref(), Some("N % 4 == 0"));
}

/// What is printed as a fact can be read again, also where a symbol has one letter.
#[test]
fn facts_print_as_source_text() {
    let fact = comparison("4 * n + 2 * m * n <= N", &Facts::empty());
    assert_eq!(fact.to_string(), "2 * m * n + 4 * n <= N");
    assert_eq!(
        (fact.left.to_string(), format!("{:#}", fact.left)),
        ("2 * m * n + 4n".into(), "2 * m * n + 4 * n".into())
    );
    assert_eq!(format!("{:#}", size("min(4 * n, 2 * m) / 3")), "min(2 * m, 4 * n) / 3");
}
