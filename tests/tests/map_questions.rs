//! Questions about maps in the language: comparisons, negations, and what an open one offers.

use crate::support::check;

const MAPS: &str = "
dim N;
map rows = reshape_map([4] | [N] => layout: [i0, t0]);
map same = reshape_map([4] | [1, N] => layout: [t0, i0, t1]);
map columns = reshape_map([4] | [N] => layout: [t0, i0]);
map eight = reshape_map([4] | [8] => layout: [i0, t0]);
map nine = reshape_map([4] | [9] => layout: [i0, t0]);
map deep = reshape_map([2, 2] | [N] => layout: [i0, i1, t0]);
";

fn messages(assertion: &str) -> Vec<String> {
    let checked = check(&format!("{MAPS}assert {assertion};\n"));
    checked.findings.iter().map(|finding| format!("{}: {}", finding.code, finding.message)).collect()
}

#[test]
fn equal_maps_are_equal_however_they_are_written() {
    for holds in
        ["rows == same", "rows != deep", "!(eight == nine)", "eight != nine", "rows == rows", "!(rows == deep)"]
    {
        assert_eq!(messages(holds), [""; 0], "{holds}");
    }
}

#[test]
fn different_maps_are_told_apart_by_a_point() {
    // The point, and where each of the two leads.
    let found = messages("rows == columns");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("assertion-failed: the claim that the maps are equal is refuted: "), "{found:?}");
    assert!(found[0].contains("for N = 2"), "{found:?}");
    // A point beyond the extents of one of them.
    let found = messages("eight == nine");
    assert!(found.len() == 1 && found[0].contains("is refuted: (0, 8)"), "{found:?}");
    // For some sizes they are the same: the fact says for which.
    let checked = check(&format!("{MAPS}assert rows == eight;\n"));
    let help: Vec<&String> = checked.findings.iter().flat_map(|finding| &finding.help).collect();
    assert!(help.iter().any(|help| help.contains("N == 8")), "{help:?}");
    // From another space they are different, whatever the sizes.
    assert_eq!(messages("rows == deep").len(), 1);
}

#[test]
fn a_negated_claim_holds_where_the_claim_is_refuted() {
    let map = "map twice = chain((continuous_linear(6), 4), (linear(2, 2), 2), threads: 8);\n";
    for claim in ["twice.injective", "twice.race_free"] {
        let asserted = check(&format!("{map}assert {claim};\n")).errors().len();
        let negated = check(&format!("{map}assert !{claim};\n")).errors().len();
        assert_eq!(asserted + negated, 1, "{claim}: exactly one of both holds");
    }
    assert_eq!(messages("!rows.injective").len(), 1);
    assert!(messages("!rows.injective")[0].starts_with("assertion-failed"));
    assert_eq!(messages("!rows.covers(4 * N + 1)"), [""; 0]);
}

#[test]
fn an_open_assertion_is_a_warning() {
    // True by the inequality of the means, of which no rule knows.
    let checked =
        check("dim N, M;\nmap m = reshape_map([N] | [M] => layout: [i0, t0]);\nassert m.in_bounds(N * N + M * M);\n");
    assert!(checked.errors().is_empty() && checked.codes().contains("assertion-open"), "{}", checked.report());
}
