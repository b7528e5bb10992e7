//! What `||` and `&&` say of claims that fail for some sizes.

use super::{findings, only};

const SIZES: &str = "dim K where K % 2 == 0, K > 2, K < 10;\ndim M, N where N <= M;\n";

#[track_caller]
fn holds(claim: &str) {
    assert_eq!(findings(&format!("{SIZES}assert {claim};\n")), [], "{claim}");
}

/// What is said of a claim that does not hold.
#[track_caller]
fn said(claim: &str) -> (&'static str, String) {
    let found = only(&format!("{SIZES}assert {claim};\n"));
    (found.code, found.message)
}

#[test]
fn one_side_holds_for_each_size() {
    holds("K == 4 || K == 6 || K == 8");
    holds("K < 6 || K >= 6");
    holds("M > N || M == N");
    holds("N != 4 || 4 <= M");
    holds("M < 4 || M >= 4 && K > 3");
}

#[test]
fn what_stands_to_the_left_is_known_to_fail() {
    holds("M % 4 != 0 || reshape_map([4] | [M / 4] => layout: [i0, t0]).covers(M)");
    let (code, message) = said("M % 2 != 0 || row_major([M]).injective && K == 4");
    assert_eq!((code, message.contains("K == 4")), ("assertion-failed", true), "{message}");
}

#[test]
fn sizes_refute_where_both_sides_fail() {
    let (code, message) = said("K == 4 || K == 6");
    assert_eq!(code, "assertion-failed");
    assert_eq!(message, "the claim that `K == 4` or `K == 6` is refuted: it fails for K = 8");
    // What does not depend on one another fails together.
    let (code, message) = said("K == 4 || M == 1");
    assert_eq!(code, "assertion-failed");
    assert!(message.contains("K = 6, M = 2"), "{message}");
}

#[test]
fn where_nothing_says_whether_both_fail_together_it_is_open() {
    let (code, message) = said("row_major([M]).fits(3) || row_major([M, N]).covers(16)");
    assert_eq!(code, "assertion-open", "{message}");
}

#[test]
fn both_sides_hold_for_every_size() {
    holds("K >= 4 && N <= M");
    let (code, message) = said("K >= 4 && K == 6");
    assert_eq!(code, "assertion-failed");
    assert!(message.contains("`K == 6`"), "{message}");
    // The comparison that decides a conjunction is not all of it: K = 4 may fail both sides here.
    let (code, message) = said("(K == 4 && M == N) || K != 4");
    assert_eq!(code, "assertion-open", "{message}");
}

#[test]
fn the_opposite_of_what_fails_for_some_sizes_holds() {
    holds("!(K == 4 || K == 6)");
    let (code, _) = said("!(K == 4 || K == 6 || K == 8)");
    assert_eq!(code, "assertion-failed");
}

#[test]
fn a_claim_is_compared_with_a_truth_value() {
    holds("(K > 2) == true");
    holds("row_major([M]).injective == true && false == row_major([M]).covers(M + 1)");
    assert_eq!(said("(M == N) == true").0, "assertion-failed");
}
