//! Canonical forms and their text.

use std::collections::BTreeMap;

use super::expression::Expression;
use super::proofs::facts;
use crate::{Arithmetic, EvaluateError, Facts, Sym, Symbol};

fn sym(text: &str, facts: &Facts) -> Sym {
    Expression::read(text).symbolic(facts).unwrap()
}

#[track_caller]
fn prints(text: &str, expected: &str) {
    prints_under(&[], text, expected);
}

#[track_caller]
fn prints_under(stated: &[&str], text: &str, expected: &str) {
    assert_eq!(sym(text, &facts(stated)).to_string(), expected, "{text} under {stated:?}");
}

#[test]
fn sums_collect_terms() {
    prints("3a + 2b + a", "4a + 2b");
    prints("a - a", "0");
    prints("2 + a - 2", "a");
    prints("(a + b) * (a - b)", "a * a - b * b");
    prints("-a", "-a");
    prints("64 - N", "64 - N");
    prints("b - a", "b - a");
    prints("1 - a + b - 3", "b - a - 2");
    prints("0 * a", "0");
}

#[test]
fn coefficients_stand_directly_before_letters_only() {
    prints("4 * a", "4a");
    prints("900 * N", "900 * N");
    prints("4 * a * b", "4 * a * b");
    prints("2 * rows", "2 * rows");
    prints("-3 * a", "-3a");
    prints("N - 2 * a", "N - 2a");
}

#[test]
fn divisions_by_constants_become_simple() {
    prints("a * 4 / 2", "2a");
    prints("(2 + a) / 5 / 4", "(a + 2) / 20");
    prints("64 * k / 64", "k");
    prints("(64 * k + r) / 64", "k + r / 64");
    prints("(a + 7) / 4", "cdiv(a, 4) + 1");
    prints("(a + 6) / 4", "(a + 2) / 4 + 1");
    prints("a / 1", "a");
    prints("0 / a", "0");
    prints("a % 1", "0");
    prints("a / -2", "(-a) / 2");
    prints("(-7) / 2", "-4");
    prints("-7 % 4", "1");
    prints("7 % -4", "-1");
    prints("(4a + 2) / 6", "(2a + 1) / 3");
    prints("(2a + 4b + 1) / 6", "(a + 2b) / 3");
    prints("cdiv(cdiv(M, 4), 5)", "cdiv(M, 20)");
}

#[test]
fn unsound_simplifications_are_not_made() {
    prints("a / (a / 2)", "a / (a / 2)");
    prints("a / 2 * 2", "2 * (a / 2)");
    prints("a / b * b", "b * (a / b)");
    prints("(a + b) / 2", "(a + b) / 2");
}

#[test]
fn quotients_that_round_up_are_recognised() {
    // What rounds up by less than the divisor means the same where the dividend moves in steps.
    prints_under(&["N % 8 == 0"], "cdiv(N / 8, 256)", "cdiv(N, 2048)");
    prints_under(&["N % 8 == 3"], "(N + 2) / 64", "N / 64");
    prints("cdiv(M, 64)", "cdiv(M, 64)");
    prints("(M + 63) / 64", "cdiv(M, 64)");
    prints("(M - 1) / 64 + 1", "cdiv(M, 64)");
    prints("cdiv(M, B)", "cdiv(M, B)");
    prints("(M + B - 1) / B", "cdiv(M, B)");
    prints("N * cdiv(M, B)", "cdiv(M, B) * N");
    prints("cdiv(M, B) + 3", "cdiv(M, B) + 3");
    prints("cdiv(M, N + 1)", "cdiv(M, N + 1)");
    prints("2 * cdiv(M, 64)", "2 * cdiv(M, 64)");
    prints("64 - cdiv(M, 64)", "64 - cdiv(M, 64)");
    prints("cdiv(M, 64) * 64", "64 * cdiv(M, 64)");
    prints("cdiv(64 * k, 64)", "k");
}

#[test]
fn facts_make_divisions_exact() {
    let multiple = ["M % 64 == 0"];
    prints("M % 64", "M % 64");
    prints_under(&multiple, "M % 64", "0");
    prints_under(&multiple, "cdiv(M, 64)", "M / 64");
    prints_under(&multiple, "(M + 63) / 64", "M / 64");
    prints_under(&multiple, "M / 64 * 64", "M");
    prints_under(&multiple, "M / 64", "M / 64");
    prints_under(&multiple, "M / 32", "M / 32");
    prints_under(&multiple, "(M + N) / 64", "M / 64 + N / 64");
    prints_under(&multiple, "(M + 5) / 64", "M / 64");
    prints_under(&multiple, "(M + 5) % 64", "5");
    prints_under(&multiple, "3 * M / 64 * 64", "3 * M");
    prints_under(&["M % 128 == 0"], "M / 64 / 2", "M / 128");
    prints_under(&["M % 128 == 0"], "M / 64 % 2", "0");
    prints_under(&["M % 64 == 0", "(M / 64) % 8 == 0"], "cdiv(M, 512)", "M / 512");
    prints_under(&["(M / 64) % 8 == 0"], "cdiv(M, 512)", "cdiv(M, 512)");
    prints_under(&["M % B == 0"], "M / B * B", "M");
    prints_under(&["M % B == 0"], "cdiv(M, B)", "M / B");
    prints_under(&["M % B == 0"], "M * N % B", "0");
    prints_under(&["(M + N) % 8 == 0"], "(M + N) % 8", "0");
    prints_under(&["(M + N) % 8 == 0"], "(M + N) / 8 * 8", "M + N");
    prints_under(&["M == 128"], "M / 64", "2");
}

#[test]
fn remainders_become_simple() {
    prints("(64a + b) % 64", "b % 64");
    prints("(a + 65) % 64", "(a + 1) % 64");
    prints("65a % 64", "a % 64");
    prints("2a % 4", "2 * (a % 2)");
    prints("(2a + 1) % 4", "2 * (a % 2) + 1");
    prints("a % 8 % 4", "a % 4");
    prints("a % 4 % 8", "a % 4");
    prints("a % 64 / 64", "0");
    prints("a / 64 * 64 + a % 64", "a");
    prints("N * B % B", "0");
    prints("(N * B + a) % B", "a % B");
    prints_under(&["a < 8"], "a % 8", "a");
    prints_under(&["a < B"], "a % B", "a");
    prints_under(&["a < B"], "a / B", "0");
    prints("N / (N + 1)", "0");
    prints("a % -4", "-((-a) % 4)");
}

#[test]
fn products_of_neighbours_are_multiples() {
    prints("N * (N + 1) % 2", "0");
    prints("(N * N + N + 1) % 2", "1");
    prints("N * (N + 1) * (N + 2) % 6", "0");
    prints("(a * a * a - a) % 3", "0");
    prints("a * b * (a + b) % 2", "0");
    prints("N * (N + 1) / 2 * 2", "N * N + N");
    prints("N * N % 2", "N * N % 2");
    prints("a * b % 2", "a * b % 2");
    prints_under(&["N % 4 == 1"], "(N * N + 3 * M * 8) % 8", "1");
}

#[test]
fn symbolic_divisors_cancel() {
    prints("a * B / B", "a");
    prints("(a * B + c) / B", "a + c / B");
    prints("N * a / (N * b)", "a / b");
    prints("6 * a / (4 * b)", "3a / (2b)");
    prints("(N + 1) * a / (N + 1)", "a");
    prints("a / B / C", "a / (B * C)");
    // Here `t` may be 0, and the sizes `B`, `M` and `N` are at least 1.
    prints("(M * N - 1) / (8 * N)", "cdiv(M, 8) - 1");
    prints("(M * N * B - 1) / (N * B)", "M - 1");
    prints("(6 * M + 1) / (4 * N)", "3 * M / (2 * N)");
    prints("(M * t - 1) / (8 * t)", "(M * t - 1) / (8t)");
    prints("(M * N - 2) / (8 * N)", "(M * N - 2) / (8 * N)");
    prints("(M * N - B) / (8 * N)", "(M * N - B) / (8 * N)");
}

/// Here the size `N` is at least 1, and its definition `17 - M` is negative: its sign is turned once, not for ever.
#[test]
fn facts_that_contradict_each_other_end_a_division() {
    let stated = facts(&["(-M) / 2 == N - 5", "6 * i >= M + i", "-9 != min(M, i)", "-1 == M + N - 18"]);
    assert!(stated.range(&sym("N", &stated)).hi.is_some_and(|hi| hi < 0));
    for text in ["M % N", "M / N", "cdiv(M, N)", "M % (-N)"] {
        sym(text, &stated);
    }
}

#[test]
fn minima_and_maxima_are_flat_and_sorted() {
    prints("min(b, a)", "min(a, b)");
    prints("min(min(c, a), b)", "min(a, b, c)");
    prints("min(a, a)", "a");
    prints("min(3, 5)", "3");
    prints("min(8, min(N, 4))", "min(N, 4)");
    prints("min(a, a + 1)", "a");
    prints("max(a, a + b)", "a + b");
    prints("max(a, 1)", "a");
    prints("min(a, 0)", "0");
    prints("min(a, max(a, b))", "a");
    prints_under(&["N <= 64"], "min(N, 128)", "N");
    prints_under(&["a <= b"], "max(a, b, c)", "max(b, c)");
}

#[test]
fn constants_that_leave_64_bits_are_errors_with_their_operands() {
    let empty = Facts::empty();
    let most = Sym::constant(i64::MAX);
    let text = |result: Result<Sym, Arithmetic>| result.unwrap_err().to_string();
    assert_eq!(text(most.checked_add(&Sym::one())), "`9223372036854775807 + 1` does not fit in 64 bits");
    assert_eq!(text(most.checked_mul(&2.into())), "`9223372036854775807 * 2` does not fit in 64 bits");
    let least = Sym::constant(i64::MIN);
    assert!(matches!(least.checked_neg(), Err(Arithmetic::Overflow { .. })));
    assert!(matches!(least.checked_floor_div(&Sym::constant(-1), &empty), Err(Arithmetic::Overflow { .. })));
    assert_eq!(least.checked_remainder(&Sym::constant(-1), &empty), Ok(Sym::zero()));
    assert_eq!(least.cdiv(&Sym::one(), &empty), Ok(least.clone()));
    assert!(matches!(least.cdiv(&Sym::constant(-1), &empty), Err(Arithmetic::Overflow { .. })));
    assert_eq!(text(sym("M + 1", &empty).checked_floor_div(&Sym::zero(), &empty)), "`(M + 1) / 0` divides by zero");
    assert_eq!(text(sym("M", &empty).cdiv(&Sym::zero(), &empty)), "`cdiv(M, 0)` divides by zero");
    let large = sym("M", &empty).checked_mul(&most).unwrap();
    assert!(matches!(large.checked_mul(&most), Err(Arithmetic::Overflow { .. })));
}

#[test]
fn what_nobody_could_read_is_refused() {
    let empty = Facts::empty();
    let mut product = Sym::one();
    let mut refused = false;
    for index in 0..20 {
        let sum = sym(&format!("a{index} + b{index}").replace(char::is_numeric, &letters(index)), &empty);
        match product.checked_mul(&sum) {
            Ok(next) => product = next,
            Err(error) => {
                assert!(matches!(error, Arithmetic::TooComplex { op: "*" }));
                refused = true;
                break;
            }
        }
    }
    assert!(refused);
    let mut nested = sym("a", &empty);
    let failed = (0..1000).find_map(|_| {
        let next = nested.checked_floor_div(&sym("b", &empty), &empty).and_then(|next| next.checked_mul(&nested));
        next.map(|next| nested = next).err()
    });
    assert!(failed.is_some());
}

fn letters(index: usize) -> String {
    "x".repeat(index + 1)
}

#[test]
fn substitution_and_evaluation() {
    let empty = Facts::empty();
    let value = sym("cdiv(M, 64) * N", &empty);
    let m = Symbol::new("M", 0);
    let replaced = value.substitute(&BTreeMap::from([(m.clone(), sym("128 * k", &empty))]), &empty).unwrap();
    assert_eq!(replaced.to_string(), "2 * N * k");
    let values = |symbol: &Symbol| (symbol.name() == "M").then_some(65);
    assert_eq!(sym("cdiv(M, 64)", &empty).evaluate(&values), Ok(2));
    assert_eq!(value.evaluate(&values), Err(EvaluateError::MissingSymbol(Symbol::new("N", 0))));
    assert_eq!(
        sym("7 / (M - 65)", &empty).evaluate(&values),
        Err(EvaluateError::DivisionByZero(sym("M - 65", &empty)))
    );
    assert_eq!(sym("M * 9223372036854775807", &empty).evaluate(&values), Err(EvaluateError::Overflow));
    let simplified = sym("cdiv(M, 64) * 64", &empty).simplify(&facts(&["M % 64 == 0"])).unwrap();
    assert_eq!(simplified.to_string(), "M");
}

#[test]
fn symbols_of_two_files_differ() {
    let (here, there) = (Sym::symbol(Symbol::new("M", 0)), Sym::symbol(Symbol::new("M", 1)));
    assert_ne!(here, there);
    assert_ne!(here.checked_sub(&there).unwrap(), Sym::zero());
    assert_eq!(here.checked_add(&there).unwrap().symbols().len(), 2);
}

#[test]
fn a_constant_takes_no_more_room_than_it_needs() {
    assert!(size_of::<Sym>() <= 16);
}

#[test]
fn every_quotient_of_a_product_that_rounds_up_is_written_so() {
    let (m, n) = (Sym::symbol(Symbol::new("M", 0)), Sym::symbol(Symbol::new("N", 0)));
    let facts = Facts::empty();
    let up = |value: &Sym| {
        let raised = value.checked_add(&Sym::constant(63)).unwrap();
        raised.checked_floor_div(&Sym::constant(64), &facts).unwrap()
    };
    let product = up(&m).checked_mul(&up(&n)).unwrap().checked_mul(&m).unwrap();
    let text = product.to_string();
    assert!(text.contains("cdiv(M, 64)") && text.contains("cdiv(N, 64)") && !text.contains('/'), "{text}");
}
