//! The code of the documents that the language comes from, as it stands there, and the tour of the language's own page.

use crate::support::{Checked, check};

const SHAPES: &str = include_str!("../fixtures/seed_001.shape");
const RANK: &str = include_str!("../fixtures/seed_001_rank.shape");
const EXPLICIT: &str = include_str!("../fixtures/seed_001_explicit.shape");
const WHOLE: &str = include_str!("../fixtures/seed_001_whole.shape");
const SUGAR: &str = include_str!("../fixtures/seed_001_sugar.shape");
const RESHAPE_MAPS: &str = include_str!("../fixtures/seed_000.shape");
const TOUR: &str = include_str!("../fixtures/tour.shape");

/// A file without an error or a warning; `show`s and hints may occur.
#[track_caller]
fn fine(text: &str) -> Checked {
    use check::diagnostics::Severity;
    let checked = check(text);
    let bad = checked.errors().len() + checked.with_severity(Severity::Warning).len();
    assert_eq!(bad, 0, "{}", checked.report());
    checked
}

/// One snippet, one error, no other.
#[track_caller]
fn wrong(text: &str, code: &str) {
    let checked = check(text);
    assert_eq!(checked.errors(), [code], "{text}\n{}", checked.report());
}

#[test]
fn shapes_are_defined_and_derived() {
    let checked = fine(SHAPES);
    let shown = |name: &str| checked.value(name).unwrap().to_string();
    assert_eq!(shown("s0"), "[7, 8]");
    assert_eq!(shown("s1"), "[3]");
    assert_eq!(shown("new-shape0"), "[64, 16, 1]");
    assert_eq!(shown("new-shape1"), "[66, 8]");
}

#[test]
fn an_explicit_rank_is_checked() {
    wrong(RANK, "rank-mismatch");
}

#[test]
fn the_short_form_and_the_long_form_of_a_derivation_are_the_same() {
    for text in [EXPLICIT, SUGAR] {
        fine(text);
    }
}

#[test]
fn a_shape_as_a_whole_is_used_in_derivations() {
    fine(WHOLE);
}

#[test]
fn the_examples_of_reshape_map_own_what_the_document_says() {
    let checked = fine(RESHAPE_MAPS);
    let shows = checked.findings.iter().filter(|finding| finding.code == "show").count();
    assert_eq!(shows, 14, "each snippet on its own is shown\n{}", checked.report());
}

#[test]
fn an_index_out_of_range() {
    wrong("gpu::reshape_map!([2] | [2, 3] => layout: [1, 2, 3]);\n", "layout-out-of-range");
}

#[test]
fn a_duplicate_index() {
    wrong("gpu::reshape_map!([2] | [2, 3] => layout: [0, 0, 1]);\n", "layout-duplicate");
    wrong("gpu::reshape_map!([2] | [2, 3] => layout: [t0, t0, i0]);\n", "layout-duplicate");
}

#[test]
fn a_side_without_dimensions() {
    wrong("gpu::reshape_map!([2, 3] | [] => layout: [0, 1, 2]);\n", "empty-side");
    wrong("gpu::reshape_map!( [] | [2, 2] => layout: [0, 1]);\n", "empty-side");
}

/// Every item of the tour is read; what the language has not learnt yet says so, and nothing else is said against it.
#[test]
fn the_tour_is_read_to_its_end() {
    let checked = check(TOUR);
    let bad: Vec<String> = checked
        .findings
        .iter()
        .filter(|finding| !["not-available-yet", "show"].contains(&finding.code) && finding.severity.name() != "hint")
        .map(|finding| format!("{} {}", finding.code, finding.message))
        .collect();
    assert!(bad.is_empty(), "{}", checked.report());
    let names = ["s0", "s1", "s3", "new-shape3", "tiles", "blocked", "strided3", "twisted"];
    for name in names {
        assert!(checked.value(name).is_some(), "{name} has no value");
    }
}
